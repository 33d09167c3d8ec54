import { createEmptyCard, fsrs, Rating, State, type Card } from 'ts-fsrs'
import type { StudyAnswer } from './study.schema.ts'

/**
 * FSRS with its published default weights and 90 % retention. One short step: what was missed is asked once more the same
 * day, and goes by days after that. No chance in it, so that the same answers always give the same days.
 */
const scheduler = fsrs({
  enable_fuzz: false,
  request_retention: 0.9,
  learning_steps: ['10m'],
  relearning_steps: ['10m'],
})

/** `isMissed`: it was wrong the last time, so it is due at once, whatever the clock says. */
export type StudyCard = { readonly dueAt: Date; readonly isMissed: boolean }

/**
 * When each card is due, by question. A question becomes a card with the first answer that was wrong or flagged; from then
 * on each answer in the order given is a review: right is Good, wrong is Again.
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
