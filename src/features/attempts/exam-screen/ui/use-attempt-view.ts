import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { QuestionForReview, QuestionForTaking } from '../../../questions/types/question-types.schema.ts'
import { countQuestions } from '../../count-questions.ts'
import type { AnswerState, AttemptView } from '../../attempts.schema.ts'
import { useSaving, type AnswerSaving, type SavingState } from '../../saving/answer-queue-client.ts'
import { blank } from '../../saving/answer-queue.ts'
import { readPlace } from '../../saving/stored-answers-client.ts'

export type RunningExamState = {
  readonly saving: SavingState
  readonly place: number
  /** Undefined until it has arrived. */
  readonly question: QuestionForTaking | undefined
  readonly answer: AnswerState
  /** The question with its answer key, once the learner has checked the answer. */
  readonly revealed: QuestionForReview | null
  readonly isTimeUp: boolean
  /** Nothing can be changed any more: the time is up, the attempt is submitted, or another page writes it. */
  readonly isClosed: boolean
  readonly canCheck: boolean
  readonly isNoteOpen: boolean
}

/** The question on the screen, its answer, and whether it can be changed. */
export function useAttemptView(attempt: AttemptView, saving: AnswerSaving, startPlace: number | null) {
  const state = useSaving(saving)
  const [chosenPlace, setPlace] = useState(startPlace)
  // Where the server did not know it, this tab does.
  const keptPlace = useSyncExternalStore(
    neverChanges,
    () => readPlace(attempt),
    () => null,
  )
  const place = chosenPlace ?? keptPlace ?? 0
  const [isTimeUp, setTimeUp] = useState(false)
  const [noteOpenAt, setNoteOpenAt] = useState<number | null>(null)
  const question = attempt.questions[place]
  const answer = (question && state.answers[question.id]) ?? blank
  const revealed = (question && state.revealed[question.id]) ?? null
  const isClosed = isTimeUp || state.connection === 'over' || state.connection === 'elsewhere'

  // Saves over the network, stores on the device, and saves again when the page closes.
  useEffect(() => saving.open(), [saving])
  const questionId = question?.id
  useEffect(() => {
    // Starts the stopwatch of the question that is on the screen.
    if (questionId !== undefined) saving.viewQuestion(questionId, place)
  }, [saving, questionId, place])

  return {
    saving: state,
    place,
    question,
    answer,
    revealed,
    isTimeUp,
    isClosed,
    canCheck: attempt.mode !== 'timed' && revealed === null && !isClosed,
    isNoteOpen: noteOpenAt === place || answer.note !== '',
    endTime: useCallback(() => setTimeUp(true), []),
    /** False if there is no such question. */
    go(to: number): boolean {
      if (to < 0 || to >= countQuestions(attempt)) return false
      setPlace(to)
      return true
    },
    showNote: () => setNoteOpenAt(place),
  } satisfies RunningExamState & Record<string, unknown>
}

export const neverChanges = () => () => {}

/** False in the HTML of the server, and while the browser takes it over. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}
