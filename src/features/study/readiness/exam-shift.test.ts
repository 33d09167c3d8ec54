import { expect, test } from 'vitest'
import { shiftAfter, STATED_SHIFT, toldAbility, type ExamResult } from './exam-shift.ts'
import { simulateShops } from './readiness-simulation.fixture.ts'

const told = { advantage: { mean: 1, deviation: 0.3 }, spread: 1, guess: 0.25, questions: 65, passingPercent: 72 }
const results = (count: number, more: Partial<ExamResult>): ExamResult[] =>
  Array.from({ length: count }, () => ({ told, isPassed: true, scorePercent: null, ...more }))

test('without results the shift is as stated', () => {
  expect(shiftAfter([])).toEqual(STATED_SHIFT)
})

test('results narrow the shift: failures say that the real exam is harder, passes that it is not', () => {
  const failed = shiftAfter(results(10, { isPassed: false }))
  const passed = shiftAfter(results(10, {}))
  expect(failed.mean).toBeGreaterThan(0.3)
  expect(passed.mean).toBeLessThan(-0.1)
  expect(failed.resultCount).toBe(10)
  for (const { deviation } of [failed, passed]) expect(deviation).toBeLessThan(STATED_SHIFT.deviation)
})

test('a score says more than that an exam was passed', () => {
  expect(shiftAfter(results(5, { scorePercent: 78 })).deviation).toBeLessThan(shiftAfter(results(5, {})).deviation)
})

test('no number of results makes the real exam known exactly, and absurd ones keep it finite', () => {
  expect(shiftAfter(results(5000, { scorePercent: 78 })).deviation).toBe(0.1)
  const absurd = shiftAfter(results(500, { isPassed: false, scorePercent: 0 }))
  expect(Number.isFinite(absurd.mean)).toBe(true)
  expect(absurd.deviation).toBeGreaterThanOrEqual(0.1)
})

test('the abilities in the domains become one, each domain counting by its questions', () => {
  const domains = [30, 10].map((questions) => ({ questions, difficulty: { mean: 0, deviation: 1 }, guess: 0.25 }))
  const part = { share: 1, means: Float64Array.of(1, 2), covariance: Float64Array.of(0.2, 0.1, 0.1, 0.2) }
  const { advantage, questions } = toldAbility([part], domains, 72)
  expect(advantage.mean).toBeCloseTo(1.25, 10)
  expect(advantage.deviation ** 2).toBeCloseTo(0.2 * 0.625 + 0.1 * 0.375, 10)
  expect(questions).toBe(40)
})

test('in simulated shops the shift comes closer with more results, as close as it says', () => {
  const rows = simulateShops(40, [0, 30, 200], 5)
  const [before, some, many] = rows.map(({ error }) => error)
  expect(some).toBeLessThan(before!)
  expect(many).toBeLessThan(0.2)
  expect(rows[1]!.error / rows[1]!.stated).toBeLessThan(1.5)
  expect(rows[2]!.wide.width).toBeLessThan(rows[0]!.wide.width - 2)
  for (const { wide } of rows) {
    expect(wide.coverage).toBeGreaterThan(84)
    expect(wide.coverage).toBeLessThan(97)
  }
})
