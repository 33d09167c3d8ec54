import { addDays, formatCalendarDay, weekdayName, weekdayOf, type CalendarDay } from '../../../../lib/calendar-day.ts'
import { fill } from '../../../../lib/failure.ts'
import type { PlanDay } from '../plan-days.ts'
import type { PlanView } from '../plan-view-queries.server.ts'
import { copy } from '../plan.copy.ts'

const LISTED_DAYS = 10
const GRID_DAYS = 42

/** The days from tomorrow to the exam: a list, and a month on wide screens. */
export function ComingDays({ plan, examDate }: { plan: PlanView; examDate: CalendarDay }) {
  const days = plan.days.slice(1)
  const [listed, others] = [days.slice(0, LISTED_DAYS), days.slice(LISTED_DAYS)]
  return (
    <section aria-labelledby="plan-coming" className="mt-10">
      <h2 id="plan-coming" className="text-lg font-semibold">
        {copy['plan.coming']}
      </h2>
      <p className="mt-1 max-w-read text-sm text-soft">{copy['plan.coming.about']}</p>
      <div className="desktop:hidden">
        <DayList days={listed} />
        <MoreDays days={others} />
        <p className="nums mt-3 font-semibold">
          {formatCalendarDay(examDate)}: {copy['plan.coming.exam']}
        </p>
      </div>
      <Month days={plan.days.slice(0, GRID_DAYS)} examDate={examDate} />
      <div className="hidden desktop:block">
        <MoreDays days={plan.days.slice(GRID_DAYS)} />
      </div>
    </section>
  )
}

function MoreDays({ days }: { days: readonly PlanDay[] }) {
  if (days.length === 0) return null
  return (
    <details>
      <summary className="min-h-11 cursor-pointer py-3 text-sm font-semibold text-accent">
        {fill(copy['plan.coming.more'], { n: days.length })}
      </summary>
      <DayList days={days} />
    </details>
  )
}

function DayList({ days }: { days: readonly PlanDay[] }) {
  return (
    <ol className="divide-y divide-line">
      {days.map((day) => (
        <li key={day.day} className="flex flex-wrap items-baseline justify-between gap-x-6 py-3">
          <span className="nums">{formatCalendarDay(day.day)}</span>
          <span className={`nums text-sm ${day.mock === null ? 'text-soft' : 'font-semibold'}`}>
            {tasksOf(day).join(' · ')}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The tasks of a day in words. */
function tasksOf({ kind, dueCount, newByDomain, mock, isAfterAccess }: PlanDay): string[] {
  const newCount = newByDomain.reduce((sum, { count }) => sum + count, 0)
  const tasks = [
    mock === null ? null : copy['plan.coming.mock'],
    dueCount === 0 ? null : fill(copy['plan.coming.due'], { n: dueCount }),
    newCount === 0 ? null : fill(copy['plan.coming.new'], { n: newCount }),
  ].filter((task) => task !== null)
  const some = tasks.length > 0 ? tasks : [copy[kind === 'rest' ? 'plan.coming.rest' : 'plan.coming.free']]
  return isAfterAccess ? [...some, copy['plan.coming.after']] : some
}

/** Weeks from Monday to Sunday. The days before today and after the exam stay empty. */
function Month({ days, examDate }: { days: readonly PlanDay[]; examDate: CalendarDay }) {
  const [first] = days
  if (first === undefined) return null
  const before = weekdayOf(first.day) - 1
  const all = [
    ...Array.from({ length: before }, () => null),
    ...days,
    ...(days.length < GRID_DAYS && addDays(days.at(-1)?.day ?? '', 1) === examDate ? [examDate] : []),
  ]
  const weeks = Array.from({ length: Math.ceil(all.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, place) => all[week * 7 + place] ?? null),
  )
  return (
    <table className="mt-4 hidden w-full table-fixed border-collapse text-sm desktop:table">
      <thead>
        <tr>
          {[1, 2, 3, 4, 5, 6, 7].map((day) => (
            <th key={day} scope="col" className="px-2 pb-2 text-left font-medium text-soft">
              {weekdayName(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, place) => (
          <tr key={place}>
            {week.map((day, column) => (
              <Cell key={column} day={day} isToday={day !== null && day === first} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({ day, isToday }: { day: PlanDay | CalendarDay | null; isToday: boolean }) {
  if (day === null) return <td className="h-24 border border-line">{'\u00a0'}</td>
  if (typeof day === 'string')
    return (
      <td className="h-24 border border-line bg-accent p-2 align-top text-on-accent">
        <p className="nums font-semibold">{dayOfMonth(day)}</p>
        <p className="font-semibold">{copy['plan.coming.exam']}</p>
      </td>
    )
  const tone = isToday ? 'bg-accent-soft' : day.kind === 'rest' ? 'bg-sunken' : 'bg-surface'
  return (
    <td className={`h-24 border border-line p-2 align-top ${tone}`}>
      <p className="nums font-semibold">{dayOfMonth(day.day)}</p>
      {tasksOf(day).map((task) => (
        <p key={task} className={`nums ${task === copy['plan.coming.mock'] ? 'font-semibold' : 'text-soft'}`}>
          {task}
        </p>
      ))}
    </td>
  )
}

/** '24 Nov' */
function dayOfMonth(day: CalendarDay): string {
  return formatCalendarDay(day).slice(5, -5)
}
