import { useLoaderData, type MetaFunction } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import type { replaceLoader } from '../drafts/drafts-endpoints.server.ts'
import { ReplaceWords } from './ui/replace-words.tsx'

export { replaceLoader as loader } from '../drafts/drafts-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: 'Find and replace' }, { name: 'robots', content: 'noindex' }]

/** Finds and replaces words in the questions and case studies of a course. */
export default function ReplacePage() {
  const { course, exams, examId } = useLoaderData<typeof replaceLoader>()
  return (
    <>
      <BackLink to={adminPaths.course(course.id)}>{course.title}</BackLink>
      <Heading of="record">Find and replace</Heading>
      <p className="mt-1 max-w-read text-sm text-soft">
        In questions, answers, explanations, domains and links, and in case studies. Replacements go into drafts:
        learners see them when you publish.
      </p>
      <ReplaceWords courseId={course.id} exams={exams} examId={examId} />
    </>
  )
}
