import { parse } from 'yaml'
import { reason } from '../../questions.ts'
import { lostPart } from '../lost-parts.schema.ts'
import { type ParsedQuestion, found, questionStep, type Reading } from '../parsed-question.ts'
import { takeBoxes } from './markdown-boxes.ts'
import type { ReadStep } from '../formats.schema.ts'

/** Reads Markdown with one question in a file: facts in front matter, checkboxes, and below each a quote that explains it. */
export function* readQuestionFile(file: string, text: string, reading: Reading): Generator<ReadStep> {
  const lines = text.split('\n')
  const end = /^---[ \t]*$/.test(lines[0] ?? '')
    ? lines.findIndex((line, at) => at > 0 && /^---[ \t]*$/.test(line))
    : -1
  const read = found(file, end === -1 ? 1 : end + 2)
  if (end !== -1) takeHead(read, lines.slice(1, end).join('\n'))
  takeBoxes(read, lines.slice(end + 1))
  yield questionStep(read, reading)
}

/** The usual names of the fields of a head in other people's files. */
const HEAD = new Map([
  ['question', 'stem'],
  ['stem', 'stem'],
  ['explanation', 'explanation'],
  ['domain', 'domain'],
  ['topic', 'domain'],
  ['category', 'domain'],
  ['section', 'domain'],
  ['difficulty', 'difficulty'],
  ['level', 'difficulty'],
  ['url', 'url'],
  ['link', 'url'],
  ['reference', 'url'],
  ['documentation', 'url'],
  ['source', 'url'],
])

function takeHead(read: ParsedQuestion, yaml: string): void {
  const facts: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(headOf(read, yaml))) {
    const field = HEAD.get(name.toLowerCase())
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : null
    if (field === undefined || text === null || facts[field] !== undefined) read.lost.push(lostPart('field', name))
    else facts[field] = text
  }
  const { stem, ...others } = facts
  if (typeof stem === 'string') read.stem = stem
  read.facts = others
}

function headOf(read: ParsedQuestion, yaml: string): object {
  try {
    const head: unknown = parse(yaml, { maxAliasCount: 20, prettyErrors: false })
    return typeof head === 'object' && head !== null && !Array.isArray(head) ? head : {}
  } catch (problem) {
    const about = problem instanceof Error ? problem.message : String(problem)
    read.reasons.push(reason('syntax-broken', '', `the head is not valid YAML: ${about}`, 1))
    return {}
  }
}
