// npm run simulate: simulates learners by the thousand and prints how well their readiness is told (docs/readiness.md), and what it
// brings to aim cards at the exam (docs/repetition.md); with a number, that many learners in each row.
import {
  OTHER_ROWS,
  simulate,
  simulateShops,
  STATED_ROWS,
  type Run,
  type Scenario,
} from '../src/features/study/readiness/readiness-simulation.fixture.ts'
import {
  cellsOf,
  line,
  READINESS_HEAD,
  readinessOverall,
  readinessRow,
} from '../src/features/study/readiness/readiness-table.fixture.ts'
import { AIM_ROWS, aimTable, compareAim } from '../src/features/study/repetition/exam-aim-simulation.fixture.ts'
import { FIT_ROWS, fitRow } from '../src/features/study/repetition/simulated-reviews.fixture.ts'

const LEARNERS = 4000
const SEED = 20_261_121

const learners = Number(process.argv[2] ?? LEARNERS)
console.log(`${learners} learners a row, seed ${SEED}; ± is the Monte Carlo error (one standard error)\n`)
console.log(READINESS_HEAD)
const stated = STATED_ROWS.flatMap(row)
console.log('\nAll rows above, each as likely as the others:')
console.log(readinessOverall(stated))
console.log('\nLearners that the model does not expect:\n')
OTHER_ROWS.forEach(row)
console.log('\nThe real exam after results (passed or not); the shift in logits:\n')
print(['results', 'error of the shift', 'stated deviation', 'coverage %', 'bias, points', 'width', 'knowing'])
for (const { results, error, stated, wide } of simulateShops(Math.ceil(learners / 40), [0, 10, 30, 100, 300], SEED))
  print([results, error.toFixed(2), stated.toFixed(2), ...cellsOf(wide)])
console.log('\nCards aimed at the exam day, beside FSRS alone; ± is one standard error of the difference:\n')
const pairs = Math.ceil(learners / 100)
console.log(aimTable(AIM_ROWS.map((scenario, place) => compareAim(scenario, pairs, SEED + place))))
console.log('\nIntervals fitted to learners; errors of the predicted recall in points:\n')
print(['memory', 'reviews', 'fits kept', 'error, published', 'error, chosen'])
FIT_ROWS.forEach((scenario, place) => console.log(fitRow(scenario, Math.ceil(learners / 200), SEED + place)))

function row(scenario: Scenario, place: number): Run[] {
  const runs = simulate(scenario, learners, SEED + place)
  console.log(readinessRow(scenario, runs))
  return runs
}

function print(values: readonly (string | number)[]) {
  console.log(line(values))
}
