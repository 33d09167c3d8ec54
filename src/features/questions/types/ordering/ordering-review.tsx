import type { ReactNode } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { lettersOfParts, letterOfPart } from '../parts/part-letters.ts'
import type { AnswerReviewProps } from '../type-form.ts'
import { copy } from './ordering.copy.ts'
import type { OrderingAnswer, OrderingForReview, OrderingForTaking } from './ordering.schema.ts'
import type { TypeReview } from '../review-registry.tsx'

export const orderingReview: TypeReview<'ordering'> = {
  Parts: OrderingReview,
  Opinions: () => null,
  answerLabel: orderedLetters,
}

type Shown = OrderingForTaking | OrderingForReview

/** The items in their right order, or where that is withheld in the learner's, each with the place that the learner gave it. */
export function OrderingReview({ question, answer }: AnswerReviewProps<'ordering'>) {
  const isWithKey = 'orderedIds' in question
  const given = answer?.itemIds ?? []
  const listed = listedItems(question, isWithKey ? question.orderedIds : given)
  return (
    <>
      <h4 className="mt-4 text-sm font-semibold text-soft">
        {copy[isWithKey ? 'review.right-order' : 'review.your-order']}
      </h4>
      <ol className="mt-2 space-y-2">
        {listed.map(({ item, letter, number }) => {
          const place = given.includes(item.id) ? given.indexOf(item.id) : null
          return (
            <li
              key={item.id}
              className={`flex max-w-read gap-3 rounded-md border px-4 py-2.5 ${isWithKey ? frameOf(question, item.id, place) : 'border-line'}`}
            >
              <span className="nums w-4 shrink-0 font-semibold">{number ?? '–'}</span>
              <span aria-hidden="true" className="w-4 shrink-0 text-soft">
                {letter}
              </span>
              <div className="min-w-0">
                <Markdown text={item.text} as="phrasing" />
                {isWithKey ? <StepVerdict question={question} itemId={item.id} place={place} isInOrder /> : null}
              </div>
            </li>
          )
        })}
      </ol>
    </>
  )
}

function listedItems({ items }: Shown, orderedIds: readonly string[]) {
  const numberOf = (id: string) => (orderedIds.includes(id) ? orderedIds.indexOf(id) + 1 : null)
  return items
    .map((item, place) => ({ item, letter: letterOfPart(place), number: numberOf(item.id) }))
    .toSorted((one, other) => (one.number ?? items.length + 1) - (other.number ?? items.length + 1))
}

/**
 * Says in words and with an icon whether an item is at its right place, and what the right one is.
 * @param isInOrder the items stand in their right order, so it says the learner's place instead
 */
export function StepVerdict({
  question,
  itemId,
  place,
  isInOrder = false,
}: {
  question: OrderingForReview
  itemId: string
  place: number | null
  isInOrder?: boolean
}): ReactNode {
  const right = question.orderedIds.indexOf(itemId)
  const isRight = right === (place ?? -1)
  if (isRight && right === -1) return null
  return (
    <span className={`mt-1.5 flex items-center gap-1.5 text-sm font-semibold ${isRight ? 'text-good' : 'text-bad'}`}>
      {isRight ? <CheckIcon /> : <CrossIcon />}
      {isInOrder ? yourPlace(place) : rightPlace(right)}
    </span>
  )
}

function yourPlace(place: number | null): string {
  return place === null ? copy['review.not-placed'] : fill(copy['review.yours'], { n: place + 1 })
}

function rightPlace(right: number): string {
  return right === -1 ? copy['review.out'] : fill(copy['review.place'], { n: right + 1 })
}

function frameOf({ orderedIds }: OrderingForReview, itemId: string, place: number | null): string {
  const right = orderedIds.indexOf(itemId)
  if (right !== (place ?? -1)) return 'border-bad bg-bad-soft'
  return right === -1 ? 'border-line' : 'border-good bg-good-soft'
}

/** The letters of the items in the order of the answer: 'C, A, B'. */
export function orderedLetters({ items }: Shown, { itemIds }: OrderingAnswer): string {
  return lettersOfParts(items, itemIds)
}
