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

/**
 * The card after an answer. A question becomes a card with the first wrong or flagged answer; from then on each answer is a review:
 * right is Good, wrong is Again.
 */
export function nextCard(known: Card | null, { isRight, isFlagged, at }: StudyAnswer): Card | null {
  if (known === null && isRight && !isFlagged) return null
  return scheduler.next(known ?? createEmptyCard<Card>(at), at, isRight ? Rating.Good : Rating.Again).card
}

/** Whether the last answer was wrong, so that the card is due at once. */
export function isMissed({ state }: Card): boolean {
  return state !== State.Review
}
