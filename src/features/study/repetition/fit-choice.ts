import { countPredicted, fitWeights, logLoss, type CardReviews } from './memory-fit.ts'
import { PUBLISHED_WEIGHTS, type Weights } from './repetition.ts'

/** Fewer reviews are not fitted: the held-out fifth of them could hardly tell better parameters from luck. */
export const LEAST_REVIEWS = 400
/** The share of the latest reviews that the fit does not see. */
const HELD_OUT = 0.2

export type MemoryFit = {
  /** Null where the published parameters are kept. */
  readonly weights: Weights | null
  /** Reviews that were fitted, and the later ones that decided; all of them and none where they are too few. */
  readonly reviews: number
  readonly heldOut: number
  /** The log loss of the later reviews. */
  readonly loss: { readonly fitted: number; readonly published: number } | null
}

/**
 * Fits the parameters to a learner's earlier reviews, and keeps them only if they predict the later ones better than the published
 * parameters do.
 */
export function* chooseWeights(cards: readonly CardReviews[]): Generator<void, MemoryFit> {
  const count = countPredicted(cards)
  if (count < LEAST_REVIEWS) return { weights: null, reviews: count, heldOut: 0, loss: null }
  const times = cards
    .flatMap((reviews) => reviews.slice(1).filter(({ elapsed }) => elapsed > 0))
    .map(({ at }) => at)
    .sort((a, b) => a - b)
  const cut = times[Math.floor(times.length * (1 - HELD_OUT))] ?? Infinity
  const [earlier, later] = [{ until: cut }, { from: cut }]
  yield
  const weights = yield* fitWeights(cards, earlier)
  const fitted = logLoss(cards, weights, later)
  yield
  const loss = { fitted, published: logLoss(cards, PUBLISHED_WEIGHTS, later) }
  yield
  return {
    weights: loss.fitted < loss.published ? weights : null,
    reviews: countPredicted(cards, earlier),
    heldOut: countPredicted(cards, later),
    loss,
  }
}

/** Fewer new answers than this share of those of the last fit do not start another one. */
const NEW_SHARE = 0.2
const LEAST_NEW = 100

/** How many answers a learner must have for the next fit, by those of the last one. */
export function answersForFit(before: number): number {
  return before === 0 ? LEAST_REVIEWS : before + Math.max(LEAST_NEW, Math.ceil(NEW_SHARE * before))
}
