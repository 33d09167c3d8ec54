import { fill } from '../../../../lib/failure.ts'
import { SECOND_MS } from '../../../../lib/time.ts'
import { CheckIcon, CrossIcon, FlagIcon } from '../../../../ui/icons.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { difficultyNames } from '../../../questions/questions.copy.ts'
import type { QuestionForReview } from '../../../questions/questions.schema.ts'
import { copy } from '../../attempts.copy.ts'
import { ReportQuestion } from '../../reports/ui/report-question.tsx'
import type { ReviewedQuestion, ReviewView } from '../../attempts.schema.ts'
import { OptionMark, letterOf } from '../../exam-screen/ui/answer-mark.tsx'
import { Explanation } from '../../exam-screen/ui/explanation.tsx'
import { isShown, ReviewFilter, useChoice } from './review-filter.tsx'
import { clockOf } from './second-looks.tsx'

/** Every question with what was given, what is right and why where that is told, as far as it is chosen. */
export function ReviewedQuestions({ review, reported }: { review: ReviewView; reported: readonly string[] | null }) {
  const { questions, result } = review
  const domains = result.domains.map(({ domain }) => domain)
  const choice = useChoice(domains)
  const shown = questions.map((one, index) => ({ ...one, number: index + 1 })).filter((one) => isShown(choice, one))
  return (
    <section aria-labelledby="questions-heading" className="mt-12">
      <h2 id="questions-heading" className="text-xl font-semibold">
        {copy['review.title']}
      </h2>
      <ReviewFilter questions={questions} domains={domains} choice={choice} />
      <p aria-live="polite" className="sr-only">
        {fill(copy['review.shown'], { n: shown.length, total: questions.length })}
      </p>
      {shown.length === 0 ? <p className="mt-6 text-soft">{copy['review.none']}</p> : null}
      <ol className="mt-4 divide-y divide-line border-y border-line">
        {shown.map((one) => (
          <li
            key={one.question.id}
            id={`question-${one.number}`}
            tabIndex={-1}
            className="py-8 focus:outline-none print:break-inside-avoid"
          >
            <OneQuestion reviewed={one} number={one.number} budgetMs={review.budgetMs} />
            {reported === null ? null : (
              <div className="mt-4">
                <ReportQuestion
                  attemptId={review.id}
                  questionId={one.question.id}
                  number={one.number}
                  wasReported={reported.includes(one.question.id)}
                />
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function OneQuestion({
  reviewed,
  number,
  budgetMs,
}: {
  reviewed: ReviewedQuestion
  number: number
  budgetMs: number | null
}) {
  const { question, selection, isRight, creditPercent, isFlagged, confidence, note, lateSelection, activeMs } = reviewed
  const key = 'rightOptionIds' in question ? question : null
  return (
    <article>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm font-semibold">
        <h3 className="nums text-soft">Question {number}</h3>
        <span className={`flex items-center gap-1 ${isRight ? 'text-good' : 'text-bad'}`}>
          {isRight ? <CheckIcon /> : <CrossIcon />}
          {verdictOf(isRight, creditPercent, selection.length)}
        </span>
        {isFlagged ? (
          <span className="flex items-center gap-1 text-flag">
            <FlagIcon />
            {copy['exam.flagged']}
          </span>
        ) : null}
        {confidence === null ? null : <span className="font-normal text-soft">{copy[`review.was-${confidence}`]}</span>}
        {activeMs < SECOND_MS / 2 ? null : (
          <span className={`nums font-normal ${budgetMs !== null && activeMs > budgetMs ? 'text-flag' : 'text-soft'}`}>
            {timeSaid(activeMs, budgetMs)}
          </span>
        )}
        <span className="font-normal text-soft tablet:ml-auto">
          {question.domain}
          {key === null || key.difficulty === '' ? null : `, ${difficultyNames[key.difficulty].toLowerCase()}`}
        </span>
      </div>
      <Markdown text={question.stem} className="mt-2 text-lg" />
      <ul className="mt-4 space-y-2">
        {question.options.map((answer, place) => {
          const isGiven = selection.includes(answer.id)
          const isKey = key === null ? null : key.rightOptionIds.includes(answer.id)
          return (
            <li
              key={answer.id}
              className={`flex max-w-read gap-3 rounded-md border px-4 py-2.5 ${frameOf(isGiven, isKey)}`}
            >
              <span aria-hidden="true" className="w-4 shrink-0 font-semibold text-soft">
                {letterOf(place)}
              </span>
              <div className="min-w-0">
                <Markdown text={answer.text} as="phrasing" />
                <OptionMark isSelected={isGiven} isRight={isKey} />
              </div>
            </li>
          )
        })}
      </ul>
      {lateSelection === null ? null : (
        <p className="mt-3 text-sm font-semibold text-flag">{lateSaid(question.options, lateSelection)}</p>
      )}
      {note === '' ? null : <OwnNote note={note} />}
      {key === null ? null : (
        <>
          <Opinions question={key} />
          <div className="mt-4">
            <Explanation question={key} level={4} />
          </div>
        </>
      )}
    </article>
  )
}

function frameOf(isGiven: boolean, isKey: boolean | null): string {
  if (isKey === true) return 'border-good bg-good-soft'
  if (!isGiven) return 'border-line'
  return isKey === null ? 'border-line-strong bg-sunken' : 'border-bad bg-bad-soft'
}

function verdictOf(isRight: boolean, creditPercent: number, chosenCount: number): string {
  if (isRight) return copy['check.right']
  if (chosenCount === 0) return copy['answer.none']
  return creditPercent === 0 ? copy['check.wrong'] : fill(copy['review.partly'], { percent: creditPercent })
}

function timeSaid(activeMs: number, budgetMs: number | null): string {
  const isOver = budgetMs !== null && activeMs > budgetMs
  const sentence = copy[isOver ? 'review.time.over' : 'review.time']
  return fill(sentence, { time: clockOf(activeMs), budget: clockOf(budgetMs ?? 0) })
}

function lateSaid(answers: readonly Listed[], late: readonly string[]): string {
  if (late.length === 0) return copy['review.late.blank']
  return fill(copy['review.late'], { letters: lettersOf(answers, late) })
}

type Listed = { readonly id: string }

function lettersOf(answers: readonly Listed[], ids: readonly string[]): string {
  return answers.flatMap(({ id }, place) => (ids.includes(id) ? [letterOf(place)] : [])).join(', ')
}

/** Where the bank knows what others take for right, that stands beside the key: they do not always agree. */
function Opinions({ question }: { question: QuestionForReview }) {
  const { options: answers, suggestedOptionIds, mostVotedOptionIds } = question
  const said = [
    ...(suggestedOptionIds.length > 0 ? [['review.suggested', lettersOf(answers, suggestedOptionIds)] as const] : []),
    ...(mostVotedOptionIds.length > 0 ? [['review.most-voted', lettersOf(answers, mostVotedOptionIds)] as const] : []),
  ]
  if (said.length === 0) return null
  return (
    <p className="nums mt-3 text-sm text-soft">
      {said.map(([key, letters]) => fill(copy[key], { letters })).join(' ')}
    </p>
  )
}

function OwnNote({ note }: { note: string }) {
  return (
    <div className="mt-4 max-w-read border-l-4 border-line-strong pl-3">
      <h4 className="text-sm font-semibold text-soft">{copy['exam.note']}</h4>
      <p className="mt-1 [overflow-wrap:anywhere] whitespace-pre-wrap">{note}</p>
    </div>
  )
}
