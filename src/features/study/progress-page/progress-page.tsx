import { useLoaderData, type MetaFunction } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { pluralOf } from '../../../lib/text.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Breadcrumb, EmptyState, Heading, Page } from '../../../ui/page-parts.tsx'
import { Badge } from '../../catalogue/ui/course-badge.tsx'
import { FoldedPledge } from '../exam-results/ui/pledge-conditions.tsx'
import { ResultAsk } from '../exam-results/ui/result-ask.tsx'
import type { progressLoader } from './progress-page-endpoints.server.ts'
import { copy } from './progress-page.copy.ts'
import type { ProgressView } from './progress-view.ts'
import { ConfidenceChart } from './ui/confidence-chart.tsx'
import { DomainMap } from './ui/domain-map.tsx'
import { DueChart } from './ui/due-chart.tsx'
import { MockLine } from './ui/mock-line.tsx'
import { PaceChart } from './ui/pace-chart.tsx'
import { ReadinessChart } from './ui/readiness-chart.tsx'
import { StudyCalendar } from './ui/study-calendar.tsx'

export { progressLoader as loader } from './progress-page-endpoints.server.ts'

export const meta: MetaFunction<typeof progressLoader> = ({ data }) => [
  { title: data === undefined ? copy['progress.title'] : `${copy['progress.title']}: ${data.course.title}` },
  { name: 'robots', content: 'noindex' },
]

/** What a learner has done in a course and what it has come to, drawn. */
export default function ProgressPage() {
  const { course, canStudy, progress, exam, hasPlan, asked, pledge } = useLoaderData<typeof progressLoader>()
  return (
    <Page>
      <Breadcrumb ways={[{ to: paths.course(course.slug), label: course.title }]} />
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-4">
        <Badge {...course} className="-ml-2 size-20 shrink-0 max-tablet:hidden" />
        <div className="flex-1">
          <Heading>{copy['progress.title']}</Heading>
          <p className="mt-1 max-w-read text-soft">{copy['progress.about']}</p>
        </div>
        {progress === null || !canStudy ? null : (
          <ButtonLink to={paths.drill(course.slug)}>{copy['progress.drill']}</ButtonLink>
        )}
      </div>
      <ResultAsk questions={asked} back={paths.progress(course.slug)} />
      {progress === null ? (
        <Nothing slug={course.slug} canStudy={canStudy} />
      ) : (
        <Drawn progress={progress} exam={exam} hasPlan={hasPlan} />
      )}
      {pledge === null ? null : <FoldedPledge conditions={pledge} />}
    </Page>
  )
}

function Nothing({ slug, canStudy }: { slug: string; canStudy: boolean }) {
  return (
    <div className="mt-8">
      <EmptyState
        drawing="attempts"
        title={copy['progress.empty.title']}
        hint={copy['progress.empty']}
        action={
          canStudy ? (
            <div className="flex flex-wrap justify-center gap-3">
              <ButtonLink to={paths.diagnostic(slug)}>{copy['progress.empty.diagnostic']}</ButtonLink>
              <ButtonLink to={paths.drill(slug)} look="secondary">
                {copy['progress.empty.do']}
              </ButtonLink>
            </div>
          ) : (
            <ButtonLink to={paths.course(slug)}>{copy['progress.empty.course']}</ButtonLink>
          )
        }
      />
    </div>
  )
}

type DrawnProps = {
  readonly progress: ProgressView
  /** Null without a date, or after it. */
  readonly exam: { readonly day: string; readonly daysLeft: number } | null
  /** Whether the days are those of a plan's time zone. */
  readonly hasPlan: boolean
}

function Drawn({ progress, exam, hasPlan }: DrawnProps) {
  return (
    <>
      <Totals progress={progress} daysLeft={exam?.daysLeft ?? null} />
      <div className="mt-8 grid gap-6 tablet:grid-cols-2 wide:grid-cols-6">
        <ReadinessChart {...progress} examDay={exam?.day ?? null} />
        <DomainMap {...progress} />
        <MockLine {...progress} />
        <StudyCalendar calendar={progress.calendar} zone={hasPlan ? progress.timeZone : null} />
        <DueChart {...progress} />
        <PaceChart {...progress} />
        <ConfidenceChart confidence={progress.confidence} />
      </div>
    </>
  )
}

function Totals({
  progress: { totals, readiness },
  daysLeft,
}: Pick<DrawnProps, 'progress'> & { readonly daysLeft: number | null }) {
  const { answered, right, days, hours } = totals
  const figures = [
    ...(readiness.kind === 'estimate'
      ? [{ value: `${Math.round(readiness.expectedPercent)}%`, label: copy['progress.total.readiness'] }]
      : []),
    ...(daysLeft === null
      ? []
      : [
          {
            value: String(daysLeft),
            label: pluralOf(daysLeft, copy['progress.total.exam.one'], copy['progress.total.exam']),
          },
        ]),
    { value: answered.toLocaleString('en-US'), label: copy['progress.total.answered'] },
    {
      value: `${answered === 0 ? 0 : Math.round((100 * right) / answered)}%`,
      label: copy['progress.total.right'],
    },
    { value: String(days), label: copy['progress.total.days'] },
    ...(hours === 0 ? [] : [{ value: String(Math.round(hours)), label: copy['progress.total.hours'] }]),
  ]
  return (
    <dl className="nums mt-8 grid grid-cols-2 gap-x-10 gap-y-5 tablet:grid-cols-3 wide:grid-flow-col wide:auto-cols-fr wide:grid-cols-none">
      {figures.map(({ value, label }) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-sm text-soft">{label}</dt>
          <dd className={`text-3xl font-semibold ${label === copy['progress.total.readiness'] ? 'text-accent' : ''}`}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
