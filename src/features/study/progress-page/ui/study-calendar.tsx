import { weekdayName } from '../../../../lib/calendar-day.ts'
import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { copy } from '../progress-page.copy.ts'
import { dayName, dayNumber, levelOf, longestRun, type Calendar } from '../progress-view.ts'
import { ChartCard, DataTable, Drawings, monthName } from './chart-parts.tsx'

const LEVELS = [1, 2, 3, 4] as const
const SHADES = { 1: 'opacity-25', 2: 'opacity-50', 3: 'opacity-75', 4: '' } as const
/** Weeks that fit, by the width of the drawing. */
const WEEKS: Readonly<Record<number, number>> = { 320: 20, 700: 38, 1120: 53 }
const [TOP, LEFT] = [20, 32]

/** A circle a day, filled where something was answered: the answer sheet of a year. */
export function StudyCalendar({
  calendar,
  zone,
}: {
  calendar: Calendar
  /** The time zone of the plan; null without one. */
  zone: string | null
}) {
  const { counts } = calendar
  const days = counts.filter((count) => count > 0).length
  return (
    <ChartCard
      id="calendar-heading"
      span="full"
      title={copy['calendar.title']}
      lead={
        <>
          {fill(copy['calendar.lead'], { n: days, run: longestRun(counts) })}{' '}
          {zone === null
            ? copy['calendar.zone.none']
            : fill(copy['calendar.zone'], { zone: zone.replaceAll('_', ' ') })}
        </>
      }
      table={<DataTable head={HEAD} rows={weekRows(calendar)} />}
    >
      <Drawings
        of="full"
        height={(width) => TOP + 7 * stepOf(width)}
        renderAt={(width) => <Year width={width} calendar={calendar} />}
      />
      <Legend />
    </ChartCard>
  )
}

const HEAD = [copy['calendar.week'], copy['calendar.answers'], copy['calendar.days']]

const stepOf = (width: number) => (width - LEFT) / (WEEKS[width] ?? 53)

function Year({ width, calendar: { firstDay, counts } }: { width: number; calendar: Calendar }) {
  const weeks = WEEKS[width] ?? 53
  const step = stepOf(width)
  const skipped = 7 * (53 - weeks)
  const shown = counts.slice(skipped)
  const first = dayNumber(firstDay) + skipped
  // A line without length and with round ends is a circle: the shortest way to draw a year of them.
  const dotsOf = (isShown: (count: number) => boolean) =>
    shown
      .map((count, place) =>
        isShown(count)
          ? `M${round(LEFT + (Math.floor(place / 7) + 0.5) * step)} ${round(TOP + ((place % 7) + 0.5) * step)}h0`
          : '',
      )
      .join('')
  const open = dotsOf((count) => count === 0)
  return (
    <>
      <MonthNames first={first} weeks={weeks} step={step} />
      {[1, 3, 5, 7].map((weekday) => (
        <text key={weekday} x="0" y={round(TOP + (weekday - 0.5) * step + 4)} fontSize="12" className="fill-soft">
          {weekdayName(weekday)}
        </text>
      ))}
      <g strokeLinecap="round" fill="none">
        <path d={open} strokeWidth={0.62 * step} className="stroke-line" />
        <path d={open} strokeWidth={0.62 * step - 2.4} className="stroke-surface" />
        {LEVELS.map((level) => (
          <path
            key={level}
            d={dotsOf((count) => levelOf(count) === level)}
            strokeWidth={0.62 * step}
            className={`stroke-accent ${SHADES[level]}`}
          />
        ))}
      </g>
    </>
  )
}

const round = (value: number) => Math.round(value * 10) / 10

function MonthNames({ first, weeks, step }: { first: number; weeks: number; step: number }) {
  const mondays = Array.from({ length: weeks }, (_, week) => dayName(first + 7 * week))
  // The name of a month stands over the first week that begins in it, unless the next name is too near.
  return mondays.flatMap((monday, week) =>
    week > 0 && monthName(monday) === monthName(mondays[week - 1] ?? '')
      ? []
      : week === 0 && monthName(monday) !== monthName(mondays[2] ?? '')
        ? []
        : [
            <text key={monday} x={round(LEFT + week * step + 2)} y="11" fontSize="12" className="fill-soft">
              {monthName(monday)}
            </text>,
          ],
  )
}

function Legend() {
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2 text-xs text-soft">
      {copy['calendar.less']}
      <svg aria-hidden="true" viewBox="0 0 90 16" className="h-4 w-24">
        <circle cx="9" cy="8" r="6" fill="none" className="stroke-line-strong" />
        {LEVELS.map((level) => (
          <circle key={level} cx={9 + 18 * level} cy="8" r="6.5" className={`fill-accent ${SHADES[level]}`} />
        ))}
      </svg>
      {copy['calendar.more']}
    </p>
  )
}

/** The weeks with answers, newest first. */
function weekRows({ firstDay, counts }: Calendar): string[][] {
  const weeks = Array.from({ length: Math.ceil(counts.length / 7) }, (_, week) => counts.slice(7 * week, 7 * week + 7))
  return weeks
    .map((week, place) => ({
      day: dayName(dayNumber(firstDay) + 7 * place),
      answers: week.reduce((sum, count) => sum + count, 0),
      days: week.filter((count) => count > 0).length,
    }))
    .filter(({ answers }) => answers > 0)
    .toReversed()
    .map(({ day, answers, days }) => [formatDay(day), String(answers), String(days)])
}
