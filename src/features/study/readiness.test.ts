import { expect, test } from 'vitest'
import { after, DAY_MS, HOUR_MS } from '../../lib/time.ts'
import type { StudyAnswer } from './study.schema.ts'
import { freshAnswers, readinessOf, scoreChances, shareOut, weightsOf, type ReadinessFacts } from './readiness.ts'

const now = new Date('2026-11-21T10:00:00Z')
const blueprint = {
  questions: 65,
  domains: [
    { name: 'Storage', weight: 30 },
    { name: 'Compute', weight: 26 },
    { name: 'Network', weight: 24 },
    { name: 'Billing', weight: 20 },
  ],
}
const names = blueprint.domains.map(({ name }) => name)

let number = 0
const answer = (domain: string, isRight: boolean, daysAgo = 1, key = `question ${number++}`): StudyAnswer => ({
  key,
  domain,
  isRight,
  isFlagged: false,
  at: after(now, -daysAgo * DAY_MS),
  attemptId: null,
})
const facts = (answers: readonly StudyAnswer[]): ReadinessFacts => ({
  answers,
  questionDomains: names,
  blueprint,
  passingScore: 72,
  now,
})
const some = (count: number, right: number, domain: string) =>
  Array.from({ length: count }, (_, place) => answer(domain, place < right))

test('below 30 answers, or 3 in a domain, there is no estimate', () => {
  expect(readinessOf(facts([]))).toEqual({
    kind: 'not-enough',
    answered: 0,
    needed: 30,
    thinDomains: [...names].sort(),
  })
  const thin = names.flatMap((name) => some(name === 'Billing' ? 2 : 20, 2, name))
  expect(readinessOf(facts(thin))).toMatchObject({ kind: 'not-enough', answered: 62, thinDomains: ['Billing'] })
  const enough = names.flatMap((name) => some(name === 'Billing' ? 3 : 9, 2, name))
  expect(readinessOf(facts(enough))).toMatchObject({ kind: 'estimate', answered: 30 })
})

test('the estimate lies in its interval, and more answers make the interval narrower', () => {
  const width = (perDomain: number) => {
    const readiness = readinessOf(facts(names.flatMap((name) => some(perDomain, perDomain * 0.75, name))))
    if (readiness.kind !== 'estimate') throw new Error('not enough')
    const { lowPercent, expectedPercent, highPercent } = readiness
    expect([lowPercent, expectedPercent, highPercent]).toEqual(
      [lowPercent, expectedPercent, highPercent].toSorted((a, b) => a - b),
    )
    expect(expectedPercent).toBeGreaterThan(70)
    expect(expectedPercent).toBeLessThan(76)
    return highPercent - lowPercent
  }
  expect(width(40)).toBeLessThan(width(8))
})

test('a learner who knows nothing will hardly pass, and one who knows everything will', () => {
  const chance = (share: number) => {
    const readiness = readinessOf(facts(names.flatMap((name) => some(20, 20 * share, name))))
    return readiness.kind === 'estimate' ? readiness.passChance : Number.NaN
  }
  expect(chance(0.25)).toBeLessThan(0.001)
  expect(chance(1)).toBeGreaterThan(0.999)
  expect(chance(0.75)).toBeGreaterThan(chance(0.7))
})

test('a heavy domain counts for more than a light one', () => {
  const weakIn = (weak: string) => {
    const readiness = readinessOf(facts(names.flatMap((name) => some(20, name === weak ? 4 : 18, name))))
    return readiness.kind === 'estimate' ? readiness.expectedPercent : Number.NaN
  }
  expect(weakIn('Storage')).toBeLessThan(weakIn('Billing'))
})

test('only answers of the last 30 days count, and only to questions not answered in the 30 days before', () => {
  const old = answer('Storage', true, 31, 'a')
  const again = answer('Storage', true, 10, 'a')
  expect(freshAnswers([old, again], now)).toEqual([])
  const longAgo = answer('Storage', true, 40, 'a')
  expect(freshAnswers([longAgo, again], now)).toEqual([again])
  const first = answer('Storage', false, 2, 'b')
  const second = { ...first, isRight: true, at: after(first.at, HOUR_MS) }
  expect(freshAnswers([first, second], now)).toEqual([first])
})

test("domains weigh as in the blueprint, or else by their shares of the course's questions", () => {
  expect(weightsOf(names, blueprint).get('Storage')).toBe(0.3)
  expect(weightsOf(['Storage', 'Storage', 'General'], blueprint)).toEqual(
    new Map([
      ['Storage', 2 / 3],
      ['General', 1 / 3],
    ]),
  )
})

test('the questions of an exam are apportioned to domains without a remainder', () => {
  expect(shareOut([0.3, 0.26, 0.24, 0.2], 65)).toEqual([19, 17, 16, 13])
  expect(shareOut([1 / 3, 1 / 3, 1 / 3], 65).reduce((sum, count) => sum + count, 0)).toBe(65)
})

test('the chances of all scores sum to 1', () => {
  const chances = scoreChances(
    [
      { weight: 0.6, answered: 20, right: 20 },
      { weight: 0.4, answered: 9, right: 0 },
    ],
    300,
  )
  expect(chances).toHaveLength(301)
  expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 10)
})

/** Learners of every strength, each domain a little off their own; the same ones in every run. */
function simulate(count: number, answersPerExam: number) {
  const random = randomOf(20_261_121)
  const runs = Array.from({ length: count }, () => {
    const ability = logit(0.3 + 0.65 * random())
    const chances = new Map(names.map((name) => [name, logistic(ability + 0.5 * normal(random))]))
    const sit = (questions: number) =>
      shareOut(
        blueprint.domains.map(({ weight }) => weight / 100),
        questions,
      ).flatMap((ofDomain, place) =>
        Array.from({ length: ofDomain }, () => answer(names[place]!, random() < chances.get(names[place]!)!)),
      )
    const readiness = readinessOf(facts(sit(answersPerExam)))
    if (readiness.kind !== 'estimate') throw new Error('not enough')
    const score = (100 * sit(65).filter(({ isRight }) => isRight).length) / 65
    return { readiness, score, isPassed: score >= 72 }
  })
  return runs
}

test.each([30, 65, 195])(
  'over simulated learners with %i answers, nine exams of ten end inside the interval',
  (count) => {
    const runs = simulate(4000, count)
    const inside = runs.filter(
      ({ readiness, score }) => readiness.lowPercent <= score && score <= readiness.highPercent,
    )
    const coverage = inside.length / runs.length
    expect(coverage).toBeGreaterThan(0.88)
    expect(coverage).toBeLessThan(0.95)
  },
)

test('about the predicted share of simulated learners passes', () => {
  const runs = simulate(6000, 65)
  for (const from of [0, 0.2, 0.4, 0.6, 0.8]) {
    const told = runs.filter(({ readiness: { passChance } }) => passChance >= from && passChance < from + 0.2 + 1e-9)
    const expected = told.reduce((sum, { readiness }) => sum + readiness.passChance, 0) / told.length
    const passed = told.filter(({ isPassed }) => isPassed).length / told.length
    expect({ from, isClose: Math.abs(passed - expected) < 0.1, passed, expected }).toMatchObject({ isClose: true })
  }
})

const logit = (share: number) => Math.log(share / (1 - share))
const logistic = (value: number) => 1 / (1 + Math.exp(-value))
const normal = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
