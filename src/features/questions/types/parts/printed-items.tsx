import { Markdown } from '../../../../ui/markdown-text.tsx'
import { letterOfPart } from './part-letters.ts'

/** What stands before each part on paper: a box to mark, a line to write on, or nothing. */
const LOOKS = {
  box: {
    columns: 'grid-cols-[1.5rem_1.75rem_1fr] items-start',
    mark: 'mt-1 size-4 rounded-sm border border-line-strong',
  },
  line: { columns: 'grid-cols-[2.5rem_1.75rem_1fr] items-end', mark: 'mr-3 h-6 border-b border-line-strong' },
  none: { columns: 'grid-cols-[1.75rem_1fr] items-start', mark: null },
} as const

/** Parts on paper. @param labelOf what names a part by its place; by default its letter */
export function PrintedItems({
  items,
  look,
  labelOf = letterOfPart,
}: {
  items: readonly { readonly id: string; readonly text: string }[]
  look: keyof typeof LOOKS
  labelOf?: (place: number) => string
}) {
  const { columns, mark } = LOOKS[look]
  return (
    <ol className="mt-3 space-y-2">
      {items.map(({ id, text }, place) => (
        <li key={id} className={`grid ${columns}`}>
          {mark === null ? null : <span aria-hidden="true" className={mark} />}
          <span className="nums font-semibold">{labelOf(place)}</span>
          <div className="min-w-0">
            <Markdown text={text} as="phrasing" />
          </div>
        </li>
      ))}
    </ol>
  )
}
