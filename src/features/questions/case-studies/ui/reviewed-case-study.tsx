import type { ShownCaseStudy } from '../case-study.schema.ts'
import { caseStudyOf, CaseStudyPosition, FoldedCaseStudy } from './beside-case-study.tsx'

/** The case study of a reviewed question: its text before the first question of it that is shown, and which of its questions this is. */
export function ReviewedCaseStudy({
  caseStudies,
  questionId,
  shownBefore,
}: {
  caseStudies: readonly ShownCaseStudy[]
  questionId: string
  shownBefore: string | undefined
}) {
  const caseStudy = caseStudyOf(caseStudies, questionId)
  if (caseStudy === undefined) return null
  const isBegun = caseStudyOf(caseStudies, shownBefore)?.id === caseStudy.id
  return (
    <div className="mb-3">
      {isBegun ? null : <FoldedCaseStudy caseStudy={caseStudy} />}
      <CaseStudyPosition caseStudy={caseStudy} questionId={questionId} />
    </div>
  )
}
