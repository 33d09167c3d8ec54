import type { Nodes, PhrasingContent, Root, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

const extensions = [gfmTable()]
const mdastExtensions = [gfmTableFromMarkdown()]

/**
 * The most quotes and lists that begin on one line. The parser's time grows with the square of their number, and renderers
 * recurse into them.
 */
const MAX_DEPTH = 100
const TOO_DEEP = new RegExp(`^(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]))){${MAX_DEPTH + 1}}`, 'm')

/** The parser's time grows with the square of these numbers, too. Real questions stay far below. */
const MAX_EMPHASES = 2000
const MAX_QUOTED_LINES = 2000
const MAX_BRACKETS = 5000
const EMPHASIS = /[*_]+/g
const QUOTED_LINE = /^[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])/gm

function isTooMuch(text: string): boolean {
  const has = (pattern: RegExp, count: number) => text.length > count && (text.match(pattern)?.length ?? 0) > count
  return (
    TOO_DEEP.test(text) || has(EMPHASIS, MAX_EMPHASES) || has(QUOTED_LINE, MAX_QUOTED_LINES) || has(/\[/g, MAX_BRACKETS)
  )
}

/**
 * The Markdown of questions: CommonMark with the tables of GitHub. Text that is nested too deeply, or has more marks than the
 * parser can take, is one plain paragraph.
 */
export function parseMarkdown(text: string): Readonly<Root> {
  if (text.length > MAX_KEPT_LENGTH) return parse(text)
  const known = parsed.get(text)
  // Set again, so that the least recently used text is the first.
  parsed.delete(text)
  const root = known ?? parse(text)
  parsed.set(text, root)
  const [oldest] = parsed.size > MAX_KEPT ? parsed.keys() : []
  if (oldest !== undefined) parsed.delete(oldest)
  return root
}

function parse(text: string): Root {
  if (PLAIN_LINE.test(text) || isTooMuch(text)) return paragraphOf(text)
  return fromMarkdown(text, { extensions, mdastExtensions })
}

/** One line without any mark, as most options are: the parser would return it as it is. */
const PLAIN_LINE = /^(?![ #>+=\uFEFF-]|\d{1,9}[.)])[^\p{Cc}\\`*_[<&~]*[^\p{Cc} \\`*_[<&~]$/u

function paragraphOf(text: string): Root {
  return { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value: text }] }] }
}

/** Parsed texts, the least recently used first. A question is read by many learners, and parsing is a third of the work of a review. */
const parsed = new Map<string, Root>()
const MAX_KEPT = 3000
const MAX_KEPT_LENGTH = 3000

/** The words of a Markdown text on one line, without its marks: for lists, which show the beginning of a text. */
export function plainText(text: string, { hasGaps = false } = {}): string {
  const words = wordsOf(parse(text)).replaceAll(/\s+/g, ' ')
  return (hasGaps ? words.replaceAll(GAP, GAP_WORDS) : words).trim()
}

/** The place of a gap in a text, with its number. */
export const GAP = /\[\[([1-8])\]\]/g
/** How a gap reads where nothing can be chosen for it; `$1` is its number. */
export const GAP_WORDS = '____ ($1)'

/** The numbers of the gaps in a Markdown text, in reading order. Links, images and HTML hold none: nothing can be chosen there. */
export function gapsIn(text: string): number[] {
  return text.includes('[[') ? gapsOf(parseMarkdown(text)) : []
}

function gapsOf(node: Nodes): number[] {
  if (node.type === 'link') return []
  if ('children' in node) return node.children.flatMap(gapsOf)
  const hasGaps = node.type === 'text' || node.type === 'inlineCode' || node.type === 'code'
  return hasGaps ? [...node.value.matchAll(GAP)].map(([, number]) => Number(number)) : []
}

const BLOCKS: ReadonlySet<Nodes['type']> = new Set(['root', 'blockquote', 'list', 'listItem', 'table', 'tableRow'])

function wordsOf(node: Nodes): string {
  if (node.type === 'break') return ' '
  if ('children' in node) return node.children.map(wordsOf).join(BLOCKS.has(node.type) ? ' ' : '')
  if ('value' in node) return node.value
  return 'alt' in node ? (node.alt ?? '') : ''
}

type Cells = readonly (readonly PhrasingContent[])[]
export type Alignment = 'left' | 'right' | 'center' | null
type TableParts = { readonly align: readonly Alignment[]; readonly head: Cells; readonly rows: readonly Cells[] }

/**
 * A table by its cells. The head is as wide as the widest row, so that no cell goes without a heading. Rows are not padded: 2,500
 * columns and 5,000 short rows fit into a text, and would become 12 million cells.
 */
export function tableParts({ align, children }: Table): TableParts {
  const [head = [], ...rows] = children.map((row) => row.children.map((cell) => cell.children))
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
  const missing = Array.from({ length: Math.max(0, width - head.length) }, () => [])
  return { align: align ?? [], head: [...head, ...missing], rows }
}
