import { Markdown } from '../../../../ui/markdown-text.tsx'
import type { CaseStudy } from '../../../questions/case-studies/case-study.schema.ts'
import { FoldedCaseStudy } from '../../../questions/case-studies/ui/beside-case-study.tsx'
import { StemText } from '../../../questions/types/stem-registry.tsx'
import { PartsPreview } from '../../../questions/types/editor-registry.tsx'
import type { EditedQuestion } from '../../../questions/types/question-edit.schema.ts'

/** A question as learners see it, with its answer key marked. */
export function QuestionPreview({
  title,
  question,
  caseStudy,
}: {
  title: string
  question: EditedQuestion
  caseStudy?: CaseStudy | undefined
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="text-sm font-semibold text-soft">{title}</h2>
      {caseStudy === undefined ? null : (
        <div className="mt-3">
          <FoldedCaseStudy key={caseStudy.id} caseStudy={caseStudy} />
        </div>
      )}
      <StemText question={question} className="mt-3 text-lg" />
      <div className="mt-4">
        <PartsPreview edited={question} />
      </div>
      {question.explanation.trim() === '' ? null : (
        <div className="mt-6 border-t border-line pt-4">
          <Markdown text={question.explanation} />
        </div>
      )}
    </section>
  )
}
