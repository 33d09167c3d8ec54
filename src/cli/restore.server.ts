import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import PgBoss from 'pg-boss'
import type { z } from 'zod'
import { listMigrations, createTables, describeUnknown, migrateFrom, MIGRATION_LOCK } from '../db/migrate.server.ts'
import type { Env } from '../platform/env.server.ts'
import { EMULATOR_TABLES } from '../emulators/emulator-storage.server.ts'
import { limitSilence } from '../db/open.server.ts'
import { withDatabase } from './cli-database.server.ts'
import { readPassphrase } from './passphrase.server.ts'
import { progressBar } from './progress-bar.ts'
import { isSealed, MAGIC_BYTES, SealBroken, unseal, WrongPassphrase } from './seal.server.ts'
import {
  BATCH_BYTES,
  BATCH_ROWS,
  isLeftOut,
  listTables,
  nameOf,
  PLAIN_TEXT,
  quoted,
  SnapshotEnd,
  SnapshotHeader,
  SnapshotRow,
  SnapshotTableLine,
  type SnapshotTable,
} from './snapshot.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'
import { counted } from '../lib/text.ts'

export const restore: Command = {
  usage: 'restore <file> [--json]',
  description:
    'restores a whole backup into an empty database or a new data folder, and signs everybody out; a failed restore changes nothing. Asks for the passphrase of a sealed backup, or reads it from ALTOCERT_BACKUP_PASSPHRASE',
  run: runRestore,
}

/** The reason why nothing was restored, in words for the admin. */
class CannotRestore extends Error {}

async function runRestore(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readArgs(args, { json: { type: 'boolean' } })
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new WrongUsage('name one file.')
  try {
    const { header, rows } = await withDatabase(
      async ({ env, database }) => {
        const passphrase = (await startsSealed(file)) ? await readPassphrase(env, output) : null
        const client = await database.direct.connect()
        // A single statement may take as long as it needs.
        limitSilence(client, 0)
        try {
          return await restoreAll(client, env, { file, passphrase }, (done, total) =>
            output.progress?.(progressBar('restore', done, total)),
          )
        } finally {
          client.release()
        }
      },
      { skipsMigrations: true },
    )
    output.progress?.('')
    if (values.json === true) output.print(JSON.stringify({ file, rows, madeAt: header.madeAt }, null, 2))
    else output.print(`${counted(rows, 'row')} restored, as of ${header.madeAt}. Everybody has to sign in again.`)
    return 0
  } catch (problem) {
    if (problem instanceof WrongUsage) throw problem
    output.progress?.('')
    output.printError(`altocert: nothing was restored. ${problem instanceof Error ? problem.message : String(problem)}`)
    return 1
  }
}

type BackupFile = { readonly file: string; readonly passphrase: string | null }

/** Restores and checks the whole file in one transaction. */
async function restoreAll(
  client: pg.PoolClient,
  env: Env,
  backup: BackupFile,
  onProgress: (done: number, total: number) => void,
): Promise<{ header: SnapshotHeader; rows: number }> {
  const lines = linesOf(backup)
  const first = await lines.next()
  const header = readHeader(first.done === true ? '' : first.value.text)
  await requireKnownVersion(header)
  await client.query('begin')
  try {
    await client.query(PLAIN_TEXT)
    // An app that starts meanwhile waits for this lock, and then finds the restored tables.
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await requireEmpty(client)
    const secretFile = await requireOwnSecret(env, header)
    await createSchema(client, header)
    const foreignKeys = await dropForeignKeys(client)
    const tables = await listTables(client)
    requireSameTables(header, tables)
    for (const table of tables) {
      await client.query(`alter table ${quoted(table.schema, table.name)} disable trigger user`)
      await client.query(`delete from ${quoted(table.schema, table.name)}`)
    }
    const rows = await loadRows(client, header, lines, onProgress)
    for (const add of foreignKeys) await client.query(add)
    for (const table of tables)
      await client.query(`alter table ${quoted(table.schema, table.name)} enable trigger user`)
    await migrateFrom(client, header.migrations.length)
    if (secretFile !== null) await writeFile(secretFile, header.secret ?? '', { mode: 0o600 })
    await client.query('commit')
    await client.query('analyze')
    return { header, rows }
  } catch (problem) {
    await client.query('rollback')
    throw problem
  } finally {
    await lines.return(undefined)
  }
}

function readHeader(text: string): SnapshotHeader {
  const parsed = SnapshotHeader.safeParse(asJson(text))
  if (!parsed.success)
    throw new CannotRestore('The file is not a backup of Altocert, or its format is unknown to this version.')
  return parsed.data
}

/** Accepts backups of this version and of older ones, whose migrations are the first of ours; the rest run after the rows are restored. */
async function requireKnownVersion(header: SnapshotHeader): Promise<void> {
  const own = await listMigrations()
  const isKnown = header.migrations.every(
    ({ name, checksum }, place) => own[place]?.name === name && own[place].checksum === checksum,
  )
  if (isKnown) return
  const isNewer = own.every(({ name }, place) => header.migrations[place]?.name === name)
  const unknown = isNewer ? await describeUnknown(header.migrations) : null
  if (unknown !== null) throw new CannotRestore(`The database in the backup has ${unknown}`)
  const last = (list: readonly { name: string }[]) => list.at(-1)?.name.replace(/\.sql$/, '') ?? 'nothing'
  throw new CannotRestore(
    `The backup was made by another version of Altocert (its database ends with ${last(header.migrations)}, this one's with ${last(own)}). Restore it with that version, then upgrade.`,
  )
}

async function requireEmpty(client: pg.PoolClient): Promise<void> {
  const tables = await listTables(client)
  if (tables.length > 0)
    throw new CannotRestore(
      `The database is not empty: it has ${counted(tables.length, 'table')}. Restore into a new data folder (DATA_DIR) or an empty database (DATABASE_URL).`,
    )
}

/**
 * The path to write the secret to; null when it need not be written.
 * @throws CannotRestore when the data folder has another secret
 */
async function requireOwnSecret(env: Env, header: SnapshotHeader): Promise<string | null> {
  if (header.secret === null || env.authSecret !== undefined) return null
  await mkdir(env.dataDir, { recursive: true })
  const path = join(env.dataDir, 'auth-secret')
  const stored = await readFile(path, 'utf8').catch(() => null)
  if (stored !== null && stored.trim() !== header.secret)
    throw new CannotRestore(`There is another secret in ${path}. Restore into a new data folder.`)
  return path
}

/** Creates the tables as the version of the backup defined them. */
async function createSchema(client: pg.PoolClient, header: SnapshotHeader): Promise<void> {
  await createTables(client, header.migrations.length)
  if (header.hasStandIns) await client.query(EMULATOR_TABLES)
  if (header.jobs === null) return
  // We are already in a transaction.
  await client.query(PgBoss.getConstructionPlans('jobs').replaceAll(/^\s*(BEGIN|COMMIT)\s*;/gim, ''))
  const { rows } = await client.query<{ version: number }>('select version from jobs.version')
  if (rows[0]?.version !== header.jobs.version)
    throw new CannotRestore(
      'The backup was made with another version of the job tables. Restore it with that version of Altocert.',
    )
  for (const name of header.jobs.queues) await client.query(`select jobs.create_queue($1, '{}')`, [name])
}

/** Drops the foreign keys, because rows are loaded table by table. Returns the statements that add the keys again. */
async function dropForeignKeys(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 order by 1, 2`)
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`)
}

function requireSameTables(header: SnapshotHeader, tables: readonly Omit<SnapshotTable, 'rows'>[]): void {
  const shape = ({ schema, name, columns }: Omit<SnapshotTable, 'rows'>) =>
    `${schema}.${name}(${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`
  const [theirs, ours] = [header.tables.map(shape), tables.map(shape)]
  const unknown = theirs.find((table) => !ours.includes(table))
  if (unknown !== undefined || theirs.length !== ours.length)
    throw new CannotRestore(`The tables of the backup do not match its version: ${unknown ?? 'some are missing'}.`)
}

type Line = { readonly text: string; readonly sha256: () => string }

async function loadRows(
  client: pg.PoolClient,
  header: SnapshotHeader,
  lines: AsyncGenerator<Line>,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const total = header.tables.reduce((sum, { rows }) => sum + rows, 0)
  const counts = new Map<string, number>()
  let table: SnapshotTable | undefined
  let batch: z.infer<typeof SnapshotRow>[] = []
  let bytes = 0
  let done = 0
  const flush = async () => {
    if (table !== undefined && batch.length > 0) {
      // Backups of earlier versions hold sessions and one-time links.
      if (!isLeftOut(table)) await insertRows(client, table, batch)
      counts.set(nameOf(table), (counts.get(nameOf(table)) ?? 0) + batch.length)
      done += batch.length
      onProgress(done, total)
    }
    batch = []
    bytes = 0
  }
  for await (const { text, sha256 } of lines) {
    const value = asJson(text)
    const row = SnapshotRow.safeParse(value)
    if (row.success && table !== undefined) {
      batch.push(row.data)
      bytes += text.length
      if (batch.length >= BATCH_ROWS || bytes >= BATCH_BYTES) await flush()
      continue
    }
    await flush()
    const next = SnapshotTableLine.safeParse(value)
    const end = SnapshotEnd.safeParse(value)
    if (next.success) table = header.tables.find((candidate) => nameOf(candidate) === next.data.table)
    else if (end.success) {
      if (end.data.sha256 !== sha256()) throw new CannotRestore('The file is damaged: its checksum does not match.')
      // Reads the rest of the file, so that its checksum and the seal of its last bytes are checked.
      if ((await lines.next()).done !== true) throw new CannotRestore('The file is damaged: it goes on after its end.')
      const missing = header.tables.find((expected) => (counts.get(nameOf(expected)) ?? 0) !== expected.rows)
      if (missing !== undefined) throw new CannotRestore(`The file is damaged: rows of ${nameOf(missing)} are missing.`)
      for (const { name, value: last, isCalled } of end.data.sequences)
        await client.query('select setval($1::regclass, $2::bigint, $3)', [name, last, isCalled])
      return done
    } else throw new CannotRestore('The file is damaged: it contains an unknown kind of line.')
  }
  throw new CannotRestore('The file is truncated: its end is missing.')
}

async function insertRows(client: pg.PoolClient, table: SnapshotTable, rows: readonly (string | null)[][]) {
  const { columns } = table
  if (rows.some((row) => row.length !== columns.length))
    throw new CannotRestore(`The file is damaged: a row of ${nameOf(table)} has the wrong number of columns.`)
  const names = columns.map(({ name }) => quoted(name)).join(', ')
  const values = columns.map(({ type }, place) => `row.c${place}::${type}`).join(', ')
  const arrays = columns.map((_, place) => `$${place + 1}::text[]`).join(', ')
  const aliases = columns.map((_, place) => `c${place}`).join(', ')
  await client.query(
    `insert into ${quoted(table.schema, table.name)} (${names}) overriding system value
     select ${values} from unnest(${arrays}) as row (${aliases})`,
    columns.map((_, place) => rows.map((row) => row[place] ?? null)),
  )
}

/** Whether the file is a sealed backup. False if it cannot be read: reading its lines says why. */
async function startsSealed(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => null)
  try {
    const read = await handle?.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0)
    return read !== undefined && isSealed(read.buffer)
  } catch {
    return false
  } finally {
    await handle?.close()
  }
}

/** The lines of the file, each with the checksum of all previous lines. */
async function* linesOf({ file, passphrase }: BackupFile): AsyncGenerator<Line> {
  const hash = createHash('sha256')
  const unpacked = createGunzip()
  const stored = createReadStream(file)
  // The loop below throws the errors of all streams.
  pipeline(passphrase === null ? stored : Readable.from(unseal(stored, passphrase)), unpacked, () => stored.destroy())
  try {
    const decoder = new TextDecoder()
    let partial: string[] = []
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
      partial.push(first)
      for (const next of others) {
        const text = partial.join('')
        yield { text, sha256: () => hash.copy().digest('hex') }
        hash.update(`${text}\n`)
        partial = [next]
      }
    }
  } catch (problem) {
    const code = (problem as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOENT') throw new CannotRestore(`There is no file ${file}.`)
    if (problem instanceof WrongPassphrase || problem instanceof SealBroken) throw new CannotRestore(problem.message)
    if (code.startsWith('Z_')) throw new CannotRestore('The file is truncated or damaged: it cannot be decompressed.')
    throw problem
  } finally {
    unpacked.destroy()
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
