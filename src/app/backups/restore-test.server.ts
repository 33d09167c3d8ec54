import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { openDatabase, type OpenDatabase } from '../../db/open.server.ts'
import { limitSilence } from '../../db/silent-connections.server.ts'
import { ContentSums } from './content-sums.server.ts'
import { CannotRestore, restoreSnapshot, type BackupSource } from './restore-snapshot.server.ts'
import { isLeftOut, listTables, nameOf, PLAIN_TEXT, rowsOf } from './snapshot.server.ts'

/** The role of the database may not create one. The message says how it may. */
export class MayNotCreate extends Error {}

const INSUFFICIENT_PRIVILEGE = '42501'
const PREFIX = 'altocert_restore_test'

/**
 * Restores a backup into a temporary database of the same server, compares every table with the backup, and drops the database.
 * `digest` is that of what was written, where it is known.
 * @throws CannotRestore when the backup is damaged; MayNotCreate
 */
export async function testRestore(
  database: OpenDatabase,
  source: BackupSource,
  { digest, signal }: { digest: string | null; signal: AbortSignal },
): Promise<void> {
  const name = `${await prefixFor(database)}${randomBytes(4).toString('hex')}`
  await create(database, name)
  try {
    const url = new URL(database.address.directUrl)
    url.pathname = `/${name}`
    const temporary = openDatabase(url.href, { connections: 1 })
    try {
      await withClient(temporary, signal, (client) => restoreAndCompare(client, source, digest))
    } finally {
      await temporary.close()
    }
  } finally {
    await withClient(database, null, async (client) => {
      // `with (force)` is refused where autovacuum is at work in it, which a plain drop ends itself.
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
        [name],
      )
      await client.query(`drop database if exists ${name}`)
    })
  }
}

/** Drops the databases that tests have left whose process ended in between. One that is in use stays. */
export async function dropLeftDatabases(database: OpenDatabase): Promise<string[]> {
  const prefix = await prefixFor(database)
  const { rows } = await database.direct.query<{ name: string }>(
    `select datname as name from pg_database d where starts_with(datname, $1)
       and not exists (select 1 from pg_stat_activity a where a.datid = d.oid)`,
    [prefix],
  )
  for (const { name } of rows)
    await withClient(database, null, (client) => client.query(`drop database if exists ${name}`))
  return rows.map(({ name }) => name)
}

/** Installations on one server do not touch each other's. */
async function prefixFor(database: OpenDatabase): Promise<string> {
  const { rows } = await database.direct.query<{ name: string }>('select current_database() as name')
  const own = createHash('sha256')
    .update(rows[0]?.name ?? '')
    .digest('hex')
    .slice(0, 8)
  return `${PREFIX}_${own}_`
}

async function create(database: OpenDatabase, name: string): Promise<void> {
  try {
    const locale = await localeOf(database)
    // template1 may be in use by somebody.
    await withClient(database, null, (client) => client.query(`create database ${name} template template0 ${locale}`))
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
    const { rows } = await database.direct.query<{ role: string }>('select quote_ident(current_user) as role')
    throw new MayNotCreate(
      `The role of the database may not create databases. Allow it: alter role ${rows[0]?.role} createdb.`,
    )
  }
}

/** The character set and the sorting of the shop's own database, as `create database` takes them. */
async function localeOf(database: OpenDatabase): Promise<string> {
  const { rows } = await database.direct.query<{ locale: string }>(`
    select format('encoding %L lc_collate %L lc_ctype %L', pg_encoding_to_char(encoding), datcollate, datctype)
      || case datlocprovider
        when 'i' then format(' locale_provider icu icu_locale %L',
          coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale'))
        when 'b' then format(' locale_provider builtin builtin_locale %L', to_jsonb(d) ->> 'datlocale')
        else ' locale_provider libc' end as locale
    from pg_database d where datname = current_database()`)
  return rows[0]?.locale ?? ''
}

async function restoreAndCompare(client: pg.ClientBase, source: BackupSource, digest: string | null): Promise<void> {
  const stored = new ContentSums()
  await restoreSnapshot(client, source, { onRow: (table, row) => stored.add(table, row), skipsMigrations: true })
  if (digest !== null && stored.digest() !== digest)
    throw new CannotRestore('The file does not hold what was written into it.')
  const difference = stored.difference(await sumsOf(client))
  if (difference !== null) throw new CannotRestore(difference)
}

async function sumsOf(client: pg.ClientBase): Promise<ContentSums> {
  const sums = new ContentSums()
  await client.query('begin isolation level repeatable read read only')
  await client.query(PLAIN_TEXT)
  for (const table of await listTables(client)) {
    if (isLeftOut(table)) continue
    for await (const rows of rowsOf(client, { ...table, rows: 0 }))
      for (const row of rows) sums.add(nameOf(table), JSON.stringify(row))
  }
  await client.query('rollback')
  return sums
}

/** A connection on which a statement may take as long as it needs, until `signal`. It is not used again. */
async function withClient<Result>(
  database: OpenDatabase,
  signal: AbortSignal | null,
  work: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = await database.direct.connect()
  limitSilence(client, 0)
  let isReleased = false
  const release = () => {
    if (!isReleased) client.release(true)
    isReleased = true
  }
  signal?.addEventListener('abort', release, { once: true })
  try {
    signal?.throwIfAborted()
    await client.query('set statement_timeout to 0')
    return await work(client)
  } finally {
    signal?.removeEventListener('abort', release)
    release()
  }
}
