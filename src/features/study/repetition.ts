import { createEmptyCard, fsrs, Rating, State, type Card } from 'ts-fsrs'
import type { StudyAnswer } from './study.schema.ts'

/**
 * FSRS with its published default weights and 90% retention. One short learning step: a missed question returns the same day,
 * later intervals are days. Fuzz is off, so that the same answers always give the same days.
 */
const scheduler = fsrs({
  enable_fuzz: false,
  request_retention: 0.9,
  learning_steps: ['10m'],
  relearning_steps: ['10m'],
})

/** `isMissed`: the last answer was wrong, so the card is due at once. */
type StudyCard = { readonly dueAt: Date; readonly isMissed: boolean }

/**
 * The cards by question key. A question becomes a card with the first wrong or flagged answer; from then on each answer, in the
 * given order, is a review: right is Good, wrong is Again.
 */
export function cardsOf(answers: readonly StudyAnswer[]): Map<string, StudyCard> {
  const cards = new Map<string, Card>()
  for (const { key, isRight, isFlagged, at } of answers) {
    const known = cards.get(key)
    if (known === undefined && isRight && !isFlagged) continue
    const card = known ?? createEmptyCard<Card>(at)
    cards.set(key, scheduler.next(card, at, isRight ? Rating.Good : Rating.Again).card)
  }
  return new Map([...cards].map(([key, { due, state }]) => [key, { dueAt: due, isMissed: state !== State.Review }]))
}
