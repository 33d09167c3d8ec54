import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  calibrateItems,
  type Calibration,
  type CalibrationItem,
  type CalibrationOptions,
  type CalibrationResponses,
} from './item-calibration.ts'
import { LABEL_DIFFICULTY } from './readiness.ts'
import { responsesOf, simulateResponses } from './simulated-responses.fixture.ts'

const LABELS = LABEL_DIFFICULTY

function calibrate(
  responses: CalibrationResponses,
  items: readonly CalibrationItem[],
  options: CalibrationOptions = { labels: LABELS },
): { calibration: Calibration; slices: number } {
  const work = calibrateItems(responses, items, options)
  for (let slices = 0; ; slices++) {
    const { done, value } = work.next()
    if (done === true) return { calibration: value, slices }
  }
}

function rowsOf(name: string): number[][] {
  const text = readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number))
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviationOf = (values: readonly number[]) =>
  Math.sqrt(meanOf(values.map((value) => (value - meanOf(values)) ** 2)))
function correlation(one: readonly number[], other: readonly number[]): number {
  const [mean, otherMean] = [meanOf(one), meanOf(other)]
  const together = meanOf(one.map((value, place) => (value - mean) * (other[place]! - otherMean)))
  return together / (deviationOf(one) * deviationOf(other))
}

test('difficulties and their errors agree with an independent fit by lme4 with the same prior width', () => {
  const fitted = rowsOf('rasch-fit.csv').toSorted(([one], [other]) => one! - other!)
  const [ability, abilityDeviation, itemDeviation] = rowsOf('rasch-widths.csv')[0]!
  const { calibration } = calibrate(
    responsesOf(rowsOf('rasch-responses.csv'), 400),
    fitted.map(() => ({ label: 'medium', guess: 0 })),
    { labels: LABELS, itemDeviation, isFixedLabels: true },
  )
  const ours = calibration.items.map(({ difficulty }) => difficulty)
  const theirs = fitted.map(([, difficulty]) => difficulty!)
  expect(correlation(ours, theirs)).toBeGreaterThan(0.999)
  expect(meanOf(ours.map((difficulty, item) => Math.abs(difficulty - theirs[item]!)))).toBeLessThan(0.05)
  expect(calibration.ability.mean).toBeCloseTo(ability!, 1)
  expect(calibration.ability.deviation).toBeCloseTo(abilityDeviation!, 1)
  const ratios = calibration.items.map(({ deviation }, item) => deviation / fitted[item]![2]!)
  expect(Math.min(...ratios)).toBeGreaterThan(0.85)
  expect(Math.max(...ratios)).toBeLessThan(1.15)
})

test('with guessing, simulated difficulties are found again within their stated errors', () => {
  const { items, difficulties, responses } = simulateResponses({ persons: 1500, items: 150, each: 40, seed: 19 })
  const { calibration } = calibrate(responses, items)
  const centre = meanOf(difficulties) - meanOf(calibration.items.map(({ difficulty }) => difficulty))
  const errors = calibration.items.map(({ difficulty }, item) => difficulty + centre - difficulties[item]!)
  const ratios = errors.map((error, item) => error / calibration.items[item]!.deviation)
  expect(deviationOf(errors)).toBeLessThan(0.2)
  expect(deviationOf(ratios)).toBeGreaterThan(0.85)
  expect(deviationOf(ratios)).toBeLessThan(1.2)
  expect(
    correlation(
      calibration.items.map(({ difficulty }) => difficulty),
      difficulties,
    ),
  ).toBeGreaterThan(0.97)
})

test('items without responses keep their label, and those that everybody gets right or wrong stay finite', () => {
  const rows = Array.from({ length: 300 }, (_, person) => [
    [person, 0, 1],
    [person, 1, 0],
    [person, 2, person % 3 === 0 ? 0 : 1],
  ]).flat()
  const items = [0.25, 0.25, 0.25, 0.25].map((guess, item) => ({ label: item === 3 ? 'hard' : 'medium', guess }))
  const { calibration } = calibrate(responsesOf(rows, 300), items)
  const [always, never, often, unasked] = calibration.items
  expect(always!.difficulty).toBeGreaterThan(-8)
  expect(never!.difficulty).toBeLessThan(8)
  expect(always!.difficulty).toBeLessThan(often!.difficulty)
  expect(often!.difficulty).toBeLessThan(never!.difficulty)
  expect(unasked!.responseCount).toBe(0)
  expect(unasked!.deviation).toBeCloseTo(calibration.itemDeviation, 5)
  for (const { deviation } of calibration.items) expect(deviation).toBeGreaterThan(0)
})

test('without any response every difficulty is its label', () => {
  const items = Object.keys(LABELS).map((label) => ({ label, guess: 0.25 }))
  const { calibration } = calibrate(responsesOf([], 0), items, { labels: LABELS, itemDeviation: 0.8 })
  expect(calibration.items.map(({ difficulty }) => difficulty)).toEqual(Object.values(LABELS))
  expect(calibrate(responsesOf([], 0), []).calibration.items).toEqual([])
})

test('the work comes in slices, between which a server can do other things', () => {
  const { items, responses } = simulateResponses({ persons: 400, items: 100, each: 50, seed: 7 })
  const of = (sliceSize: number) => calibrate(responses, items, { labels: LABELS, sliceSize })
  const [whole, sliced] = [of(1_000_000), of(1000)]
  expect(sliced.slices).toBeGreaterThan(whole.slices + 10 * whole.calibration.rounds)
  expect(sliced.calibration).toEqual(whole.calibration)
})
