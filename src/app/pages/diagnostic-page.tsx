import { useActionData, useLoaderData, useSearchParams, type MetaFunction } from 'react-router'
import { Explanation } from '../../features/attempts/exam-screen/ui/explanation.tsx'
import { copy } from '../../features/study/diagnostic/diagnostic.copy.ts'
import { DiagnosticQuestion } from '../../features/study/diagnostic/ui/diagnostic-question.tsx'
import { DiagnosticResult } from '../../features/study/diagnostic/ui/diagnostic-result.tsx'
import { DiagnosticStart } from '../../features/study/diagnostic/ui/diagnostic-start.tsx'
import type { ExplanationSlot } from '../../features/study/ui/running-drill.tsx'
import { paths } from '../../lib/paths.ts'
import { Notice } from '../../ui/notice.tsx'
import { Breadcrumb, Heading, Page } from '../../ui/page-parts.tsx'
import { privatePage } from '../layout/page-meta.ts'
import type { diagnosticAction, diagnosticLoader } from '../page-loaders.server.ts'

export { diagnosticAction as action, diagnosticLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction<typeof diagnosticLoader> = ({ data, matches }) =>
  privatePage(matches, data === undefined ? copy['page.title'] : `${titleOf(data.size)}: ${data.course.title}`)

const titleOf = (size: 'full' | 'short') => copy[size === 'full' ? 'page.title' : 'page.short.title']
const heading = 'mt-3 text-2xl font-semibold tablet:text-3xl'
const renderExplanation: ExplanationSlot = (question, level) => <Explanation question={question} level={level} />

/** A diagnostic: its start, the question that is asked, or its result. */
export default function DiagnosticPage() {
  const data = useLoaderData<typeof diagnosticLoader>()
  const acted = useActionData<typeof diagnosticAction>()
  const [search] = useSearchParams()
  const { course, size } = data
  const problem = acted === undefined ? null : acted.failure.message
  if (data.kind === 'running')
    return (
      <Page width="exam">
        <Breadcrumb ways={[{ to: paths.course(course.slug), label: course.title }]} here={titleOf(size)} />
        <DiagnosticQuestion
          slug={course.slug}
          diagnostic={data.diagnostic}
          problem={problem}
          wasEarlier={search.has('earlier')}
        />
      </Page>
    )
  return (
    <Page width={data.kind === 'result' ? 'page' : 'exam'}>
      <Breadcrumb ways={[{ to: paths.course(course.slug), label: course.title }]} here={titleOf(size)} />
      <Heading className={heading}>{data.kind === 'result' ? copy['result.title'] : titleOf(size)}</Heading>
      {problem === null ? null : (
        <Notice tone="bad" className="mt-6">
          {problem}
        </Notice>
      )}
      {data.kind === 'start' && search.has('ended') ? (
        <Notice tone="info" className="mt-6">
          {copy['end.ended']}
        </Notice>
      ) : null}
      {data.kind === 'result' ? (
        <DiagnosticResult data={data} renderExplanation={renderExplanation} />
      ) : (
        <DiagnosticStart data={data} />
      )}
    </Page>
  )
}
