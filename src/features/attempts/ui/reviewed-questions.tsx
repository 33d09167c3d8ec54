import { fill } from '../../../lib/failure.ts'
import { CheckIcon, CrossIcon, FlagIcon } from '../../../ui/icons.tsx'
import { Markdown } from '../../../ui/markdown.tsx'
import { copy } from '../copy.ts'
import type { ReviewedQuestion, ReviewView } from '../schema.ts'
import { AnswerMark, letterOf } from './answer-mark.tsx'
import { Explanation } from './explanation.tsx'
import { clockOf } from './second-looks.tsx'

const filters = {
  all: () => true,
  wrong: ({ isRight }) => !isRight,
  flagged: ({ isFlagged }) => isFlagged,
  unsure: ({ confidence }) => confidence === 'unsure',
} as const satisfies Record<string, (one: ReviewedQuestion) => boolean>
const filterNames = ['all', 'wrong', 'flagged', 'unsure'] as const

/** Which questions are shown: those that pass the filter, of one domain or of all (''). */
export type Choice = { readonly filter: keyof typeof filters; readonly domain: string }
export const everyQuestion: Choice = { filter: 'all', domain: '' }

/** Every question with what was given, what is right and why, as far as it is chosen. */
export function ReviewedQuestions({
  review,
  choice,
  onChoose,
}: {
  review: ReviewView
  choice: Choice
  onChoose: (choice: Choice) => void
}) {
  const { questions, result, budgetMs } = review
  const { filter, domain } = choice
  const ofDomain = questions
    .map((one, index) => ({ ...one, number: index + 1 }))
    .filter(({ question }) => domain === '' || question.domain === domain)
  const shown = ofDomain.filter(filters[filter])
  return (
    <section aria-labelledby="questions-heading" className="mt-10">
      <h2 id="questions-heading" className="text-xl font-semibold">
        {copy['review.title']}
      </h2>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3" data-print="off">
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">Show</legend>
          {filterNames.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={filter === one}
              onClick={() => onChoose({ ...choice, filter: one })}
              className="nums min-h-11 rounded-md border border-line-strong bg-surface px-3 text-sm font-medium transition-colors duration-150 hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
            >
              {copy[`review.${one}`]} {ofDomain.filter(filters[one]).length}
            </button>
          ))}
        </fieldset>
        {result.domains.length < 2 ? null : (
          <select
            aria-label={copy['review.domain']}
            value={domain}
            onChange={(event) => onChoose({ ...choice, domain: event.target.value })}
            className="min-h-11 max-w-full rounded-md border border-line-strong bg-surface px-3 text-sm"
          >
            <option value="">{copy['review.domain.all']}</option>
            {result.domains.map((one) => (
              <option key={one.domain} value={one.domain}>
                {one.domain}
              </option>
            ))}
          </select>
        )}
      </div>
      {shown.length === 0 ? <p className="mt-6 text-soft">{copy['review.none']}</p> : null}
      <ol className="mt-4 divide-y divide-line border-y border-line">
        {shown.map((one) => (
          <li key={one.question.id} id={`question-${one.number}`} className="py-8 print:break-inside-avoid">
            <OneQuestion reviewed={one} number={one.number} budgetMs={budgetMs} />
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
  const { question, selection, isRight, isFlagged, confidence, note, lateSelection, activeMs } = reviewed
  return (
    <article>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm font-semibold">
        <h3 className="nums text-soft">Question {number}</h3>
        <span className={`flex items-center gap-1 ${isRight ? 'text-good' : 'text-bad'}`}>
          {isRight ? <CheckIcon /> : <CrossIcon />}
          {isRight ? copy['check.right'] : selection.length === 0 ? copy['answer.none'] : copy['check.wrong']}
        </span>
        {isFlagged ? (
          <span className="flex items-center gap-1 text-flag">
            <FlagIcon />
            {copy['exam.flagged']}
          </span>
        ) : null}
        {confidence === null ? null : <span className="font-normal text-soft">{copy[`review.was-${confidence}`]}</span>}
        {activeMs === 0 ? null : (
          <span className={`nums font-normal ${budgetMs !== null && activeMs > budgetMs ? 'text-flag' : 'text-soft'}`}>
            {timeSaid(activeMs, budgetMs)}
          </span>
        )}
        <span className="ml-auto font-normal text-soft">{question.domain}</span>
      </div>
      <Markdown text={question.stem} className="mt-2 text-lg" />
      <ul className="mt-4 space-y-2">
        {question.answers.map((answer, place) => {
          const isGiven = selection.includes(answer.id)
          const isKey = question.rightAnswerIds.includes(answer.id)
          const frame = isKey ? 'border-good bg-good-soft' : isGiven ? 'border-bad bg-bad-soft' : 'border-line'
          return (
            <li key={answer.id} className={`flex max-w-read gap-3 rounded-md border px-4 py-2.5 ${frame}`}>
              <span aria-hidden="true" className="w-4 shrink-0 font-semibold text-soft">
                {letterOf(place)}
              </span>
              <div className="min-w-0">
                <Markdown text={answer.text} as="phrasing" />
                <AnswerMark isSelected={isGiven} isRight={isKey} />
              </div>
            </li>
          )
        })}
      </ul>
      {lateSelection === null ? null : (
        <p className="mt-3 text-sm font-semibold text-flag">{lateSaid(question.answers, lateSelection)}</p>
      )}
      {note === '' ? null : <OwnNote note={note} />}
      <Opinions question={question} />
      <div className="mt-4">
        <Explanation question={question} level={4} />
      </div>
    </article>
  )
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
function Opinions({ question }: { question: ReviewedQuestion['question'] }) {
  const { answers, suggestedAnswerIds, mostVotedAnswerIds } = question
  const said = [
    ...(suggestedAnswerIds.length > 0 ? [['review.suggested', lettersOf(answers, suggestedAnswerIds)] as const] : []),
    ...(mostVotedAnswerIds.length > 0 ? [['review.most-voted', lettersOf(answers, mostVotedAnswerIds)] as const] : []),
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
