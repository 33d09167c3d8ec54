import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { memo, type ReactNode } from 'react'

/**
 * Text that people write, as React elements: paragraphs, lists, quotes, code, emphasis, links to the web, pictures of this
 * site. Everything else, HTML above all, is shown as the text that it is. `phrasing` makes no element that is forbidden
 * inside a label or a legend.
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
  const content = render(fromMarkdown(text), { text, isPhrasing: as === 'phrasing' }, 0)
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
      // A heading inside a question is no heading of the page.
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
        // Long lines wrap: what scrolls sideways is out of the keyboard's reach.
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
        // Nothing is loaded from elsewhere, or the page would tell another site who reads it.
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

/** Items of a tight list hold their text without a paragraph around it. */
function renderItem(node: Extract<Nodes, { type: 'listItem' }>, source: Source): ReactNode[] {
  return node.children.flatMap((child, index) =>
    child.type === 'paragraph' && node.spread !== true
      ? renderAll(child.children, source)
      : [render(child, source, index)],
  )
}

/** The characters that stand in the text: nothing that is not understood is hidden or run. */
function asWritten(node: Nodes, source: Source): string {
  return source.text.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0)
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\/[^\s]/i.test(url)
}

/** The address of a kept picture: nothing else of this site, and never another origin, however it is written. */
function isImage(url: string): boolean {
  return /^\/pictures\/[0-9a-f]{64}\.webp$/.test(url)
}
