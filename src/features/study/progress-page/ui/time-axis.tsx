import { dayName, dayNumber } from '../progress-view.ts'
import { monthName, shortDay } from './chart-parts.tsx'

export type TimeScale = { readonly first: number; readonly last: number; x(day: string): number }

/** Places days between two edges of a drawing; a single day stands in the middle. */
export function timeScale(days: readonly string[], from: number, to: number): TimeScale {
  const [first, last] = [dayNumber(days[0] ?? '1970-01-01'), dayNumber(days.at(-1) ?? '1970-01-01')]
  const span = last - first
  return {
    first,
    last,
    x: (day) => (span === 0 ? (from + to) / 2 : from + ((dayNumber(day) - first) / span) * (to - from)),
  }
}

const LONG_DAYS = 75

/** Below a drawing: the months, or for a short time its first and last day. */
export function TimeAxis({ scale, y, width }: { scale: TimeScale; y: number; width: number }) {
  const { first, last } = scale
  if (last - first < LONG_DAYS) {
    const days = first === last ? [first] : [first, last]
    return days.map((day, place) => (
      <text
        key={day}
        x={scale.x(dayName(day))}
        y={y}
        fontSize="12"
        textAnchor={days.length === 1 ? 'middle' : place === 0 ? 'start' : 'end'}
        className="fill-soft"
      >
        {shortDay(dayName(day))}
      </text>
    ))
  }
  const firsts = Array.from({ length: last - first + 1 }, (_, place) => dayName(first + place)).filter((day) =>
    day.endsWith('-01'),
  )
  const every = Math.ceil(firsts.length / (width / 60))
  return firsts
    .filter((_, place) => place % every === 0)
    .map((day) => (
      <text key={day} x={scale.x(day)} y={y} fontSize="12" textAnchor="middle" className="fill-soft">
        {monthName(day)}
      </text>
    ))
}
