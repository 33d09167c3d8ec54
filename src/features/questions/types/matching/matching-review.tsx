import { fill } from '../../../../lib/failure.ts'
import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import type { AnswerReviewProps } from '../type-form.ts'
import { optionFor } from './matching-grading.ts'
import { copy } from './matching.copy.ts'
import type { MatchingAnswer, MatchingForReview, MatchingForTaking } from './matching.schema.ts'
import type { TypeReview } from '../review-registry.tsx'

export const matchingReview: TypeReview<'matching'> = {
  Parts: MatchingReview,
  Opinions: () => null,
  answerLabel: pairLetters,
}

type Shown = MatchingForTaking | MatchingForReview

/** The options with their letters, and the prompts with the option that the learner chose and, unless it is withheld, the right one. */
export function MatchingReview({ question, answer }: AnswerReviewProps<'matching'>) {
  const isWithKey = 'rightPairs' in question
  return (
    <>
      <h4 className="mt-4 text-sm font-semibold text-soft">{copy['exam.options']}</h4>
      <ol className="mt-2 max-w-read space-y-1.5">
        {question.options.map(({ id, text }, place) => (
          <li key={id} className="flex gap-3">
            <span className="nums w-4 shrink-0 font-semibold text-soft">{letterOfPart(place)}</span>
            <div className="min-w-0">
              <Markdown text={text} as="phrasing" />
            </div>
          </li>
        ))}
      </ol>
      <h4 className="mt-4 text-sm font-semibold text-soft">{copy['exam.prompts']}</h4>
      <ol className="mt-2 space-y-2">
        {question.prompts.map(({ id, text }, place) => {
          const optionId = optionFor(answer?.pairs ?? [], id)
          return (
            <li
              key={id}
              className={`flex max-w-read gap-3 rounded-md border px-4 py-2.5 ${isWithKey ? frameOf(question, id, optionId) : 'border-line'}`}
            >
              <span className="nums w-4 shrink-0 font-semibold">{place + 1}</span>
              <div className="min-w-0">
                <Markdown text={text} as="phrasing" />
                {isWithKey ? (
                  <PairVerdict question={question} promptId={id} optionId={optionId} />
                ) : (
                  <OptionLine question={question} optionId={optionId} />
                )}
              </div>
            </li>
          )
        })}
      </ol>
    </>
  )
}

function frameOf({ rightPairs }: MatchingForReview, promptId: string, optionId: string | undefined): string {
  return optionFor(rightPairs, promptId) === optionId ? 'border-good bg-good-soft' : 'border-bad bg-bad-soft'
}

/** Says in words and with an icon which option the learner chose for a prompt, whether it is right, and which one is. */
export function PairVerdict({
  question,
  promptId,
  optionId,
}: {
  question: MatchingForReview
  promptId: string
  optionId: string | undefined
}) {
  const rightId = optionFor(question.rightPairs, promptId)
  const isRight = rightId === optionId
  return (
    <div className="mt-1.5 space-y-1">
      <OptionLine question={question} optionId={optionId} isRight={isRight} />
      {isRight ? null : (
        <div className="flex gap-1.5 text-sm">
          <span className="flex items-center gap-1.5 self-start font-semibold whitespace-nowrap text-good">
            <CheckIcon />
            {fill(copy['review.right-option'], { letter: letterIn(question, rightId) })}
          </span>
          <OptionText question={question} optionId={rightId} />
        </div>
      )}
    </div>
  )
}

/** The option that the learner chose. @param isRight left out where the answer key is withheld */
function OptionLine({
  question,
  optionId,
  isRight,
}: {
  question: Shown
  optionId: string | undefined
  isRight?: boolean
}) {
  const tone = isRight === undefined ? 'text-soft' : isRight ? 'text-good' : 'text-bad'
  return (
    <div className="flex gap-1.5 text-sm">
      <span className={`flex items-center gap-1.5 self-start font-semibold whitespace-nowrap ${tone}`}>
        {isRight === undefined ? null : isRight ? <CheckIcon /> : <CrossIcon />}
        {optionId === undefined
          ? copy['review.none']
          : fill(copy[isRight === true ? 'review.yours.right' : 'review.yours'], {
              letter: letterIn(question, optionId),
            })}
      </span>
      <OptionText question={question} optionId={optionId} />
    </div>
  )
}

function OptionText({ question, optionId }: { question: Shown; optionId: string | undefined }) {
  const option = question.options.find(({ id }) => id === optionId)
  if (option === undefined) return null
  return (
    <div className="min-w-0">
      <Markdown text={option.text} as="phrasing" />
    </div>
  )
}

function letterIn({ options }: Shown, optionId: string | undefined): string {
  const place = options.findIndex(({ id }) => id === optionId)
  return place === -1 ? '–' : letterOfPart(place)
}

/** The letters of the options by the numbers of the prompts: '1: C, 2: A'. */
export function pairLetters(question: Shown, { pairs }: MatchingAnswer): string {
  return question.prompts
    .flatMap(({ id }, place) => {
      const optionId = optionFor(pairs, id)
      return optionId === undefined
        ? []
        : [fill(copy['review.pair'], { n: place + 1, letter: letterIn(question, optionId) })]
    })
    .join(', ')
}
