import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import PgBoss from 'pg-boss'
import type { z } from 'zod'
import { createTables, describeUnknown, listMigrations, migrateFrom, MIGRATION_LOCK } from '../../db/migrate.server.ts'
import { EMULATOR_TABLES } from '../../emulators/emulator-storage.server.ts'
import { counted } from '../../lib/text.ts'
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

/** The reason why nothing was restored, in words for the admin. */
export class CannotRestore extends Error {}

/** A stored backup. The passphrase is asked for only if the backup is sealed. */
export type BackupSource = {
  readonly open: () => AsyncIterable<Uint8Array>
  readonly passphrase: () => Promise<string>
}

type RestoreOptions = {
  readonly onProgress?: (done: number, total: number) => void
  /** Called with each row as it is in the file. */
  readonly onRow?: (table: string, row: string) => void
  /** Called before anything is restored. What it returns writes the secret of the backup, once all is restored. */
  readonly takeSecret?: (header: SnapshotHeader) => Promise<() => Promise<void>>
  /** Leaves the tables as the version that made the backup had them. */
  readonly skipsMigrations?: boolean
}

/** Restores and checks the whole backup in one transaction. @throws CannotRestore */
export async function restoreSnapshot(
  client: pg.ClientBase,
  backup: BackupSource,
  { onProgress, onRow, takeSecret, skipsMigrations = false }: RestoreOptions,
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
    const writeSecret = await takeSecret?.(header)
    await createSchema(client, header)
    const foreignKeys = await dropForeignKeys(client)
    const tables = await listTables(client)
    requireSameTables(header, tables)
    for (const table of tables) {
      await client.query(`alter table ${quoted(table.schema, table.name)} disable trigger user`)
      await client.query(`delete from ${quoted(table.schema, table.name)}`)
    }
    const rows = await loadRows(client, header, lines, { onProgress, onRow })
    for (const add of foreignKeys) await client.query(add)
    for (const table of tables)
      await client.query(`alter table ${quoted(table.schema, table.name)} enable trigger user`)
    if (!skipsMigrations) await migrateFrom(client, header.migrations.length)
    await writeSecret?.()
    await client.query('commit')
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

async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const tables = await listTables(client)
  if (tables.length > 0)
    throw new CannotRestore(
      `The database is not empty: it has ${counted(tables.length, 'table')}. Restore into a new data folder (DATA_DIR) or an empty database (DATABASE_URL).`,
    )
}

/** Creates the tables as the version of the backup defined them. */
async function createSchema(client: pg.ClientBase, header: SnapshotHeader): Promise<void> {
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
async function dropForeignKeys(client: pg.ClientBase): Promise<string[]> {
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
  client: pg.ClientBase,
  header: SnapshotHeader,
  lines: AsyncGenerator<Line>,
  { onProgress, onRow }: Pick<RestoreOptions, 'onProgress' | 'onRow'>,
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
      onProgress?.(done, total)
    }
    batch = []
    bytes = 0
  }
  for await (const { text, sha256 } of lines) {
    const value = asJson(text)
    const row = SnapshotRow.safeParse(value)
    if (row.success && table !== undefined) {
      batch.push(row.data)
      if (onRow !== undefined && !isLeftOut(table)) onRow(nameOf(table), text)
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

async function insertRows(client: pg.ClientBase, table: SnapshotTable, rows: readonly (string | null)[][]) {
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

/** The lines of the backup, each with the checksum of all previous lines. */
async function* linesOf({ open, passphrase }: BackupSource): AsyncGenerator<Line> {
  const hash = createHash('sha256')
  const unpacked = createGunzip()
  const stored = Readable.from(unsealed(open(), passphrase))
  // The loop below throws the errors of all streams.
  pipeline(stored, unpacked, () => stored.destroy())
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
    if (problem instanceof WrongPassphrase || problem instanceof SealBroken) throw new CannotRestore(problem.message)
    if (code.startsWith('Z_')) throw new CannotRestore('The file is truncated or damaged: it cannot be decompressed.')
    throw problem
  } finally {
    unpacked.destroy()
  }
}

/** The bytes of a backup; those of a sealed one, opened. */
async function* unsealed(source: AsyncIterable<Uint8Array>, passphrase: () => Promise<string>) {
  const parts = source[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  while (start.length < MAGIC_BYTES) {
    const { value, done } = await parts.next()
    if (done === true) break
    start = Buffer.concat([start, value])
  }
  async function* whole() {
    yield start
    yield* { [Symbol.asyncIterator]: () => parts }
  }
  if (isSealed(start)) yield* unseal(whole(), await passphrase())
  else yield* whole()
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
