// npm run cluster: the reference deployment of `deploy/` on this machine, from Debian's packages: etcd, Patroni with three nodes of
// PostgreSQL and a synchronous standby, HAProxy, PgBouncer, two processes of the shop, nginx. It prints the addresses and ends on Ctrl-C.
// npm run cluster -- chaos [--seed 7] [--losses 10]: upgrades the shop from the version before and loses the primary again and again, under
// load, and compares what was acknowledged with the database.
// npm run cluster -- point-in-time: a backup by pgBackRest, a loss of the primary, a mistake, and back to the moment before it.
// docs/operations.md, The reference cluster.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { interrupt, Interrupted } from './cluster/child-process.ts'
import { CHAOS_ENVIRONMENT, FAULTS, runChaos } from './cluster/chaos/chaos.ts'
import { LOSSES } from './cluster/chaos/primary-losses.ts'
import { restoreToMoment } from './cluster/point-in-time.ts'
import { findPrograms } from './cluster/programs.ts'
import { startCluster, type Cluster } from './cluster/reference-cluster.ts'
import { ADMIN } from './cluster/shop-processes.ts'
import { checkOut, findVersionBefore } from './cluster/version-before.ts'

const USAGE = `usage: npm run cluster -- [chaos [--seed <number>] [--losses <number>] [--only <fault>]… [--full-disk <seconds>] [--from <commit>]]
       npm run cluster -- point-in-time
       each with --port <number>
faults: ${FAULTS.join(', ')}`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    seed: { type: 'string' },
    losses: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    'full-disk': { type: 'string', default: '20' },
    from: { type: 'string' },
  },
})
const { only, port, seed = String(Math.floor(Math.random() * 1_000_000)), from } = values
const kinds = LOSSES.filter((loss) => only.length === 0 || only.includes(loss))
const { losses = String(only.length === 0 ? 10 : kinds.length), 'full-disk': fullDisk } = values
const [task] = positionals
const isChaos = task === 'chaos'
const isArchived = task === 'point-in-time'
if (
  positionals.length > 1 ||
  (task !== undefined && !isChaos && !isArchived) ||
  [losses, seed, fullDisk, port ?? '0'].some((text) => !/^\d{1,9}$/.test(text)) ||
  only.some((name) => !FAULTS.some((known) => known === name))
) {
  console.error(USAGE)
  process.exit(2)
}
const programs = findPrograms({ isArchived })
if ('missing' in programs) {
  console.error(`The cluster needs Debian's packages ${programs.missing.join(', ')}. Nothing was started or installed.`)
  process.exit(1)
}

const stopped = new Promise<'stopped'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      interrupt()
      resolve('stopped')
    })
})

function describe({ addresses }: Cluster): string {
  const width = Math.max(...Object.keys(addresses).map((name) => name.length))
  return [
    ...Object.entries(addresses).map(([name, address]) => `  ${name.padEnd(width)}  ${address}`),
    `  ${'admin'.padEnd(width)}  ${ADMIN.email}, ${ADMIN.password}`,
  ].join('\n')
}

/** A folder with the version before, for the upgrade; null, with a sentence, when the history does not have it. */
function takeVersionBefore(): string | null {
  if (!isChaos || (only.length > 0 && !only.includes('upgrade'))) return null
  const commit = findVersionBefore(from)
  if (commit === null) {
    console.log(
      `No upgrade: ${from === undefined ? 'the history of git does not reach back to before the newest migration (a shallow clone?)' : `git has no commit ${from}`}.`,
    )
    return null
  }
  const folder = mkdtempSync(join(tmpdir(), 'altocert-before-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  console.log(`The version before is ${commit.slice(0, 12)}; it is built with the packages of this one.`)
  checkOut(commit, join(folder, 'source'))
  return join(folder, 'source')
}

const before = takeVersionBefore()
const cluster = await startCluster(programs.found, {
  report: (line) => console.log(line),
  ...(port === undefined ? {} : { port: Number(port) }),
  ...(task === undefined ? {} : { environment: CHAOS_ENVIRONMENT }),
  hasSmallDisks: isChaos,
  ...(before === null ? {} : { root: before }),
}).catch((error: unknown) => {
  if (!(error instanceof Interrupted)) throw error
  console.log('Stopped while it started; nothing is left.')
  process.exit(130)
})
console.log(
  `The cluster is ready. One etcd is enough here, because it shares its machine with everything else.\n${describe(cluster)}`,
)
if (task === undefined) {
  console.log('Ctrl-C ends it and removes its data.')
  await stopped
} else {
  if (isChaos) console.log(`${losses} losses of the primary by seed ${seed}`)
  const options = { seed: Number(seed), losses: Number(losses), kinds, fullDiskSeconds: Number(fullDisk), before }
  const working = isChaos ? runChaos(cluster, options) : restoreToMoment(cluster, programs.found)
  const outcome = await Promise.race([
    stopped,
    working.catch(async (error: unknown) => {
      console.error(await cluster.lastLines(), error)
      return false
    }),
  ])
  process.exitCode = outcome === true ? 0 : 1
}
interrupt(false)
console.log('Stopping …')
await cluster.stop()
// After Ctrl-C the users of a chaos run are still waiting for replies.
process.exit()
