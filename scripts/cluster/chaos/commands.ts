import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../../src/app/server/free-port.server.ts'
import { projectRoot } from '../../../src/platform/project-root.server.ts'
import { startChild, until } from '../child-process.ts'
import type { Cluster } from '../reference-cluster.ts'

/** What was begun before a loss: whether it came out well, and how. */
export type Outcome = { readonly isGood: boolean; readonly said: string }

const START_SECONDS = 180

/** Begins a backup. It ends with a whole file, or with a sentence and without a file. */
export async function backUp(cluster: Cluster, name: string): Promise<Outcome> {
  const file = join(cluster.folder, name)
  const { code, said } = await run(cluster, ['backup', file])
  const isThere = existsSync(file)
  return { isGood: isThere === (code === 0) && code !== null, said: code === 0 ? 'backup made' : `no backup: ${said}` }
}

function run(cluster: Cluster, args: readonly string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/altocert.server.ts', ...args], {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'], ...cluster.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve) =>
    child.once('exit', (code) => resolve({ code, said: said.trim().split('\n').at(-1)?.slice(0, 200) ?? '' })),
  )
}

/** Starts a shop on a new, empty database, so that it migrates, which may take `longerMs` longer. One that ends is started again, as systemd would. */
export async function migrate(cluster: Cluster, longerMs: number): Promise<Outcome> {
  const url = new URL(cluster.directUrl)
  await until('an empty database', START_SECONDS, async () => {
    const client = new pg.Client({
      connectionString: superuserUrl(cluster),
      connectionTimeoutMillis: 3000,
      query_timeout: 10_000,
    })
    client.on('error', () => {})
    await client.connect()
    await client.query('drop database if exists chaos_migration')
    await client.query('create database chaos_migration owner altocert').finally(() => client.end())
    return true
  })
  url.pathname = '/chaos_migration'
  const port = await freePort()
  const dataDir = join(cluster.folder, `migration-${port}`)
  await mkdir(dataDir)
  const environment = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: url.href, LOG_LEVEL: 'warn' }
  const start = () =>
    startChild('a shop that migrates', [process.execPath, 'scripts/start.mjs'], {
      log: join(cluster.folder, 'logs/migration.log'),
      isUnprivileged: false,
      cwd: projectRoot,
      environment,
    })
  let [child, starts] = [start(), 1]
  const isServing = async () => {
    if (child.hasEnded()) [child, starts] = [start(), starts + 1]
    return (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2000) })).ok
  }
  const isGood = await until('a shop that migrates', START_SECONDS + longerMs / 1000, isServing).then(
    () => true,
    () => false,
  )
  await child.stop('SIGTERM', 30_000)
  return { isGood, said: `migrated by ${starts === 1 ? 'one start' : `${starts} starts`}` }
}

function superuserUrl(cluster: Cluster): string {
  const url = new URL(cluster.directUrl)
  url.username = 'postgres'
  url.password = cluster.nodes.superuserPassword
  url.pathname = '/postgres'
  return url.href
}
