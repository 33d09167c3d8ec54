import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { spokenClock } from '../../../../lib/time.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { ArrowIcon, CheckIcon, CrossIcon, FlagIcon } from '../../../../ui/icons.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { copy } from '../../attempts.copy.ts'
import { useSaving, type AnswerSaving } from '../../saving/answer-queue-client.ts'
import { keepPlace, readPlace } from '../../saving/stored-answers-client.ts'
import { blank } from '../../saving/answer-queue.ts'
import type { AttemptView, Confidence } from '../../attempts.schema.ts'
import { ExamClock, secondsLeft } from './exam-clock.tsx'
import { ExamFrame } from './exam-frame.tsx'
import { actionOf, clockChoice, isTyping, keysChoice } from './exam-shortcuts-client.ts'
import { ReportQuestion } from '../../reports/ui/report-question.tsx'
import { Explanation } from './explanation.tsx'
import { FinishDialog } from './finish-dialog.tsx'
import { KeyHelp } from './shortcut-help.tsx'
import { QuestionForm } from './question-form.tsx'
import { QuestionMarks } from './question-marks.tsx'
import { QuestionGrid } from './question-grid.tsx'
import { SavingLine } from './saving-line.tsx'

/** Between two tries to submit when the time is up and the server is not reached. */
const SUBMIT_AGAIN_MS = 3000

/** An attempt that is taken: one question at a time, everything saved as it is put down. */
export function RunningExam({
  attempt,
  saving,
  mayReport,
  backTo,
  takeBackProblem,
  onTakeBack,
  onFinished,
}: {
  attempt: AttemptView
  saving: AnswerSaving
  mayReport: boolean
  backTo: string
  takeBackProblem: string | null
  /** Another page has taken the attempt over: this one wants it again. */
  onTakeBack: () => void
  onFinished: () => void
}) {
  const state = useSaving(saving)
  const [place, setPlace] = useState(() => readPlace(attempt))
  const [isFinishing, setFinishing] = useState(false)
  const [isTimeUp, setTimeUp] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [hasKeys, setHasKeys] = useState(keysChoice.isOn)
  const [hasClock, setHasClock] = useState(clockChoice.isOn)
  const [noteOpenAt, setNoteOpenAt] = useState<number | null>(null)
  const noteRef = useRef<HTMLTextAreaElement>(null)
  const { spoken, speak } = useSpeech()
  const positionRef = useRef<HTMLHeadingElement>(null)
  const { isSubmitting, problem, submit } = useSubmit(saving, onFinished)
  const check = useCheck(saving)

  const { questions } = attempt
  const question = questions[place]
  const answer = (question && state.answers[question.id]) ?? blank
  const revealed = (question && state.revealed[question.id]) ?? null
  const isTimed = attempt.mode === 'timed'
  const isLast = place === questions.length - 1
  const isClosed = isTimeUp || state.connection === 'over' || state.connection === 'elsewhere'
  const canCheck = !isTimed && revealed === null && !isClosed

  const go = (to: number) => {
    if (to < 0 || to >= questions.length) return
    setPlace(to)
    keepPlace(attempt, to)
    setFinishing(false)
    positionRef.current?.focus()
  }
  const select = (optionId: string) => {
    if (question === undefined || revealed !== null || isClosed) return
    const isChosen = answer.selection.includes(optionId)
    const others = answer.selection.filter((id) => id !== optionId)
    if (!question.isMultiple && isChosen) return
    saving.change(question.id, {
      selection: question.isMultiple && isChosen ? others : question.isMultiple ? [...others, optionId] : [optionId],
    })
  }
  const strike = (optionId: string) => {
    if (question === undefined || isClosed) return
    const { struck } = answer
    saving.change(question.id, {
      struck: struck.includes(optionId) ? struck.filter((id) => id !== optionId) : [...struck, optionId],
    })
  }
  const flag = () => {
    if (question !== undefined && !isClosed) saving.change(question.id, { isFlagged: !answer.isFlagged })
  }
  const beSure = (confidence: Confidence) => {
    if (question === undefined || isClosed) return
    saving.change(question.id, { confidence: answer.confidence === confidence ? null : confidence })
  }
  const openNote = () => {
    if (isClosed) return
    // Drawn at once, so that there is something to put the cursor into.
    flushSync(() => setNoteOpenAt(place))
    noteRef.current?.focus()
  }
  const switchClock = () => {
    clockChoice.keep(!hasClock)
    setHasClock(!hasClock)
  }
  const handleCheck = () => {
    if (question !== undefined) void check.run(question.id)
  }
  const speakClock = () => {
    if (state.remaining !== null)
      speak(fill(copy['exam.time.left'], { time: spokenClock(secondsLeft(state.remaining)) }))
  }

  // Outside: the network, the device's storage, and the page going away.
  useEffect(() => saving.open(), [saving])
  const questionId = question?.id
  useEffect(() => {
    // Outside: time.
    if (questionId !== undefined) saving.look(questionId)
  }, [saving, questionId])

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

  const press = (event: KeyboardEvent) => {
    // A dialog says at once that it is closed; the state hears of it only a moment later.
    const isOff = !hasKeys || document.querySelector('dialog[open]') !== null || isTyping(event)
    const action = isOff ? null : actionOf(event, question?.options.length ?? 0)
    if (action === null) return
    event.preventDefault()
    if (action.kind === 'go') go(place + action.by)
    if (action.kind === 'select') select(question?.options[action.place]?.id ?? '')
    if (action.kind === 'strike') strike(question?.options[action.place]?.id ?? '')
    if (action.kind === 'flag') flag()
    if (action.kind === 'sure' || action.kind === 'unsure') beSure(action.kind)
    if (action.kind === 'note') openNote()
    if (action.kind === 'speak-clock') speakClock()
    if (action.kind === 'switch-clock') switchClock()
    if (action.kind === 'help') setHelpOpen(true)
  }
  const pressRef = useRef(press)
  useEffect(() => {
    pressRef.current = press
  })
  useEffect(() => {
    // Outside: keys that are pressed anywhere on the page.
    const handleKey = (event: KeyboardEvent) => pressRef.current(event)
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])

  const handleTimeUp = useCallback(() => setTimeUp(true), [])

  return (
    <ExamFrame
      title={attempt.examTitle}
      subtitle={attempt.courseTitle}
      backTo={backTo}
      tools={
        <>
          {state.remaining === null || state.connection === 'over' ? null : (
            <ExamClock
              remaining={state.remaining}
              isShown={hasClock}
              onSwitch={switchClock}
              onSpeak={speak}
              onTimeUp={handleTimeUp}
            />
          )}
          <Button
            look={isTimed && isLast ? 'primary' : 'secondary'}
            onClick={() => setFinishing(true)}
            disabled={isClosed}
          >
            {copy['exam.finish']}
          </Button>
        </>
      }
    >
      <div className="mx-auto grid w-full max-w-[1160px] gap-x-12 px-4 tablet:px-6 desktop:grid-cols-[minmax(0,1fr)_236px]">
        <div className="min-w-0 py-6 tablet:py-10">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <h2 ref={positionRef} tabIndex={-1} className="nums text-sm font-semibold text-soft focus:outline-none">
              {fill(copy['exam.position'], { n: place + 1, total: questions.length })}
            </h2>
            <SavingLine unsavedCount={state.unsavedCount} connection={state.connection} />
          </div>
          <p aria-live="polite" className="sr-only">
            <span key={spoken.count}>{spoken.text}</span>
          </p>
          {state.connection === 'signed-out' || state.connection === 'foreign' ? (
            <SignedOut why={state.connection} onRetry={saving.retryNow} />
          ) : null}
          {state.connection === 'elsewhere' && !isTimeUp ? (
            <Lost unsavedCount={state.unsavedCount} problem={takeBackProblem} onTakeBack={onTakeBack} />
          ) : null}
          {isTimeUp && state.connection !== 'over' ? (
            <Notice tone="flag" className="mt-4" title={copy['exam.time.up']}>
              {problem === null ? null : <p>{problem}</p>}
            </Notice>
          ) : null}
          {state.connection === 'over' && !isSubmitting ? (
            <Notice tone="info" className="mt-4" title={copy['exam.over']}>
              <button type="button" className="font-semibold text-accent underline" onClick={onFinished}>
                {copy['exam.see-result']}
              </button>
            </Notice>
          ) : null}

          <div className="mt-4" key={question?.id}>
            {question === undefined ? null : (
              <QuestionForm
                question={question}
                answer={answer}
                revealed={revealed}
                isClosed={isClosed}
                onSelect={select}
                onStrike={strike}
              />
            )}
            <QuestionMarks
              answer={answer}
              isClosed={isClosed}
              isNoteOpen={noteOpenAt === place || answer.note !== ''}
              noteRef={noteRef}
              onConfidence={beSure}
              onNote={(note) => question && saving.change(question.id, { note })}
              onOpenNote={openNote}
              onLeaveNote={() => positionRef.current?.focus()}
            />
          </div>
          <div aria-live="polite">
            {revealed === null ? null : (
              <div className="mt-6 border-t border-line pt-5">
                <Verdict isRight={isSame(answer.selection, revealed.rightOptionIds)} />
                <div className="mt-4">
                  <Explanation question={revealed} level={3} />
                </div>
                {mayReport ? (
                  <div className="mt-4">
                    <ReportQuestion
                      key={revealed.id}
                      attemptId={attempt.id}
                      questionId={revealed.id}
                      number={place + 1}
                      wasReported={false}
                    />
                  </div>
                ) : null}
              </div>
            )}
            {check.problem === null ? null : <p className="mt-4 text-sm text-bad">{check.problem}</p>}
          </div>

          <div className="sticky bottom-0 z-20 -mx-4 mt-6 flex flex-wrap items-center gap-2 border-t border-line bg-paper px-4 py-3 tablet:mx-0 tablet:px-0">
            <Button look="secondary" onClick={() => go(place - 1)} disabled={place === 0} className="max-sm:px-3">
              <span className="rotate-180 sm:hidden">
                <ArrowIcon />
              </span>
              <span className="max-sm:sr-only">{copy['exam.previous']}</span>
            </Button>
            <Button
              look="secondary"
              aria-pressed={answer.isFlagged}
              onClick={flag}
              disabled={isClosed}
              className="max-sm:px-3 aria-pressed:border-flag aria-pressed:bg-flag-soft aria-pressed:text-flag"
            >
              <FlagIcon />
              <span className="max-sm:sr-only">{copy['exam.flag']}</span>
            </Button>
            <div className="ml-auto flex gap-2">
              {canCheck ? (
                <Button onClick={handleCheck} disabled={answer.selection.length === 0 || check.isRunning}>
                  {copy['exam.check']}
                </Button>
              ) : null}
              <Button
                look={canCheck || isLast ? 'secondary' : 'primary'}
                onClick={() => go(place + 1)}
                disabled={isLast}
                className="max-sm:px-3"
              >
                {copy['exam.next']}
                <ArrowIcon />
              </Button>
            </div>
          </div>
        </div>

        <aside className="border-t border-line py-6 desktop:border-t-0 desktop:py-10">
          <div className="desktop:sticky desktop:top-24">
            <QuestionGrid questions={questions} answers={state.answers} current={place} onGo={go} />
            <button
              type="button"
              onClick={() => setHelpOpen(true)}
              className="mt-6 min-h-8 text-sm font-medium text-soft underline hover:text-ink"
            >
              {copy['exam.keys.open']}
            </button>
          </div>
        </aside>
      </div>
      <KeyHelp
        isOpen={isHelpOpen}
        isOn={hasKeys}
        isTimed={isTimed}
        onClose={() => setHelpOpen(false)}
        onSwitch={(isOn) => {
          keysChoice.keep(isOn)
          setHasKeys(isOn)
        }}
      />
      <FinishDialog
        isOpen={isFinishing && !isClosed}
        questions={questions}
        answers={state.answers}
        isSubmitting={isSubmitting}
        problem={problem}
        onClose={() => setFinishing(false)}
        onGo={go}
        onSubmit={() => void submit()}
      />
    </ExamFrame>
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

/** A session that ran out, or is somebody else's now: it is renewed in another tab, and this page stays as it is. */
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

/** Another page is the writer now. */
function Lost({
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

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id))
}

/** What is read out. The same words twice are two announcements. */
function useSpeech() {
  const [spoken, setSpoken] = useState({ text: '', count: 0 })
  const speak = useCallback((text: string) => setSpoken(({ count }) => ({ text, count: count + 1 })), [])
  return { spoken, speak }
}

/** Submits once; says whether the server has taken it. */
function useSubmit(saving: AnswerSaving, onFinished: () => void) {
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
