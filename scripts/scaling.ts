// npm run scaling: writes the tables of docs/scaling.md from docs/scaling-measured.json, which `BENCH_RECORD=1 npm run bench -- costs
// workers` writes; with --check it fails when they are stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'

const PAGE = 'docs/scaling.md'

type Cost = { serverMs: number; databaseMs: number; bytesIn: number; bytesOut: number; walBytes: number }
type Machine = { day: string; cores: number; processor: string; node: string; load: number }
type Recorded = {
  readonly costs?: {
    readonly machine: Machine
    readonly measured: {
      readonly costs: Readonly<Record<string, Cost>>
      readonly streams: { serverMs: number; bytesOut: number }
      readonly notify: { row: string; perSecond: number }
      readonly connections: number
    }
  }
  readonly workers?: { readonly machine: Machine; readonly measured: readonly { what: string; measured: string }[] }
}

/** What a person does in a minute, on average of all who are there at once. Assumed, not measured: replace it by what your shop sees. */
const HABITS: Readonly<Record<string, { perMinute: number; because: string }>> = {
  'a save': {
    perMinute: 2,
    because: 'everybody takes an exam, and answers, flags or changes something every half minute',
  },
  'a start': { perMinute: 1 / 60, because: 'an exam takes an hour' },
  'a submission': { perMinute: 1 / 60, because: 'an exam takes an hour' },
  'the first view of a review': { perMinute: 1 / 60, because: 'each exam is reviewed once' },
  'My Courses': { perMinute: 1 / 20, because: 'three pages between two exams' },
  'a page of guests': {
    perMinute: 1 / 6,
    because: 'ten guests look around for each person in an exam, each for a minute an hour',
  },
  'an order': { perMinute: 1 / 6000, because: 'one person in a hundred buys something in an hour' },
}
const CROWDS = [10_000, 100_000, 1_000_000]
/** Half of a machine's CPU stays free: for peaks, vacuum, backups and the loss of another machine. */
const USED_SHARE = 0.5
/** Connections of a process: its pool, the one that hears changes, and one for a regular job. */
const CONNECTIONS = 18
/** The largest machine that a cloud's ordinary catalogue has for one PostgreSQL. */
const LARGEST_CORES = 64

function tables(recorded: Recorded): Record<string, string> {
  const { costs, workers } = recorded
  if (costs === undefined || workers === undefined) throw new Error('docs/scaling-measured.json lacks costs or workers')
  return {
    costs: costsTable(costs),
    workers: `${machineText(workers.machine)}\n\n${table(
      ['compared', 'median (figures; lowest to highest)'],
      workers.measured.map(({ what, measured }) => [what, measured]),
    )}`,
    habits: table(
      ['a person does', 'in a minute', 'because'],
      [
        ...Object.entries(HABITS).map(([what, { perMinute, because }]) => [what, perMinute.toPrecision(2), because]),
        ['an open stream', 'always one', 'every open page listens for changes'],
      ],
    ),
    plan: planTable(costs.measured),
  }
}

function machineText({ day, cores, processor, node, load }: Machine): string {
  return `Measured ${day} on ${cores} cores (${processor}), Node ${node}; load of the machine over five minutes at the end: ${load}.`
}

function costsTable({ machine, measured }: NonNullable<Recorded['costs']>): string {
  const { costs, streams, notify, connections } = measured
  const rows = Object.entries(costs).map(([what, cost]) => [
    what,
    `${cost.serverMs.toFixed(2)} ms`,
    `${cost.databaseMs.toFixed(2)} ms`,
    bytes(cost.bytesIn),
    bytes(cost.bytesOut),
    bytes(cost.walBytes),
  ])
  rows.push([
    'an open stream, each minute',
    `${streams.serverMs.toFixed(3)} ms`,
    '0',
    '0',
    bytes(streams.bytesOut),
    '0',
  ])
  return [
    machineText(machine),
    table(['one', 'CPU of the server', 'CPU of the database', 'bytes in', 'bytes out', 'log (WAL)'], rows),
    `Commits of one row with a notification against without: ${notify.row}. Connections of one process under this load, those of the bench included: ${connections}.`,
  ].join('\n\n')
}

function planTable({ costs, streams }: NonNullable<Recorded['costs']>['measured']): string {
  const columns = CROWDS.map((people) => planOf(people, costs, streams))
  const rows: [string, (plan: Plan) => string][] = [
    ['saves a second', ({ saves }) => number(saves)],
    ['cores that our processes use', ({ serverCores }) => serverCores.toFixed(1)],
    [`processes, used to ${USED_SHARE * 100}%`, ({ processes }) => number(processes)],
    ['cores that PostgreSQL uses', ({ databaseCores }) => databaseCores.toFixed(1)],
    [`cores of its machine, used to ${USED_SHARE * 100}%`, ({ databaseMachine }) => number(databaseMachine)],
    ['its log in a second', ({ wal }) => bytes(wal)],
    ['its log in a day, if it were always so', ({ wal }) => bytes(wal * 86_400)],
    ['connections without a pooler', ({ connections }) => number(connections)],
    ['bytes to browsers in a second', ({ out }) => bytes(out)],
  ]
  const million = planOf(1_000_000, costs, streams)
  const each = million.databaseCores / 1_000_000
  const shareOf = (msPerMinute: number) => Math.round((100 * msPerMinute * 1_000_000) / 60_000 / million.serverCores)
  const streamShare = shareOf(streams.serverMs)
  const review = 'the first view of a review'
  const reviewShare = shareOf(costs[review]!.serverMs * HABITS[review]!.perMinute)
  return [
    table(
      ['people at once', ...CROWDS.map(number)],
      rows.map(([what, text]) => [what, ...columns.map(text)]),
    ),
    `At least two processes and two cores. Each process counts ${CONNECTIONS} connections: its pool of 16, the one that hears changes, and one for a regular job.`,
    `Open streams are ${streamShare}% of the CPU of our processes, the first views of reviews ${reviewShare}%.`,
    `By CPU, one PostgreSQL of ${LARGEST_CORES} cores used to ${USED_SHARE * 100}% would carry ${number((LARGEST_CORES * USED_SHARE) / each)} people at once.`,
  ].join('\n\n')
}

type Plan = ReturnType<typeof planOf>

function planOf(
  people: number,
  costs: Readonly<Record<string, Cost>>,
  streams: { serverMs: number; bytesOut: number },
) {
  const perSecond = (what: string) => (people * (HABITS[what]?.perMinute ?? 0)) / 60
  const sum = (of: (cost: Cost) => number) =>
    Object.keys(HABITS).reduce((total, what) => total + perSecond(what) * of(costs[what]!), 0)
  const serverCores = (sum(({ serverMs }) => serverMs) + (people * streams.serverMs) / 60) / 1000
  const databaseCores = sum(({ databaseMs }) => databaseMs) / 1000
  const processes = Math.max(2, Math.ceil(serverCores / USED_SHARE))
  return {
    saves: perSecond('a save'),
    serverCores,
    processes,
    databaseCores,
    databaseMachine: Math.max(2, Math.ceil(databaseCores / USED_SHARE)),
    wal: sum(({ walBytes }) => walBytes),
    connections: processes * CONNECTIONS,
    out: sum(({ bytesOut }) => bytesOut) + (people * streams.bytesOut) / 60,
  }
}

const number = (value: number) => Math.round(value).toLocaleString('en-US')

function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
  const shown = value / 1000 ** step
  return `${step === 0 ? Math.round(shown) : shown.toFixed(1)} ${units[step]}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const written = tables(JSON.parse(readFileSync('docs/scaling-measured.json', 'utf8')) as Recorded)
const before = readFileSync(PAGE, 'utf8')
const filled = Object.entries(written).reduce((page, [name, text]) => {
  const block = new RegExp(`(<!-- ${name}: written by \`npm run scaling\` -->\\n)[^]*?(\\n<!-- /${name} -->)`)
  if (!block.test(page)) throw new Error(`${PAGE} has no block ${name}`)
  return page.replace(block, (_, open: string, close: string) => `${open}\n${text}\n${close}`)
}, before)
const after = await format(filled, { ...(await resolveConfig(PAGE)), parser: 'markdown' })
if (!process.argv.includes('--check')) writeFileSync(PAGE, after)
else if (after !== before) {
  console.error(`${PAGE} is stale: run npm run scaling.`)
  process.exitCode = 1
}
