import { isRightInReview } from '../../../questions/types/grading-registry.ts'
import type { Answer, QuestionForReview } from '../../../questions/types/question-types.schema.ts'
import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { copy } from '../../attempts.copy.ts'
import { ReportQuestion } from '../../reports/ui/report-question.tsx'
import { Explanation } from './explanation.tsx'

/** Shown once an answer is checked: right or wrong, why, and the form to report the question. */
export function CheckedAnswer({
  question,
  answer,
  report,
}: {
  question: QuestionForReview
  answer: Answer | null
  /** Null where the learner cannot report questions. */
  report: { readonly attemptId: string; readonly number: number } | null
}) {
  return (
    <div className="mt-6 border-t border-line pt-5">
      <Verdict isRight={isRightInReview(question, answer)} />
      <div className="mt-4">
        <Explanation question={question} level={3} />
      </div>
      {report === null ? null : (
        <div className="mt-4">
          <ReportQuestion key={question.id} {...report} question={question} wasReported={false} />
        </div>
      )}
    </div>
  )
}

/** Right or wrong, in a word and a sign. */
export function Verdict({ isRight }: { isRight: boolean }) {
  return (
    <p className={`flex items-center gap-2 text-lg font-semibold ${isRight ? 'text-good' : 'text-bad'}`}>
      {isRight ? <CheckIcon /> : <CrossIcon />}
      {isRight ? copy['check.right'] : copy['check.wrong']}
    </p>
  )
}
