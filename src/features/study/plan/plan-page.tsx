import { useLoaderData, type MetaFunction } from 'react-router'
import { formatCalendarDay } from '../../../lib/calendar-day.ts'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Breadcrumb, EmptyState, Heading, Page } from '../../../ui/page-parts.tsx'
import { FoldedPledge } from '../exam-results/ui/pledge-conditions.tsx'
import { ResultAsk } from '../exam-results/ui/result-ask.tsx'
import { PlanCalendar } from '../calendar/plan-calendar.tsx'
import { PlanReminders } from '../reminders/plan-reminders.tsx'
import { copy as studyCopy } from '../study.copy.ts'
import type { planLoader } from './plan-endpoints.server.ts'
import { copy } from './plan.copy.ts'
import { ComingDays } from './ui/coming-days.tsx'
import { PlanForm } from './ui/plan-form.tsx'
import { PlanNotices } from './ui/plan-notices.tsx'
import { PlanProgress } from './ui/plan-progress.tsx'
import { TodaysTasks } from './ui/todays-tasks.tsx'

export { planAction as action, planLoader as loader } from './plan-endpoints.server.ts'

export const meta: MetaFunction<typeof planLoader> = ({ data }) => [
  { title: data === undefined ? copy['plan.title'] : `${copy['plan.title']}: ${data.course.title}` },
  { name: 'robots', content: 'noindex' },
]

/** The exam date, what to do today, and the days until then. */
export default function PlanPage() {
  const data = useLoaderData<typeof planLoader>()
  const { course } = data
  return (
    <Page width="exam">
      <Breadcrumb ways={[{ to: paths.course(course.slug), label: course.title }]} />
      <Heading className="mt-3 text-2xl font-semibold tablet:text-3xl">{copy['plan.title']}</Heading>
      {data.kind === 'refused' ? <Refused slug={course.slug} why={data.why} /> : <Open data={data} />}
    </Page>
  )
}

export type OpenPlan = Extract<Awaited<ReturnType<typeof planLoader>>, { kind: 'open' }>

function Open({ data }: { data: OpenPlan }) {
  const { plan, form, course, hasAccess, readiness } = data
  const { wish } = form
  if (plan === null || wish === null)
    return (
      <>
        <p className="mt-2 max-w-read text-soft">{copy['plan.about']}</p>
        <PlanForm form={form} />
      </>
    )
  return (
    <>
      <ResultAsk questions={data.asked} back={paths.plan(course.slug)} />
      <div className="mt-6 rounded-lg border border-line bg-surface p-5 tablet:p-6">
        <Countdown daysLeft={plan.daysLeft} examDate={wish.examDate} />
        {plan.daysLeft > 0 ? (
          <TodaysTasks plan={plan} slug={course.slug} hasAccess={hasAccess} openDrillId={data.openDrillId} />
        ) : null}
      </div>
      {plan.daysLeft > 0 ? (
        <>
          <PlanNotices plan={plan} wish={wish} slug={course.slug} hasAccess={hasAccess} />
          <PlanProgress plan={plan} wish={wish} expected={readiness} />
          <ComingDays plan={plan} examDate={wish.examDate} />
        </>
      ) : null}
      {(plan.daysLeft > 0 && hasAccess) || data.reminder !== null ? <PlanReminders reminder={data.reminder} /> : null}
      <PlanCalendar slug={course.slug} address={data.calendar} />
      {data.pledge === null ? null : <FoldedPledge conditions={data.pledge} />}
      {hasAccess ? <PlanForm form={form} /> : null}
    </>
  )
}

function Countdown({ daysLeft, examDate }: { daysLeft: number; examDate: string }) {
  const day = formatCalendarDay(examDate)
  if (daysLeft > 0)
    return (
      <p className="nums">
        <span className="text-2xl font-semibold">{fill(copy['plan.days.left'], { n: daysLeft })}</span>{' '}
        <span className="text-soft">{fill(copy['plan.exam.on'], { day })}</span>
      </p>
    )
  const state = daysLeft === 0 ? 'today' : 'over'
  return (
    <>
      <p className="text-2xl font-semibold">{fill(copy[`plan.exam.${state}`], { day })}</p>
      <p className="mt-1 text-soft">{copy[`plan.exam.${state}.text`]}</p>
    </>
  )
}

function Refused({ slug, why }: { slug: string; why: 'none' | 'ended' }) {
  return (
    <div className="mt-8">
      <EmptyState
        drawing="attempts"
        title={studyCopy[`drill.refused.${why}.title`]}
        hint={studyCopy[`drill.refused.${why}`]}
        action={<ButtonLink to={paths.course(slug)}>{studyCopy['drill.refused.course']}</ButtonLink>}
      />
    </div>
  )
}
