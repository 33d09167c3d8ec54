// npm run cluster: the reference deployment of `deploy/` on this machine, from Debian's packages: etcd, Patroni with three nodes of
// PostgreSQL and a synchronous standby, HAProxy, PgBouncer, two processes of the shop, nginx. It prints the addresses and ends on Ctrl-C.
import { parseArgs } from 'node:util'
import { findPrograms } from './cluster/programs.ts'
import { ADMIN, startCluster, type Cluster } from './cluster/reference-cluster.ts'

const { values } = parseArgs({ options: { port: { type: 'string' } } })
const programs = findPrograms()
if ('missing' in programs) {
  console.error(`The cluster needs Debian's packages ${programs.missing.join(', ')}. Nothing was started or installed.`)
  process.exit(1)
}

const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
})

function describe({ addresses }: Cluster): string {
  const width = Math.max(...Object.keys(addresses).map((name) => name.length))
  return [
    ...Object.entries(addresses).map(([name, address]) => `  ${name.padEnd(width)}  ${address}`),
    `  ${'admin'.padEnd(width)}  ${ADMIN.email}, ${ADMIN.password}`,
  ].join('\n')
}

const starting = startCluster(programs.found, {
  report: (line) => console.log(line),
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
})
const cluster = await starting
console.log(
  `The cluster is ready. One etcd is enough here, because it shares its machine with everything else.\n${describe(cluster)}`,
)
console.log('Ctrl-C ends it and removes its data.')
await stopped
console.log('Stopping …')
await cluster.stop()
