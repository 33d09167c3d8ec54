import type { Findings } from './verify.ts'

/** What one round showed. */
export type Round = {
  readonly number: number
  readonly fault: string
  readonly said: string
  readonly answers: number
  readonly payments: number
  readonly imports: number
  /** Imports that failed, so that a person had to upload them again. */
  readonly givenUp: readonly string[]
  readonly failedRequests: number
  readonly slowRequests: readonly { readonly what: string; readonly seconds: number }[]
  readonly slowestSeconds: number
  readonly wellSeconds: number
  /** What was not well after the longest wait. */
  readonly failing: string | null
  readonly findings: Findings
  readonly deaths: readonly string[]
  readonly failedStarts: readonly string[]
  readonly refusals: readonly string[]
  /** How long the clients themselves stood still at most: what a busy machine adds to a request. */
  readonly stallSeconds: number
  /** Processes that wanted to run, for each core. */
  readonly load: number
}

export type Bounds = {
  readonly wellSeconds: number
  readonly areSlowRequestsAllowed: boolean
  readonly mayImportsFail: boolean
}

export const BOUNDS: Bounds = { wellSeconds: 30, areSlowRequestsAllowed: false, mayImportsFail: false }

/** A sentence for each bound that the round has broken. */
export function listBroken(round: Round, bounds: Bounds = BOUNDS): string[] {
  const { lost, doubled, twice, withoutAccess } = round.findings
  const broken = [
    ...lost.map((what) => `acknowledged and lost: ${what}`),
    ...doubled.map((what) => `doubled: ${what}`),
    ...twice.map((what) => `fulfilled twice: ${what}`),
    ...withoutAccess.map((what) => `paid, but no access after ${ACCESS_SECONDS} s: ${what}`),
    ...round.deaths.map((said) => `a process died that nobody had killed: ${said}`),
  ]
  if (!bounds.mayImportsFail) broken.push(...round.givenUp.map((what) => `not read by itself: ${what}`))
  if (!bounds.areSlowRequestsAllowed)
    broken.push(...round.slowRequests.map(({ what, seconds }) => `${what} took ${seconds.toFixed(1)} s`))
  if (round.failing !== null || round.wellSeconds > bounds.wellSeconds)
    broken.push(
      `it was not well again within ${bounds.wellSeconds} s, but after ${round.wellSeconds.toFixed(1)} s${round.failing === null ? '' : ` still not: ${round.failing}`}`,
    )
  return broken.map((sentence) => `round ${round.number}, ${round.fault}: ${sentence}`)
}

/** The longest time from when all is well until each confirmed payment gives access. */
export const ACCESS_SECONDS = 30

const columns: readonly (readonly [string, (round: Round) => string])[] = [
  ['round', ({ number }) => String(number)],
  ['fault', ({ fault }) => fault],
  ['answers', ({ answers }) => String(answers)],
  ['payments', ({ payments }) => String(payments)],
  ['imports', ({ imports }) => String(imports)],
  ['failed', ({ failedRequests }) => String(failedRequests)],
  ['slowest', ({ slowestSeconds }) => `${slowestSeconds.toFixed(1)} s`],
  ['> 10 s', ({ slowRequests }) => String(slowRequests.length)],
  ['well after', ({ wellSeconds, failing }) => `${failing === null ? '' : '> '}${wellSeconds.toFixed(1)} s`],
  ['lost', ({ findings }) => String(findings.lost.length)],
  ['doubled', ({ findings }) => String(findings.doubled.length)],
  ['twice', ({ findings }) => String(findings.twice.length)],
  ['no access', ({ findings }) => String(findings.withoutAccess.length)],
  ['died', ({ deaths }) => String(deaths.length)],
  ['stall', ({ stallSeconds }) => `${stallSeconds.toFixed(1)} s`],
  ['load', ({ load }) => load.toFixed(1)],
]

/** A line for each round, under a heading. */
export function tableOf(rounds: readonly Round[]): string {
  const cells = [columns.map(([name]) => name), ...rounds.map((round) => columns.map(([, cell]) => cell(round)))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)))
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
