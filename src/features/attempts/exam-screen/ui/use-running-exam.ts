import { answerByKey, struckByKey } from '../../../questions/types/form-registry.tsx'
import { answerFromFields, isSameAnswer } from '../../../questions/types/grading-registry.ts'
import type { Answer, QuestionForReview, QuestionForTaking } from '../../../questions/types/question-types.schema.ts'
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { fill } from '../../../../lib/failure.ts'
import { spokenClock } from '../../../../lib/time.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { copy } from '../../attempts.copy.ts'
import type { AnswerState, AttemptView, Confidence } from '../../attempts.schema.ts'
import { useSaving, type AnswerSaving, type SavingState } from '../../saving/answer-queue-client.ts'
import { blank } from '../../saving/answer-queue.ts'
import { imageAddressesIn } from '../../offline-exams/offline-images.ts'
import { EXAM_FORM_ID } from '../../plain-exam/ui/posted-exam-form.tsx'
import type { PlainExam } from '../../plain-exam/ui/plain-notice.tsx'
import { readPlace } from '../../saving/stored-answers-client.ts'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { secondsLeft } from './exam-clock.tsx'
import { actionOf, clockSetting, isOnControl, isTyping, keysSetting, type PartAction } from './exam-shortcuts-client.ts'

/** The wait before the next try to submit, when the time is up and the server cannot be reached. */
const SUBMIT_AGAIN_MS = 3000

type RunningExamState = {
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
export function useRunningExam(
  attempt: AttemptView,
  saving: AnswerSaving,
  plain: Pick<PlainExam, 'place' | 'shows'>,
  onFinished: () => void,
) {
  const isHydrated = useHydrated()
  const noteRef = useRef<HTMLTextAreaElement>(null)
  const checkRef = useRef<HTMLButtonElement>(null)
  const positionRef = useRef<HTMLHeadingElement>(null)
  const view = useAttemptView(attempt, saving, plain.place)
  const [isFinishing, setFinishing] = useState(plain.shows === 'finish')
  const [hasMoved, setMoved] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [hasKeys, switchKeys] = useDeviceSetting(keysSetting)
  const [hasClock, setHasClock] = useDeviceSetting(clockSetting)
  const { spoken, speak } = useSpeech()
  const submission = useSubmission(saving, onFinished)
  const check = useCheck(saving)
  const changes = useAnswerChanges(view, saving)
  useEarlyAnswer(view, changes.setAnswer)
  usePicturesAhead(attempt.questions, view.place)
  useSubmitWhenTimeIsUp(view.isTimeUp, submission.submit)

  const go = (to: number) => {
    if (!view.go(to)) return
    setFinishing(false)
    setMoved(true)
    positionRef.current?.focus()
  }
  const openNote = () => {
    if (view.isClosed) return
    // Rendered synchronously, so that the field exists before it is focused.
    flushSync(view.showNote)
    noteRef.current?.focus()
  }
  const switchClock = () => setHasClock(!hasClock)
  const speakClock = () => {
    const { remaining } = view.saving
    if (remaining !== null) speak(fill(copy['exam.time.left'], { time: spokenClock(secondsLeft(remaining)) }))
  }
  useShortcuts(hasKeys, {
    ...changes,
    check: () => {
      if (!view.canCheck || view.answer.answer === null || view.question === undefined) return false
      // As if it were pressed: the focus goes on to what replaces it.
      checkRef.current?.focus()
      check.run(view.question.id)
      return true
    },
    goBy: (by) => go(view.place + by),
    openNote,
    speakClock,
    switchClock,
    openHelp: () => setHelpOpen(true),
  })
  return {
    view,
    isHydrated,
    hasMoved,
    noteRef,
    positionRef,
    checkRef,
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
    finish: {
      isOpen: isFinishing && isHydrated && !view.isClosed,
      open: () => setFinishing(true),
      close: () => setFinishing(false),
    },
  }
}

/** The question on the screen, its answer, and whether it can be changed. */
function useAttemptView(attempt: AttemptView, saving: AnswerSaving, startPlace: number | null) {
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
      if (to < 0 || to >= attempt.questions.length) return false
      setPlace(to)
      return true
    },
    showNote: () => setNoteOpenAt(place),
  } satisfies RunningExamState & Record<string, unknown>
}

/** Takes over what was chosen before scripts ran: the browser has it in the form. */
function useEarlyAnswer({ question, answer }: RunningExamState, setAnswer: (answer: Answer | null) => void) {
  const take = useEffectEvent(() => {
    const form = document.getElementById(EXAM_FORM_ID)
    if (question === undefined || answer.isChecked || !(form instanceof HTMLFormElement)) return
    setAnswer(answerFromFields(question, new FormData(form)))
  })
  useLayoutEffect(() => take(), [])
}

/** How many of the next questions' pictures are fetched ahead. */
const QUESTIONS_AHEAD = 2

/** Fetches the pictures of the next questions, unless the learner saves data. */
function usePicturesAhead(questions: AttemptView['questions'], place: number) {
  useEffect(() => {
    // The browser keeps what an image element has fetched.
    const { connection } = navigator as { connection?: { saveData?: boolean } }
    if (connection?.saveData === true) return
    for (const address of imageAddressesIn(questions.slice(place + 1, place + 1 + QUESTIONS_AHEAD)))
      new Image().src = address
  }, [questions, place])
}

const neverChanges = () => () => {}

/** False in the HTML of the server, and while the browser takes it over. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}

function useAnswerChanges(view: RunningExamState, saving: AnswerSaving) {
  const { question, answer, revealed, isClosed } = view
  const change = (changed: Parameters<AnswerSaving['change']>[1]) => {
    if (question !== undefined && !isClosed) saving.change(question.id, changed)
  }
  const setAnswer = (next: Answer | null) => {
    if (revealed === null && !isSameAnswer(next, answer.answer)) change({ answer: next })
  }
  const strike = (partId: string) => {
    const { struck } = answer
    change({ struck: struck.includes(partId) ? struck.filter((id) => id !== partId) : [...struck, partId] })
  }
  return {
    setAnswer,
    strike,
    /** Returns false if the question on the screen has no part for this key. */
    pressPart({ kind, place }: PartAction): boolean {
      if (question === undefined) return false
      if (kind === 'strike') {
        const partId = struckByKey(question, place)
        if (partId !== null) strike(partId)
        return partId !== null
      }
      const next = answerByKey(question, answer.answer, place)
      if (next !== undefined) setAnswer(next)
      return next !== undefined
    },
    flag: () => change({ isFlagged: !answer.isFlagged }),
    setConfidence: (confidence: Confidence) =>
      change({ confidence: answer.confidence === confidence ? null : confidence }),
    setNote: (note: string) => {
      if (question !== undefined) saving.change(question.id, { note })
    },
  }
}

type ShortcutHandlers = {
  /** False if the question on the screen has no such part. */
  readonly pressPart: (part: PartAction) => boolean
  /** False if there is nothing to check. */
  readonly check: () => boolean
  readonly goBy: (by: 1 | -1) => void
  readonly flag: () => void
  readonly setConfidence: (confidence: Confidence) => void
  readonly openNote: () => void
  readonly speakClock: () => void
  readonly switchClock: () => void
  readonly openHelp: () => void
}

function useShortcuts(isOn: boolean, handlers: ShortcutHandlers) {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    // The DOM knows at once that a dialog is closed; React's state follows later.
    const isOff = !isOn || document.querySelector('dialog[open]') !== null || isTyping(event)
    const action = isOff ? null : actionOf(event)
    if (action === null) return
    if (action.kind === 'answer' || action.kind === 'strike') {
      if (handlers.pressPart(action)) event.preventDefault()
      return
    }
    if (action.kind === 'check') {
      if (!isOnControl(event) && handlers.check()) event.preventDefault()
      return
    }
    event.preventDefault()
    if (action.kind === 'go') handlers.goBy(action.by)
    if (action.kind === 'flag') handlers.flag()
    if (action.kind === 'sure' || action.kind === 'unsure') handlers.setConfidence(action.kind)
    if (action.kind === 'note') handlers.openNote()
    if (action.kind === 'speak-clock') handlers.speakClock()
    if (action.kind === 'switch-clock') handlers.switchClock()
    if (action.kind === 'help') handlers.openHelp()
  })
  useEffect(() => {
    // Keys count anywhere on the page.
    const handle = (event: KeyboardEvent) => handleKey(event)
    addEventListener('keydown', handle)
    return () => removeEventListener('keydown', handle)
  }, [])
}

function useDeviceSetting(setting: typeof keysSetting) {
  // The server does not know this device.
  const stored = useSyncExternalStore(neverChanges, setting.isOn, () => true)
  const [changed, setChanged] = useState<boolean | null>(null)
  const change = (next: boolean) => {
    setting.store(next)
    setChanged(next)
  }
  return [changed ?? stored, change] as const
}

function useSubmitWhenTimeIsUp(isTimeUp: boolean, submit: () => Promise<boolean>) {
  useEffect(() => {
    // Submit until the server has accepted.
    if (!isTimeUp) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const submitUntilTaken = async () => {
      if (!(await submit())) timer = setTimeout(() => void submitUntilTaken(), SUBMIT_AGAIN_MS)
    }
    void submitUntilTaken()
    return () => clearTimeout(timer)
  }, [isTimeUp, submit])
}

/** Text for the live region. The count makes screen readers announce the same text twice. */
function useSpeech() {
  const [spoken, setSpoken] = useState({ text: '', count: 0 })
  const speak = useCallback((text: string) => setSpoken(({ count }) => ({ text, count: count + 1 })), [])
  return { spoken, speak }
}

/** `submit` resolves to whether the server has accepted the submission. */
function useSubmission(saving: AnswerSaving, onFinished: () => void) {
  const [isSubmitting, setSubmitting] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  useForgettingOnline(failure, () => setFailure(null))
  const submit = useCallback(async () => {
    setSubmitting(true)
    try {
      await saving.finish()
      setFailure(null)
      onFinished()
      return true
    } catch (error) {
      setFailure(error)
      setSubmitting(false)
      return false
    }
  }, [saving, onFinished])
  return { isSubmitting, problem: failure === null ? null : messageOf(failure), submit }
}

function useCheck(saving: AnswerSaving) {
  const { isBusy, failure, run, reset } = useMutation((questionId: string) => saving.check(questionId))
  useForgettingOnline(failure, reset)
  return { isRunning: isBusy, problem: failure === null ? null : messageOf(failure), run }
}

/** 'No internet connection' is no longer true when the network is back. */
function useForgettingOnline(failure: unknown, forget: () => void) {
  const isCutOff = failure instanceof CallFailed && failure.status === 0
  const handleOnline = useEffectEvent(forget)
  useEffect(() => {
    if (!isCutOff) return
    const handle = () => handleOnline()
    addEventListener('online', handle)
    return () => removeEventListener('online', handle)
  }, [isCutOff])
}
