import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fill } from '../../../../lib/failure.ts'
import { spokenClock } from '../../../../lib/time.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { copy } from '../../attempts.copy.ts'
import type { AnswerState, AttemptView, Confidence } from '../../attempts.schema.ts'
import { useSaving, type AnswerSaving, type SavingState } from '../../saving/answer-queue-client.ts'
import { blank } from '../../saving/answer-queue.ts'
import { keepPlace, readPlace } from '../../saving/stored-answers-client.ts'
import type { QuestionForReview, QuestionForTaking } from '../../../questions/questions.schema.ts'
import { secondsLeft } from './exam-clock.tsx'
import { actionOf, clockChoice, isTyping, keysChoice } from './exam-shortcuts-client.ts'

/** Pause between two tries to submit when the time is up and the server cannot be reached. */
const SUBMIT_AGAIN_MS = 3000

export type RunningExamState = {
  readonly saving: SavingState
  readonly place: number
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

/** The state of an exam on the screen, and what its buttons and keys do. */
export function useRunningExam(attempt: AttemptView, saving: AnswerSaving, onFinished: () => void) {
  const noteRef = useRef<HTMLTextAreaElement>(null)
  const positionRef = useRef<HTMLHeadingElement>(null)
  const view = useAttemptView(attempt, saving)
  const [isFinishing, setFinishing] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [hasKeys, setHasKeys] = useState(keysChoice.isOn)
  const [hasClock, setHasClock] = useState(clockChoice.isOn)
  const { spoken, speak } = useSpeech()
  const submission = useSubmission(saving, onFinished)
  const check = useCheck(saving)
  const changes = useAnswerChanges(view, saving)
  useSubmitWhenTimeIsUp(view.isTimeUp, submission.submit)

  const go = (to: number) => {
    if (!view.go(to)) return
    setFinishing(false)
    positionRef.current?.focus()
  }
  const openNote = () => {
    if (view.isClosed) return
    // Rendered at once, so that there is a field to focus.
    flushSync(view.showNote)
    noteRef.current?.focus()
  }
  const switchClock = () => {
    clockChoice.keep(!hasClock)
    setHasClock(!hasClock)
  }
  const switchKeys = (isOn: boolean) => {
    keysChoice.keep(isOn)
    setHasKeys(isOn)
  }
  const speakClock = () => {
    const { remaining } = view.saving
    if (remaining !== null) speak(fill(copy['exam.time.left'], { time: spokenClock(secondsLeft(remaining)) }))
  }
  useShortcuts((event) => {
    // A dialog element says at once that it is closed; React's state follows a moment later.
    const isOff = !hasKeys || document.querySelector('dialog[open]') !== null || isTyping(event)
    const action = isOff ? null : actionOf(event, view.question?.options.length ?? 0)
    if (action === null) return
    event.preventDefault()
    if (action.kind === 'go') go(view.place + action.by)
    if (action.kind === 'select') changes.select(view.question?.options[action.place]?.id ?? '')
    if (action.kind === 'strike') changes.strike(view.question?.options[action.place]?.id ?? '')
    if (action.kind === 'flag') changes.flag()
    if (action.kind === 'sure' || action.kind === 'unsure') changes.setConfidence(action.kind)
    if (action.kind === 'note') openNote()
    if (action.kind === 'speak-clock') speakClock()
    if (action.kind === 'switch-clock') switchClock()
    if (action.kind === 'help') setHelpOpen(true)
  })
  return {
    view,
    noteRef,
    positionRef,
    changes,
    go,
    openNote,
    check,
    submission,
    spoken,
    speak,
    clock: { isShown: hasClock, onSwitch: switchClock },
    help: {
      isOpen: isHelpOpen,
      isOn: hasKeys,
      open: () => setHelpOpen(true),
      close: () => setHelpOpen(false),
      switchKeys,
    },
    finish: { isOpen: isFinishing && !view.isClosed, open: () => setFinishing(true), close: () => setFinishing(false) },
  }
}

/** Which question is on the screen, and what is known of it. */
function useAttemptView(attempt: AttemptView, saving: AnswerSaving) {
  const state = useSaving(saving)
  const [place, setPlace] = useState(() => readPlace(attempt))
  const [isTimeUp, setTimeUp] = useState(false)
  const [noteOpenAt, setNoteOpenAt] = useState<number | null>(null)
  const question = attempt.questions[place]
  const answer = (question && state.answers[question.id]) ?? blank
  const revealed = (question && state.revealed[question.id]) ?? null
  const isClosed = isTimeUp || state.connection === 'over' || state.connection === 'elsewhere'

  // Outside: the network, the device's storage, and the page that goes away.
  useEffect(() => saving.open(), [saving])
  const questionId = question?.id
  useEffect(() => {
    // Outside: the stopwatch of the question that is on the screen.
    if (questionId !== undefined) saving.viewQuestion(questionId)
  }, [saving, questionId])

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
    /** False where there is no such question. */
    go(to: number): boolean {
      if (to < 0 || to >= attempt.questions.length) return false
      setPlace(to)
      keepPlace(attempt, to)
      return true
    },
    showNote: () => setNoteOpenAt(place),
  } satisfies RunningExamState & Record<string, unknown>
}

function useAnswerChanges(view: RunningExamState, saving: AnswerSaving) {
  const { question, answer, revealed, isClosed } = view
  const change = (changed: Parameters<AnswerSaving['change']>[1]) => {
    if (question !== undefined && !isClosed) saving.change(question.id, changed)
  }
  return {
    select(optionId: string) {
      if (question === undefined || revealed !== null) return
      const isChosen = answer.selection.includes(optionId)
      const others = answer.selection.filter((id) => id !== optionId)
      if (!question.isMultiple && isChosen) return
      change({ selection: !question.isMultiple ? [optionId] : isChosen ? others : [...others, optionId] })
    },
    strike(optionId: string) {
      const { struck } = answer
      change({ struck: struck.includes(optionId) ? struck.filter((id) => id !== optionId) : [...struck, optionId] })
    },
    flag: () => change({ isFlagged: !answer.isFlagged }),
    setConfidence: (confidence: Confidence) =>
      change({ confidence: answer.confidence === confidence ? null : confidence }),
    setNote: (note: string) => {
      if (question !== undefined) saving.change(question.id, { note })
    },
  }
}

/** Calls the newest handler for every key that is pressed on the page. */
function useShortcuts(handle: (event: KeyboardEvent) => void) {
  const newest = useRef(handle)
  useEffect(() => {
    newest.current = handle
  })
  useEffect(() => {
    // Outside: keys that are pressed anywhere on the page.
    const handleKey = (event: KeyboardEvent) => newest.current(event)
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])
}

function useSubmitWhenTimeIsUp(isTimeUp: boolean, submit: () => Promise<boolean>) {
  useEffect(() => {
    // Outside: the server, until it has taken the submission.
    if (!isTimeUp) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const submitUntilTaken = async () => {
      if (!(await submit())) timer = setTimeout(() => void submitUntilTaken(), SUBMIT_AGAIN_MS)
    }
    void submitUntilTaken()
    return () => clearTimeout(timer)
  }, [isTimeUp, submit])
}

/** Text for the live region. A count makes the same words twice two announcements. */
function useSpeech() {
  const [spoken, setSpoken] = useState({ text: '', count: 0 })
  const speak = useCallback((text: string) => setSpoken(({ count }) => ({ text, count: count + 1 })), [])
  return { spoken, speak }
}

/** `submit` resolves to whether the server has taken the submission. */
function useSubmission(saving: AnswerSaving, onFinished: () => void) {
  const [isSubmitting, setSubmitting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = useCallback(async () => {
    setSubmitting(true)
    try {
      await saving.finish()
      setProblem(null)
      onFinished()
      return true
    } catch (error) {
      setProblem(messageOf(error))
      setSubmitting(false)
      return false
    }
  }, [saving, onFinished])
  return { isSubmitting, problem, submit }
}

function useCheck(saving: AnswerSaving) {
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (questionId: string) => {
    setRunning(true)
    try {
      await saving.check(questionId)
      setProblem(null)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, problem, run }
}
