import type { Nodes } from 'mdast'
import { Fragment, memo, type ReactNode } from 'react'
import { GAP, parseMarkdown, tableParts } from '../lib/markdown.ts'
import { MarkdownTable } from './markdown-table.tsx'

/**
 * Renders user-written Markdown as React elements: paragraphs, lists, quotes, tables, code, emphasis, links to the web, images of
 * this site. Everything else, above all HTML, is shown as plain text. `phrasing` renders only elements that labels and legends may contain.
 * @param renderGap what stands in the place of a gap `[[1]]`; without it, gaps are text
 */
export const Markdown = memo(function Markdown({
  text,
  as = 'flow',
  className = '',
  renderGap,
}: {
  text: string
  as?: 'flow' | 'phrasing'
  className?: string
  renderGap?: ((number: number) => ReactNode) | undefined
}) {
  const content = render(parseMarkdown(text), { text, isPhrasing: as === 'phrasing', renderGap }, 0)
  return as === 'flow' ? (
    <div className={`prose-exam ${className}`}>{content}</div>
  ) : (
    <span className={`block wrap-anywhere ${className}`}>{content}</span>
  )
})

type Source = {
  readonly text: string
  readonly isPhrasing: boolean
  readonly renderGap?: ((number: number) => ReactNode) | undefined
}

/** Nodes whose elements labels and legends may not contain. */
type Block = Extract<Nodes, { type: 'paragraph' | 'code' | 'thematicBreak' | 'blockquote' | 'list' | 'listItem' }>

function render(node: Nodes, source: Source, key: number): ReactNode {
  switch (node.type) {
    case 'root':
      return renderAll(node.children, source)
    case 'text':
      return renderValue(node.value, source, key)
    case 'emphasis':
      return <em key={key}>{renderAll(node.children, source)}</em>
    case 'strong':
      return <strong key={key}>{renderAll(node.children, source)}</strong>
    case 'inlineCode':
      return (
        <code key={key} className="rounded-sm bg-sunken px-1 py-px font-normal">
          {renderValue(node.value, source, key)}
        </code>
      )
    case 'break':
      return <br key={key} />
    case 'heading':
      // A heading inside a question must not appear in the outline of the page.
      return (
        <strong key={key} className="mt-3 block font-semibold first:mt-0">
          {renderAll(node.children, source)}
        </strong>
      )
    case 'paragraph':
    case 'code':
    case 'thematicBreak':
    case 'blockquote':
    case 'list':
    case 'listItem':
      return source.isPhrasing ? renderPhrasingBlock(node, source, key) : renderFlowBlock(node, source, key)
    case 'table':
      return renderTable(node, source, key)
    case 'link':
      return isWebAddress(node.url)
        ? renderLink(node.url, renderAll(node.children, { ...source, renderGap: undefined }), key)
        : asWritten(node, source)
    case 'image':
      // A link instead of an image of another site: loading it would reveal the reader to that site.
      if (isWebAddress(node.url)) return renderLink(node.url, node.alt || node.url, key)
      return isImage(node.url) ? (
        <img key={key} src={node.url} alt={node.alt ?? ''} loading="lazy" className="my-2 max-w-full rounded-md" />
      ) : (
        asWritten(node, source)
      )
    default:
      return asWritten(node, source)
  }
}

/** Text or code with what stands in its gaps. */
function renderValue(value: string, { renderGap }: Source, key: number): ReactNode {
  if (renderGap === undefined || !value.includes('[[')) return value
  const pieces = value.split(GAP)
  return (
    <Fragment key={key}>
      {/* Every second piece is the number of a gap. */}
      {pieces.map((piece, at) => (at % 2 === 0 ? piece : <Fragment key={at}>{renderGap(Number(piece))}</Fragment>))}
    </Fragment>
  )
}

function renderFlowBlock(node: Block, source: Source, key: number): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return <p key={key}>{renderAll(node.children, source)}</p>
    case 'code':
      // Long lines wrap, because the keyboard cannot scroll sideways.
      return (
        <pre key={key} className="whitespace-pre-wrap">
          <code>{renderValue(node.value, source, key)}</code>
        </pre>
      )
    case 'thematicBreak':
      return <hr key={key} className="border-line" />
    case 'blockquote':
      return <blockquote key={key}>{renderAll(node.children, source)}</blockquote>
    case 'list':
      return node.ordered ? (
        <ol key={key} start={node.start ?? 1}>
          {renderAll(node.children, source)}
        </ol>
      ) : (
        <ul key={key}>{renderAll(node.children, source)}</ul>
      )
    case 'listItem':
      return <li key={key}>{renderItem(node, source)}</li>
  }
}

/** The look of a block, by elements that labels and legends may contain. */
function renderPhrasingBlock(node: Block, source: Source, key: number): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return (
        <span key={key} className="mt-3 block first:mt-0">
          {renderAll(node.children, source)}
        </span>
      )
    case 'code':
      return (
        <code
          key={key}
          className="mt-3 block rounded-md border border-line bg-sunken px-4 py-3 font-normal whitespace-pre-wrap first:mt-0"
        >
          {renderValue(node.value, source, key)}
        </code>
      )
    case 'thematicBreak':
      return <br key={key} />
    case 'blockquote':
      return (
        <span key={key} className="mt-3 block border-l-2 border-line-strong pl-3 first:mt-0">
          {renderAll(node.children, source)}
        </span>
      )
    case 'list':
      return (
        <span key={key} className={`mt-3 block first:mt-0 ${node.ordered ? 'list-decimal' : 'list-disc'}`}>
          {renderAll(node.children, source)}
        </span>
      )
    case 'listItem':
      return (
        <span key={key} className="ml-5 list-item">
          {renderItem(node, source)}
        </span>
      )
  }
}

function renderTable(node: Extract<Nodes, { type: 'table' }>, source: Source, key: number): ReactNode {
  const { align, head, rows } = tableParts(node)
  const renderCells = (cells: typeof head) => cells.map((children) => renderAll(children, source))
  return (
    <MarkdownTable
      key={key}
      head={renderCells(head)}
      rows={rows.map(renderCells)}
      align={align}
      isPhrasing={source.isPhrasing}
    />
  )
}

function renderLink(url: string, content: ReactNode, key: number): ReactNode {
  return (
    <a key={key} href={url} target="_blank" rel="noreferrer" className="text-accent underline">
      {content}
    </a>
  )
}

function renderAll(nodes: readonly Nodes[], source: Source): ReactNode[] {
  return nodes.map((node, index) => render(node, source, index))
}

/** Items of a tight list have no paragraph around their text. */
function renderItem(node: Extract<Nodes, { type: 'listItem' }>, source: Source): ReactNode[] {
  return node.children.flatMap((child, index) =>
    child.type === 'paragraph' && node.spread !== true
      ? renderAll(child.children, source)
      : [render(child, source, index)],
  )
}

/** The source text of a node that is not rendered otherwise. */
function asWritten(node: Nodes, source: Source): string {
  return source.text.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0)
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\/[^\s]/i.test(url)
}

/** Whether a URL is that of a stored image; no other path of this site and no other origin matches. */
function isImage(url: string): boolean {
  return /^\/pictures\/[0-9a-f]{64}\.(?:webp|svg)$/.test(url)
}
