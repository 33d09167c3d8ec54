import { LETTERS } from '../../questions.schema.ts'
import { normaliseLine, reason } from '../../questions.ts'
import { lostSentences } from '../formats.copy.ts'
import { takeKey } from '../tables/question-csv.ts'
import { type ParsedQuestion, findingStep, found, questionStep, type Reading } from '../parsed-question.ts'
import { htmlInText } from '../markup/html-to-markdown.ts'
import { fieldsOf } from './question-json.ts'
import { readJson } from './json-tree.ts'
import { mapTexts } from '../bank-images.ts'
import type { ReadStep } from '../formats.schema.ts'

/**
 * Reads JSON as many banks have it: a list of questions, or an object that holds one; answers as an object of letters, as a
 * list, or as fields `answer_a` …; the key as `correct_answer`, or as `suggested_answer` and `most_voted_answer`.
 */
export function* readVotedJson(file: string, text: string, reading: Reading): Generator<ReadStep> {
  const { value, lineOf, problems, broken } = readJson(text)
  for (const { line, message } of problems) yield findingStep('file-unreadable', { file, line, about: message })
  const questions = listIn(value)
  if (questions.length === 0) yield findingStep('no-questions', { file })
  for (const question of questions) {
    const read = found(file, lineOf(question))
    if (broken.has(question))
      read.reasons.push(reason('syntax-broken', '', 'the JSON of this question is not whole', read.line))
    takeQuestion(read, fieldsOf(question))
    yield questionStep(read, reading)
  }
}

const LISTS = ['questions', 'data', 'items', 'results', 'exam', 'quiz']

function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const fields = fieldsOf(value)
  for (const name of LISTS) {
    const inside = fields.get(name)
    if (Array.isArray(inside)) return inside
  }
  // Questions under their numbers: { "1": { … }, "2": { … } }
  const values = [...fields.values()]
  return values.length > 0 && values.every((entry) => fieldsOf(entry).size > 1) ? values : []
}

/** Names of fields, without case and separators; the first that is there is taken. */
const FIELDS = {
  stem: ['question', 'questiontext', 'text', 'stem', 'body', 'prompt'],
  options: ['answers', 'options', 'choices', 'answeroptions'],
  right: ['finalanswer', 'correctanswer', 'correctanswers', 'correct', 'rightanswer', 'answer', 'key'],
  suggested: ['suggestedanswer', 'suggestedanswers'],
  voted: ['mostvotedanswer', 'mostvotedanswers', 'mostvoted', 'answerscommunity', 'communityanswer'],
  explanation: ['explanation', 'answerdescription', 'rationale', 'answerexplanation'],
  domain: ['domain', 'topic', 'category', 'section'],
  url: ['url', 'link', 'reference'],
  difficulty: ['difficulty', 'level'],
  /** Says nothing that the question itself does not. */
  passed: ['id', 'number', 'questionnumber', 'questionid', 'index', 'type', 'isMultiple'.toLowerCase(), 'needsreview'],
}

function takeQuestion(read: ParsedQuestion, fields: Map<string, unknown>): void {
  const named = new Map(
    [...fields].map(([name, value]) => [name.toLowerCase().replace(/[^a-z]/g, ''), { name, value }]),
  )
  const taken = new Set<string>()
  const take = (names: readonly string[]): unknown => {
    const name = names.find((name) => isGiven(named.get(name)?.value))
    if (name === undefined) return undefined
    taken.add(name)
    return named.get(name)?.value
  }
  read.stem = textOf(take(FIELDS.stem))
  read.options = answersOf(take(FIELDS.options)) ?? letteredOptions(named, taken)
  read.explanation = textOf(take(FIELDS.explanation))
  mapTexts(read, (text) => htmlInText(text, read.lost))
  const suggested = lettersOf(take(FIELDS.suggested))
  const voted = lettersOf(take(FIELDS.voted))
  const marked = read.options.some(({ isRight }) => isRight)
  const right = lettersOf(take(FIELDS.right)) || (marked ? '' : voted || suggested)
  takeKey(read, right)
  if (suggested !== '' && voted !== '' && suggested !== voted && right === voted)
    read.reasons.push(reason('key-disputed', 'final_answer', `${suggested}, ${voted}`, read.line))
  read.facts = {
    domain: textOf(take(FIELDS.domain)),
    url: textOf(take(FIELDS.url)),
    difficulty: textOf(take(FIELDS.difficulty)),
    suggested_answer: suggested,
    most_voted_answer: voted,
  }
  take(FIELDS.passed)
  const passed = new Set([...FIELDS.passed, ...taken])
  for (const [plain, { name, value }] of named) {
    if (!passed.has(plain) && isGiven(value)) read.lost.push(lostSentences.field(name))
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? value.map(textOf).join('\n') : ''
}

/** `["B", "E"]`, `"BE"` and `"B, E"` alike; a list of votes begins with the one that has most. */
function lettersOf(value: unknown): string {
  if (!Array.isArray(value)) {
    const written = textOf(value).replace(/\s*\(\d+%\)\s*/g, ' ')
    return /^[a-f](?:[\s,]*[a-f])*$/i.test(written.trim()) ? written.toUpperCase().replace(/[^A-F]/g, '') : written
  }
  const votes = value.map((entry) => normaliseLine(textOf(entry)))
  const [first = ''] = votes
  const isCounted = /\(\d+%\)/.test(first)
  return isCounted ? lettersOf(first) : lettersOf(votes.join(votes.every((vote) => vote.length === 1) ? '' : '; '))
}

function answersOf(value: unknown): ParsedQuestion['options'] | null {
  if (Array.isArray(value)) return value.map(answerOf)
  const fields = [...fieldsOf(value)].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
  return fields.length === 0 ? null : fields.map(([, entry]) => answerOf(entry))
}

/** `"A. text"`, or an object that names the text and perhaps whether it is right. */
function answerOf(entry: unknown): ParsedQuestion['options'][number] {
  const fields = fieldsOf(entry)
  const named = (names: string[]) => names.map((name) => fields.get(name)).find((value) => isGiven(value))
  const text =
    fields.size === 0 ? textOf(entry) : textOf(named(['text', 'value', 'answer', 'option', 'content', 'label']))
  const isRight = named(['is_correct', 'isCorrect', 'correct', 'is_right', 'isRight']) === true
  return { text: text.replace(/^[ \t]*[A-Fa-f][.):][ \t]+/, ''), isRight }
}

function letteredOptions(named: Map<string, { value: unknown }>, taken: Set<string>): ParsedQuestion['options'] {
  const texts = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => {
    const name = ['answer', 'option', 'choice', ''].map((stem) => stem + letter).find((name) => named.has(name))
    if (name === undefined) return ''
    taken.add(name)
    return textOf(named.get(name)?.value)
  })
  const count = Math.max(texts.findLastIndex((text) => text.trim() !== '') + 1, Math.min(2, LETTERS.length))
  return texts.slice(0, count).map((text) => ({ text, isRight: false }))
}
