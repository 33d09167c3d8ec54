import { expect, test } from 'vitest'
import { abilitiesAfter, type AbilityPart, type Response } from './ability.ts'
import { PRIOR } from './readiness.ts'

const answer = (domain: number, isRight: boolean, daysAgo: number): Response => ({
  domain,
  isRight,
  item: { difficulty: 0, deviation: 0.3, guess: 0.25 },
  remembered: 0,
  daysAgo,
})
const meanOf = (parts: readonly AbilityPart[], domain: number) =>
  parts.reduce((sum, { share, means }) => sum + share * means[domain]!, 0)
const deviationOf = (parts: readonly AbilityPart[], domain: number) => {
  const mean = meanOf(parts, domain)
  const size = Math.sqrt(parts[0]!.covariance.length)
  return Math.sqrt(
    parts.reduce(
      (sum, { share, means, covariance }) =>
        sum + share * (covariance[domain * size + domain]! + (means[domain]! - mean) ** 2),
      0,
    ),
  )
}

test('right answers in one domain raise the others too, but less', () => {
  const before = abilitiesAfter([], 2, PRIOR)
  const after = abilitiesAfter(
    Array.from({ length: 20 }, () => answer(0, true, 1)),
    2,
    PRIOR,
  )
  const gains = [0, 1].map((domain) => meanOf(after, domain) - meanOf(before, domain))
  expect(gains[1]).toBeGreaterThan(0.2)
  expect(gains[0]).toBeGreaterThan(gains[1]! + 0.1)
})

test('within an exam the order of the answers makes no trend', () => {
  const answers = Array.from({ length: 40 }, (_, place) => answer(0, place >= 20, 1))
  const [forwards, backwards] = [answers, answers.toReversed()].map((order) =>
    meanOf(abilitiesAfter(order, 1, PRIOR), 0),
  )
  expect(Math.abs(forwards! - backwards!)).toBeLessThan(0.1)
})

test('between exams it does: who gets better is better now than who gets worse', () => {
  const answers = Array.from({ length: 40 }, (_, place) => answer(0, place >= 20, place < 20 ? 10 : 1))
  const worse = answers.map((one) => ({ ...one, isRight: !one.isRight }))
  const [now, then] = [answers, worse].map((order) => meanOf(abilitiesAfter(order, 1, PRIOR), 0))
  expect(now).toBeGreaterThan(then! + 0.4)
})

test('nothing is gained in an hour, and the longer ago the last answer is the less is known', () => {
  const at = (from: number, to: number) =>
    abilitiesAfter(
      Array.from({ length: 40 }, (_, place) => answer(0, place % 4 > 0, from - ((from - to) * place) / 39)),
      1,
      PRIOR,
    )
  expect(meanOf(at(20, 0), 0)).toBeGreaterThan(meanOf(at(0.04, 0), 0) + 0.15)
  expect(deviationOf(at(30, 29.9), 0)).toBeGreaterThan(deviationOf(at(0.1, 0), 0))
})
