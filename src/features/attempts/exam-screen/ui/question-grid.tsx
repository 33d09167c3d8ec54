import { memo, useCallback, useEffect, useRef } from 'react'
import { copy } from '../../attempts.copy.ts'
import { submitsExam } from '../../plain-exam/ui/posted-exam-form.tsx'
import type { AnswerState } from '../../attempts.schema.ts'

type Listed = { readonly id: string }

/** A button for each question that shows whether it is answered, flagged or current, and a legend. */
export function QuestionGrid({
  questions,
  answers,
  current,
  onGo,
}: {
  questions: readonly Listed[]
  answers: Readonly<Record<string, AnswerState>>
  current: number
  onGo: (place: number) => void
}) {
  // The callback never changes, so that up to a thousand cells do not render again with every step.
  const goRef = useRef(onGo)
  useEffect(() => {
    goRef.current = onGo
  })
  const go = useCallback((place: number) => goRef.current(place), [])
  return (
    <nav aria-label="Questions">
      <ol className="grid grid-cols-[repeat(auto-fill,minmax(44px,1fr))] gap-1">
        {questions.map(({ id }, place) => (
          <Cell
            key={id}
            place={place}
            isAnswered={(answers[id]?.answer ?? null) !== null}
            isFlagged={answers[id]?.isFlagged === true}
            isCurrent={place === current}
            onGo={go}
          />
        ))}
      </ol>
      <Legend />
    </nav>
  )
}

const Cell = memo(function Cell({
  place,
  isAnswered,
  isFlagged,
  isCurrent,
  onGo,
}: {
  place: number
  isAnswered: boolean
  isFlagged: boolean
  isCurrent: boolean
  onGo: (place: number) => void
}) {
  return (
    <li>
      <button
        {...submitsExam({ kind: 'go', place })}
        aria-label={nameOf(place, isAnswered, isFlagged)}
        aria-current={isCurrent ? 'step' : undefined}
        onClick={() => onGo(place)}
        className={`nums relative flex h-10 w-full items-center justify-center rounded-md border text-sm hover:border-accent aria-[current=step]:border-2 aria-[current=step]:border-accent aria-[current=step]:font-semibold ${
          isAnswered ? 'border-line-strong bg-sunken text-ink' : 'border-line-strong bg-surface text-soft'
        }`}
      >
        {place + 1}
        {isAnswered ? <AnsweredBar /> : null}
        {isFlagged ? <FlagCorner /> : null}
      </button>
    </li>
  )
})

function nameOf(place: number, isAnswered: boolean, isFlagged: boolean): string {
  return `${place + 1}, ${isAnswered ? 'answered' : 'unanswered'}${isFlagged ? ', flagged' : ''}`
}

function AnsweredBar() {
  return <span aria-hidden="true" className="absolute inset-x-1.5 bottom-1 h-0.5 rounded-full bg-soft" />
}

function FlagCorner() {
  return (
    <svg aria-hidden="true" viewBox="0 0 10 10" className="absolute top-0 right-0 size-3 rounded-tr-md fill-flag">
      <path d="M0 0h10v10z" />
    </svg>
  )
}

function Legend() {
  return (
    <ul aria-label="Legend" className="mt-4 flex flex-wrap gap-x-4 gap-y-1.5 text-xs text-soft">
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="relative size-4 rounded-sm border border-line-strong bg-sunken">
          <span className="absolute inset-x-0.5 bottom-0.5 h-0.5 rounded-full bg-soft" />
        </span>
        {copy['exam.answered']}
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-4 rounded-sm border border-line-strong bg-surface" />
        {copy['exam.unanswered']}
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="relative size-4 rounded-sm border border-line-strong bg-surface">
          <FlagCorner />
        </span>
        {copy['exam.flagged']}
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-4 rounded-sm border-2 border-accent bg-surface" />
        Shown now
      </li>
    </ul>
  )
}
