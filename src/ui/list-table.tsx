import type { ReactNode } from 'react'

type Column = {
  readonly name: string
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean
  /** Hides the heading visually, for cells that explain themselves, such as a button. */
  readonly isQuiet?: boolean
}

/**
 * A table whose column headings stay visible while a long list scrolls. On a phone each row becomes a block with the first cell on
 * top.
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

/** A row: its heading, then its cells in the order of the columns. With `isOneLine` a short cell stays beside the heading on a phone. */
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
  /** On a phone the cell has its own line. */
  isWide?: boolean
  children: ReactNode
}) {
  return (
    <td
      className={`py-3 pr-6 align-baseline text-sm whitespace-nowrap last:pr-0 max-tablet:block max-tablet:p-0 max-tablet:empty:hidden ${isNumber ? 'text-right font-semibold' : ''} ${isWide ? 'max-tablet:w-full max-tablet:text-left' : ''}`}
    >
      {children}
    </td>
  )
}
