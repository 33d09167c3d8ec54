import {
  AnswerReview,
  answerLabel,
  isWithKey,
  KeyOpinions,
  ReviewedStem,
} from '../../../questions/types/review-registry.tsx'
import { fill } from '../../../../lib/failure.ts'
import { SECOND_MS } from '../../../../lib/time.ts'
import { CheckIcon, CrossIcon, FlagIcon } from '../../../../ui/icons.tsx'
import { difficultyNames } from '../../../questions/difficulty.copy.ts'
import { copy } from '../../attempts.copy.ts'
import { ReviewedCaseStudy } from '../../../questions/case-studies/ui/reviewed-case-study.tsx'
import { ReportQuestion } from '../../reports/ui/report-question.tsx'
import type { ReviewedQuestion, ReviewView } from '../../attempts.schema.ts'
import { Explanation } from '../../exam-screen/ui/explanation.tsx'
import { isShown, ReviewFilter, useQuestionFilter } from './review-filter.tsx'
import { clockOf } from './second-looks.tsx'

/** The questions that pass the filter, each with its answer and, unless withheld, the answer key and the explanation. */
export function ReviewedQuestions({ review, reported }: { review: ReviewView; reported: readonly string[] | null }) {
  const { questions, result } = review
  const domains = result.domains.map(({ domain }) => domain)
  const filter = useQuestionFilter(domains)
  const shown = questions.map((one, index) => ({ ...one, number: index + 1 })).filter((one) => isShown(filter, one))
  return (
    <section aria-labelledby="questions-heading" className="mt-12">
      <h2 id="questions-heading" className="text-xl font-semibold">
        {copy['review.title']}
      </h2>
      <ReviewFilter questions={questions} domains={domains} filter={filter} />
      <p aria-live="polite" className="sr-only">
        {fill(copy['review.shown'], { n: shown.length, total: questions.length })}
      </p>
      {shown.length === 0 ? <p className="mt-6 text-soft">{copy['review.none']}</p> : null}
      <ol className="mt-4 divide-y divide-line border-y border-line">
        {shown.map((one, place) => (
          <li
            key={one.question.id}
            id={`question-${one.number}`}
            tabIndex={-1}
            className="py-8 focus:outline-none print:break-inside-avoid"
          >
            <ReviewedCaseStudy
              caseStudies={review.caseStudies}
              questionId={one.question.id}
              shownBefore={shown[place - 1]?.question.id}
            />
            <OneQuestion reviewed={one} number={one.number} budgetMs={review.budgetMs} />
            {reported === null ? null : (
              <div className="mt-4">
                <ReportQuestion
                  attemptId={review.id}
                  question={one.question}
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
  const { question, answer, isRight, isFlagged, confidence, note, activeMs } = reviewed
  const withKey = isWithKey(question) ? question : null
  return (
    <article>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm font-semibold">
        <h3 className="nums text-soft">Question {number}</h3>
        <span className={`flex items-center gap-1 ${isRight ? 'text-good' : 'text-bad'}`}>
          {isRight ? <CheckIcon /> : <CrossIcon />}
          {verdictOf(reviewed)}
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
          {withKey === null || withKey.difficulty === ''
            ? null
            : `, ${difficultyNames[withKey.difficulty].toLowerCase()}`}
        </span>
      </div>
      <ReviewedStem question={question} answer={answer} className="mt-2 text-lg" />
      <AnswerReview question={question} answer={answer} />
      {reviewed.isLate ? <p className="mt-3 text-sm font-semibold text-flag">{lateSaid(reviewed)}</p> : null}
      {note === '' ? null : <OwnNote note={note} />}
      {withKey === null ? null : (
        <>
          <KeyOpinions question={withKey} />
          <div className="mt-4">
            <Explanation question={withKey} level={4} />
          </div>
        </>
      )}
    </article>
  )
}

function verdictOf({ isRight, creditPercent, answer }: ReviewedQuestion): string {
  if (isRight) return copy['check.right']
  if (answer === null) return copy['answer.none']
  return creditPercent === 0 ? copy['check.wrong'] : fill(copy['review.partly'], { percent: creditPercent })
}

function timeSaid(activeMs: number, budgetMs: number | null): string {
  const isOver = budgetMs !== null && activeMs > budgetMs
  const sentence = copy[isOver ? 'review.time.over' : 'review.time']
  return fill(sentence, { time: clockOf(activeMs), budget: clockOf(budgetMs ?? 0) })
}

function lateSaid({ question, lateAnswer }: ReviewedQuestion): string {
  if (lateAnswer === null) return copy['review.late.blank']
  return fill(copy['review.late'], { letters: answerLabel(question, lateAnswer) })
}

function OwnNote({ note }: { note: string }) {
  return (
    <div className="mt-4 max-w-read border-l-4 border-line-strong pl-3">
      <h4 className="text-sm font-semibold text-soft">{copy['exam.note']}</h4>
      <p className="mt-1 [overflow-wrap:anywhere] whitespace-pre-wrap">{note}</p>
    </div>
  )
}
