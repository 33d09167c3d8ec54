import { CLAMP_PARAMETERS, W17_W18_Ceiling } from 'ts-fsrs'
import type { StudyAnswer } from '../study.schema.ts'
import { solve } from './linear-equations.ts'
import { nextCard, PUBLISHED_WEIGHTS, type Weights } from './repetition.ts'

/** An answer to a card. The first of a card is the one that made it. */
export type Review = {
  /** Days since the answer before, in UTC, as FSRS counts them; 0 for the first. */
  readonly elapsed: number
  readonly isRight: boolean
  readonly at: number
}
export type CardReviews = readonly Review[]

/** Collects the reviews of all cards of a learner, from their answers, which come in any number of parts, oldest first. */
export class ReviewCollection {
  readonly #cards = new Map<string, { last: NonNullable<ReturnType<typeof nextCard>>; readonly reviews: Review[] }>()

  add(answers: readonly StudyAnswer[]) {
    for (const answer of answers) {
      const known = this.#cards.get(answer.key)
      const last = nextCard(known?.last ?? null, answer)
      if (last === null) continue
      const review = { elapsed: last.elapsed_days, isRight: answer.isRight, at: answer.at.getTime() }
      if (known === undefined) this.#cards.set(answer.key, { last, reviews: [review] })
      else {
        known.last = last
        known.reviews.push(review)
      }
    }
  }

  get cards(): CardReviews[] {
    return [...this.#cards.values()].map(({ reviews }) => reviews)
  }
}

export function reviewsOf(answers: readonly StudyAnswer[]): CardReviews[] {
  const collection = new ReviewCollection()
  collection.add(answers)
  return collection.cards
}

/** A span of time, in milliseconds; `until` is not in it. */
type Span = { readonly from?: number; readonly until?: number }

/** Reviews of the same day tell nothing of forgetting, so only the others are predicted. */
const isPredicted = ({ elapsed, at }: Review, { from = -Infinity, until = Infinity }: Span = {}) =>
  elapsed > 0 && at >= from && at < until

export function countPredicted(cards: readonly CardReviews[], span: Span = {}): number {
  return cards.reduce((sum, reviews) => sum + reviews.slice(1).filter((one) => isPredicted(one, span)).length, 0)
}

/** The least and the greatest predicted recall: a single surprise costs no more than this allows. */
const [LOWEST, HIGHEST] = [1e-4, 1 - 1e-4]

/**
 * The recall that FSRS-6 predicts for each review of a span, card after card. It is what `ts-fsrs` computes, for right and wrong answers
 * alone and without its rounding to eight digits, which would spoil small differences.
 */
export function predictedRecalls(cards: readonly CardReviews[], w: Weights, span: Span = {}): number[] {
  const memory = memoryOf(w)
  const recalls: number[] = []
  for (const reviews of cards) {
    const [first, ...later] = reviews
    if (first === undefined) continue
    let state = memory.first(first.isRight)
    for (const review of later) {
      const recall = memory.recall(state, review.elapsed)
      if (isPredicted(review, span)) recalls.push(Math.min(HIGHEST, Math.max(LOWEST, recall)))
      state = memory.next(state, recall, review)
    }
  }
  return recalls
}

type State = { readonly s: number; readonly d: number }

/** The formulas of FSRS-6 with the names of their publication: s is stability, d difficulty. */
function memoryOf(weights: Weights) {
  const w = (place: number) => weights[place] ?? 0
  const factor = Math.exp(Math.log(0.9) / -w(20)) - 1
  const between = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
  const stability = (value: number) => between(value, 0.001, 36_500)
  const firstDifficulty = (grade: number) => w(4) - Math.exp((grade - 1) * w(5)) + 1
  const easy = firstDifficulty(4)
  const recall = ({ s }: State, elapsed: number) => (1 + (factor * elapsed) / s) ** -w(20)
  function nextStability({ s, d }: State, recalled: number, { elapsed, isRight }: Review): number {
    if (elapsed === 0) {
      const change = s ** -w(19) * Math.exp(w(17) * ((isRight ? 0 : -2) + w(18)))
      return s * (isRight ? Math.max(1, change) : change)
    }
    if (isRight) return s * (1 + Math.exp(w(8)) * (11 - d) * s ** -w(9) * (Math.exp((1 - recalled) * w(10)) - 1))
    const forgotten = w(11) * d ** -w(12) * ((s + 1) ** w(13) - 1) * Math.exp((1 - recalled) * w(14))
    return Math.min(forgotten, s / Math.exp(w(17) * w(18)))
  }
  return {
    recall,
    first: (isRight: boolean): State => ({
      s: Math.max(0.1, w(isRight ? 2 : 0)),
      d: between(firstDifficulty(isRight ? 3 : 1), 1, 10),
    }),
    next: (state: State, recalled: number, review: Review): State => {
      const change = review.isRight ? 0 : 2 * w(6)
      const difficulty = w(7) * easy + (1 - w(7)) * (state.d + (change * (10 - state.d)) / 9)
      return { s: stability(nextStability(state, recalled, review)), d: between(difficulty, 1, 10) }
    },
  }
}

/** The mean log loss of the predictions; lower is better. */
export function logLoss(cards: readonly CardReviews[], weights: Weights, span: Span = {}): number {
  const rights = rightsOf(cards, span)
  return lossOf(predictedRecalls(cards, weights, span), rights) / rights.length
}

function rightsOf(cards: readonly CardReviews[], span: Span): boolean[] {
  return cards.flatMap((reviews) =>
    reviews
      .slice(1)
      .filter((one) => isPredicted(one, span))
      .map(({ isRight }) => isRight),
  )
}

function lossOf(recalls: readonly number[], rights: readonly boolean[]): number {
  return recalls.reduce((sum, recall, place) => sum - Math.log(rights[place] === true ? recall : 1 - recall), 0)
}

/** How far the parameters of learners lie from the published ones, as fsrs-rs has it for its penalty. */
const DEVIATIONS = [
  6.43, 9.66, 17.58, 27.85, 0.57, 0.28, 0.6, 0.12, 0.39, 0.18, 0.33, 0.3, 0.09, 0.16, 0.57, 0.25, 1.03, 0.31, 0.32,
  0.14, 0.27,
]
/** Parameters of the ratings Hard and Easy, which are not given here, keep their published values. */
const FITTED = PUBLISHED_WEIGHTS.map((_, place) => place).filter((place) => ![1, 3, 15, 16].includes(place))
const BOUNDS = CLAMP_PARAMETERS(W17_W18_Ceiling).map(([low = 0, high = 0]) => ({ low, high }))
const STEPS = 30
const ENOUGH = 1e-3

/**
 * The parameters that make a learner's reviews of a span most likely, with a penalty for their distance from the published ones, within
 * the published bounds. It is the objective of the optimiser of open-spaced-repetition (log loss of recall, squared distances in
 * published deviations), as a whole instead of in batches, so that it needs no learning rate: each step solves for the parameters
 * with the curvature of the loss (Fisher scoring), damped until the objective falls. It yields often; the caller may do other work then.
 */
export function* fitWeights(cards: readonly CardReviews[], span: Span = {}): Generator<void, Weights> {
  const rights = rightsOf(cards, span)
  const predict = (weights: Weights) => predictInSlices(cards, weights, span)
  const costOf = (weights: Weights, recalls: readonly number[]) => lossOf(recalls, rights) + penaltyOf(weights)
  let weights: Weights = PUBLISHED_WEIGHTS
  let recalls = yield* predict(weights)
  let cost = costOf(weights, recalls)
  let damping = 1e-2
  for (let step = 0; step < STEPS; step++) {
    const slopes: number[][] = []
    for (const place of FITTED) slopes.push(yield* slopeOf(weights, place, recalls, predict))
    const { gradient, curvature } = yield* derivatives(weights, recalls, rights, slopes)
    const before = cost
    for (; damping < 1e6 && cost === before; damping *= 4) {
      const tried = moved(weights, solve(damped(curvature, damping), gradient))
      const triedRecalls = yield* predict(tried)
      const triedCost = costOf(tried, triedRecalls)
      if (triedCost >= cost) continue
      ;[weights, recalls, cost] = [tried, triedRecalls, triedCost]
    }
    damping = Math.max(1e-4, damping / 40)
    if (before - cost < ENOUGH) return weights
  }
  return weights
}

function penaltyOf(weights: Weights): number {
  return FITTED.reduce((sum, place) => sum + offset(weights, place) ** 2 / 2, 0)
}

/** The distance of a parameter from the published one, in deviations. */
function offset(weights: Weights, place: number): number {
  return ((weights[place] ?? 0) - (PUBLISHED_WEIGHTS[place] ?? 0)) / (DEVIATIONS[place] ?? 1)
}

const CARDS_PER_SLICE = 100

function* predictInSlices(cards: readonly CardReviews[], weights: Weights, span: Span): Generator<void, number[]> {
  const recalls: number[] = []
  for (let from = 0; from < cards.length; from += CARDS_PER_SLICE) {
    for (const recall of predictedRecalls(cards.slice(from, from + CARDS_PER_SLICE), weights, span))
      recalls.push(recall)
    yield
  }
  return recalls
}

function* slopeOf(
  weights: Weights,
  place: number,
  recalls: readonly number[],
  predict: (weights: Weights) => Generator<void, number[]>,
): Generator<void, number[]> {
  const value = weights[place] ?? 0
  const size = 1e-4 * Math.max(0.01, Math.abs(value))
  const change = value + size > (BOUNDS[place]?.high ?? Infinity) ? -size : size
  const there = yield* predict(weights.map((one, index) => (index === place ? one + change : one)))
  return recalls.map((recall, index) => ((there[index] ?? recall) - recall) / change)
}

function* derivatives(
  weights: Weights,
  recalls: readonly number[],
  rights: readonly boolean[],
  slopes: readonly (readonly number[])[],
): Generator<void, { gradient: number[]; curvature: number[][] }> {
  const gradient: number[] = []
  const curvature = FITTED.map(() => FITTED.map(() => 0))
  for (const [row, place] of FITTED.entries()) {
    const slope = slopes[row] ?? []
    const known = recalls.map((recall, index) => (slope[index] ?? 0) / (recall * (1 - recall)))
    const ofLoss = known.reduce((sum, one, index) => {
      const right = rights[index] === true ? 1 : 0
      return sum - one * (right - (recalls[index] ?? 0))
    }, 0)
    gradient.push(ofLoss + offset(weights, place) / (DEVIATIONS[place] ?? 1))
    for (let column = 0; column <= row; column++) {
      const other = slopes[column] ?? []
      const common = known.reduce((sum, one, index) => sum + one * (other[index] ?? 0), 0)
      curvature[row]![column] = curvature[column]![row] = common
    }
    curvature[row]![row]! += 1 / (DEVIATIONS[place] ?? 1) ** 2
    yield
  }
  return { gradient, curvature }
}

function damped(curvature: readonly (readonly number[])[], damping: number): number[][] {
  return curvature.map((row, place) => row.map((value, column) => (place === column ? value * (1 + damping) : value)))
}

function moved(weights: Weights, by: readonly number[]): Weights {
  return weights.map((value, place) => {
    const { low, high } = BOUNDS[place] ?? { low: value, high: value }
    const change = by[FITTED.indexOf(place)]
    return change === undefined ? value : Math.min(high, Math.max(low, value - change))
  })
}
