import { use, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { Link } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { FrameTool } from '../../../ui/frame-tool.ts'
import { ArrowIcon, CheckIcon, CloseIcon, CrossIcon, FlagIcon } from '../../../ui/icons.tsx'
import { Heading } from '../../../ui/page-parts.tsx'
import type { QuestionForReview, QuestionForTaking } from '../../questions/questions.schema.ts'
import { checkDrillAnswer, finishDrill, flagDrillQuestion } from '../study-client.ts'
import { copy } from '../study.copy.ts'
import { drillResult, nextUnanswered } from '../study.ts'
import type { DrillQuestion, DrillView } from '../study.schema.ts'

/** How a question is drawn: the exam's own form, which the shell hands in. */
export type QuestionSlot = (shown: {
  question: QuestionForTaking
  selection: readonly string[]
  revealed: QuestionForReview | null
  /** Nothing can be chosen, also where no key is shown. */
  isClosed?: boolean
  onSelect: (optionId: string) => void
}) => ReactNode

export type ExplanationSlot = (question: QuestionForReview, level: 3 | 4) => ReactNode

/** A drill that is taken: one question at a time, checked at once, nothing lost by leaving. */
export function RunningDrill({
  drill,
  renderQuestion,
  renderExplanation,
  onFinished,
}: {
  drill: DrillView
  renderQuestion: QuestionSlot
  renderExplanation: ExplanationSlot
  onFinished: () => void
}) {
  const [questions, setQuestions] = useState(drill.questions)
  const [index, setIndex] = useState(() => nextUnanswered(drill.questions, -1) ?? 0)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const positionRef = useRef<HTMLHeadingElement>(null)
  const tool = use(FrameTool)

  const shown = questions[index]
  const next = nextUnanswered(questions, index)
  const { rightCount: right, answeredCount: answered } = drillResult({ ...drill, questions })

  const change = (place: number, changed: (question: DrillQuestion) => DrillQuestion) =>
    setQuestions((before) => before.map((one) => (one.place === place ? changed(one) : one)))
  const changeOption = (place: number, changed: Partial<DrillQuestion['answer']>) =>
    change(place, (one) => ({ ...one, answer: { ...one.answer, ...changed } }))
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  const select = (optionId: string) => {
    if (shown === undefined || shown.revealed !== null) return
    const { selection } = shown.answer
    const chosen = shown.question.isMultiple ? toggled(selection, optionId) : [optionId]
    changeOption(shown.place, { selection: chosen })
  }
  const handleCheck = (event: SubmitEvent) => {
    event.preventDefault()
    if (shown === undefined || shown.revealed !== null || shown.answer.selection.length === 0 || isBusy) return
    void attempt(async () => {
      const { question, answer } = await checkDrillAnswer(drill.id, shown.place, shown.answer.selection)
      change(shown.place, (one) => ({ ...one, revealed: question, answer }))
    })
  }
  const handleFlag = () => {
    if (shown === undefined) return
    const isFlagged = !shown.answer.isFlagged
    void attempt(async () => {
      await flagDrillQuestion(drill.id, shown.place, isFlagged)
      changeOption(shown.place, { isFlagged })
    })
  }
  const handleEnd = () =>
    void attempt(async () => {
      await finishDrill(drill.id)
      onFinished()
    })
  const handleNext = () => {
    if (next === null) return handleEnd()
    setIndex(next)
    setProblem(null)
    positionRef.current?.focus()
  }

  return (
    <div className="flex min-h-dvh flex-col">
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
          <Button look="secondary" onClick={handleEnd} disabled={isBusy} className="shrink-0">
            {copy['drill.end']}
          </Button>
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-exam flex-1 px-4 py-6 focus:outline-none tablet:px-6 tablet:py-10"
      >
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
        {shown === undefined ? null : (
          <form onSubmit={handleCheck} className="mt-6" key={shown.place}>
            {renderQuestion({
              question: shown.question,
              selection: shown.answer.selection,
              revealed: shown.revealed,
              onSelect: select,
            })}
            <div aria-live="polite">
              {shown.revealed === null ? null : (
                <div className="mt-6 border-t border-line pt-5">
                  <Verdict isRight={shown.answer.isRight === true} />
                  <div className="mt-4">{renderExplanation(shown.revealed, 3)}</div>
                </div>
              )}
            </div>
            {problem === null ? null : (
              <p role="alert" className="mt-4 text-sm text-bad">
                {problem}
              </p>
            )}
            <div className="sticky bottom-0 z-20 -mx-4 mt-6 flex flex-wrap items-center gap-2 border-t border-line bg-paper px-4 py-3 tablet:mx-0 tablet:px-0">
              <Button
                look="secondary"
                aria-pressed={shown.answer.isFlagged}
                onClick={handleFlag}
                className="aria-pressed:border-flag aria-pressed:bg-flag-soft aria-pressed:text-flag"
              >
                <FlagIcon />
                {copy['drill.flag']}
              </Button>
              <div className="ml-auto flex gap-2">
                {shown.revealed === null ? (
                  <Button key="check" type="submit" disabled={shown.answer.selection.length === 0 || isBusy}>
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
        )}
      </main>
    </div>
  )
}

function toggled(selection: readonly string[], optionId: string): string[] {
  return selection.includes(optionId) ? selection.filter((id) => id !== optionId) : [...selection, optionId]
}

function Verdict({ isRight }: { isRight: boolean }) {
  return (
    <p className={`flex items-center gap-2 text-lg font-semibold ${isRight ? 'text-good' : 'text-bad'}`}>
      {isRight ? <CheckIcon /> : <CrossIcon />}
      {isRight ? copy['drill.right'] : copy['drill.wrong']}
    </p>
  )
}
