import { shuffled } from '../shuffle.ts'
import { POINTS, waysToOrder, type TypeGrading } from '../type-grading.ts'
import type { OrderingAnswer, OrderingForTaking, OrderingQuestion } from './ordering.schema.ts'

/** The name of the field with the place of an item, in a posted form. */
export const placeField = (itemId: string) => `place.${itemId}`

export const orderingGrading: TypeGrading<'ordering'> = {
  /** Partial credit is the share of steps at their right place (docs/scoring.md). */
  points({ orderedIds }, { itemIds }, policy) {
    const hits = orderedIds.filter((id, place) => itemIds[place] === id).length
    if (hits === orderedIds.length && itemIds.length === orderedIds.length) return POINTS
    if (policy === 'all-or-nothing') return 0
    return Math.min(POINTS - 1, Math.round((hits * POINTS) / orderedIds.length))
  },

  isRight: ({ orderedIds }, { itemIds }) =>
    itemIds.length === orderedIds.length && orderedIds.every((id, place) => itemIds[place] === id),

  isComplete: ({ stepCount }, { itemIds }) => itemIds.length === stepCount,

  blindChance: ({ items, orderedIds }) => 1 / waysToOrder(items.length, orderedIds.length),

  /** Never in the right order: who leaves the items as they stand must not be right. */
  shapeOf({ items, orderedIds }, random) {
    const itemIds = shuffled(
      items.map(({ id }) => id),
      random,
    )
    const isSolved = orderedIds.every((id, place) => itemIds[place] === id)
    return {
      type: 'ordering',
      itemIds: isSolved ? [...itemIds.slice(1), ...itemIds.slice(0, 1)] : itemIds,
      stepCount: orderedIds.length,
    }
  },

  arranged(question, { itemIds }) {
    const place = new Map(itemIds.map((id, at) => [id, at]))
    const placeOf = (id: string) => place.get(id) ?? itemIds.length
    return { ...question, items: question.items.toSorted((a, b) => placeOf(a.id) - placeOf(b.id)) }
  },

  answerProblem(shape, answer, struck) {
    const given = answer?.itemIds ?? []
    if (![...given, ...struck].every((id) => shape.itemIds.includes(id))) return 'unknown-part'
    return given.length > shape.stepCount ? 'too-many' : null
  },

  /** Items with one place follow each other as they are shown; places may leave gaps. */
  answerFromFields({ items, stepCount }, fields) {
    const placed = items.flatMap(({ id }) => {
      const place = Number(fields.getAll(placeField(id))[0])
      return Number.isInteger(place) && place >= 1 && place <= stepCount ? [{ id, place }] : []
    })
    const itemIds = placed.toSorted((one, other) => one.place - other.place).map(({ id }) => id)
    return answerOf(itemIds.slice(0, stepCount))
  },

  answerKey: ({ orderedIds }) => ({ type: 'ordering', itemIds: [...orderedIds] }),

  keyProblem({ items, orderedIds }, { itemIds }) {
    const known = new Set(items.map(({ id }) => id))
    if (!itemIds.every((id) => known.has(id))) return 'unknown-part'
    return itemIds.length === orderedIds.length ? null : 'count'
  },

  withAnswerKey: (question, { itemIds }) => inStoredOrder({ ...question, orderedIds: itemIds }),

  forTaking: ({ id, stem, domain, items, orderedIds }) => ({
    type: 'ordering',
    id,
    stem,
    domain,
    items: items.map((item) => ({ id: item.id, text: item.text })),
    stepCount: orderedIds.length,
  }),

  forReview: (question) => ({
    ...orderingGrading.forTaking(question),
    orderedIds: question.orderedIds,
    explanation: question.explanation,
    url: question.url,
    difficulty: question.difficulty,
  }),
}

/** The question with the steps in their right order, and then the distractors. */
export function inStoredOrder(question: OrderingQuestion): OrderingQuestion {
  return { ...question, items: [...stepsOf(question), ...distractorsOf(question)] }
}

type Ordered = Pick<OrderingQuestion, 'items' | 'orderedIds'>

/** The steps in their right order. */
export function stepsOf({ items, orderedIds }: Ordered): OrderingQuestion['items'] {
  return orderedIds.flatMap((id) => items.find((item) => item.id === id) ?? [])
}

/** The items that are no steps. */
export function distractorsOf({ items, orderedIds }: Ordered): OrderingQuestion['items'] {
  return items.filter(({ id }) => !orderedIds.includes(id))
}

export function answerOf(itemIds: readonly string[]): OrderingAnswer | null {
  return itemIds.length === 0 ? null : { type: 'ordering', itemIds: [...itemIds] }
}

/**
 * The answer after an item was put at a place, counting from 0; null takes it out. Those at and behind the place move back; beyond
 * the number of steps they leave the answer.
 */
export function answerWithItem(
  { stepCount }: Pick<OrderingForTaking, 'stepCount'>,
  answer: OrderingAnswer | null,
  itemId: string,
  place: number | null,
): OrderingAnswer | null {
  const others = (answer?.itemIds ?? []).filter((id) => id !== itemId)
  return answerOf(place === null ? others : others.toSpliced(place, 0, itemId).slice(0, stepCount))
}

/** The answer after a key that names an item by its place in the question: it goes behind the others, or out if it is in. */
export function answerWithKeyedItem(
  question: OrderingForTaking,
  answer: OrderingAnswer | null,
  place: number,
): OrderingAnswer | null | undefined {
  const item = question.items[place]
  if (item === undefined) return undefined
  const given = answer?.itemIds ?? []
  if (given.includes(item.id)) return answerWithItem(question, answer, item.id, null)
  return given.length >= question.stepCount ? answer : answerWithItem(question, answer, item.id, given.length)
}
