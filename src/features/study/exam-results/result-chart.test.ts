import fc from 'fast-check'
import { expect, test } from 'vitest'
import { percentOfScore, scoreProblem } from './exam-results.ts'
import { GROUP_RESULTS, groupResults, missingForPublic, PUBLIC_RESULTS } from './result-chart.ts'

const outcome = fc.record({ chancePercent: fc.integer({ min: 0, max: 100 }), isPassed: fc.boolean() })

test('each group of a public chart rests on at least ten results, none is lost, and equal forecasts stay together', () => {
  fc.assert(
    fc.property(fc.array(outcome, { minLength: PUBLIC_RESULTS, maxLength: 200 }), (outcomes) => {
      const groups = groupResults(outcomes)
      expect(groups.every(({ count }) => count >= GROUP_RESULTS)).toBe(true)
      expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(outcomes.length)
      for (const [place, group] of groups.entries())
        expect(group.lowestPercent).toBeGreaterThan(groups[place - 1]?.highestPercent ?? -1)
      for (const { passedLow, passedPercent, passedHigh } of groups) {
        expect(passedLow).toBeLessThanOrEqual(passedPercent + 1e-9)
        expect(passedHigh).toBeGreaterThanOrEqual(passedPercent - 1e-9)
      }
    }),
  )
})

test('a group says what was told on average and what happened, with its interval', () => {
  const outcomes = Array.from({ length: 10 }, (_, place) => ({ chancePercent: 60 + place, isPassed: place > 2 }))
  const [group, ...more] = groupResults(outcomes)
  expect(more).toEqual([])
  expect(group).toMatchObject({ count: 10, passedCount: 7, toldPercent: 64.5, lowestPercent: 60, highestPercent: 69 })
  expect([group!.passedLow, group!.passedHigh].map(Math.round)).toEqual([40, 89])
})

test('below thirty results a public chart says how many are missing', () => {
  expect([0, 29, 30, 31].map(missingForPublic)).toEqual([30, 1, 0, 0])
  expect(groupResults([])).toEqual([])
})

const scale = { passMark: 700, passingScore: 70 }

test('a score is one of the report, and fits what was chosen', () => {
  const problems = [
    [{ score: null, isPassed: false }, null],
    [{ score: 99, isPassed: false }, 'scale'],
    [{ score: 699, isPassed: true }, 'too-low'],
    [{ score: 700, isPassed: false }, 'too-high'],
    [{ score: 700, isPassed: true }, null],
  ] as const
  for (const [report, problem] of problems) expect(scoreProblem(report, scale)).toBe(problem)
  expect(scoreProblem({ score: 101, isPassed: true }, { ...scale, passMark: null })).toBe('percent')
})

test('the passing mark is our passing score in percent, and the ends of both scales meet', () => {
  expect([100, 700, 850, 1000].map((score) => percentOfScore(score, scale))).toEqual([0, 70, 85, 100])
  expect(percentOfScore(64, { ...scale, passMark: null })).toBe(64)
  expect(percentOfScore(null, scale)).toBeNull()
})
