import { fill } from '../../../../lib/failure.ts'
import type { ShownCaseStudy } from '../case-study.schema.ts'
import { copy } from '../shown-case-study.copy.ts'
import { CaseStudyText } from './case-study-tabs.tsx'

/** A case study on paper, once before its questions. @param first the number of the first of them */
export function PrintedCaseStudy({ caseStudy, first }: { caseStudy: ShownCaseStudy; first: number }) {
  const to = first + caseStudy.questionIds.length - 1
  return (
    <section className="border-y border-line-strong py-4">
      <h2 className="font-semibold">{fill(copy['case-study.title'], { title: caseStudy.title })}</h2>
      <p className="nums text-sm text-soft">{fill(copy['case-study.questions.range'], { from: first, to })}</p>
      <CaseStudyText caseStudy={caseStudy} />
    </section>
  )
}
