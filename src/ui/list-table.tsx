import type { ReactNode } from 'react'

export type Column = {
  readonly name: string
  /** Numbers stand at the right, one under the other. */
  readonly isNumber?: boolean
  /** What a cell says by itself, such as a button, needs no name in sight. */
  readonly isQuiet?: boolean
}

/**
 * Things as rows, with the names of the columns in sight however long the list is. On a phone each row becomes a small block
 * of its own: the first cell above, the others below it.
 */
export function ListTable({
  label,
  columns,
  children,
}: {
  label: string
  columns: readonly Column[]
  children: ReactNode
}) {
  return (
    <table aria-label={label} className="nums w-full border-b border-line text-left max-tablet:border-t">
      <thead className="text-sm max-tablet:sr-only">
        <tr>
          {columns.map(({ name, isNumber = false, isQuiet = false }) => (
            <th
              key={name}
              scope="col"
              className={`sticky top-16 z-10 border-b border-line-strong bg-paper py-2 pr-6 font-semibold whitespace-nowrap last:pr-0 ${isNumber ? 'text-right' : ''}`}
            >
              <span className={isQuiet ? 'sr-only' : ''}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">{children}</tbody>
    </table>
  )
}

/** A row: what it is about, then its cells in the order of the columns. On a phone one short cell may stay beside it. */
export function ListRow({
  about,
  isOneLine = false,
  children,
}: {
  about: ReactNode
  isOneLine?: boolean
  children: ReactNode
}) {
  return (
    <tr className="max-tablet:flex max-tablet:flex-wrap max-tablet:items-baseline max-tablet:justify-between max-tablet:gap-x-4 max-tablet:gap-y-1 max-tablet:py-3">
      <th
        scope="row"
        className={`py-3 pr-6 align-baseline font-normal wrap-anywhere max-tablet:block max-tablet:p-0 tablet:w-full ${isOneLine ? 'max-tablet:min-w-0 max-tablet:flex-1' : 'max-tablet:w-full'}`}
      >
        {about}
      </th>
      {children}
    </tr>
  )
}

export function Cell({
  isNumber = false,
  isWide = false,
  children,
}: {
  isNumber?: boolean
  /** On a phone it has a line of its own. */
  isWide?: boolean
  children: ReactNode
}) {
  return (
    <td
      className={`py-3 pr-6 align-baseline text-sm whitespace-nowrap last:pr-0 max-tablet:block max-tablet:p-0 max-tablet:empty:hidden ${isNumber ? 'text-right font-semibold' : ''} ${isWide ? 'max-tablet:w-full' : ''}`}
    >
      {children}
    </td>
  )
}
