import { MAX_TEXT_LENGTH } from '../../types/question-base.schema.ts'
import { Parser } from 'htmlparser2'
import { lostPart, type LostPart } from '../lost-parts.schema.ts'

/** The address of an image in the Markdown; null for an image that is missing. */
type ImageOf = (address: string) => string | null

/** Converts a text of a format without markup, in which people write HTML tags anyway. A text without tags stays as it is. */
export function htmlInText(text: string, lost: LostPart[]): string {
  if (!text.includes('<') || text.includes('```') || !KNOWN_TAG.test(text.replace(/`[^`\n]*`/g, ''))) return text
  return htmlToMarkdown(text, { lost })
}

const KNOWN_TAG =
  /<\/?(?:p|br|ul|ol|li|strong|b|em|i|u|code|pre|div|span|table|tr|td|th|h[1-6]|a|img|sub|sup|blockquote|hr|script|style|iframe)(?:\s[^<>]*)?\/?>/i

/**
 * HTML as Markdown: paragraphs, lists, quotes, tables, code, emphasis, links, pictures. Scripts are removed; whatever is
 * removed is reported in `lost`.
 */
export function htmlToMarkdown(html: string, { lost, imageOf }: { lost: LostPart[]; imageOf?: ImageOf }): string {
  if (html.length > MOST_HTML) return html
  const root = treeOf(html)
  // HTML that is nested deeper is an attack.
  if (root === null) return html
  return renderBlocks(root.children, { lost, imageOf })
}

/** As `htmlToMarkdown`, for parsed XML: parsing it a second time would take half the time of a large import. */
export function treeToMarkdown(nodes: Element['children'], { lost }: { lost: LostPart[] }): string {
  return renderBlocks(nodes.map(asHtml), { lost })
}

/** Names in HTML are case-insensitive. */
function asHtml(node: Element | string): Element | string {
  if (typeof node === 'string') return node
  const attributes: Record<string, string> = {}
  for (const name in node.attributes) attributes[name.toLowerCase()] = node.attributes[name] ?? ''
  return { name: node.name.toLowerCase(), attributes, children: node.children.map(asHtml) }
}

/** Markup needs room besides the text. A longer text is not converted, and is refused for its length. */
const MOST_HTML = 4 * MAX_TEXT_LENGTH
const MAX_DEPTH = 100
const CHUNK = 4096

interface Element {
  name: string
  attributes: Record<string, string>
  children: (Element | string)[]
}

interface Context {
  lost: LostPart[]
  imageOf?: ImageOf | undefined
  isInTable?: boolean
}

function treeOf(html: string): Element | null {
  const root: Element = { name: 'root', attributes: {}, children: [] }
  const open = [root]
  const state = { isTooDeep: false }
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const element = { name, attributes, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
      state.isTooDeep ||= open.length > MAX_DEPTH
    },
    // The parser ends a text at an entity. An ampersand and what follows it would read as an entity of Markdown.
    ontext: (text) => {
      const children = open.at(-1)?.children ?? []
      const last = children.at(-1)
      if (typeof last === 'string' && last.endsWith('&')) children[children.length - 1] = last + text
      else children.push(text)
    },
    onclosetag: () => {
      if (open.length > 1) open.pop()
    },
  })
  for (let at = 0; at < html.length && !state.isTooDeep; at += CHUNK) parser.write(html.slice(at, at + CHUNK))
  if (!state.isTooDeep) parser.end()
  return state.isTooDeep ? null : root
}

const BLOCKS = new Set(
  'address article aside blockquote center dd details div dl dt figure figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
/** Elements without text; they are removed with their content. */
const GONE = new Set(
  'script style iframe object embed applet noscript template head title meta link base frame frameset input button select textarea svg math video audio canvas'.split(
    ' ',
  ),
)

function renderBlocks(nodes: Element['children'], context: Context): string {
  const blocks: string[] = []
  let run: Element['children'] = []
  const endRun = () => {
    const text = paragraphOf(run, context)
    if (text !== '') blocks.push(text)
    run = []
  }
  for (const node of nodes) {
    if (typeof node === 'string' || !hasBlock(node)) {
      run.push(node)
      continue
    }
    endRun()
    const block = renderBlock(node, context)
    if (block !== '') blocks.push(block)
  }
  endRun()
  return blocks.join('\n\n')
}

function hasBlock(element: Element): boolean {
  if (GONE.has(element.name)) return false
  return BLOCKS.has(element.name) || element.children.some((child) => typeof child !== 'string' && hasBlock(child))
}

function renderBlock(element: Element, context: Context): string {
  switch (element.name) {
    case 'ul':
    case 'ol':
      return listOf(element, context)
    case 'pre':
      return fenced(element)
    case 'blockquote':
      return prefixed(renderBlocks(element.children, context), '> ', '> ')
    case 'hr':
      return '---'
    case 'table':
      return tableOf(element, context)
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6': {
      const text = paragraphOf(element.children, context)
      return text === '' ? '' : `#### ${text.replace(/\s*\n\s*/g, ' ')}`
    }
    default:
      return renderBlocks(element.children, context)
  }
}

function listOf(element: Element, context: Context): string {
  let number = Number.parseInt(element.attributes['start'] ?? '1', 10)
  if (!(number >= 0 && number < 1e9)) number = 1
  const items: string[] = []
  for (const child of element.children) {
    if (typeof child === 'string' && child.trim() === '') continue
    const item = typeof child === 'string' ? paragraphOf([child], context) : renderBlocks(child.children, context)
    const mark = element.name === 'ul' ? '- ' : `${number}. `
    number += 1
    items.push(prefixed(item, mark, ' '.repeat(mark.length)))
  }
  return items.join(items.some((item) => item.includes('\n\n')) ? '\n\n' : '\n')
}

/** A Markdown table has one line in each cell and no spans. Other tables become lines, and so does a single row of data. */
function tableOf(element: Element, context: Context): string {
  const isCaption = (child: Element | string) => typeof child !== 'string' && child.name === 'caption'
  const title = renderBlocks(element.children.filter(isCaption), context)
  const rows = rowsOf(element)
    .map(cellsOf)
    .filter((row) => row.length > 0)
  const texts = rows.map((row) => row.map((cell) => cellText(cell, { ...context, isInTable: true })))
  if (texts.flat().every((text) => text === '')) return title
  const isGrid = rows[0]?.some(isHeading) === true || rows.length > 1
  const fits = !rows.flat().some(isSpanning) && !texts.flat().some((text) => text.includes('\n'))
  if (isGrid && fits) return joinBlocks([title, gridOf(texts, (rows[0] ?? []).map(alignmentOf))])
  context.lost.push(lostPart('table'))
  return joinBlocks([title, ...texts.map((row) => row.join(row.join('').includes('\n') ? '\n\n' : ' | '))])
}

function joinBlocks(blocks: string[]): string {
  return blocks.filter((block) => block.replace(/[ |\n]/g, '') !== '').join('\n\n')
}

function gridOf(texts: string[][], aligned: string[]): string {
  const width = texts.reduce((widest, row) => Math.max(widest, row.length), 0)
  const full = (cells: string[], filling: string) => Array.from({ length: width }, (_, at) => cells[at] ?? filling)
  // Short rows are not padded: a text with many columns and many short rows would grow without bounds.
  const [head = [], ...rows] = texts.map((row) => row.map(escapedPipes))
  return [full(head, ''), full(aligned, '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function escapedPipes(text: string): string {
  return text.replace(/\\.|\|/gs, (found) => (found === '|' ? '\\|' : found))
}

function cellText(cell: Element, context: Context): string {
  return renderBlocks(cell.name === 'td' || isHeading(cell) ? cell.children : [cell], context)
}

function isHeading({ name }: Element): boolean {
  return name === 'th'
}

function isSpanning({ attributes }: Element): boolean {
  return ['colspan', 'rowspan'].some((name) => Number.parseInt(attributes[name] ?? '1', 10) > 1)
}

/** Our QTI states the alignment by a class, HTML by a style, and older HTML by an attribute. */
function alignmentOf({ attributes }: Element): string {
  const said = `${attributes['align'] ?? ''} ${attributes['class'] ?? ''} ${attributes['style'] ?? ''}`
  const side = /(?:^|\bqti-align-|\btext-align:\s*)(left|right|center)\b/i.exec(said)?.[1]?.toLowerCase()
  return side === undefined ? '---' : ({ left: ':--', right: '--:', center: ':-:' }[side] ?? '---')
}

function prefixed(text: string, first: string, other: string): string {
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? first + line : line === '' && other.trim() === '' ? '' : other + line))
    .join('\n')
}

function fenced(element: Element): string {
  const only = element.children.find((child) => typeof child !== 'string')
  const language = /\blanguage-([\w+#-]+)/.exec((only && typeof only !== 'string' && only.attributes['class']) || '')
  const code = textIn(element).replace(/\r\n?/g, '\n').replace(/^\n/, '').replace(/\n$/, '')
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
  return `${fence}${language?.[1] ?? ''}\n${code}\n${fence}`
}

function rowsOf(element: Element): Element[] {
  return element.children.flatMap((child) =>
    typeof child === 'string' ? [] : child.name === 'tr' ? [child] : rowsOf(child),
  )
}

function cellsOf(row: Element): Element[] {
  return row.children.filter((child) => typeof child !== 'string')
}

/** Inline nodes as one paragraph; what would read as a mark of Markdown at the beginning of a line is escaped. */
function paragraphOf(nodes: Element['children'], context: Context): string {
  return renderInline(nodes, context)
    .replace(/ *\u2028 */g, '\u2028')
    .replace(/\u2028{2,}/g, '\n\n')
    .replaceAll('\u2028', '  \n')
    .split('\n')
    .map((line) => withoutLineMark(line.replace(/^ +/, '')))
    .join('\n')
    .trim()
}

function withoutLineMark(line: string): string {
  return line
    .replace(/^(#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=]+\s*$|>|~{3}|\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$)/, '\\$1')
    .replace(/^(\d{1,9})([.)](?=\s|$))/, '$1\\$2')
}

/** Stands for a line break until the paragraph is joined. `escaped` replaces white space, so no text contains it. */
const BREAK = '\u2028'

function renderInline(nodes: Element['children'], context: Context): string {
  return joined(nodes.map((node) => (typeof node === 'string' ? escaped(node) : inlineElement(node, context))))
}

/** Adjacent blanks become one. */
function joined(parts: string[]): string {
  return parts.join('').replace(/ {2,}/g, ' ')
}

function inlineElement(element: Element, context: Context): string {
  const { name, attributes } = element
  if (name === 'object' && (attributes['type'] ?? '').startsWith('image/'))
    return imageMarkdown({ src: attributes['data'] ?? '', alt: textIn(element) }, context)
  if (GONE.has(name)) {
    context.lost.push(name === 'script' ? lostPart('script') : lostPart('markup', name))
    return ''
  }
  if (name === 'br') return BREAK
  if (name === 'img') return imageMarkdown(attributes, context)
  if (name === 'code' || name === 'tt' || name === 'kbd' || name === 'samp') {
    const code = textIn(element)
    // Inside a table, code cannot contain a pipe after an odd number of backslashes.
    return context.isInTable === true && /(?<!\\)\\(?:\\\\)*\|/.test(code) ? escaped(code) : codeOf(code)
  }
  const inside = renderInline(element.children, context)
  if (name === 'strong' || name === 'b') return marked(inside, '**')
  if (name === 'em' || name === 'i') return marked(inside, '*')
  if (name === 'sup') return `^${inside}`
  if (name === 'a') return linkOf(inside, attributes['href'] ?? '')
  return inside
}

function linkOf(inside: string, address: string): string {
  const plain = address.trim()
  if (!/^https?:\/\/[^\s()<>]+$/i.test(plain) || inside.trim() === '') return inside
  return `[${inside.trim()}](${plain})`
}

function imageMarkdown(attributes: Record<string, string>, { lost, imageOf }: Context): string {
  const address = (attributes['src'] ?? '').trim().replace(/[ ()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  const alt = (attributes['alt'] ?? '').replace(/[[\]\s]+/g, ' ').trim()
  const kept = imageOf ? imageOf(address) : /^(?:data|javascript|vbscript):/i.test(address) ? null : address
  if (kept === null || kept === '' || /[\s()<>]/.test(kept)) {
    lost.push(lostPart('markup', 'img'))
    return alt === '' ? '' : `(${escaped(alt)})`
  }
  return `![${alt}](${kept})`
}

/** Emphasis does not begin or end with a blank. */
function marked(text: string, mark: string): string {
  const inner = text.replace(/^[ \u2028]+|(?<![ \u2028])[ \u2028]+$/g, '')
  if (inner === '') return text
  const start = text.indexOf(inner)
  return text.slice(0, start) + mark + inner + mark + text.slice(start + inner.length)
}

function codeOf(code: string): string {
  const line = code.replace(/\s+/g, ' ')
  if (line.trim() === '') return line
  const fence = '`'.repeat(longestRun(line) === 0 ? 1 : longestRun(line) + 1)
  const room = line.startsWith('`') || line.endsWith('`') || (line.startsWith(' ') && line.endsWith(' ')) ? ' ' : ''
  return fence + room + line + room + fence
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].slice(0, 10_000).map(([run]) => run.length))
}

function textIn(element: Element): string {
  return element.children
    .map((child) => (typeof child === 'string' ? child : child.name === 'br' ? '\n' : textIn(child)))
    .join('')
}

/** Plain text as Markdown that shows exactly this text. */
function escaped(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      // Also a backslash at the end, because an element or an entity may follow.
      .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
      .replace(
        /[`]|\*(?=\S)|(?<=\S)\*|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|\[(?=[^[\]]*\]\()|<(?=[A-Za-z/!?])|&(?=#?\w+;)/g,
        '\\$&',
      )
  )
}

/** As `escaped`, for text whose line breaks matter. */
export function escapedLines(text: string): string {
  return text
    .split('\n')
    .map((line) => withoutLineMark(escaped(line).trim()))
    .join('  \n')
    .replace(/(?: {2}\n){2,}/g, '\n\n')
    .trim()
}
