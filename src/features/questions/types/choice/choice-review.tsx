import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import { PartMark } from '../parts/part-mark.tsx'
import type { AnswerReviewProps } from '../type-form.ts'
import { shownLetters } from './choice-answering.ts'
import { copy } from './choice.copy.ts'
import type { ChoiceForReview } from './choice.schema.ts'
import type { TypeReview } from '../review-registry.tsx'
import { answerLetters } from './choice-answering.ts'

export const choiceReview: TypeReview<'choice'> = {
  Parts: ChoiceReview,
  Opinions: ChoiceOpinions,
  answerLabel: answerLetters,
}

/** The options, each marked as selected, right or both. */
export function ChoiceReview({ question, answer }: AnswerReviewProps<'choice'>) {
  const rights = 'rightOptionIds' in question ? question.rightOptionIds : null
  return (
    <ul className="mt-4 space-y-2">
      {question.options.map((option, place) => {
        const isGiven = answer?.optionIds.includes(option.id) === true
        const isRight = rights?.includes(option.id) ?? null
        return (
          <li
            key={option.id}
            className={`flex max-w-read gap-3 rounded-md border px-4 py-2.5 ${frameOf(isGiven, isRight)}`}
          >
            <span aria-hidden="true" className="w-4 shrink-0 font-semibold text-soft">
              {letterOfPart(place)}
            </span>
            <div className="min-w-0">
              <Markdown text={option.text} as="phrasing" />
              <PartMark isGiven={isGiven} isRight={isRight} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

function frameOf(isGiven: boolean, isRight: boolean | null): string {
  if (isRight === true) return 'border-good bg-good-soft'
  if (!isGiven) return 'border-line'
  return isRight === null ? 'border-line-strong bg-sunken' : 'border-bad bg-bad-soft'
}

/** The answers that the question's source suggests and that most people voted for. */
export function ChoiceOpinions({ question }: { question: ChoiceForReview }) {
  const opinions = [
    { sentence: copy['review.suggested'], ids: question.suggestedOptionIds },
    { sentence: copy['review.most-voted'], ids: question.mostVotedOptionIds },
  ].filter(({ ids }) => ids.length > 0)
  if (opinions.length === 0) return null
  return (
    <p className="nums mt-3 text-sm text-soft">
      {opinions.map(({ sentence, ids }) => fill(sentence, { letters: shownLetters(question, ids) })).join(' ')}
    </p>
  )
}
