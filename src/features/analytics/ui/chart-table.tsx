import type { ReactNode } from 'react'

/** A table with names on the left and numbers on the right. */
export function Table({
  label,
  head,
  rows,
}: {
  label: string
  head: readonly string[]
  rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}) {
  return (
    <table aria-label={label} className="nums w-full text-sm">
      <thead>
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
      <tbody className="divide-y divide-line">
        {rows.map(({ key, cells: [name, ...numbers] }) => (
          <tr key={key}>
            <th scope="row" className="px-2 py-2 text-left font-normal">
              {name}
            </th>
            {numbers.map((cell, place) => (
              <td key={head[place + 1]} className="px-2 py-2 text-right whitespace-nowrap">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
