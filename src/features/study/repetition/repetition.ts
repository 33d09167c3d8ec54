import { createEmptyCard, default_w, fsrs, Rating, State, type Card, type FSRS } from 'ts-fsrs'
import type { StudyAnswer } from '../study.schema.ts'

/** The 21 parameters of FSRS-6. */
export type Weights = readonly number[]

/** Those that are published, for learners whose own memory is not known. */
export const PUBLISHED_WEIGHTS: Weights = default_w

/** The recall at which a card is due. */
const RETENTION = 0.9

const schedulers = new WeakMap<Weights, FSRS>()

/**
 * FSRS-6 with 90% retention. One short learning step: a missed question returns the same day, later intervals are days. Fuzz is off,
 * so that the same answers always give the same days.
 */
export function schedulerOf(weights: Weights): FSRS {
  const known = schedulers.get(weights)
  if (known !== undefined) return known
  const made = fsrs({
    w: weights,
    enable_fuzz: false,
    request_retention: RETENTION,
    learning_steps: ['10m'],
    relearning_steps: ['10m'],
  })
  schedulers.set(weights, made)
  return made
}

/**
 * The card after an answer. A question becomes a card with the first wrong or flagged answer; from then on each answer is a review:
 * right is Good, wrong is Again.
 */
export function nextCard(
  known: Card | null,
  { isRight, isFlagged, at }: Pick<StudyAnswer, 'isRight' | 'isFlagged' | 'at'>,
  weights: Weights = PUBLISHED_WEIGHTS,
): Card | null {
  if (known === null && isRight && !isFlagged) return null
  return schedulerOf(weights).next(known ?? createEmptyCard<Card>(at), at, isRight ? Rating.Good : Rating.Again).card
}

/** Whether the last answer was wrong, so that the card is due at once. */
export function isMissed({ state }: Card): boolean {
  return state !== State.Review
}
