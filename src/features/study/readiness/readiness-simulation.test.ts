import { expect, test } from 'vitest'
import { fifthsOf, measure, simulate, STATED_ROWS } from './readiness-simulation.fixture.ts'
import { READINESS_HEAD, readinessOverall, readinessRow } from './readiness-table.fixture.ts'

/*
 * `npm run simulate` has 4,000 learners a row and the promised bounds: each row's coverage between 84% and 97% and bias at most 3
 * points; over all rows 88% to 93% and 1.5 points, and told chances within 5 points of what happens. Here are 200 a row, and the
 * bounds are wider by two to three times the error that so few leave. The table is printed with its errors.
 */
const LEARNERS = 200
const rows = STATED_ROWS.map((scenario, place) => ({
  scenario,
  runs: simulate(scenario, LEARNERS, 100 + place),
}))

const table = [READINESS_HEAD, ...rows.map(({ scenario, runs }) => readinessRow(scenario, runs))]
console.warn(`${table.join('\n')}\n${readinessOverall(rows.flatMap(({ runs }) => runs))}`)

for (const kind of ['narrow', 'wide'] as const) {
  const exam = kind === 'narrow' ? 'an exam like ours' : 'the real exam'
  const all = rows.flatMap(({ runs }) => runs.map((run) => run[kind]))

  test.each(rows.map(({ scenario, runs }) => ({ ...scenario, runs })))(
    `on ${exam} the interval holds for who $name over $responses responses, difficulties spread by $difficultyDeviation`,
    ({ runs }) => {
      const { coverage, bias } = measure(runs.map((run) => run[kind]))
      expect(coverage).toBeGreaterThan(80)
      expect(coverage).toBeLessThan(99.5)
      expect(Math.abs(bias)).toBeLessThan(5)
    },
  )

  test(`over all learners the forecast of ${exam} is as good as it says`, () => {
    const { coverage, bias, width, knowingWidth } = measure(all)
    expect(coverage).toBeGreaterThan(87)
    expect(coverage).toBeLessThan(94.5)
    expect(Math.abs(bias)).toBeLessThan(2)
    expect(width).toBeGreaterThan(knowingWidth)
    for (const { told, happened } of fifthsOf(all)) expect(Math.abs(told - happened)).toBeLessThan(9)
  })
}
