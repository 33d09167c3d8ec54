import { memo, useCallback, useEffect, useMemo, useRef } from 'react'
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
  const groups = useMemo(() => groupsOf(questions, answers), [questions, answers])
  return (
    <nav aria-label="Questions">
      <ol className="question-squares nums">
        {groups.map(({ start, marks }) => (
          <CellGroup key={start} start={start} marks={marks} current={inGroup(current, start)} onGo={go} />
        ))}
      </ol>
      <Legend />
    </nav>
  )
}

/** Cells that render together: a step renders the groups of two questions, whatever the number of questions. */
const GROUP_SIZE = 25
const UNANSWERED = 0
const ANSWERED = 1
const FLAGGED = 2

/** The marks are one text for each group, so that an equal group is not rendered again. */
function groupsOf(questions: readonly Listed[], answers: Readonly<Record<string, AnswerState>>) {
  const marks = questions.map(({ id }) => {
    const answer = answers[id]
    return ((answer?.answer ?? null) === null ? UNANSWERED : ANSWERED) + (answer?.isFlagged === true ? FLAGGED : 0)
  })
  const count = Math.ceil(questions.length / GROUP_SIZE)
  return Array.from({ length: count }, (_, group) => {
    const start = group * GROUP_SIZE
    return { start, marks: marks.slice(start, start + GROUP_SIZE).join('') }
  })
}

/** The place of the current question if it is in the group, else null. */
function inGroup(current: number, start: number): number | null {
  return current >= start && current < start + GROUP_SIZE ? current : null
}

const CellGroup = memo(function CellGroup({
  start,
  marks,
  current,
  onGo,
}: {
  start: number
  marks: string
  current: number | null
  onGo: (place: number) => void
}) {
  return [...marks].map((mark, index) => {
    const place = start + index
    const isFlagged = Number(mark) >= FLAGGED
    const isAnswered = Number(mark) % FLAGGED === ANSWERED
    return (
      <Cell
        key={place}
        place={place}
        isAnswered={isAnswered}
        isFlagged={isFlagged}
        isCurrent={place === current}
        onGo={onGo}
      />
    )
  })
})

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
        data-answered={isAnswered ? '' : undefined}
        onClick={() => onGo(place)}
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
