import { expect, test } from 'vitest'
import { presentAbilities } from '../readiness/readiness.ts'
import { simulatedBank, simulatedRun, WEIGHTS, type SimulatedQuestion } from './diagnostic-simulation.fixture.ts'
import { EXPOSURE_MAX, FULL_LENGTH, nextQuestion, SHORT_LENGTH, type DiagnosticLength } from './next-question.ts'

const LEARNERS = 300
const seeds = Array.from({ length: LEARNERS }, (_, place) => 1000 + place)
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const rootMeanSquare = (values: readonly number[]) => Math.sqrt(meanOf(values.map((value) => value * value)))

/** The same learners with our questions, and with as many that are drawn at random from the same domains. */
function simulated(error: number) {
  const bank = simulatedBank(200, error)
  const ours = seeds.map((seed) => simulatedRun(bank, { seed, length: FULL_LENGTH, choice: 'ours' }))
  const random = ours.map(({ asked: { length } }, place) =>
    simulatedRun(bank, {
      seed: seeds[place]!,
      length: { least: length, most: length, error: 0 },
      choice: 'random',
    }),
  )
  return { name: error === 0.4 ? 'calibrated' : 'labelled', ours, random }
}
const kinds = [simulated(0.4), simulated(0.8)]

test.each(kinds)('chosen questions of a $name bank say more than as many random ones', ({ name, ours, random }) => {
  const stated = meanOf(ours.map(({ error }) => error)) / meanOf(random.map(({ error }) => error))
  const real = rootMeanSquare(ours.map(({ off }) => off)) / rootMeanSquare(random.map(({ off }) => off))
  const lengths = Array.from({ length: FULL_LENGTH.most + 1 }, (_, length) => ({
    length,
    count: ours.filter(({ asked }) => asked.length === length).length,
  })).filter(({ count }) => count > 0)
  console.warn(
    `${name}: standard error ${meanOf(ours.map(({ error }) => error)).toFixed(3)}, ratio to random ${stated.toFixed(3)};`,
    `real errors ${rootMeanSquare(ours.map(({ off }) => off)).toFixed(3)}, ratio ${real.toFixed(3)};`,
    `90% interval ${meanOf(ours.map(({ width }) => width)).toFixed(1)} points wide (random`,
    `${meanOf(random.map(({ width }) => width)).toFixed(1)}), holds ${(100 * meanOf(ours.map(({ isInside }) => Number(isInside)))).toFixed(1)}%;`,
    `lengths ${lengths.map(({ length, count }) => `${length}: ${count}`).join(', ')}`,
  )
  expect(stated).toBeLessThan(0.95)
  expect(real).toBeLessThan(1)
  // The Monte Carlo error of a coverage of 90% is 1.7 points.
  expect(meanOf(ours.map(({ isInside }) => Number(isInside)))).toBeGreaterThan(0.85)
})

test.each(kinds)('a diagnostic of a $name bank ends between 12 and 20 questions, by what is known', ({ ours }) => {
  for (const { asked, error } of ours) {
    expect(asked.length).toBeGreaterThanOrEqual(FULL_LENGTH.least)
    expect(asked.length).toBeLessThanOrEqual(FULL_LENGTH.most)
    expect(error <= FULL_LENGTH.error || asked.length === FULL_LENGTH.most).toBe(true)
  }
  expect(new Set(ours.map(({ asked }) => asked.length)).size).toBeGreaterThan(3)
})

test.each(kinds)(
  'every domain of a $name bank has its share within one question, and no question comes twice',
  ({ ours }) => {
    for (const { asked } of ours) {
      expect(new Set(asked).size).toBe(asked.length)
      for (const [domain, weight] of WEIGHTS) {
        const count = asked.filter((question) => question.domain === domain).length
        expect(Math.abs(count - weight * asked.length)).toBeLessThan(1)
      }
    }
  },
)

test.each(kinds)('no question of a $name bank is in more than its share of the diagnostics', ({ name, ours }) => {
  const counts = new Map<string, number>()
  for (const { asked } of ours) for (const { key } of asked) counts.set(key, (counts.get(key) ?? 0) + 1)
  const most = Math.max(...counts.values()) / LEARNERS
  console.warn(`${name}: the most frequent question is in ${(100 * most).toFixed(1)}%, ${counts.size} of 200 are asked`)
  // Three standard errors of a share of 40% among 300.
  expect(most).toBeLessThan(EXPOSURE_MAX + 3 * Math.sqrt((EXPOSURE_MAX * (1 - EXPOSURE_MAX)) / LEARNERS))
})

/** The state of somebody without an answer. */
const stateOf = (candidates: readonly SimulatedQuestion[], length: DiagnosticLength = FULL_LENGTH, seed = 7) => ({
  candidates,
  asked: [] as SimulatedQuestion[],
  weights: WEIGHTS,
  abilities: presentAbilities([], candidates, [...WEIGHTS.keys()], new Date()),
  seed,
  length,
})

/** All questions of a diagnostic whose answers nobody weighs. */
function allOf(state: ReturnType<typeof stateOf>): SimulatedQuestion[] {
  const next = nextQuestion(state)
  return next === null ? [] : [next, ...allOf({ ...state, asked: [...state.asked, next] })]
}

test('equal states ask equal questions, and another seed others', () => {
  const bank = simulatedBank(200, 0.4)
  expect(allOf(stateOf(bank))).toEqual(allOf(stateOf(bank)))
  expect(allOf(stateOf(bank))).not.toEqual(allOf(stateOf(bank, FULL_LENGTH, 8)))
})

test('new questions come before seen ones', () => {
  const bank = simulatedBank(200, 0.4).map((question, place) => ({ ...question, isSeen: place % 40 > 11 }))
  expect(allOf(stateOf(bank)).filter(({ isSeen }) => isSeen)).toEqual([])
  const allSeen = bank.map((question) => ({ ...question, isSeen: true }))
  expect(allOf(stateOf(allSeen))).toHaveLength(FULL_LENGTH.most)
})

test('a small bank gives what it has, and a missing domain leaves its share to the others', () => {
  expect(new Set(allOf(stateOf(simulatedBank(12, 0.8)))).size).toBe(12)
  expect(allOf(stateOf([]))).toEqual([])
  const withoutOne = simulatedBank(80, 0.8).filter(({ domain }) => domain !== 'Cost')
  expect(allOf(stateOf(withoutOne))).toHaveLength(FULL_LENGTH.most)
  expect(allOf(stateOf(simulatedBank(200, 0.8), SHORT_LENGTH))).toHaveLength(8)
})
