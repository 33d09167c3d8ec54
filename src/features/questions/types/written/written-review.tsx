import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { PartMark } from '../parts/part-mark.tsx'
import { copy } from './written.copy.ts'

type Verdict = {
  /** The learner's text; null for no answer. */
  readonly given: string | null
  /** Null where the answer key is withheld. */
  readonly isRight: boolean | null
  /** The right answers, as they are shown; empty where they are withheld. */
  readonly right: readonly string[]
  /** What explains them, such as the meaning of a sign in them. */
  readonly hint?: string | null
}

/** The text of the learner with its verdict, and the right answers. */
export function WrittenReview(verdict: Verdict) {
  const { given, isRight } = verdict
  return (
    <div className="mt-4 max-w-read space-y-2">
      {given === null ? null : (
        <div className={`rounded-md border px-4 py-2.5 ${frameOf(isRight)}`}>
          <span className="wrap-anywhere whitespace-pre-wrap">{given}</span>
          <PartMark isGiven isRight={isRight} />
        </div>
      )}
      <NoAnswer {...verdict} />
      <RightAnswers {...verdict} />
    </div>
  )
}

/** The same below the field that holds the text already. */
export function WrittenVerdict(verdict: Verdict) {
  return (
    <div className="space-y-3">
      <PartMark isGiven={verdict.given !== null} isRight={verdict.isRight} />
      <NoAnswer {...verdict} />
      <RightAnswers {...verdict} />
    </div>
  )
}

function NoAnswer({ given, isRight }: Verdict) {
  if (given !== null || isRight === null) return null
  return (
    <p className="flex items-center gap-1.5 text-sm font-semibold text-bad">
      <CrossIcon />
      {copy['answer.none']}
    </p>
  )
}

function RightAnswers({ isRight, right, hint = null }: Verdict) {
  if (right.length === 0 || (isRight === true && right.length === 1 && hint === null)) return null
  return (
    <div className="rounded-md border border-good bg-good-soft px-4 py-2.5">
      <p className="flex items-center gap-1.5 text-sm font-semibold text-good">
        <CheckIcon />
        {copy[right.length === 1 ? 'answer.right' : 'answer.accepted']}
      </p>
      <ul className="mt-1">
        {right.map((text) => (
          <li key={text} className="nums wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
      {hint === null ? null : <p className="mt-1 text-sm text-soft">{hint}</p>}
    </div>
  )
}

function frameOf(isRight: boolean | null): string {
  if (isRight === null) return 'border-line'
  return isRight ? 'border-good bg-good-soft' : 'border-bad bg-bad-soft'
}
