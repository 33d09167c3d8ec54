import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import type { PlanToday } from '../plan-view-queries.server.ts'
import { copy } from '../plan.copy.ts'

/** The days to the exam and the tasks of today, or the link that sets a date; for the list of courses. */
export function PlanLine({
  plan,
  course,
}: {
  plan: PlanToday | null
  course: { readonly slug: string; readonly title: string }
}) {
  const isAhead = plan !== null && plan.daysLeft >= 0
  return (
    <p className="text-sm">
      {isAhead ? `${sentenceOf(plan)} · ` : null}
      <Link to={paths.plan(course.slug)} className="font-semibold text-accent underline underline-offset-2">
        {copy[isAhead ? 'plan.link' : 'plan.link.set']}
        <span className="sr-only">: {course.title}</span>
      </Link>
    </p>
  )
}

function sentenceOf({ daysLeft, kind, dueCount, newCount, hasMock }: PlanToday): string {
  if (daysLeft === 0) return copy['plan.line.today']
  const tasks = [
    hasMock ? copy['plan.coming.mock'].toLowerCase() : null,
    dueCount === 0 ? null : fill(copy['plan.coming.due'], { n: dueCount }),
    newCount === 0 ? null : fill(copy['plan.coming.new'], { n: newCount }),
  ].filter((task) => task !== null)
  const none = copy[kind === 'rest' ? 'plan.line.rest' : 'plan.line.done']
  const today = tasks.length === 0 ? none : fill(copy['plan.line.tasks'], { tasks: tasks.join(', ') })
  return `${fill(copy['plan.line'], { n: daysLeft })} · ${today}`
}
