import { Link } from 'react-router'
import { formatCalendarDay } from '../../../../lib/calendar-day.ts'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import type { PlanToday } from '../plan-view-queries.server.ts'
import { copy } from '../plan.copy.ts'

/** The day of the exam and the days until then, or the link that sets one; for the list of courses. */
export function PlanSummary({
  plan,
  course,
}: {
  plan: PlanToday | null
  course: { readonly slug: string; readonly title: string }
}) {
  if (plan !== null && plan.daysLeft >= 0)
    return (
      <>
        <p className="text-lg font-semibold">
          {plan.daysLeft === 0 ? copy['plan.line.today'] : fill(copy['plan.line'], { n: plan.daysLeft })}
        </p>
        <p className="text-sm text-soft">{fill(copy['plan.exam.on'], { day: formatCalendarDay(plan.examDate) })}</p>
      </>
    )
  return (
    <>
      <p>
        <Link
          to={paths.plan(course.slug)}
          className="inline-flex min-h-6 items-center text-lg font-semibold text-accent underline underline-offset-2"
        >
          {copy['plan.link.set']}
          <span className="sr-only">: {course.title}</span>
        </Link>
      </p>
      <p className="text-sm text-soft">
        {plan === null
          ? copy['plan.line.none']
          : fill(copy['plan.exam.over'], { day: formatCalendarDay(plan.examDate) })}
      </p>
    </>
  )
}

/** What the plan says for today, in one line. */
export function PlannedTasks({ plan }: { plan: PlanToday | null }) {
  if (plan === null || plan.daysLeft <= 0) return null
  return <p className="text-sm text-soft">{sentenceOf(plan)}</p>
}

function sentenceOf({ kind, dueCount, newCount, hasMock }: PlanToday): string {
  const tasks = [
    hasMock ? copy['plan.coming.mock'].toLowerCase() : null,
    dueCount === 0 ? null : fill(copy['plan.coming.due'], { n: dueCount }),
    newCount === 0 ? null : fill(copy['plan.coming.new'], { n: newCount }),
  ].filter((task) => task !== null)
  const none = copy[kind === 'rest' ? 'plan.line.rest' : 'plan.line.done']
  return tasks.length === 0 ? none : fill(copy['plan.line.tasks'], { tasks: tasks.join(', ') })
}
