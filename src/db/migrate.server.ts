import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { counted } from '../lib/text.ts'
import { projectRoot } from '../platform/project-root.server.ts'
import { limitSilence } from './silent-connections.server.ts'

const folder = join(projectRoot, 'src/db/migrations')
/** From this migration on, the version that runs one is stored with it. */
const VERSIONS_SINCE = '0084_version_of_a_migration.sql'
/** Advisory lock for every process that creates or migrates tables: a start, the command line, a restore. */
export const MIGRATION_LOCK = 4_201_001

/**
 * Runs the pending migrations in order, each in a transaction of its own, and returns their names. Callers that share the
 * database with other processes hold `withMigrationLock`.
 * @throws Error when the server is older than 15, or an applied migration was edited afterwards
 * @throws DatabaseTooNew when a newer version has migrated the database
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect()
  // An index on a large table takes longer than any other statement may.
  limitSilence(client, 0)
  try {
    await client.query('set statement_timeout to 0')
    await requireVersion(client)
    return await runPending(client)
  } finally {
    client.release(true)
  }
}

/** A newer version of Altocert has migrated the database. The message is written for the operator. */
export class DatabaseTooNew extends Error {}

type Migration = { readonly name: string; readonly checksum: string; readonly text: string }

const TABLE =
  'create table if not exists migrations (name text primary key, checksum text not null, at timestamptz not null default now())'

/** Every migration of this version, in order. */
export async function listMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, checksum: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex'), text }
    }),
  )
}

/**
 * Creates the tables in an empty database within the caller's transaction, as the first `count` migrations define them. The caller
 * records which migrations ran.
 * @throws Error when the server is older than 15
 */
export async function createTables(client: pg.ClientBase, count: number): Promise<void> {
  await requireVersion(client)
  await client.query(TABLE)
  for (const { text } of (await listMigrations()).slice(0, count)) await client.query(text)
}

/** Runs the migrations after the first `count` within the caller's transaction, and records them. */
export async function migrateFrom(client: pg.ClientBase, count: number): Promise<void> {
  for (const { name, checksum, text } of (await listMigrations()).slice(count)) {
    await client.query(text)
    await recordMigration(client, { name, checksum })
  }
}

async function recordMigration(client: pg.ClientBase, { name, checksum }: Omit<Migration, 'text'>): Promise<void> {
  if (name < VERSIONS_SINCE)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  else
    await client.query('insert into migrations (name, checksum, version) values ($1, $2, $3)', [
      name,
      checksum,
      await ownVersion(),
    ])
}

async function ownVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as { version: string }
  return version
}

type Applied = { readonly name: string; readonly version?: string | null | undefined }

/** The end of a sentence about a database or a backup that `listMigrations` of this version does not cover; null when it does. */
export async function describeUnknown(applied: readonly Applied[]): Promise<string | null> {
  const known = new Set((await listMigrations()).map(({ name }) => name))
  const unknown = applied.filter(({ name }) => !known.has(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const [first, last] = [unknown[0], unknown.at(-1)]
  if (first === undefined || last === undefined) return null
  const named = (name: string) => name.replace(/\.sql$/, '')
  const names = first === last ? named(first.name) : `${named(first.name)} to ${named(last.name)}`
  const needed = last.version ? `version ${last.version}, which wrote the last of them,` : 'the version that wrote them'
  return `${counted(unknown.length, 'migration')} that this version (${await ownVersion()}) does not know: ${names}. Use ${needed} or a newer one.`
}

async function runPending(client: pg.ClientBase): Promise<string[]> {
  await client.query(TABLE)
  const applied = new Map<string, string>()
  // A database from before `VERSIONS_SINCE` has no column for the version.
  const { rows } = await client.query<{ name: string; checksum: string; version?: string }>('select * from migrations')
  const unknown = await describeUnknown(rows)
  if (unknown !== null) throw new DatabaseTooNew(`The database has ${unknown}`)
  for (const row of rows) applied.set(row.name, row.checksum)
  const ran: string[] = []
  for (const { name, checksum, text } of await listMigrations()) {
    const known = applied.get(name)
    if (known === checksum) continue
    if (known !== undefined)
      throw new Error(
        `The migration ${name} was changed after it had been applied to this database. Restore the file and add a new one.`,
      )
    await client.query('begin')
    try {
      await client.query(text)
      await recordMigration(client, { name, checksum })
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new Error(`The migration ${name} failed and left nothing behind.`, { cause: error })
    }
    ran.push(name)
  }
  return ran
}

async function requireVersion(client: pg.ClientBase) {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )
  const version = rows[0]?.version ?? 0
  if (version < 150_000)
    throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`)
}
