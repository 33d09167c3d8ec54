import { useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { BackLink, EmptyState, Heading } from '../../../ui/page-parts.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { statisticsLoader } from './statistics-endpoints.server.ts'
import { copy } from './statistics.copy.ts'
import { ItemTable } from './ui/item-table.tsx'
import { ScoreFigures } from './ui/score-figures.tsx'

export { statisticsLoader as loader } from './statistics-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['statistics.title'] }, { name: 'robots', content: 'noindex' }]

/** How the questions of one version of an exam did. */
export default function StatisticsPage() {
  const { exam, versions, version, statistics, wanted, floor } = useLoaderData<typeof statisticsLoader>()
  const isEnough = statistics.count >= floor
  const csv = `/api/exams/${exam.familyId}/statistics.csv?version=${version.id}`
  return (
    <>
      <BackLink to={paths.adminExam(exam.familyId)}>{copy['statistics.back']}</BackLink>
      <Heading of="record">
        {copy['statistics.title']}: {exam.title}
      </Heading>
      <p className="nums mt-1 text-sm text-soft">
        {exam.courseTitle}, {fill(copy['statistics.version'], { n: version.versionNumber })}.{' '}
        {fill(copy['statistics.as-of'], { at: formatInstant(statistics.asOf) })}
      </p>
      <p className="mt-3 max-w-read text-soft">{copy['statistics.about']}</p>
      {versions.length < 2 ? null : (
        <Tabs
          label={copy['statistics.versions']}
          chosen={version.id}
          tabs={versions.map((one) => ({
            id: one.id,
            label: fill(copy[one.isCurrent ? 'statistics.version.current' : 'statistics.version'], {
              n: one.versionNumber,
            }),
            to: `${paths.adminStatistics(exam.familyId)}?version=${one.id}`,
          }))}
        />
      )}
      {isEnough ? (
        <>
          {statistics.scores === null ? null : <ScoreFigures count={statistics.count} scores={statistics.scores} />}
          <section aria-labelledby="questions-heading" className="mt-10">
            <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
              <h2 id="questions-heading" className="text-lg font-semibold">
                {copy['statistics.questions']}
              </h2>
              {/* A file: the browser fetches it, not the router. */}
              <a
                href={csv}
                download
                className="inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-2"
              >
                {copy['statistics.download']}
              </a>
            </div>
            <p className="max-w-read text-sm text-soft">
              {copy['statistics.questions.about']} {copy['statistics.how']}
            </p>
            {statistics.items.length === 0 ? (
              <p className="mt-4">{copy['statistics.empty']}</p>
            ) : (
              <ItemTable examId={exam.familyId} versionId={version.id} items={statistics.items} wanted={wanted} />
            )}
          </section>
        </>
      ) : (
        <div className="mt-8">
          <EmptyState
            title={copy['statistics.few']}
            hint={fill(copy['statistics.few.text'], { n: statistics.count, floor })}
          />
        </div>
      )}
    </>
  )
}
