import { fieldsOf, isGiven, textOf } from '../../../formats/json/json-values.ts'
import { normaliseLine } from '../../../question-text.ts'
import { reason } from '../../../questions.ts'
import type { BodyNotes, PartReader, VotedFields } from '../../type-formats.ts'
import type { ParsedChoice, ParsedOption } from './choice-parsed.ts'
import { readWrittenKey } from './choice-written-key.ts'

/** The usual names of fields; the first one that has a value is taken. */
const FIELDS = {
  options: ['answers', 'options', 'choices', 'answeroptions'],
  right: ['finalanswer', 'correctanswer', 'correctanswers', 'correct', 'rightanswer', 'answer', 'key'],
  suggested: ['suggestedanswer', 'suggestedanswers'],
  voted: ['mostvotedanswer', 'mostvotedanswers', 'mostvoted', 'answerscommunity', 'communityanswer'],
}

/**
 * Options as an object of letters, as a list, or as fields `answer_a` and so on; the key as `correct_answer`, or as
 * `suggested_answer` and `most_voted_answer`.
 */
export const votedChoice: PartReader<'choice', VotedFields> = {
  takes: () => true,
  read(fields, notes) {
    const given = optionsOf(fields.take(FIELDS.options)) ?? letteredOptions(fields)
    const options = given.map(({ text, isRight }) => ({ text: fields.markdownOf(text), isRight }))
    return { body: withKeys(options, fields, notes), each: [] }
  },
}

function withKeys(options: readonly ParsedOption[], fields: VotedFields, notes: BodyNotes): ParsedChoice {
  const suggested = lettersIn(fields.take(FIELDS.suggested))
  const voted = lettersIn(fields.take(FIELDS.voted))
  const isMarked = options.some(({ isRight }) => isRight)
  const right = lettersIn(fields.take(FIELDS.right)) || (isMarked ? '' : voted || suggested)
  const body = readWrittenKey(options, right, notes)
  if (suggested !== '' && voted !== '' && suggested !== voted && right === voted)
    notes.reasons.push(reason('key-disputed', 'final_answer', `${suggested}, ${voted}`, notes.line))
  return { ...body, hints: { suggested_answer: suggested, most_voted_answer: voted } }
}

/** `["B", "E"]`, `"BE"` and `"B, E"` alike; a list of votes begins with the one that has most. */
function lettersIn(value: unknown): string {
  if (!Array.isArray(value)) {
    const written = textOf(value).replace(/\s*\(\d+%\)\s*/g, ' ')
    return /^[a-l](?:[\s,]*[a-l])*$/i.test(written.trim()) ? written.toUpperCase().replace(/[^A-L]/g, '') : written
  }
  const votes = value.map((entry) => normaliseLine(textOf(entry)))
  const [first = ''] = votes
  const isCounted = /\(\d+%\)/.test(first)
  return isCounted ? lettersIn(first) : lettersIn(votes.join(votes.every((vote) => vote.length === 1) ? '' : '; '))
}

function optionsOf(value: unknown): ParsedOption[] | null {
  if (Array.isArray(value)) return value.map(optionOf)
  const fields = [...fieldsOf(value)].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
  return fields.length === 0 ? null : fields.map(([, entry]) => optionOf(entry))
}

/** `"A. text"`, or an object that names the text and perhaps whether it is right. */
function optionOf(entry: unknown): ParsedOption {
  const fields = fieldsOf(entry)
  const named = (names: string[]) => names.map((name) => fields.get(name)).find((value) => isGiven(value))
  const text =
    fields.size === 0 ? textOf(entry) : textOf(named(['text', 'value', 'answer', 'option', 'content', 'label']))
  const isRight = named(['is_correct', 'isCorrect', 'correct', 'is_right', 'isRight']) === true
  return { text: text.replace(/^[ \t]*[A-La-l][.):][ \t]+/, ''), isRight }
}

function letteredOptions(fields: VotedFields): ParsedOption[] {
  const texts = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => {
    const name = ['answer', 'option', 'choice', ''].map((stem) => stem + letter).find((name) => fields.has(name))
    return name === undefined ? '' : textOf(fields.take([name]))
  })
  // Two empty options where there are none, so that both are reported.
  const count = Math.max(texts.findLastIndex((text) => text.trim() !== '') + 1, 2)
  return texts.slice(0, count).map((text) => ({ text, isRight: false }))
}
