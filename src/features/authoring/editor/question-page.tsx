import { Link, useLoaderData, useLocation, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import type { questionLoader } from '../drafts/drafts-endpoints.server.ts'
import { copy } from '../drafts/drafts.copy.ts'
import { QuestionEditor } from './ui/question-editor-form.tsx'

export { questionLoader as loader } from '../drafts/drafts-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['exam.draft'] }, { name: 'robots', content: 'noindex' }]

/** One question of an exam's draft. */
export default function QuestionPage() {
  const {
    examId,
    examTitle,
    courseTitle,
    number,
    total,
    stored,
    domains,
    caseStudies,
    caseStudy,
    neighbours,
    adminId,
  } = useLoaderData<typeof questionLoader>()
  const { key, state } = useLocation()
  const from = state as { list?: unknown; back?: unknown } | null
  const list = typeof from?.list === 'string' ? from.list : ''
  const isFromBuilder = typeof from?.back === 'string' && from.back.startsWith(`${adminPaths.builder}?`)
  const backTo = isFromBuilder ? String(from?.back) : adminPaths.exam(examId) + list
  const to = (id: string | null, label: string) =>
    id === null ? null : (
      <Link
        to={adminPaths.question(examId, id)}
        state={from}
        className="inline-flex min-h-8 items-center text-sm font-semibold text-accent underline underline-offset-2"
      >
        {label}
      </Link>
    )
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <BackLink to={backTo}>{isFromBuilder ? copy['editor.back.builder'] : copy['editor.back']}</BackLink>
        <nav aria-label={copy['editor.neighbours']} className="flex gap-5">
          {to(neighbours.previous, copy['editor.previous'])}
          {to(neighbours.next, copy['editor.next'])}
        </nav>
      </div>
      <Heading className="nums mt-2 text-xl font-semibold tablet:text-2xl">
        {number === null ? copy['editor.new'] : fill(copy['editor.title'], { n: number })}
      </Heading>
      <p className="nums mt-1 text-sm text-soft wrap-anywhere">
        {examTitle}, {courseTitle}, {fill(copy['editor.total'], { n: total })}
      </p>
      <QuestionEditor
        key={stored?.question.id ?? `new ${key}`}
        examId={examId}
        adminId={adminId}
        stored={stored}
        domains={domains}
        caseStudies={caseStudies}
        caseStudy={caseStudy}
        neighbours={neighbours}
        backTo={backTo}
        listState={from}
      />
    </>
  )
}
