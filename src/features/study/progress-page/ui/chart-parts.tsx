import type { ReactNode } from 'react'
import { copy } from '../progress-page.copy.ts'

/** The share of the page's width, on tablets and on wide screens. */
const SPANS = {
  full: 'tablet:col-span-2 wide:col-span-6',
  half: 'tablet:col-span-2 wide:col-span-3',
  third: 'wide:col-span-2',
  last: 'tablet:col-span-2 wide:col-span-2',
} as const

/** A drawing with its heading, one sentence that says what it shows, and its numbers as a table. */
export function ChartCard({
  id,
  title,
  lead,
  children,
  table,
  span,
}: {
  id: string
  title: string
  lead: ReactNode
  children?: ReactNode
  table?: ReactNode
  span: keyof typeof SPANS
}) {
  return (
    <section
      aria-labelledby={id}
      className={`nums flex min-w-0 flex-col rounded-lg border border-line bg-surface p-5 tablet:p-6 ${SPANS[span]}`}
    >
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      <p className="mt-1 max-w-read text-pretty text-soft">{lead}</p>
      {children === undefined ? null : <div className="mt-5">{children}</div>}
      {table === undefined ? null : (
        <details className="mt-auto pt-4 text-sm">
          <summary className="min-h-6 w-fit cursor-pointer py-1 font-medium text-soft hover:text-ink">
            {copy['progress.data']}
            <span className="sr-only">: {title}</span>
          </summary>
          {/* A long table scrolls in its own frame. */}
          <div role="region" aria-labelledby={id} tabIndex={0} className="mt-2 max-h-96 overflow-auto">
            {table}
          </div>
        </details>
      )}
    </section>
  )
}

/** The numbers behind a drawing. The first column names the row. */
export function DataTable({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <table className="w-full text-left text-sm">
      <thead>
        <tr>
          {head.map((name, column) => (
            <th key={name} scope="col" className={`py-1 pr-4 font-semibold ${column === 0 ? '' : 'text-right'}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(([name, ...cells]) => (
          <tr key={`${name} ${cells.join(' ')}`}>
            <th scope="row" className="py-1 pr-4 font-normal">
              {name}
            </th>
            {cells.map((cell, column) => (
              <td key={head[column + 1]} className="py-1 pr-4 text-right whitespace-nowrap">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const FULL = [
  { width: 320, className: 'tablet:hidden' },
  { width: 700, className: 'hidden tablet:block wide:hidden' },
  { width: 1120, className: 'hidden wide:block' },
] as const
/** Three beside each other on wide screens: never wider than a phone's. */
const THIRD = [{ width: 320, className: 'max-w-form' }] as const
/** Two beside each other on wide screens only. */
const HALF = [
  { width: 320, className: 'max-w-form tablet:hidden' },
  { width: 700, className: 'hidden tablet:block wide:hidden' },
  { width: 540, className: 'hidden wide:block' },
] as const

const SIZES = { full: FULL, half: HALF, third: THIRD } as const

/** One drawing for each width of the screen: text would be unreadable if a wide drawing were scaled down to a phone. */
export function Drawings({
  of,
  height,
  renderAt,
}: {
  of: keyof typeof SIZES
  height: number | ((width: number) => number)
  renderAt: (width: number) => ReactNode
}) {
  return SIZES[of].map(({ width, className }) => (
    <svg
      key={width}
      aria-hidden="true"
      viewBox={`0 0 ${width} ${typeof height === 'number' ? height : height(width)}`}
      className={`w-full overflow-visible ${className}`}
    >
      {renderAt(width)}
    </svg>
  ))
}

/** A horizontal line of a scale, with its value at the left. */
export function Tick({ y, x1, x2, label }: { y: number; x1: number; x2: number; label: string }) {
  return (
    <>
      <line x1={x1} x2={x2} y1={y} y2={y} className="stroke-line" />
      <text x={x1 - 8} y={y + 4} fontSize="12" textAnchor="end" className="fill-soft">
        {label}
      </text>
    </>
  )
}

/** Text over lines stays readable: the ground shows around its letters. */
export function Label({
  x,
  y,
  size = 12,
  anchor = 'start',
  isStrong = false,
  children,
}: {
  x: number
  y: number
  size?: number
  anchor?: 'start' | 'end'
  isStrong?: boolean
  children: ReactNode
}) {
  return (
    <text
      x={x}
      y={y}
      fontSize={size}
      fontWeight={isStrong ? 600 : 400}
      textAnchor={anchor}
      strokeWidth="4"
      paintOrder="stroke"
      strokeLinejoin="round"
      className="fill-ink stroke-surface"
    >
      {children}
    </text>
  )
}

/** A value to compare with, as a dashed line with its name at one end. */
export function Mark({
  y,
  x1,
  x2,
  label,
  end = 'left',
}: {
  y: number
  x1: number
  x2: number
  label?: string
  end?: 'left' | 'right'
}) {
  return (
    <>
      <line x1={x1} x2={x2} y1={y} y2={y} strokeDasharray="5 4" className="stroke-ink" />
      {label === undefined ? null : (
        <Label x={end === 'left' ? x1 + 4 : x2} y={y - 6} anchor={end === 'left' ? 'start' : 'end'}>
          {label}
        </Label>
      )}
    </>
  )
}

/** A coordinate with one decimal: more only lengthens the page. */
export const coordinate = (value: number) => Math.round(value * 10) / 10

export function pathOf(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], place) => `${place === 0 ? 'M' : 'L'}${coordinate(x)} ${coordinate(y)}`).join('')
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** '2026-11-21' -> 'Nov' */
export const monthName = (day: string) => MONTHS[Number(day.slice(5, 7)) - 1] ?? ''

/** '2026-11-21' -> '21 Nov' */
export const shortDay = (day: string) => `${Number(day.slice(8))} ${monthName(day)}`
