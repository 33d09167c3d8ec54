import { AnswerForm } from '../../questions/types/form-registry.tsx'
import { BesideCaseStudy } from '../../questions/case-studies/ui/beside-case-study.tsx'
import type { Answer, QuestionForReview } from '../../questions/types/question-types.schema.ts'
import { use, useEffect, useRef, useState, type MouseEvent, type ReactNode, type SubmitEvent } from 'react'
import { Link, useRevalidator } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf } from '../../../platform/api-client.ts'
import type { FormFailure } from '../../../platform/http/page-action.server.ts'
import { Button } from '../../../ui/button.tsx'
import { FrameTool } from '../../../ui/frame-tool.ts'
import { ArrowIcon, CheckIcon, CloseIcon, CrossIcon, FlagIcon } from '../../../ui/icons.tsx'
import { Heading } from '../../../ui/page-parts.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { useMutation } from '../../../ui/use-mutation.ts'
import { asksDrill, DRILL_FIELDS, DRILL_FORM_ID, placeInDrill, type KeptInDrill } from '../plain-drill/posted-drill.ts'
import { checkDrillAnswer, finishDrill, flagDrillQuestion } from '../study-client.ts'
import { copy } from '../study.copy.ts'
import { drillResult, nextUnanswered } from '../study.ts'
import type { DrillQuestion, DrillView } from '../study.schema.ts'

/** Renders an explanation. The app passes the one of the exam screen, which this feature must not import. */
export type ExplanationSlot = (question: QuestionForReview, level: 3 | 4) => ReactNode

type RunningProps = {
  readonly drill: DrillView
  /** The question that the address names; null for the first one without an answer. */
  readonly at: number | null
  /** What the last form that was posted without scripts left. */
  readonly posted: { readonly kept: KeptInDrill } | FormFailure | undefined
  readonly renderExplanation: ExplanationSlot
  readonly onFinished: () => void
}

/** An open drill: one question at a time, each checked at once. Leaving loses nothing. */
export function RunningDrill(props: RunningProps) {
  const { drill } = props
  const running = useRunningDrill(props)
  const { questions, index, working, endDrill } = running
  const { rightCount: right, answeredCount: answered } = drillResult({ ...drill, questions })
  const positionRef = useRef<HTMLHeadingElement>(null)
  const caseStudy = drill.caseStudies[running.shown?.caseStudyAt ?? -1]
  return (
    <div className="flex min-h-dvh flex-col">
      <DrillHeader drill={drill}>
        <form method="post" action={paths.runningDrill(drill.courseSlug, drill.id)} className="shrink-0">
          <Button look="secondary" {...asksDrill('end')} {...working.button} onClick={byScript(endDrill)}>
            {copy['drill.end']}
          </Button>
        </form>
      </DrillHeader>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-exam flex-1 px-4 py-6 focus:outline-none tablet:px-6 tablet:py-10"
      >
        <BesideCaseStudy caseStudy={caseStudy}>
          <div className="nums flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-soft">
            <h2 ref={positionRef} tabIndex={-1} className="font-semibold focus:outline-none">
              {fill(copy['drill.position'], { n: index + 1, total: questions.length })}
            </h2>
            <p>{answered === 0 ? copy['drill.keep'] : fill(copy['drill.right-so-far'], { right, answered })}</p>
          </div>
          <progress
            value={answered}
            max={questions.length}
            aria-label={fill(copy['drill.answered'], { answered, total: questions.length })}
            className="mt-3 block h-1 w-full overflow-hidden rounded-full [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
          />
          <ShownQuestion {...props} running={running} onNext={() => positionRef.current?.focus()} />
        </BesideCaseStudy>
      </main>
    </div>
  )
}

/** Without scripts the press of a button posts its form; with them it does this. */
function byScript(handle: () => void) {
  return (event: MouseEvent) => {
    event.preventDefault()
    handle()
  }
}

/** The questions of the drill with their answers, the one that is shown, and the calls. */
function useRunningDrill({ drill, at, posted, onFinished }: RunningProps) {
  const kept = posted !== undefined && 'kept' in posted ? posted.kept : null
  const [questions, setQuestions] = useState(() => drill.questions.map((question) => withKept(question, kept)))
  const [index, setIndex] = useState(() => {
    const named = drill.questions.findIndex(({ place }) => place === at)
    return named === -1 ? (nextUnanswered(drill.questions, -1) ?? 0) : named
  })
  // One mutation for checking and ending: while one is under way, the other may not start.
  const working = useMutation((work: () => Promise<void>) => work())
  const { revalidate } = useRevalidator()
  const isHere = useIsHere()
  const shown = questions[index]
  const next = nextUnanswered(questions, index)

  const change = (place: number, changed: (question: DrillQuestion) => DrillQuestion) =>
    setQuestions((before) => before.map((question) => (question.place === place ? changed(question) : question)))
  const changeAnswer = (place: number, changed: Partial<DrillQuestion['answer']>) =>
    change(place, (question) => ({ ...question, answer: { ...question.answer, ...changed } }))
  const flagging = useMutation(async ({ place, answer }: DrillQuestion) => {
    const isFlagged = !answer.isFlagged
    await flagDrillQuestion(drill.id, place, isFlagged)
    changeAnswer(place, { isFlagged })
  })
  const endDrill = () =>
    working.run(async () => {
      await finishDrill(drill.id)
      // Who has left meanwhile stays where they are; the page there must not go on calling the drill open.
      if (isHere.current) onFinished()
      else await revalidate()
    })
  return {
    questions,
    index,
    shown,
    next,
    working,
    problem: problemOf(working.failure ?? flagging.failure, posted),
    endDrill,
    setAnswer: (answer: Answer | null) => {
      if (shown !== undefined && shown.revealed === null) changeAnswer(shown.place, { answer })
    },
    check: () => {
      const given = shown?.answer.answer ?? null
      if (shown === undefined || shown.revealed !== null || given === null) return
      working.run(async () => {
        const { question, answer } = await checkDrillAnswer(drill.id, shown.place, given)
        change(shown.place, (before) => ({ ...before, revealed: question, answer }))
      })
    },
    flag: () => (shown === undefined ? undefined : flagging.run(shown)),
    goOn: () => {
      if (next === null) return endDrill()
      setIndex(next)
      working.reset()
      flagging.reset()
    },
  }
}

function useIsHere() {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}

function withKept(question: DrillQuestion, kept: KeptInDrill | null): DrillQuestion {
  if (kept?.place !== question.place || question.revealed !== null) return question
  return { ...question, answer: { ...question.answer, answer: kept.answer } }
}

function problemOf(failure: unknown, posted: RunningProps['posted']): string | null {
  if (failure !== null) return messageOf(failure)
  if (posted === undefined) return null
  return 'kept' in posted ? posted.kept.problem : posted.failure.message
}

function DrillHeader({ drill, children }: { drill: DrillView; children: ReactNode }) {
  const tool = use(FrameTool)
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <div className="relative mx-auto flex min-h-16 max-w-exam items-center gap-x-3 px-4 py-2 tablet:px-6">
        <Link
          to={paths.drill(drill.courseSlug)}
          aria-label={copy['drill.leave']}
          title={copy['drill.leave']}
          className="-ml-3 inline-flex size-11 shrink-0 items-center justify-center rounded-md text-soft transition-colors duration-150 hover:bg-sunken hover:text-ink"
        >
          <CloseIcon />
        </Link>
        <div className="min-w-0 flex-1">
          <Heading className="truncate text-base font-semibold">{copy['drill.title']}</Heading>
          <p className="truncate text-xs text-soft">{drill.courseTitle}</p>
        </div>
        {tool}
        {children}
      </div>
    </header>
  )
}

function ShownQuestion({
  drill,
  running,
  renderExplanation,
  onNext,
}: RunningProps & { running: ReturnType<typeof useRunningDrill>; onNext: () => void }) {
  const { shown, problem, setAnswer, check } = running
  if (shown === undefined) return null
  const { place, answer, revealed } = shown
  const handleCheck = (event: SubmitEvent) => {
    event.preventDefault()
    check()
  }
  return (
    // Browsers must not restore what was chosen in an earlier visit: it would count as chosen now.
    <form
      id={DRILL_FORM_ID}
      method="post"
      action={placeInDrill(drill, place)}
      autoComplete="off"
      onSubmit={handleCheck}
      className="mt-6"
      key={place}
    >
      {/* The first button is the one that Enter presses. */}
      {revealed === null ? <button {...asksDrill('check')} aria-label={copy['drill.check']} hidden /> : null}
      <input type="hidden" name={DRILL_FIELDS.place} value={place} />
      <DrillQuestionForm shown={shown} onAnswer={setAnswer} />
      <div aria-live="polite">
        {revealed === null ? null : (
          <div className="mt-6 border-t border-line pt-5">
            <Verdict isRight={answer.isRight === true} />
            <div className="mt-4">{renderExplanation(revealed, 3)}</div>
          </div>
        )}
      </div>
      {problem === null ? null : (
        <p role="alert" className="mt-4 text-sm text-bad">
          {problem}
        </p>
      )}
      <DrillActions running={running} onNext={onNext} />
    </form>
  )
}

/** The bar at the bottom of the screen: flag, and check or next. */
function DrillActions({
  running: { shown, next, working, flag, goOn },
  onNext,
}: {
  running: ReturnType<typeof useRunningDrill>
  onNext: () => void
}) {
  const isHydrated = useHydrated()
  if (shown === undefined) return null
  const { answer, revealed } = shown
  const handleNext = () => {
    goOn()
    if (next !== null) onNext()
  }
  return (
    <div className="sticky bottom-0 z-20 -mx-4 mt-6 flex flex-wrap items-center gap-2 border-t border-line bg-paper px-4 py-3 tablet:mx-0 tablet:px-0">
      <Button
        look="secondary"
        {...asksDrill(answer.isFlagged ? 'unflag' : 'flag')}
        aria-pressed={answer.isFlagged}
        onClick={byScript(flag)}
        className="aria-pressed:border-flag aria-pressed:bg-flag-soft aria-pressed:text-flag"
      >
        <FlagIcon />
        {copy['drill.flag']}
      </Button>
      <div className="ml-auto flex gap-2">
        {revealed === null ? (
          <Button
            key="check"
            {...asksDrill('check')}
            {...working.button}
            disabled={isHydrated && answer.answer === null}
          >
            {copy['drill.check']}
          </Button>
        ) : (
          <Button key="next" autoFocus {...asksDrill(next === null ? 'end' : 'next')} onClick={byScript(handleNext)}>
            {next === null ? copy['drill.see-result'] : copy['drill.next']}
            <ArrowIcon />
          </Button>
        )}
      </div>
    </div>
  )
}

/** A drill does not store struck-out parts, so they are local state. */
function DrillQuestionForm({
  shown: { question, answer, revealed },
  onAnswer,
}: {
  shown: DrillQuestion
  onAnswer: (answer: Answer | null) => void
}) {
  const [struck, setStruck] = useState<readonly string[]>([])
  return (
    <AnswerForm
      question={question}
      answer={answer.answer}
      struck={struck}
      revealed={revealed}
      isDisabled={false}
      formId={DRILL_FORM_ID}
      onAnswer={onAnswer}
      onStrike={(id) => setStruck(struck.includes(id) ? struck.filter((one) => one !== id) : [...struck, id])}
    />
  )
}

function Verdict({ isRight }: { isRight: boolean }) {
  return (
    <p className={`flex items-center gap-2 text-lg font-semibold ${isRight ? 'text-good' : 'text-bad'}`}>
      {isRight ? <CheckIcon /> : <CrossIcon />}
      {isRight ? copy['drill.right'] : copy['drill.wrong']}
    </p>
  )
}
