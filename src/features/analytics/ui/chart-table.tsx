import type { ReactNode } from 'react'

/**
 * A table with names on the left and numbers on the right. Where many columns do not fit, each row is a block in which every
 * number has its label.
 */
export function Table({
  label,
  head,
  rows,
  hasManyColumns = false,
}: {
  label: string
  head: readonly string[]
  rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
  hasManyColumns?: boolean
}) {
  const block = hasManyColumns ? blocks : columns
  return (
    <table aria-label={label} className={`nums w-full text-sm ${block.table}`}>
      <thead className={block.head}>
        <tr className="border-b border-line-strong">
          {head.map((name, place) => (
            <th
              key={name}
              scope="col"
              className={`px-2 py-2 font-semibold whitespace-nowrap ${place === 0 ? 'text-left' : 'text-right'}`}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={`divide-y divide-line ${block.table}`}>
        {rows.map(({ key, cells: [name, ...numbers] }) => (
          <tr key={key} className={block.row}>
            <th scope="row" className={`px-2 py-2 text-left font-normal ${block.name}`}>
              {name}
            </th>
            {numbers.map((cell, place) => (
              <td key={head[place + 1]} className={`px-2 py-2 text-right whitespace-nowrap ${block.cell}`}>
                {hasManyColumns ? (
                  <span aria-hidden="true" className="block text-xs text-soft wide:hidden">
                    {head[place + 1]}
                  </span>
                ) : null}
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const columns = { table: '', head: '', row: '', name: '', cell: '' }
const blocks = {
  table: 'max-wide:block',
  head: 'max-wide:sr-only',
  row: 'max-wide:grid max-wide:grid-cols-3 max-wide:gap-x-4 max-wide:gap-y-2 max-wide:py-4 max-wide:tablet:grid-cols-5',
  name: 'max-wide:col-span-full max-wide:p-0',
  cell: 'max-wide:p-0 max-wide:text-left max-wide:whitespace-normal',
}
