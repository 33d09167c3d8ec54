import { formatCalendarDay } from '../../../../lib/calendar-day.ts'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { PlanView } from '../plan-view-queries.server.ts'
import { copy } from '../plan.copy.ts'
import type { StoredPlan } from '../plan.schema.ts'

/** What stands in the way of the plan, and what helps. */
export function PlanNotices({
  plan,
  wish,
  slug,
  hasAccess,
}: {
  plan: PlanView
  wish: StoredPlan
  slug: string
  hasAccess: boolean
}) {
  const { accessEnds, mocks, examMinutes } = plan
  const now = wish.minutesADay
  return (
    <div className="mt-6 space-y-4 empty:hidden">
      <Tight plan={plan} now={now} />
      {accessEnds === null ? null : (
        <Notice tone="flag" title={copy['plan.access.title']}>
          <p>
            {hasAccess ? fill(copy['plan.access'], { day: formatCalendarDay(accessEnds) }) : copy['plan.access.ended']}
          </p>
          <ButtonLink to={paths.course(slug)} look="secondary" className="mt-3">
            {copy['plan.access.renew']}
          </ButtonLink>
        </Notice>
      )}
      {mocks === 'full' || examMinutes === null ? null : (
        <p className="nums text-sm text-soft">{fill(copy[`plan.mock.${mocks}`], { n: examMinutes, now })}</p>
      )}
    </div>
  )
}

/** What does not fit, and with what it would. */
function Tight({ plan: { advice, leftOut }, now }: { plan: PlanView; now: number }) {
  if (advice === null) return null
  const what = [
    leftOut.newCount === 0 ? null : fill(copy['plan.tight.new'], { n: leftOut.newCount }),
    leftOut.dueCount === 0 ? null : fill(copy['plan.tight.due'], { n: leftOut.dueCount }),
  ].filter((part) => part !== null)
  const { minutesADay, examDate, domains } = advice
  const helps = [
    minutesADay === null ? null : fill(copy['plan.tight.minutes'], { n: minutesADay, now }),
    examDate === null ? null : fill(copy['plan.tight.date'], { day: formatCalendarDay(examDate) }),
    domains.length === 0 ? null : fill(copy['plan.tight.domains'], { domains: domains.join(', ') }),
  ].filter((help) => help !== null)
  return (
    <Notice tone="flag" title={copy['plan.tight.title']}>
      <p>{helps.length === 0 ? copy['plan.tight.none'] : fill(copy['plan.tight'], { what: what.join(' and ') })}</p>
      {helps.length === 0 ? null : (
        <ul className="mt-1 list-disc pl-5">
          {helps.map((help) => (
            <li key={help} className="nums">
              {help}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
