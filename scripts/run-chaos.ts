// npm run chaos: a shop under takers, buyers and an import, in which things are broken round after round; what is stored is compared
// with what the clients were told. npm run chaos -- --seed 7 repeats the faults of a run. docs/operations.md, Chaos.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { counted } from '../src/lib/text.ts'
import { listBroken, tableOf } from './chaos/bounds.ts'
import { FAULT_NAMES, type FaultName } from './chaos/faults.ts'
import { runChaos } from './chaos/run.ts'

const USAGE = `usage: npm run chaos -- [--seed <number>] [--rounds <number>] [--minutes <number>] [--only <fault>]… [--full-disk <seconds>]
faults: ${FAULT_NAMES.join(', ')}`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    rounds: { type: 'string', default: '16' },
    minutes: { type: 'string', default: '15' },
    only: { type: 'string', multiple: true, default: [] },
    'full-disk': { type: 'string' },
    source: { type: 'boolean', default: false },
  },
})
const { seed, rounds, minutes, only, source, 'full-disk': fullDisk } = values
const unknown = only.filter((name) => !FAULT_NAMES.some((known) => known === name))
if ([seed, rounds, minutes, fullDisk ?? '0'].some((number) => !/^\d{1,9}$/.test(number)) || unknown.length > 0) {
  console.error(unknown.length > 0 ? `--only: ${unknown.join(', ')} is no fault\n${USAGE}` : USAGE)
  process.exit(2)
}

if (!source) {
  const { status } = spawnSync(process.execPath, ['scripts/start.mjs', '--build-only'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
console.log(`Seed ${seed}: at most ${counted(Number(rounds), 'round')} and ${counted(Number(minutes), 'minute')}.`)

// The server and its database end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const broken: string[] = []
const done = await runChaos({
  seed: Number(seed),
  rounds: Number(rounds),
  minutes: Number(minutes),
  program: source ? 'source' : 'built',
  ...(only.length > 0 ? { faults: only as FaultName[] } : {}),
  takers: 8,
  buyers: 3,
  questions: 500,
  lasting: [5, 15],
  ...(fullDisk === undefined ? {} : { fullDiskSeconds: Number(fullDisk) }),
  mostKills: 3,
  calmMs: 2000,
  hasSmallDisk: true,
  onSkipped: (sentence) => console.log(`Skipped: ${sentence}.`),
  onRound(round) {
    console.log(`${round.number}. ${round.fault}: ${round.said}; well again after ${round.wellSeconds.toFixed(1)} s`)
    for (const start of round.failedStarts) console.log(`   a start ended, and was tried again: ${start}`)
    for (const refusal of round.refusals) console.log(`   refused: ${refusal}`)
    broken.push(...listBroken(round))
  },
})

console.log(`\n${tableOf(done.rounds)}`)
console.log(
  broken.length === 0
    ? '\nAll bounds are kept.'
    : `\n${counted(broken.length, 'finding')}; again with: npm run chaos -- --seed ${seed}. The server's output is in ${done.logFile}.\n${broken.join('\n')}`,
)
process.exit(broken.length === 0 ? 0 : 1)
