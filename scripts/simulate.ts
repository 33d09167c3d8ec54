// npm run simulate: simulates learners by the thousand and prints how well their readiness is told (docs/readiness.md), and what it
// brings to aim cards at the exam (docs/repetition.md); with a number, that many learners in each row.
import {
  fifthsOf,
  measure,
  OTHER_ROWS,
  simulate,
  simulateShops,
  STATED_ROWS,
  type Fifth,
  type Measured,
  type Run,
  type Scenario,
} from '../src/features/study/readiness/readiness-simulation.fixture.ts'
import { AIM_ROWS, aimTable, compareAim } from '../src/features/study/repetition/exam-aim-simulation.fixture.ts'
import { FIT_ROWS, fitRow } from '../src/features/study/repetition/simulated-reviews.fixture.ts'

const LEARNERS = 4000
const SEED = 20_261_121

const learners = Number(process.argv[2] ?? LEARNERS)
console.log(`${learners} learners a row, seed ${SEED}; ± is the Monte Carlo error (one standard error)\n`)
const head = ['learner', 'responses', 'spread']
const columns = ['coverage %', 'bias, points', 'width', 'knowing']
const chances = 'worst fifth: told, passed %'
print([...head, ...['like ours', 'real'].flatMap((exam) => [...columns, chances].map((name) => `${exam}: ${name}`))])
const stated = STATED_ROWS.flatMap(row)
console.log('\nAll rows above, each as likely as the others:')
for (const kind of ['narrow', 'wide'] as const) {
  console.log(`\n${kind === 'narrow' ? 'On exams like ours' : 'On the real exam'}`)
  const outcomes = stated.map((run) => run[kind])
  print(['', ...columns])
  print(['mean', ...cells(measure(outcomes))])
  print(['told chance', 'learners', 'told %', 'passed %'])
  for (const { from, count, told, happened, error } of fifthsOf(outcomes))
    print([`${from} to ${from + 20}%`, count, told.toFixed(1), `${happened.toFixed(1)} ± ${error.toFixed(1)}`])
}
console.log('\nLearners that the model does not expect:\n')
OTHER_ROWS.forEach(row)
console.log('\nThe real exam after results (passed or not); the shift in logits:\n')
print(['results', 'error of the shift', 'stated deviation', ...columns])
for (const { results, error, stated, wide } of simulateShops(Math.ceil(learners / 40), [0, 10, 30, 100, 300], SEED))
  print([results, error.toFixed(2), stated.toFixed(2), ...cells(wide)])
console.log('\nCards aimed at the exam day, beside FSRS alone; ± is one standard error of the difference:\n')
const pairs = Math.ceil(learners / 100)
console.log(aimTable(AIM_ROWS.map((scenario, place) => compareAim(scenario, pairs, SEED + place))))
console.log('\nIntervals fitted to learners; errors of the predicted recall in points:\n')
print(['memory', 'reviews', 'fits kept', 'error, published', 'error, chosen'])
FIT_ROWS.forEach((scenario, place) => console.log(fitRow(scenario, Math.ceil(learners / 200), SEED + place)))

function row(scenario: Scenario, place: number): Run[] {
  const runs = simulate(scenario, learners, SEED + place)
  const both = (['narrow', 'wide'] as const).map((kind) => runs.map((run) => run[kind]))
  print([
    scenario.name,
    scenario.responses,
    scenario.difficultyDeviation,
    ...both.flatMap((outcomes) => [...cells(measure(outcomes)), worstFifth(fifthsOf(outcomes))]),
  ])
  return runs
}

/** The told chance that is farthest from what happened, of those told to enough learners for a comparison. */
function worstFifth(fifths: readonly Fifth[]): string {
  const compared = fifths.filter(({ count }) => count >= learners / 40)
  const off = ({ told, happened }: Fifth) => Math.abs(told - happened)
  const worst = compared.toSorted((one, other) => off(other) - off(one))[0]
  return worst === undefined ? '' : `${worst.told.toFixed(0)}, ${worst.happened.toFixed(0)} ± ${worst.error.toFixed(0)}`
}

function cells({ coverage, coverageError, bias, biasError, width, knowingWidth }: Measured): string[] {
  return [
    `${coverage.toFixed(1)} ± ${coverageError.toFixed(1)}`,
    `${bias.toFixed(1)} ± ${biasError.toFixed(1)}`,
    width.toFixed(1),
    knowingWidth.toFixed(1),
  ]
}

function print(values: readonly (string | number)[]) {
  console.log(`| ${values.join(' | ')} |`)
}
