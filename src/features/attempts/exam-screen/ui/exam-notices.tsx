import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { copy } from '../../attempts.copy.ts'
import type { SavingState } from '../../saving/answer-queue-client.ts'

/** Notices above the question: the session ended, the attempt is open in another page, the time is up. */
export function ExamNotices({
  saving,
  isTimeUp,
  isSubmitting,
  submitProblem,
  takeBackProblem,
  onRetry,
  onTakeBack,
  onFinished,
}: {
  saving: SavingState
  isTimeUp: boolean
  isSubmitting: boolean
  submitProblem: string | null
  takeBackProblem: string | null
  onRetry: () => void
  onTakeBack: () => void
  onFinished: () => void
}) {
  const { connection, unsavedCount } = saving
  return (
    <>
      {connection === 'signed-out' || connection === 'foreign' ? (
        <SignedOut why={connection} onRetry={onRetry} />
      ) : null}
      {connection === 'elsewhere' && !isTimeUp ? (
        <WrittenElsewhere unsavedCount={unsavedCount} problem={takeBackProblem} onTakeBack={onTakeBack} />
      ) : null}
      {isTimeUp && connection !== 'over' ? (
        <Notice tone="flag" className="mt-4" title={copy['exam.time.up']}>
          {submitProblem === null ? null : <p>{submitProblem}</p>}
        </Notice>
      ) : null}
      {connection === 'over' && !isSubmitting ? (
        <Notice tone="info" className="mt-4" title={copy['exam.over']}>
          <button type="button" className="font-semibold text-accent underline" onClick={onFinished}>
            {copy['exam.see-result']}
          </button>
        </Notice>
      ) : null}
    </>
  )
}

/** The session ended, or another user is signed in. The learner signs in again in another tab; this page stays as it is. */
function SignedOut({ why, onRetry }: { why: 'signed-out' | 'foreign'; onRetry: () => void }) {
  return (
    <Notice tone="bad" className="mt-4" title={copy[`exam.${why}`]}>
      <span className="mt-2 flex flex-wrap gap-x-5 gap-y-1">
        <a href={paths.login} target="_blank" rel="opener" className="font-semibold text-accent underline">
          {copy['exam.signin-again']}
        </a>
        <button type="button" onClick={onRetry} className="font-semibold text-accent underline">
          {copy['exam.signin-done']}
        </button>
      </span>
    </Notice>
  )
}

function WrittenElsewhere({
  unsavedCount,
  problem,
  onTakeBack,
}: {
  unsavedCount: number
  problem: string | null
  onTakeBack: () => void
}) {
  return (
    <Notice tone="flag" className="mt-4" title={copy['exam.lost.title']}>
      <p>
        {copy['exam.lost']} {unsavedCount === 0 ? '' : fill(copy['exam.lost.unsent'], { n: unsavedCount })}
      </p>
      <button type="button" onClick={onTakeBack} className="mt-2 min-h-6 font-semibold text-accent underline">
        {copy['exam.lost.take-back']}
      </button>
      {problem === null ? null : <p className="mt-2 font-semibold text-bad">{problem}</p>}
    </Notice>
  )
}
