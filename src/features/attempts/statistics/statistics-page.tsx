import type { ComponentProps } from 'react'
import { useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { BackLink, EmptyState, Heading } from '../../../ui/page-parts.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { statisticsLoader } from './statistics-endpoints.server.ts'
import { copy } from './statistics.copy.ts'
import { ItemTable } from './ui/item-table.tsx'
import { ScoreFigures } from './ui/score-figures.tsx'

export { statisticsLoader as loader } from './statistics-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['statistics.title'] }, { name: 'robots', content: 'noindex' }]

/** The statistics of one version of an exam and of its questions. */
export default function StatisticsPage() {
  const { exam, versions, version, statistics, wanted, floor } = useLoaderData<typeof statisticsLoader>()
  const isEnough = statistics.count >= floor
  return (
    <>
      <BackLink to={adminPaths.exam(exam.familyId)}>{copy['statistics.back']}</BackLink>
      <Heading of="record">
        {copy['statistics.title']}: {exam.title}
      </Heading>
      <p className="nums mt-1 text-sm text-soft">
        {exam.courseTitle}, {fill(copy['statistics.version'], { n: version.versionNumber })}.{' '}
        {fill(copy['statistics.as-of'], { at: formatInstant(statistics.asOf) })}
      </p>
      <p className="mt-3 max-w-read text-soft">{copy['statistics.about']}</p>
      {versions.length < 2 ? null : <VersionTabs examId={exam.familyId} versions={versions} chosen={version.id} />}
      {isEnough ? (
        <>
          {statistics.scores === null ? null : <ScoreFigures count={statistics.count} scores={statistics.scores} />}
          <QuestionStatistics examId={exam.familyId} versionId={version.id} items={statistics.items} wanted={wanted} />
        </>
      ) : (
        <div className="mt-8">
          <EmptyState
            drawing="attempts"
            title={copy['statistics.few']}
            hint={fill(copy['statistics.few.text'], { n: statistics.count, floor })}
          />
        </div>
      )}
    </>
  )
}

function VersionTabs({
  examId,
  versions,
  chosen,
}: {
  examId: string
  versions: Awaited<ReturnType<typeof statisticsLoader>>['versions']
  chosen: string
}) {
  return (
    <Tabs
      label={copy['statistics.versions']}
      chosen={chosen}
      tabs={versions.map(({ id, isCurrent, versionNumber }) => ({
        id,
        label: fill(copy[isCurrent ? 'statistics.version.current' : 'statistics.version'], { n: versionNumber }),
        to: `${adminPaths.statistics(examId)}?version=${id}`,
      }))}
    />
  )
}

function QuestionStatistics(props: ComponentProps<typeof ItemTable>) {
  const { examId, versionId, items } = props
  return (
    <section aria-labelledby="questions-heading" className="mt-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="questions-heading" className="text-lg font-semibold">
          {copy['statistics.questions']}
        </h2>
        {/* A file: the browser fetches it, not the router. */}
        <a
          href={`/api/exams/${examId}/statistics.csv?version=${versionId}`}
          download
          className="inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-2"
        >
          {copy['statistics.download']}
        </a>
      </div>
      <p className="max-w-read text-sm text-soft">
        {copy['statistics.questions.about']} {copy['statistics.how']}
      </p>
      {items.length === 0 ? <p className="mt-4">{copy['statistics.empty']}</p> : <ItemTable {...props} />}
    </section>
  )
}
