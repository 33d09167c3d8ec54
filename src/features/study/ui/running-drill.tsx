import { AnswerForm } from '../../questions/types/form-registry.tsx'
import { BesideCaseStudy } from '../../questions/case-studies/ui/beside-case-study.tsx'
import type { Answer, QuestionForReview } from '../../questions/types/question-types.schema.ts'
import { use, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { Link } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { FrameTool } from '../../../ui/frame-tool.ts'
import { ArrowIcon, CheckIcon, CloseIcon, CrossIcon, FlagIcon } from '../../../ui/icons.tsx'
import { Heading } from '../../../ui/page-parts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { checkDrillAnswer, finishDrill, flagDrillQuestion } from '../study-client.ts'
import { copy } from '../study.copy.ts'
import { drillResult, nextUnanswered } from '../study.ts'
import type { DrillQuestion, DrillView } from '../study.schema.ts'

/** Renders an explanation. The app passes the one of the exam screen, which this feature must not import. */
export type ExplanationSlot = (question: QuestionForReview, level: 3 | 4) => ReactNode

type RunningProps = {
  readonly drill: DrillView
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
        <Button look="secondary" {...working.button} onClick={endDrill} className="shrink-0">
          {copy['drill.end']}
        </Button>
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

/** The questions of the drill with their answers, the one that is shown, and the calls. */
function useRunningDrill({ drill, onFinished }: RunningProps) {
  const [questions, setQuestions] = useState(drill.questions)
  const [index, setIndex] = useState(() => nextUnanswered(drill.questions, -1) ?? 0)
  // One mutation for checking and ending: while one is under way, the other may not start.
  const working = useMutation((work: () => Promise<void>) => work())
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
      onFinished()
    })
  return {
    questions,
    index,
    shown,
    next,
    working,
    failure: working.failure ?? flagging.failure,
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
  running: { shown, next, working, failure, setAnswer, check, flag, goOn },
  renderExplanation,
  onNext,
}: RunningProps & { running: ReturnType<typeof useRunningDrill>; onNext: () => void }) {
  if (shown === undefined) return null
  const { answer, revealed } = shown
  const handleCheck = (event: SubmitEvent) => {
    event.preventDefault()
    check()
  }
  const handleNext = () => {
    goOn()
    if (next !== null) onNext()
  }
  return (
    <form onSubmit={handleCheck} className="mt-6" key={shown.place}>
      <DrillQuestionForm shown={shown} onAnswer={setAnswer} />
      <div aria-live="polite">
        {revealed === null ? null : (
          <div className="mt-6 border-t border-line pt-5">
            <Verdict isRight={answer.isRight === true} />
            <div className="mt-4">{renderExplanation(revealed, 3)}</div>
          </div>
        )}
      </div>
      {failure === null ? null : (
        <p role="alert" className="mt-4 text-sm text-bad">
          {messageOf(failure)}
        </p>
      )}
      <div className="sticky bottom-0 z-20 -mx-4 mt-6 flex flex-wrap items-center gap-2 border-t border-line bg-paper px-4 py-3 tablet:mx-0 tablet:px-0">
        <Button
          look="secondary"
          aria-pressed={answer.isFlagged}
          onClick={flag}
          className="aria-pressed:border-flag aria-pressed:bg-flag-soft aria-pressed:text-flag"
        >
          <FlagIcon />
          {copy['drill.flag']}
        </Button>
        <div className="ml-auto flex gap-2">
          {revealed === null ? (
            <Button key="check" type="submit" disabled={answer.answer === null} {...working.button}>
              {copy['drill.check']}
            </Button>
          ) : (
            <Button key="next" autoFocus onClick={handleNext}>
              {next === null ? copy['drill.see-result'] : copy['drill.next']}
              <ArrowIcon />
            </Button>
          )}
        </div>
      </div>
    </form>
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
