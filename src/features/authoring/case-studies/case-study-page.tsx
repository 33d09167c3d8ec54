import { useLoaderData, type MetaFunction } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import { copy as draftsCopy } from '../drafts/drafts.copy.ts'
import type { caseStudyLoader } from './draft-case-studies-endpoints.server.ts'
import { copy } from './draft-case-studies.copy.ts'
import { CaseStudyEditor } from './ui/case-study-editor.tsx'
import { CaseStudyState } from './ui/case-study-list.tsx'

export { caseStudyLoader as loader } from './draft-case-studies-endpoints.server.ts'

export const meta: MetaFunction<typeof caseStudyLoader> = ({ data }) => [
  { title: data?.stored?.caseStudy.title ?? copy['editor.new'] },
  { name: 'robots', content: 'noindex' },
]

/** One case study of an exam's draft. */
export default function CaseStudyPage() {
  const { examId, examTitle, courseTitle, adminId, stored } = useLoaderData<typeof caseStudyLoader>()
  return (
    <>
      <BackLink to={adminPaths.exam(examId)}>{draftsCopy['editor.back']}</BackLink>
      <Heading of="record">{copy[stored === null ? 'editor.new' : 'editor.edit']}</Heading>
      <p className="mt-1 text-sm text-soft wrap-anywhere">
        {examTitle}, {courseTitle}
      </p>
      {stored === null ? (
        <p className="mt-1 max-w-read text-sm text-soft">{copy['list.hint']}</p>
      ) : (
        <CaseStudyState view={stored} />
      )}
      <CaseStudyEditor key={stored?.caseStudy.id ?? 'new'} examId={examId} adminId={adminId} stored={stored} />
    </>
  )
}
