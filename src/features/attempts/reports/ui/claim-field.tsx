import { AnswerForm } from '../../../questions/types/form-registry.tsx'
import type { Answer, QuestionForReview, QuestionForTaking } from '../../../questions/types/question-types.schema.ts'
import { copy } from '../question-reports.copy.ts'

/** The question again, to be answered as the learner thinks is right. */
export default function ClaimField({
  question,
  claim,
  problem,
  onClaim,
}: {
  question: QuestionForTaking | QuestionForReview
  claim: Answer | null
  problem?: string | undefined
  onClaim: (claim: Answer | null) => void
}) {
  return (
    <section aria-labelledby="claim-heading" className="mt-4 rounded-lg border border-line bg-sunken p-4">
      <h3 id="claim-heading" className="text-sm font-medium">
        {copy['report.claim']}
      </h3>
      <p className="mb-4 text-sm text-soft">{copy['report.claim.hint']}</p>
      <AnswerForm
        question={question}
        answer={claim}
        struck={[]}
        revealed={null}
        isDisabled={false}
        onAnswer={onClaim}
        onStrike={null}
      />
      {problem === undefined ? null : (
        <p role="alert" className="mt-2 text-sm text-bad">
          {problem}
        </p>
      )}
      {claim === null ? null : (
        <button
          type="button"
          onClick={() => onClaim(null)}
          className="mt-3 min-h-8 text-sm font-medium underline underline-offset-2"
        >
          {copy['report.claim.clear']}
        </button>
      )}
    </section>
  )
}
