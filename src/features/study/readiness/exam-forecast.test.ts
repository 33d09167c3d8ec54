import { expect, test } from 'vitest'
import { forecastOf, masteriesOf, scoreChances } from './exam-forecast.ts'

const domain = (questions: number) => ({ questions, difficulty: { mean: 0, deviation: 1 }, guess: 0.25 })
const ability = (means: readonly number[], variance: number) => ({
  share: 1,
  means: Float64Array.from(means),
  covariance: Float64Array.from(means.flatMap((_, row) => means.map((_, column) => (row === column ? variance : 0)))),
})

test('the chances of all scores sum to 1, also on a very long exam and for extreme abilities', () => {
  for (const level of [-40, 0, 40])
    for (const questions of [1, 65, 1000]) {
      const chances = scoreChances([ability([level], 1)], [domain(questions)])
      expect(chances).toHaveLength(questions + 1)
      expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 10)
    }
})

test('a known ability leaves the luck of the answers only', () => {
  const chances = scoreChances([ability([0, 0], 0)], [domain(40), domain(25)])
  const { expectedPercent, lowPercent, highPercent } = forecastOf(chances, 72)
  expect(expectedPercent).toBeCloseTo(62.5, 0)
  expect(highPercent - lowPercent).toBeGreaterThan(18)
  expect(highPercent - lowPercent).toBeLessThan(22)
})

test('the interval is the shortest that holds nine of ten exams', () => {
  const chances = [0.02, 0.02, 0.05, 0.4, 0.4, 0.11]
  expect(forecastOf(chances, 50)).toEqual({
    expectedPercent: expect.closeTo(69.4, 5),
    lowPercent: 60,
    highPercent: 100,
    passChance: expect.closeTo(0.91, 10),
  })
})

test('the mastery of a domain is the share of its questions that a learner would get right', () => {
  const [weak, strong] = masteriesOf([ability([-1, 3], 0.04)], [domain(40), domain(25)])
  expect(weak!.expectedPercent).toBeLessThan(50)
  expect(strong!.expectedPercent).toBeGreaterThan(90)
  for (const { lowPercent, expectedPercent, highPercent } of [weak!, strong!]) {
    expect(lowPercent).toBeLessThan(expectedPercent)
    expect(expectedPercent).toBeLessThan(highPercent)
    expect(highPercent - lowPercent).toBeLessThan(13)
  }
  const all = masteriesOf([ability([0], 0)], [domain(65)])
  const exam = forecastOf(scoreChances([ability([0], 0)], [domain(65)]), 72)
  expect(all[0]!.expectedPercent).toBeCloseTo(exam.expectedPercent, 0)
})
