import { bodyJson } from '../../parts/body-json.ts'
import type { MarkdownPart, OwnJson, OwnMarkdown } from '../../type-formats.ts'
import { derivePartIds } from '../../parts/part-ids.ts'
import { LetteredChoice, LETTERS, lettersOf } from '../choice-letters.ts'
import { MAX_OPTIONS, type ChoiceQuestion } from '../choice.schema.ts'

const OPTION = /^[-*+] \[([ xX])\](?: (.*)|[ \t]*$)/s
const ALMOST_OPTION = /^[-*+][ \t]*\[[ \t]*[xX]?[ \t]*\]/

/** Options as lines `- [x] text`. */
export const ownMarkdownChoice: OwnMarkdown<'choice'> = {
  readPart(line) {
    const option = OPTION.exec(line)
    return option && { mark: option[1] ?? '', text: option[2] ?? '' }
  },
  isNearlyPart: (line) => ALMOST_OPTION.test(line),
  inputOf,
  partsOf(question) {
    const derived = derivePartIds(
      question.id,
      question.options.map(({ text }) => text),
    )
    return question.options.map(({ id, text, isRight }, place) => ({
      mark: `- [${isRight ? 'x' : ' '}]`,
      id,
      derivedId: derived[place] ?? '',
      text,
    }))
  },
  factsOf: (question: ChoiceQuestion) => [
    ['suggested_answer', lettersOf(question, question.suggestedOptionIds)],
    ['most_voted_answer', lettersOf(question, question.mostVotedOptionIds)],
    ['order', question.order ?? ''],
  ],
}

function inputOf(parts: readonly MarkdownPart[]): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  const ids: Record<string, string> = {}
  let right = ''
  for (const [place, { mark, id, text }] of parts.entries()) {
    // Options beyond the last letter get one too, so that too many of them are counted and not lost.
    const letter = LETTERS[place] ?? String.fromCharCode(97 + Math.min(place, 25))
    input[`answer_${letter}`] = text
    if (id !== null) ids[letter] = id
    if (mark !== ' ') right += letter.toUpperCase()
  }
  return { ...input, answer_ids: ids, final_answer: parts.length > MAX_OPTIONS ? [...new Set(right)].join('') : right }
}

const TEXTS = /^answer_[a-z]$/

const choiceBody = bodyJson(['options', 'order', 'suggestedOptionIds', 'mostVotedOptionIds'])

export const ownJsonChoice: OwnJson = {
  bodyFields: choiceBody.bodyFields,
  // Options beyond the specification's fields are counted when the question is judged.
  isField: (name) => name in LetteredChoice.shape || TEXTS.test(name) || name === 'order' || choiceBody.isField(name),
  withTexts: (name, value, change) =>
    typeof value === 'string' && TEXTS.test(name) ? change(value) : choiceBody.withTexts(name, value, change),
}
