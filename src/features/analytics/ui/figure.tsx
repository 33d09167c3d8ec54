import type { ReactNode } from 'react'
import { fill } from '../../../lib/failure.ts'
import { copy } from '../analytics.copy.ts'

/** A number, how it has changed, and what it is made of. */
export function Figure({
  name,
  value,
  change,
  note,
  children,
}: {
  name: string
  value: string
  /** In words; null where there is nothing to say. */
  change: string | null
  note: string
  children?: ReactNode
}) {
  return (
    <div className="bg-surface p-5">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="nums mt-1 flex flex-wrap items-baseline gap-x-3">
        <span className="text-2xl font-semibold">{value}</span>
        {change === null ? null : <span className="text-sm font-medium">{change}</span>}
      </dd>
      <dd className="nums mt-1 text-sm text-soft">{note}</dd>
      {children === undefined ? null : <dd className="mt-3">{children}</dd>}
    </div>
  )
}

/** '▲ 12% more': a sign and a word, no colour. */
export function changeText(change: number | null): string {
  if (change === null) return copy['change.unknown']
  if (change === 0) return copy['change.same']
  return change > 0
    ? `▲ ${fill(copy['change.more'], { n: change })}`
    : `▼ ${fill(copy['change.less'], { n: Math.abs(change) })}`
}

/** The same between two shares, in percentage points. */
export function pointsText(points: number | null): string {
  if (points === null) return copy['change.unknown']
  if (points === 0) return copy['change.same']
  const key = points > 0 ? 'change.points.more' : 'change.points.less'
  return `${points > 0 ? '▲' : '▼'} ${fill(copy[key], { n: Math.abs(points) })}`
}
