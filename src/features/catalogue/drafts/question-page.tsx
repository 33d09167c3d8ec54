import { Link, useLoaderData, useLocation, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { Heading } from '../../../ui/page.tsx'
import type { questionLoader } from './api.server.ts'
import { copy } from './copy.ts'
import { QuestionEditor } from './ui/question-editor.tsx'

export { questionLoader as loader } from './api.server.ts'

export const meta: MetaFunction = () => [{ title: copy['exam.draft'] }, { name: 'robots', content: 'noindex' }]

/** One question of an exam's draft. */
export default function QuestionPage() {
  const { examId, examTitle, courseTitle, number, stored, domains } = useLoaderData<typeof questionLoader>()
  const state = useLocation().state as { list?: unknown } | null
  const backTo = paths.adminExam(examId) + (typeof state?.list === 'string' ? state.list : '')
  return (
    <>
      <Link to={backTo} className="text-sm font-semibold text-accent underline underline-offset-2">
        {copy['editor.back']}
      </Link>
      <Heading className="nums mt-3 text-xl font-semibold tablet:text-2xl">
        {number === null ? copy['editor.new'] : fill(copy['editor.title'], { n: number })}
      </Heading>
      <p className="mt-1 text-sm text-soft">
        {examTitle}, {courseTitle}
      </p>
      <QuestionEditor
        key={stored?.question.id ?? 'new'}
        examId={examId}
        stored={stored}
        domains={domains}
        backTo={backTo}
      />
    </>
  )
}
