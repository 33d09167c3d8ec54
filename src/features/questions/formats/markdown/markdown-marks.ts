import { PART_MARKS, TYPE_FACTS } from '../../types/field-registry.ts'
import type { SourceFile } from '../formats.schema.ts'
import { fencesIn } from './markdown-fences.ts'

/** The names of the facts that a question's lines `name: value` can give. */
export const FACTS = [
  'domain',
  'difficulty',
  'url',
  'needs_review',
  'case_study',
  'verified_on',
  'guide',
  ...TYPE_FACTS,
] as const
export type Fact = (typeof FACTS)[number]

/**
 * Puts a backslash before every line that would be read as a mark, or that opens fenced code without an end.
 * `withoutEscapes` removes exactly these backslashes, whatever the text contained before.
 */
export function withEscapes(text: string): string {
  const lines = text.split('\n')
  const isFenced = fencesIn(lines).isFenced
  return lines.map((line, at) => (isFenced[at] ? line : line.replace(MARK, '$1\\$2$3'))).join('\n')
}

export function withoutEscapes(lines: string[]): string {
  const isFenced = fencesIn(lines).isFenced
  return lines.map((line, at) => (isFenced[at] ? line : line.replace(ESCAPED_MARK, '$1$2'))).join('\n')
}

/** Wider than the marks that are read, so that near misses can be told from text. */
const MARK_PATTERN = [
  '#{2,3}(?!#)|#(?=[ \\t]|$)',
  ...PART_MARKS,
  '`{3,}[^`]*$|~{3,}',
  `(?:${FACTS.join('|')}):(?=[ \\t]|$)`,
].join('|')
const MARK = new RegExp(`^( {0,3})(\\\\*)(${MARK_PATTERN})`)
const ESCAPED_MARK = new RegExp(`^( {0,3})\\\\(\\\\*(?:${MARK_PATTERN}))`)

const byPath = new Intl.Collator('en', { numeric: true })

/** The order in which files are read. */
export function inOrder(files: readonly SourceFile[]): SourceFile[] {
  return [...files].sort((a, b) => byPath.compare(a.path, b.path))
}
