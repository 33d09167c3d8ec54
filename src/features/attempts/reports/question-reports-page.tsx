import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { paths } from '../../../lib/paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { copy as caseStudyCopy } from '../../questions/case-studies/shown-case-study.copy.ts'
import { FoldedCaseStudy } from '../../questions/case-studies/ui/beside-case-study.tsx'
import { StemText } from '../../questions/types/stem-registry.tsx'
import { EmptyState, Heading } from '../../../ui/page-parts.tsx'
import { Paging } from '../../../ui/pagination.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { withQuery } from '../../../ui/query-string.ts'
import type { reportsLoader } from './question-reports-endpoints.server.ts'
import { copy } from './question-reports.copy.ts'
import type { ReportState, ReportView } from './question-reports.schema.ts'
import { mayClaim } from './report-reasons.ts'
import { Evidence, SourceLink } from './ui/report-evidence.tsx'
import { SettleReport } from './ui/settle-report.tsx'

export { reportsLoader as loader } from './question-reports-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['desk.reports'] }, { name: 'robots', content: 'noindex' }]

const states = ['open', 'settled'] as const

/** Learners' reports about questions: the open ones, oldest first, and the settled ones. */
export default function ReportsPage() {
  const { reports, next, state, openCount, isFirstPage } = useLoaderData<typeof reportsLoader>()
  return (
    <>
      <Heading>{copy['desk.reports']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['desk.reports.about']}</p>
      <Tabs
        label={copy['desk.reports.state']}
        chosen={state}
        tabs={states.map((one) => ({
          id: one,
          label: `${copy[`desk.reports.${one}`]}${one === 'open' ? ` ${openCount}` : ''}`,
          to: pageAt(one, null),
        }))}
      />
      <div className="mt-6">
        {reports.length === 0 ? (
          <EmptyState title={copy[`desk.reports.none.${state}.title`]} hint={copy[`desk.reports.none.${state}`]} />
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {reports.map((report) => (
              <Report key={report.id} report={report} />
            ))}
          </ul>
        )}
      </div>
      <Paging
        back={isFirstPage ? null : { to: pageAt(state, null), label: copy['desk.reports.first'] }}
        on={next === null ? null : { to: pageAt(state, next), label: copy[`desk.reports.more.${state}`] }}
      />
    </>
  )
}

const link = 'inline-flex min-h-8 items-center font-medium text-accent underline underline-offset-2'

type ListedReport = Awaited<ReturnType<typeof reportsLoader>>['reports'][number]

function Report({ report }: { report: ListedReport }) {
  const { reporter, settled, evidence, questionNumber: n, examTitle: exam } = report
  return (
    <li className="grid gap-x-10 gap-y-4 py-6 desktop:grid-cols-[1fr_auto]">
      <article className="min-w-0">
        <h2 className="text-lg font-semibold">
          {copy[`report.reason.${report.reason}`]}{' '}
          {report.claim === null ? null : (
            <span className="ml-1 rounded-sm bg-flag-soft px-1.5 py-0.5 align-middle text-xs font-semibold text-flag">
              {copy['desk.reports.challenge']}
            </span>
          )}
        </h2>
        <p className="nums text-sm wrap-anywhere text-soft">
          {fill(copy['desk.reports.question'], { n, exam })} ({report.courseTitle})
          {report.caseStudy === null ? null : `, ${fill(caseStudyCopy['case-study.of'], { title: report.caseStudy })}`}
          <br />
          {fill(copy['desk.reports.by'], { ...reporter, at: formatInstant(report.reportedAt) })}
        </p>
        {report.words === '' ? null : (
          <blockquote className="mt-3 max-w-read border-l-4 border-flag pl-3 wrap-anywhere whitespace-pre-wrap">
            {report.words}
          </blockquote>
        )}
        {report.source === null ? null : (
          <p className="mt-1">
            <SourceLink source={report.source} />
          </p>
        )}
        {evidence?.caseStudy == null ? null : (
          <div className="mt-3 max-w-read">
            <FoldedCaseStudy caseStudy={evidence.caseStudy} />
          </div>
        )}
        <div className="mt-3 max-w-read border-l-4 border-line pl-3 text-soft">
          {report.stem === null ? (
            <p>{copy['desk.reports.gone']}</p>
          ) : (
            <StemText question={{ type: report.type, stem: report.stem }} />
          )}
        </div>
        {evidence === null ? null : <Evidence evidence={evidence} />}
        <QuestionLinks report={report} />
        {settled === null ? null : <Settled {...settled} />}
      </article>
      {settled === null ? (
        <div>
          <SettleReport report={report} wasKeyCorrected={evidence?.keyCorrectedAt != null} />
        </div>
      ) : null}
    </li>
  )
}

/** Links to the question as the learner saw it, in its exam, and to correcting its answer key. */
function QuestionLinks({ report }: { report: ReportView }) {
  const { examId, questionId, questionNumber: n, examTitle: exam } = report
  return (
    <p className="mt-3 flex flex-wrap gap-x-6 text-sm">
      {report.hasReview ? (
        <Link
          to={`${paths.examReview(report.attemptId)}#question-${n}`}
          aria-label={fill(copy['desk.reports.as-seen.of'], { n, exam })}
          className={link}
        >
          {copy['desk.reports.as-seen']}
        </Link>
      ) : (
        <span className="text-soft">{copy['desk.reports.not-finished']}</span>
      )}
      {report.stem === null ? null : (
        <Link
          to={`${adminPaths.exam(examId)}?search=${encodeURIComponent(questionId)}`}
          aria-label={fill(copy['desk.reports.exam.of'], { n, exam })}
          className={link}
        >
          {copy['desk.reports.exam']}
        </Link>
      )}
      {report.stem === null || !mayClaim(report.reason) ? null : (
        <Link
          to={adminPaths.key(examId, questionId)}
          aria-label={fill(copy['desk.reports.key.of'], { n, exam })}
          className={link}
        >
          {copy['desk.reports.key']}
        </Link>
      )}
    </p>
  )
}

function Settled({ outcome, by, at, note }: NonNullable<ReportView['settled']>) {
  return (
    <div className="nums mt-3 rounded-md bg-sunken px-4 py-3 text-sm">
      <p className="font-semibold wrap-anywhere">
        {fill(copy['settle.by'], {
          outcome: copy[`settle.outcome.${outcome}`],
          by: by ?? copy['settle.nobody'],
          at: formatInstant(at),
        })}
      </p>
      <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{note}</p>
    </div>
  )
}

function pageAt(state: ReportState, after: string | null): string {
  return withQuery(adminPaths.reports, { state: state === 'open' ? null : state, after })
}
