import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { projectRoot } from '../platform/root.server.ts'

const folder = join(projectRoot, 'src/db/migrations')
const lockKey = 4_201_001

/**
 * Brings the database to the newest form. Each file runs once, in order, in a transaction of its own; two processes that
 * start together take turns. Returns the names that it ran.
 * @throws Error when the server is older than 15, or an applied file was changed afterwards.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect()
  try {
    await requireVersion(client)
    await client.query('select pg_advisory_lock($1)', [lockKey])
    try {
      return await runPending(client)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lockKey])
    }
  } finally {
    client.release()
  }
}

async function runPending(client: pg.PoolClient): Promise<string[]> {
  await client.query(
    'create table if not exists migrations (name text primary key, checksum text not null, at timestamptz not null default now())',
  )
  const applied = new Map<string, string>()
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
  for (const row of rows) applied.set(row.name, row.checksum)
  const ran: string[] = []
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()) {
    const text = await readFile(join(folder, name), 'utf8')
    const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
    const known = applied.get(name)
    if (known === checksum) continue
    if (known !== undefined)
      throw new Error(
        `The migration ${name} was changed after it had been applied to this database. Restore the file and add a new one.`,
      )
    await client.query('begin')
    try {
      await client.query(text)
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new Error(`The migration ${name} failed and left nothing behind.`, { cause: error })
    }
    ran.push(name)
  }
  return ran
}

async function requireVersion(client: pg.PoolClient) {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )
  const version = rows[0]?.version ?? 0
  if (version < 150_000)
    throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`)
}
