// npm run cluster: the reference deployment of `deploy/` on this machine, from Debian's packages: etcd, Patroni with three nodes of
// PostgreSQL and a synchronous standby, HAProxy, PgBouncer, two processes of the shop, nginx. It prints the addresses and ends on Ctrl-C.
// npm run cluster -- chaos [--seed 7] [--losses 10]: loses the primary again and again under load, and compares what was acknowledged
// with the database.
import { parseArgs } from 'node:util'
import { interrupt, Interrupted } from './cluster/child-process.ts'
import { CHAOS_ENVIRONMENT, runChaos } from './cluster/chaos/chaos.ts'
import { findPrograms } from './cluster/programs.ts'
import { ADMIN, startCluster, type Cluster } from './cluster/reference-cluster.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, seed: { type: 'string' }, losses: { type: 'string', default: '10' } },
})
const { losses, port, seed = String(Math.floor(Math.random() * 1_000_000)) } = values
const [task] = positionals
const isChaos = task === 'chaos'
if (
  positionals.length > 1 ||
  (task !== undefined && !isChaos) ||
  [losses, seed, port ?? '0'].some((text) => !/^\d+$/.test(text))
) {
  console.error('usage: npm run cluster -- [chaos [--seed <number>] [--losses <number>]] [--port <number>]')
  process.exit(2)
}
const programs = findPrograms()
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

const cluster = await startCluster(programs.found, {
  report: (line) => console.log(line),
  ...(port === undefined ? {} : { port: Number(port) }),
  ...(isChaos ? { environment: CHAOS_ENVIRONMENT, hasSmallDisks: true } : {}),
}).catch((error: unknown) => {
  if (!(error instanceof Interrupted)) throw error
  console.log('Stopped while it started; nothing is left.')
  process.exit(130)
})
console.log(
  `The cluster is ready. One etcd is enough here, because it shares its machine with everything else.\n${describe(cluster)}`,
)
if (isChaos) {
  console.log(`${losses} losses of the primary by seed ${seed}`)
  const outcome = await Promise.race([
    stopped,
    runChaos(cluster, { seed: Number(seed), losses: Number(losses) }).catch(async (error: unknown) => {
      console.error(await cluster.lastLines(), error)
      return false
    }),
  ])
  process.exitCode = outcome === true ? 0 : 1
} else {
  console.log('Ctrl-C ends it and removes its data.')
  await stopped
}
interrupt(false)
console.log('Stopping …')
await cluster.stop()
// After Ctrl-C the users of a chaos run are still waiting for replies.
process.exit()
