import { readParts } from '../../types/format-registry.ts'
import { reason } from '../../questions.ts'
import { lostPart } from '../lost-parts.schema.ts'
import { type ParsedQuestion, findingStep, found, questionStep, type Reading } from '../parsed-question.ts'
import { htmlInText } from '../markup/html-to-markdown.ts'
import { readJson } from './json-tree.ts'
import { fieldsOf, isGiven, textOf } from './json-values.ts'
import type { ReadStep } from '../formats.schema.ts'

/** Reads JSON as many banks have it: a list of questions, or an object that contains one. */
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

/** The usual names of fields, in lower case without separators. The first one that has a value is taken. */
const FIELDS = {
  stem: ['question', 'questiontext', 'text', 'stem', 'body', 'prompt'],
  explanation: ['explanation', 'answerdescription', 'rationale', 'answerexplanation'],
  domain: ['domain', 'topic', 'category', 'section'],
  url: ['url', 'link', 'reference'],
  difficulty: ['difficulty', 'level'],
  /** They add nothing to the question, so they are not reported as lost. */
  ignored: ['id', 'number', 'questionnumber', 'questionid', 'index', 'type', 'ismultiple', 'needsreview'],
}

function takeQuestion(read: ParsedQuestion, fields: Map<string, unknown>): void {
  const named = new Map(
    [...fields].map(([name, value]) => [name.toLowerCase().replace(/[^a-z]/g, ''), { name, value }]),
  )
  const taken = new Set(FIELDS.ignored)
  const take = (names: readonly string[]): unknown => {
    const name = names.find((name) => isGiven(named.get(name)?.value))
    if (name === undefined) return undefined
    taken.add(name)
    return named.get(name)?.value
  }
  const markdownOf = (text: string) => htmlInText(text, read.lost)
  read.stem = markdownOf(textOf(take(FIELDS.stem)))
  read.body = readParts('voted-json', { has: (name) => named.has(name), take, markdownOf }, read).body
  read.explanation = markdownOf(textOf(take(FIELDS.explanation)))
  read.facts = {
    domain: textOf(take(FIELDS.domain)),
    url: textOf(take(FIELDS.url)),
    difficulty: textOf(take(FIELDS.difficulty)),
  }
  for (const [plain, { name, value }] of named) {
    if (!taken.has(plain) && isGiven(value)) read.lost.push(lostPart('field', name))
  }
}
