import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Card } from 'ts-fsrs'
import { after, DAY_MS } from '../../../lib/time.ts'
import type { StudyAnswer } from '../study.schema.ts'
import { STRONG_MEMORY, WEAK_MEMORY } from './exam-aim-simulation.fixture.ts'
import { answersForFit, chooseWeights, LEAST_REVIEWS } from './fit-choice.ts'
import { solve } from './linear-equations.ts'
import { countPredicted, fitWeights, logLoss, predictedRecalls, reviewsOf } from './memory-fit.ts'
import { nextCard, PUBLISHED_WEIGHTS, schedulerOf, type Weights } from './repetition.ts'
import { fitAtOnce, recallError, simulateAnswers } from './simulated-reviews.fixture.ts'

const learner = (memory: Weights, days: number, missedADay: number, seed = 3) =>
  reviewsOf(simulateAnswers({ days, missedADay, memoryOn: () => memory, seed }))

/** Answers to one question each some days after the one before. */
function answersEach(days: readonly number[], isRight: (place: number) => boolean): StudyAnswer[] {
  let at = new Date('2026-01-05T10:00:00Z')
  return days.map((wait, place) => {
    at = after(at, wait * DAY_MS)
    return { key: 'one', domain: 'Storage', isRight: isRight(place), isFlagged: place === 0, at, attemptId: null }
  })
}

test('the predicted recalls are those of the forgetting curve of ts-fsrs, whatever was answered when', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.boolean()), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(steps, fc.constantFrom(PUBLISHED_WEIGHTS, WEAK_MEMORY, STRONG_MEMORY), (all, weights) => {
      const answers = answersEach(
        all.map(([wait]) => wait),
        (place) => all[place]?.[1] === true,
      )
      let card: Card | null = null
      const expected: number[] = []
      for (const [place, answer] of answers.entries()) {
        const [wait = 0] = all[place] ?? []
        if (card !== null && wait > 0) expected.push(schedulerOf(weights).forgetting_curve(wait, card.stability))
        card = nextCard(card, answer, weights)
      }
      const recalls = predictedRecalls(reviewsOf(answers), weights)
      expect(recalls).toHaveLength(expected.length)
      for (const [place, recall] of recalls.entries()) expect(recall).toBeCloseTo(expected[place] ?? NaN, 4)
    }),
  )
})

test('the log loss is the mean of the surprise at each answer after a day or more', () => {
  const cards = reviewsOf(answersEach([0, 0, 3, 8], (place) => place !== 3))
  const [first = 0, second = 0] = predictedRecalls(cards, PUBLISHED_WEIGHTS)
  expect(countPredicted(cards)).toBe(2)
  expect(logLoss(cards, PUBLISHED_WEIGHTS)).toBeCloseTo(-(Math.log(first) + Math.log(1 - second)) / 2, 10)
})

test.each([
  { name: 'forgets faster', truth: WEAK_MEMORY },
  { name: 'forgets slower', truth: STRONG_MEMORY },
])(
  'the memory of a learner who $name is recovered: recall is predicted within 1.5 points, half of the error before',
  ({ truth }) => {
    const cards = learner(truth, 150, 4)
    expect(countPredicted(cards)).toBeGreaterThan(2000)
    const fitted = fitAtOnce(fitWeights(cards))
    // On other cards of the same learner, which the fit has not seen.
    const others = learner(truth, 150, 4, 11)
    expect(recallError(others, fitted, truth)).toBeLessThan(0.015)
    expect(recallError(others, fitted, truth)).toBeLessThan(recallError(others, PUBLISHED_WEIGHTS, truth) / 2)
    // The growth of stability with each right answer, and the first stability as far as it counts (0.1 at least).
    expect(Math.abs(fitted[8]! - truth[8]!)).toBeLessThan(0.25)
    expect(Math.abs(fitted[0]! - truth[0]!)).toBeLessThan(0.1)
    expect(logLoss(cards, fitted)).toBeLessThanOrEqual(logLoss(cards, truth) + 0.001)
  },
)

test('parameters that predict the later reviews better are kept, with how many reviews they come from', () => {
  const cards = learner(STRONG_MEMORY, 60, 2, 5)
  const fit = fitAtOnce(chooseWeights(cards))
  expect(fit.weights).not.toBe(null)
  expect(fit.loss!.fitted).toBeLessThan(fit.loss!.published)
  expect(fit.reviews + fit.heldOut).toBe(countPredicted(cards))
  expect(fit.heldOut / countPredicted(cards)).toBeCloseTo(0.2, 1)
})

test('a learner whose later reviews the published parameters predict better keeps them', () => {
  // Somebody else's memory until the last fifth of the reviews.
  const memoryOn = (day: number) => (day < 88 ? WEAK_MEMORY : PUBLISHED_WEIGHTS)
  const cards = reviewsOf(simulateAnswers({ days: 120, missedADay: 3, memoryOn, seed: 4 }))
  const fit = fitAtOnce(chooseWeights(cards))
  expect(fit.loss!.fitted).toBeGreaterThan(fit.loss!.published)
  expect(fit.weights).toBe(null)
})

test('whatever is chosen is never worse than the published parameters on the later reviews', () => {
  for (const seed of [1, 2]) {
    const { weights, loss } = fitAtOnce(chooseWeights(learner(PUBLISHED_WEIGHTS, 60, 2, seed)))
    expect(weights === null || loss!.fitted < loss!.published).toBe(true)
  }
})

test('too few reviews, none, only wrong and only right ones give usable parameters or the published ones', () => {
  const none = { weights: null, reviews: 0, heldOut: 0, loss: null }
  expect(fitAtOnce(chooseWeights([]))).toEqual(none)
  const many = Array.from({ length: LEAST_REVIEWS + 200 }, () => 2)
  expect(fitAtOnce(chooseWeights(reviewsOf(answersEach(many.slice(-LEAST_REVIEWS), () => true)))).loss).toBe(null)
  for (const isRight of [true, false]) {
    const { weights, loss } = fitAtOnce(chooseWeights(reviewsOf(answersEach(many, () => isRight))))
    expect(Number.isFinite(loss?.fitted)).toBe(true)
    expect((weights ?? PUBLISHED_WEIGHTS).every(Number.isFinite)).toBe(true)
    expect(() => nextCard(null, answersEach([0], () => false)[0]!, weights ?? PUBLISHED_WEIGHTS)).not.toThrow()
  }
})

test('a fit waits for 400 answers, and the next one for a fifth more', () => {
  expect([0, 400, 2000].map(answersForFit)).toEqual([400, 500, 2400])
})

test('equations with a symmetric positive matrix are solved', () => {
  const solution = solve(
    [
      [4, 2, 0.5],
      [2, 5, 1],
      [0.5, 1, 3],
    ],
    [9.5, 15, 11.5],
  )
  expect(solution.map((value) => Number(value.toFixed(9)))).toEqual([1, 2, 3])
})
