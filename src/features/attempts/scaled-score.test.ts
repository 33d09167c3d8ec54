import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  budgetOf,
  curveOf,
  likelyRange,
  onScale,
  passMarkOf,
  scaledScore,
  slowestPlaces,
  withWeights,
} from './scaled-score.ts'

const associate = { category: 'associate', blueprint: null } as const

test('the passing mark comes from the blueprint, otherwise from the level (700, 720, 750), otherwise there is none', () => {
  const markOf = (category: 'practitioner' | 'associate' | 'professional' | 'specialty' | null) =>
    passMarkOf({ category, blueprint: null })
  expect((['practitioner', 'associate', 'professional', 'specialty', null] as const).map(markOf)).toEqual([
    700,
    720,
    750,
    750,
    null,
  ])
  expect(passMarkOf({ category: 'associate', blueprint: { passingScore: 650, domains: [] } })).toBe(650)
  // A blueprint with a mark in percent has no mark on this scale.
  expect(passMarkOf({ category: 'associate', blueprint: { passingScore: 70, domains: [] } })).toBe(720)
})

test('the estimate rises with the score, stays on the scale, and reaches the mark exactly where the exam is passed', () => {
  const percent = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)
  fc.assert(
    fc.property(
      percent,
      percent,
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 101, max: 999 }),
      (one, other, passingScore, mark) => {
        const curve = curveOf(passingScore, mark)
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((at) => onScale(at, curve)) as [
          number,
          number,
        ]
        expect(low).toBeLessThanOrEqual(high)
        expect(low).toBeGreaterThanOrEqual(100)
        expect(high).toBeLessThanOrEqual(1000)
        expect(onScale(one, curve) >= mark).toBe(one >= passingScore)
      },
    ),
  )
})

test('nothing right is 100, everything right is 1000, and half the passing score is half way to the mark', () => {
  const curve = curveOf(70, 720)
  expect([0, 35, 70, 85, 100].map((at) => onScale(at, curve))).toEqual([100, 410, 720, 860, 1000])
  expect([99.99, 100].map((at) => onScale(at, curveOf(100, 720)))).toEqual([719, 1000])
})

test('the range around an estimate narrows with more questions, and holds the estimate', () => {
  const of = (questionCount: number) =>
    scaledScore({ scorePercent: 80, questionCount, passingScore: 70 }, associate) ?? { estimate: 0, low: 0, high: 0 }
  const [few, many] = [of(10), of(1000)]
  expect(few.estimate).toBe(many.estimate)
  expect(few.high - few.low).toBeGreaterThan(3 * (many.high - many.low))
  for (const { low, estimate, high } of [few, many])
    expect([low, estimate, high].toSorted((a, b) => a - b)).toEqual([low, estimate, high])
  expect(
    scaledScore({ scorePercent: 80, questionCount: 10, passingScore: 70 }, { category: null, blueprint: null }),
  ).toBeNull()
  // Wilson's interval for 8 of 10, from published tables.
  expect(likelyRange(80, 10).map((bound) => Math.round(bound * 10) / 10)).toEqual([49, 94.3])
})

test('domains have the blueprint’s order and weights; only domains with questions count', () => {
  const result = (domain: string, percent: number) => ({ domain, right: 0, total: 1, percent, weight: null })
  const blueprint = {
    passingScore: 720,
    domains: [
      { name: 'Security', weight: 60 },
      { name: 'Cost', weight: 20 },
      { name: 'Never asked', weight: 20 },
    ],
  }
  const { domains, weightedPercent } = withWeights(
    [result('Cost', 50), result('Other', 0), result('Security', 100)],
    blueprint,
  )
  expect(domains.map(({ domain, weight }) => [domain, weight])).toEqual([
    ['Security', 60],
    ['Cost', 20],
    ['Other', null],
  ])
  expect(weightedPercent).toBe(87.5)
  expect(withWeights([result('Cost', 50)], null)).toEqual({ domains: [result('Cost', 50)], weightedPercent: null })
})

test('the budget of a question is its share of the time', () => {
  expect(budgetOf(130, 65)).toBe(120_000)
  expect(budgetOf(null, 65)).toBeNull()
  expect(budgetOf(30, 0)).toBeNull()
})

test('the slowest are the three questions that took longest, without those that were never shown', () => {
  const times = (...activeMs: number[]) => activeMs.map((one) => ({ activeMs: one }))
  expect(slowestPlaces(times(10, 50, 0, 40, 50, 20))).toEqual([1, 4, 3])
  expect(slowestPlaces(times(0, 7, 0))).toEqual([1])
  expect(slowestPlaces([])).toEqual([])
})

test('further points of a blueprint refine the curve and never move its start, its passing mark and its end', () => {
  const further = [
    [30, 500],
    [50, 600],
    [80, 700],
    [90, 950],
  ] as const
  const curve = curveOf(70, 720, further)
  // 80% is above our passing score and 700 below the mark: it contradicts them and is left out.
  expect(curve.map(([percent]) => percent)).toEqual([0, 30, 50, 70, 90, 100])
  expect([0, 15, 40, 69.99, 70, 90, 100].map((percent) => onScale(percent, curve))).toEqual([
    100, 300, 550, 719, 720, 950, 1000,
  ])
  const blueprint = { passingScore: 720, domains: [], curve: [[30, 500]] as [number, number][] }
  const result = { scorePercent: 30, questionCount: 50, passingScore: 70 }
  expect(scaledScore(result, { category: 'associate', blueprint })?.estimate).toBe(500)
})
