import type { Nodes } from 'mdast'
import { memo, type ReactNode } from 'react'
import { parseMarkdown, tableParts } from '../lib/markdown.ts'
import { MarkdownTable } from './markdown-table.tsx'

/**
 * Renders user-written Markdown as React elements: paragraphs, lists, quotes, tables, code, emphasis, links to the web, images of
 * this site. Everything else, above all HTML, is shown as plain text. `phrasing` renders only elements that labels and legends may contain.
 */
export const Markdown = memo(function Markdown({
  text,
  as = 'flow',
  className = '',
}: {
  text: string
  as?: 'flow' | 'phrasing'
  className?: string
}) {
  const content = render(parseMarkdown(text), { text, isPhrasing: as === 'phrasing' }, 0)
  return as === 'flow' ? (
    <div className={`prose-exam ${className}`}>{content}</div>
  ) : (
    <span className={`block wrap-anywhere ${className}`}>{content}</span>
  )
})

type Source = { readonly text: string; readonly isPhrasing: boolean }

function render(node: Nodes, source: Source, key: number): ReactNode {
  const { isPhrasing } = source
  switch (node.type) {
    case 'root':
      return renderAll(node.children, source)
    case 'text':
      return node.value
    case 'paragraph': {
      const children = renderAll(node.children, source)
      return isPhrasing ? (
        <span key={key} className="mt-3 block first:mt-0">
          {children}
        </span>
      ) : (
        <p key={key}>{children}</p>
      )
    }
    case 'heading':
      // A heading inside a question must not appear in the outline of the page.
      return (
        <strong key={key} className="mt-3 block font-semibold first:mt-0">
          {renderAll(node.children, source)}
        </strong>
      )
    case 'emphasis':
      return <em key={key}>{renderAll(node.children, source)}</em>
    case 'strong':
      return <strong key={key}>{renderAll(node.children, source)}</strong>
    case 'inlineCode':
      return (
        <code key={key} className="rounded-sm bg-sunken px-1 py-px font-normal">
          {node.value}
        </code>
      )
    case 'code':
      return isPhrasing ? (
        <code
          key={key}
          className="mt-3 block rounded-md border border-line bg-sunken px-4 py-3 font-normal whitespace-pre-wrap first:mt-0"
        >
          {node.value}
        </code>
      ) : (
        // Long lines wrap, because the keyboard cannot scroll sideways.
        <pre key={key} className="whitespace-pre-wrap">
          <code>{node.value}</code>
        </pre>
      )
    case 'break':
      return <br key={key} />
    case 'thematicBreak':
      return isPhrasing ? <br key={key} /> : <hr key={key} className="border-line" />
    case 'blockquote': {
      const children = renderAll(node.children, source)
      return isPhrasing ? (
        <span key={key} className="mt-3 block border-l-2 border-line-strong pl-3 first:mt-0">
          {children}
        </span>
      ) : (
        <blockquote key={key}>{children}</blockquote>
      )
    }
    case 'list':
      return renderList(node, source, key)
    case 'listItem':
      return isPhrasing ? (
        <span key={key} className="ml-5 list-item">
          {renderItem(node, source)}
        </span>
      ) : (
        <li key={key}>{renderItem(node, source)}</li>
      )
    case 'table': {
      const { align, head, rows } = tableParts(node)
      const renderCells = (cells: typeof head) => cells.map((children) => renderAll(children, source))
      return (
        <MarkdownTable
          key={key}
          head={renderCells(head)}
          rows={rows.map(renderCells)}
          align={align}
          isPhrasing={isPhrasing}
        />
      )
    }
    case 'link':
      return isWebAddress(node.url) ? (
        <a key={key} href={node.url} target="_blank" rel="noreferrer" className="text-accent underline">
          {renderAll(node.children, source)}
        </a>
      ) : (
        asWritten(node, source)
      )
    case 'image':
      if (isWebAddress(node.url))
        // A link instead of the image: loading it would reveal the reader to another site.
        return (
          <a key={key} href={node.url} target="_blank" rel="noreferrer" className="text-accent underline">
            {node.alt || node.url}
          </a>
        )
      return isImage(node.url) ? (
        <img key={key} src={node.url} alt={node.alt ?? ''} loading="lazy" className="my-2 max-w-full rounded-md" />
      ) : (
        asWritten(node, source)
      )
    default:
      return asWritten(node, source)
  }
}

function renderAll(nodes: readonly Nodes[], source: Source): ReactNode[] {
  return nodes.map((node, index) => render(node, source, index))
}

function renderList(node: Extract<Nodes, { type: 'list' }>, source: Source, key: number): ReactNode {
  const children = renderAll(node.children, source)
  if (source.isPhrasing)
    return (
      <span key={key} className={`mt-3 block first:mt-0 ${node.ordered ? 'list-decimal' : 'list-disc'}`}>
        {children}
      </span>
    )
  return node.ordered ? (
    <ol key={key} start={node.start ?? 1}>
      {children}
    </ol>
  ) : (
    <ul key={key}>{children}</ul>
  )
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
  return /^\/pictures\/[0-9a-f]{64}\.webp$/.test(url)
}
