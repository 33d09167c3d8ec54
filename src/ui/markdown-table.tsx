import { useEffect, useId, useState, type ReactNode } from 'react'
import type { Alignment } from '../lib/markdown.ts'

const alignments = { left: 'text-left', right: 'text-right', center: 'text-center' }

/**
 * A table that scrolls sideways where the page is narrower than it; then it is a region that the keyboard reaches, named by its head.
 * With `isPhrasing` it consists of spans with roles, because labels and legends may contain no table.
 */
export function MarkdownTable({
  head,
  rows,
  align,
  isPhrasing,
}: {
  head: readonly ReactNode[]
  rows: readonly (readonly ReactNode[])[]
  align: readonly Alignment[]
  isPhrasing: boolean
}) {
  const id = useId()
  const [box, setBox] = useState<HTMLElement | null>(null)
  const region = useIsWide(box) ? ({ role: 'region', 'aria-labelledby': id, tabIndex: 0 } as const) : {}
  const parts = isPhrasing ? spans : elements
  const cellLook = (column: number) =>
    `table-cell px-3 py-2 align-top wrap-break-word ${alignments[align[column] ?? 'left']}`
  return (
    <parts.box
      ref={setBox}
      className="mt-3 block max-w-full overflow-x-auto rounded-md border border-line first:mt-0"
      {...region}
    >
      <parts.table {...parts.roles.table} className="nums table w-full border-collapse text-sm font-normal">
        <parts.head {...parts.roles.group} className="table-header-group">
          <parts.row {...parts.roles.row} id={id} className="table-row bg-sunken">
            {head.map((cell, column) => (
              <parts.heading key={column} {...parts.roles.heading} className={`${cellLook(column)} font-semibold`}>
                {cell}
              </parts.heading>
            ))}
          </parts.row>
        </parts.head>
        {rows.length === 0 ? null : (
          <parts.body {...parts.roles.group} className="table-row-group">
            {rows.map((cells, row) => (
              <parts.row key={row} {...parts.roles.row} className="table-row border-t border-line">
                {cells.map((cell, column) => (
                  <parts.cell key={column} {...parts.roles.cell} className={cellLook(column)}>
                    {cell}
                  </parts.cell>
                ))}
              </parts.row>
            ))}
          </parts.body>
        )}
      </parts.table>
    </parts.box>
  )
}

const elements = {
  box: 'div',
  table: 'table',
  head: 'thead',
  body: 'tbody',
  row: 'tr',
  heading: 'th',
  cell: 'td',
  roles: { table: {}, group: {}, row: {}, heading: { scope: 'col' }, cell: {} },
} as const

const spans = {
  box: 'span',
  table: 'span',
  head: 'span',
  body: 'span',
  row: 'span',
  heading: 'span',
  cell: 'span',
  roles: {
    table: { role: 'table' },
    group: { role: 'rowgroup' },
    row: { role: 'row' },
    heading: { role: 'columnheader' },
    cell: { role: 'cell' },
  },
} as const

/** Whether the content of an element is wider than the element. */
function useIsWide(box: HTMLElement | null): boolean {
  const [isWide, setIsWide] = useState(false)
  useEffect(() => {
    if (box === null) return
    const observer = new ResizeObserver(() => setIsWide(box.scrollWidth > box.clientWidth))
    observer.observe(box)
    // The content also grows by itself, when fonts or images arrive.
    if (box.firstElementChild !== null) observer.observe(box.firstElementChild)
    return () => observer.disconnect()
  }, [box])
  return isWide
}
