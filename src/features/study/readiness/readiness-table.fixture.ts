import {
  fifthsOf,
  measure,
  type Fifth,
  type Measured,
  type Run,
  type Scenario,
} from './readiness-simulation.fixture.ts'

/*
 * The table of docs/readiness.md, a row for each kind of learner; `npm run simulate` prints it, and the test of the simulation, with
 * fewer learners.
 */

const columns = ['coverage %', 'bias, points', 'width', 'knowing']
const chances = 'worst fifth: told, passed %'

export const READINESS_HEAD = line([
  'learner',
  'responses',
  'spread',
  ...['like ours', 'real'].flatMap((exam) => [...columns, chances].map((name) => `${exam}: ${name}`)),
])

export function readinessRow({ name, responses, difficultyDeviation }: Scenario, runs: readonly Run[]): string {
  const both = (['narrow', 'wide'] as const).map((kind) => runs.map((run) => run[kind]))
  return line([
    name,
    responses,
    difficultyDeviation,
    ...both.flatMap((outcomes) => [...cellsOf(measure(outcomes)), worstFifth(fifthsOf(outcomes), runs.length)]),
  ])
}

/** All rows together, each as likely as the others, and the told chances beside what happened. */
export function readinessOverall(runs: readonly Run[]): string {
  return (['narrow', 'wide'] as const)
    .map((kind) => {
      const outcomes = runs.map((run) => run[kind])
      return [
        `\n${kind === 'narrow' ? 'On exams like ours' : 'On the real exam'}`,
        line(['', ...columns]),
        line(['mean', ...cellsOf(measure(outcomes))]),
        line(['told chance', 'learners', 'told %', 'passed %']),
        ...fifthsOf(outcomes).map(({ from, count, told, happened, error }) =>
          line([`${from} to ${from + 20}%`, count, told.toFixed(1), `${happened.toFixed(1)} ± ${error.toFixed(1)}`]),
        ),
      ].join('\n')
    })
    .join('\n')
}

/** The told chance that is farthest from what happened, of those told to enough learners for a comparison. */
function worstFifth(fifths: readonly Fifth[], learners: number): string {
  const compared = fifths.filter(({ count }) => count >= learners / 40)
  const off = ({ told, happened }: Fifth) => Math.abs(told - happened)
  const worst = compared.toSorted((one, other) => off(other) - off(one))[0]
  return worst === undefined ? '' : `${worst.told.toFixed(0)}, ${worst.happened.toFixed(0)} ± ${worst.error.toFixed(0)}`
}

export function cellsOf({ coverage, coverageError, bias, biasError, width, knowingWidth }: Measured): string[] {
  return [
    `${coverage.toFixed(1)} ± ${coverageError.toFixed(1)}`,
    `${bias.toFixed(1)} ± ${biasError.toFixed(1)}`,
    width.toFixed(1),
    knowingWidth.toFixed(1),
  ]
}

export function line(values: readonly (string | number)[]): string {
  return `| ${values.join(' | ')} |`
}
