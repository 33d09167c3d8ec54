import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import type { QuestionForReview } from '../../../questions/questions.schema.ts'
import { copy } from '../../attempts.copy.ts'
import { ReportQuestion } from '../../reports/ui/report-question.tsx'
import { Explanation } from './explanation.tsx'

/** Shown once an answer is checked: right or wrong, why, and the way to report the question. */
export function CheckedAnswer({
  question,
  selection,
  report,
}: {
  question: QuestionForReview
  selection: readonly string[]
  /** Null where the learner cannot report questions. */
  report: { readonly attemptId: string; readonly number: number } | null
}) {
  return (
    <div className="mt-6 border-t border-line pt-5">
      <Verdict isRight={isSameSet(selection, question.rightOptionIds)} />
      <div className="mt-4">
        <Explanation question={question} level={3} />
      </div>
      {report === null ? null : (
        <div className="mt-4">
          <ReportQuestion key={question.id} {...report} questionId={question.id} wasReported={false} />
        </div>
      )}
    </div>
  )
}

function Verdict({ isRight }: { isRight: boolean }) {
  return (
    <p className={`flex items-center gap-2 text-lg font-semibold ${isRight ? 'text-good' : 'text-bad'}`}>
      {isRight ? <CheckIcon /> : <CrossIcon />}
      {isRight ? copy['check.right'] : copy['check.wrong']}
    </p>
  )
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id))
}
