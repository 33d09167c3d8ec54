import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { openDatabase } from '../../src/db/open.server.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'
import type { Archive } from './log-archive.ts'
import { createBuyers } from './chaos/buyers.ts'
import { makePeopleBy } from './chaos/made-people.ts'
import { losePrimary, untilWhole } from './chaos/primary-losses.ts'
import { createRequests } from './chaos/requests.ts'
import { createTakers } from './chaos/takers.ts'
import { startChild, until, type Child } from './child-process.ts'
import { NODES, type NodeName } from './database-nodes.ts'
import { ownFolder } from './own-folder.ts'
import type { Programs } from './programs.ts'
import type { Cluster } from './reference-cluster.ts'

/** How long users save and buy, each time. */
const WORK_MS = 10_000

/** A table's rows as one number: how many, and a sum that every column goes into. */
type Snapshot = ReadonlyMap<string, string>

/**
 * A base backup of the cluster's primary, users at work, a loss of the primary, users at work again, a moment, then the mistake: all
 * answers and orders are deleted. Restored to the moment, into a folder of its own, every table must be as it was. True if so.
 */
export async function restoreToMoment(cluster: Cluster, programs: Programs): Promise<boolean> {
  const { archive } = cluster
  if (archive === null) throw new Error('the cluster has no archive')
  const primary = async () => {
    let node: NodeName | null = null
    await until('a primary', 60, async () => (node = await cluster.nodes.primary()) !== null)
    return node!
  }
  await archive.run(await primary(), ['stanza-create'])
  await archive.run(await primary(), ['check'])
  const startedAt = performance.now()
  await archive.run(await primary(), ['--type=full', 'backup'])
  console.log(`A base backup of the primary, in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  const people = await makePeopleBy(projectRoot, cluster)
  const requests = createRequests(cluster.url)
  const takers = createTakers(people, requests, Math.random)
  const buyers = createBuyers(people, requests)
  const work = async () => {
    const end = performance.now() + WORK_MS
    await Promise.all([takers, buyers].map((user) => user.run(() => performance.now() > end)))
  }
  await work()
  const lost = await losePrimary(cluster.nodes, 'PostgreSQL killed', 0)
  await untilWhole(cluster.nodes)
  console.log(`The primary was lost: ${lost.next} follows ${lost.node}, and archives on.`)
  await work()
  await cluster.shop.stop()

  const before = await snapshot(superuserUrl(cluster))
  const [moment] = await query(superuserUrl(cluster), 'select clock_timestamp()::text as at')
  await wait(1500)
  await query(superuserUrl(cluster), 'truncate attempt_answers, orders cascade')
  // Writes a segment of the log and waits until it is in the repository.
  await archive.run(await primary(), ['check'])
  console.log(
    `Saved ${takers.savedAt.length} answers, sold ${buyers.confirmed()} courses; then all of them deleted. Back to ${moment!['at']}:`,
  )

  const restored = await startRestored(cluster, archive, programs, moment!['at']!)
  try {
    const after = await snapshot(restored.url)
    const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
      (table) => before.get(table) !== after.get(table),
    )
    const { db, close } = openDatabase(restored.url, { connections: 2 })
    const lostAnswers = await takers.findLost(db)
    const orders = await buyers.findFaults(db)
    await close()
    const faults = [
      ...differing.map((table) => `${table}: ${before.get(table)} before, ${after.get(table)} restored`),
      ...[...lostAnswers, ...orders.lost, ...orders.twice].map((what) => `lost: ${what}`),
    ]
    console.log(
      `Restored and started in ${restored.seconds.toFixed(1)} s. ${before.size} tables compared, ${differing.length} differ; ${lostAnswers.length} acknowledged answers and ${orders.lost.length} orders are missing.${faults
        .slice(0, 20)
        .map((fault) => `\n  ${fault}`)
        .join('')}`,
    )
    return faults.length === 0 && takers.savedAt.length > 0 && buyers.confirmed() > 0
  } finally {
    await restored.child.stop('SIGINT')
  }
}

type Restored = { readonly child: Child; readonly url: string; readonly seconds: number }

/** On a node that is not the primary, beside its own data, as one would look before putting anything back. */
async function startRestored(
  { nodes, folder }: Cluster,
  archive: Archive,
  programs: Programs,
  moment: string,
): Promise<Restored> {
  const startedAt = performance.now()
  const primary = await nodes.primary()
  const node = NODES.find((name) => name !== primary)!
  const dataDir = join(folder, 'restored')
  await ownFolder(dataDir)
  const where = [`--pg1-path=${dataDir}`, '--type=time', `--target=${moment}`, '--target-action=promote']
  await archive.run(node, [...where, 'restore'])
  const port = await freePort()
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: dataDir,
    hba_file: join(dataDir, 'pg_hba.conf'),
    ident_file: join(dataDir, 'pg_ident.conf'),
    // It stands alone: it must not write into the archive that it came from, nor wait for a standby.
    archive_mode: 'off',
    synchronous_standby_names: '',
  }
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = startChild('the restored PostgreSQL', [programs.postgres, '-D', dataDir, ...given], {
    log: join(folder, 'logs/restored.log'),
    environment: archive.environment(node),
  })
  const url = superuserUrl({ port, password: nodes.superuserPassword })
  await until(
    'the restored PostgreSQL',
    120,
    async () => (await query(url, 'select pg_is_in_recovery()::text as is_behind'))[0]!['is_behind'] === 'false',
    child,
  )
  return { child, url, seconds: (performance.now() - startedAt) / 1000 }
}

function superuserUrl(of: Cluster | { readonly port: number; readonly password: string }): string {
  const url = new URL('folder' in of ? of.directUrl : `postgres://127.0.0.1:${of.port}/altocert`)
  url.username = 'postgres'
  url.password = 'folder' in of ? of.nodes.superuserPassword : of.password
  return url.href
}

async function snapshot(url: string): Promise<Snapshot> {
  const tables = await query(
    url,
    // A table that is not logged, as that of the limits, is empty after any recovery.
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relpersistence = 'p'
      and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const found = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await query(
      url,
      `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(row::text, 0)::numeric), 0) as content from ${name} row`,
    )
    found.set(name!, row!['content']!)
  }
  return found
}

async function query(connectionString: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<Record<string, string>>(text).finally(() => client.end())
  return rows
}
