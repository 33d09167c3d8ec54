import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { fill } from '../../../../lib/failure.ts'
import { spokenClock } from '../../../../lib/time.ts'
import { savesData } from '../../../../platform/data-saving-client.ts'
import { answerByKey, struckByKey } from '../../../questions/types/form-registry.tsx'
import { answerFromFields, isSameAnswer } from '../../../questions/types/grading-registry.ts'
import type { Answer } from '../../../questions/types/question-types.schema.ts'
import { copy } from '../../attempts.copy.ts'
import { countQuestions } from '../../count-questions.ts'
import type { AttemptView, Confidence } from '../../attempts.schema.ts'
import { imageAddressesIn } from '../../offline-exams/offline-images.ts'
import { EXAM_FORM_ID } from '../../plain-exam/ui/posted-exam-form.tsx'
import type { PlainExam } from '../../plain-exam/ui/plain-notice.tsx'
import type { AnswerSaving, Remaining } from '../../saving/answer-queue-client.ts'
import { secondsLeft } from './exam-clock.tsx'
import { clockSetting, keysSetting, type PartAction } from './exam-shortcuts-client.ts'
import { neverChanges, useAttemptView, useHydrated, type RunningExamState } from './use-attempt-view.ts'
import { useShortcuts } from './use-exam-shortcuts.ts'
import { useCheck, useSubmission, useSubmitWhenTimeIsUp } from './use-submission.ts'

/** The state of an exam on the screen, and what its buttons and keys do. */
export function useRunningExam(
  attempt: AttemptView,
  saving: AnswerSaving,
  plain: Pick<PlainExam, 'place' | 'shows'>,
  onFinished: () => void,
) {
  const isHydrated = useHydrated()
  const isWhole = attempt.questions.length === countQuestions(attempt)
  const noteRef = useRef<HTMLTextAreaElement>(null)
  const checkRef = useRef<HTMLButtonElement>(null)
  const positionRef = useRef<HTMLHeadingElement>(null)
  const view = useAttemptView(attempt, saving, plain.place)
  const finishing = useOpening(plain.shows === 'finish')
  const help = useKeyHelp()
  const [hasMoved, setMoved] = useState(false)
  const clock = useClock(view.saving.remaining)
  const submission = useSubmission(saving, onFinished)
  const check = useCheck(saving)
  const changes = useAnswerChanges(view, saving)
  useEarlyAnswer(view, changes.setAnswer)
  usePicturesAhead(attempt.questions, view.place)
  useSubmitWhenTimeIsUp(view.isTimeUp, submission.submit)

  const go = (to: number) => {
    if (!view.go(to)) return
    finishing.close()
    setMoved(true)
    positionRef.current?.focus()
  }
  const openNote = () => {
    if (view.isClosed) return
    // Rendered synchronously, so that the field exists before it is focused.
    flushSync(view.showNote)
    noteRef.current?.focus()
  }
  const checkByKey = () => {
    if (!view.canCheck || view.answer.answer === null || view.question === undefined) return false
    // As if the button were pressed: the focus goes on to what replaces it.
    checkRef.current?.focus()
    check.run(view.question.id)
    return true
  }
  const goBy = (by: 1 | -1) => go(view.place + by)
  useShortcuts(help.isOn, { ...changes, check: checkByKey, goBy, openNote, ...clock, openHelp: help.open })
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
    clock,
    help,
    finish: { ...finishing, isOpen: finishing.isOpen && isHydrated && isWhole && !view.isClosed },
  }
}

/** Whether a dialog is open. The functions never change. */
function useOpening(isOpenAtFirst: boolean) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  return { isOpen, open, close }
}

/** The list of the keys, and whether they are switched on. */
function useKeyHelp() {
  const opening = useOpening(false)
  const [isOn, switchKeys] = useDeviceSetting(keysSetting)
  return { ...opening, isOn, switchKeys }
}

/** The clock that learners may hide, and the text of the live region that announces it. */
function useClock(remaining: Remaining | null) {
  const [isShown, setShown] = useDeviceSetting(clockSetting)
  // The count makes screen readers announce the same text twice.
  const [spoken, setSpoken] = useState({ text: '', count: 0 })
  const speak = useCallback((text: string) => setSpoken(({ count }) => ({ text, count: count + 1 })), [])
  return {
    isShown,
    spoken,
    speak,
    switchClock: () => setShown(!isShown),
    speakClock() {
      if (remaining !== null) speak(fill(copy['exam.time.left'], { time: spokenClock(secondsLeft(remaining)) }))
    },
  }
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
    if (savesData()) return
    for (const address of imageAddressesIn(questions.slice(place + 1, place + 1 + QUESTIONS_AHEAD)))
      new Image().src = address
  }, [questions, place])
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
