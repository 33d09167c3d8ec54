import type { List, RootContent, Table } from 'mdast'
import { parseMarkdown, tableParts } from '../../../../lib/markdown.ts'
import { xmlText } from './xml-tree.ts'

/**
 * A Markdown text as XHTML, as the product shows it: HTML in it is shown as text. Texts with equal XHTML look equal to
 * learners.
 */
export function markdownToHtml(text: string, addressOf: (address: string) => string = (address) => address): string {
  const { children } = parseMarkdown(text)
  return blocks(children, { text, addressOf })
}

/** For places that hold one line of text: a single paragraph is written without its element. */
export function markdownToInlineHtml(text: string, addressOf: (address: string) => string): string {
  const html = markdownToHtml(text, addressOf)
  const only = /^<p>((?:(?!<p>).)*)<\/p>$/s.exec(html.length < LONGEST_LINE ? html : '')
  return only?.[1] ?? html
}

const LONGEST_LINE = 10_000

interface Context {
  text: string
  addressOf: (address: string) => string
}

function blocks(nodes: readonly RootContent[], context: Context): string {
  return nodes.map((node) => render(node, context)).join('')
}

/** What stands in a line. HTML in it is part of the line. */
function phrases(nodes: readonly RootContent[], context: Context): string {
  return nodes.map((node) => (node.type === 'html' ? sourceOf(node, context) : render(node, context))).join('')
}

function render(node: RootContent, context: Context): string {
  switch (node.type) {
    case 'text':
      // A line feed inside a paragraph is a blank.
      return xmlText(node.value.replaceAll('\n', ' '))
    case 'paragraph':
      return `<p>${phrases(node.children, context)}</p>`
    case 'heading':
      return `<h4>${phrases(node.children, context)}</h4>`
    case 'strong':
      return `<strong>${phrases(node.children, context)}</strong>`
    case 'emphasis':
      return `<em>${phrases(node.children, context)}</em>`
    case 'inlineCode':
      return `<code>${xmlText(node.value)}</code>`
    case 'code': {
      const language = /^[\w+#-]+/.exec(node.lang ?? '')?.[0]
      const name = language === undefined ? '' : ` class="language-${language}"`
      return `<pre><code${name}>${xmlText(node.value)}</code></pre>`
    }
    case 'blockquote':
      return `<blockquote>${blocks(node.children, context)}</blockquote>`
    case 'list':
      return listOf(node, context)
    case 'table':
      return tableOf(node, context)
    case 'thematicBreak':
      return '<hr/>'
    case 'break':
      return '<br/>'
    case 'link':
      return /^https?:/i.test(node.url)
        ? `<a href="${xmlText(node.url)}">${phrases(node.children, context)}</a>`
        : sourceOf(node, context)
    case 'image':
      return `<img src="${xmlText(context.addressOf(node.url))}" alt="${xmlText(node.alt ?? '')}"/>`
    default:
      // HTML, references and definitions are shown as they are written.
      return node.type === 'html' && !isInline(node, context)
        ? `<p>${sourceOf(node, context)}</p>`
        : sourceOf(node, context)
  }
}

function listOf(node: List, context: Context): string {
  const isTight = node.children.every(({ children }) => children.every((_, at) => !isApart(children, at)))
  const items = node.children.map(({ children }) => {
    const inside = children.map((child) =>
      isTight && child.type === 'paragraph' ? phrases(child.children, context) : render(child, context),
    )
    return `<li>${inside.join('')}</li>`
  })
  const start =
    node.ordered === true && typeof node.start === 'number' && node.start !== 1 ? ` start="${node.start}"` : ''
  return node.ordered === true ? `<ol${start}>${items.join('')}</ol>` : `<ul>${items.join('')}</ul>`
}

/** Alignment is a class of QTI 3, which has no attribute for it and where viewers may ignore styles. */
function tableOf(table: Table, context: Context): string {
  const { align, head, rows } = tableParts(table)
  const rowOf = (cells: typeof head, name: 'th' | 'td') => {
    const inside = cells.map((children, column) => {
      const scope = name === 'th' ? ' scope="col"' : ''
      const side = align[column] ?? null
      const look = side === null ? '' : ` class="qti-align-${side}"`
      return `<${name}${scope}${look}>${phrases(children, context)}</${name}>`
    })
    return `<tr>${inside.join('')}</tr>`
  }
  // QTI requires a body; in a table without rows the head becomes the body.
  if (rows.length === 0) return `<table><tbody>${rowOf(head, 'th')}</tbody></table>`
  const body = rows.map((row) => rowOf(row, 'td')).join('')
  return `<table><thead>${rowOf(head, 'th')}</thead><tbody>${body}</tbody></table>`
}

/** Two paragraphs that follow each other need their elements. */
function isApart(children: RootContent[], at: number): boolean {
  return children[at]?.type === 'paragraph' && children[at + 1]?.type === 'paragraph'
}

function isInline(node: RootContent, { text }: Context): boolean {
  const start = node.position?.start.offset ?? 0
  return start > 0 && text.charAt(start - 1) !== '\n'
}

function sourceOf(node: RootContent, { text }: Context): string {
  return xmlText(text.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0).replaceAll('\n', ' '))
}
