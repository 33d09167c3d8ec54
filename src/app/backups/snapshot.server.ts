import { createHash } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'

/** A gzipped text file with one JSON value per line: the header, the name and the rows of each table, the end. */
const SNAPSHOT_FORMAT = 'altocert-backup'
const SNAPSHOT_VERSION = 1

const Table = z.object({
  schema: z.string(),
  name: z.string(),
  /** Without generated columns: a restore computes them again. */
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.number().int(),
})
export type SnapshotTable = z.infer<typeof Table>

export const SnapshotHeader = z.object({
  format: z.literal(SNAPSHOT_FORMAT),
  version: z.literal(SNAPSHOT_VERSION),
  madeAt: z.string(),
  /** Backups from before versions were stored have none. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string(), version: z.string().nullish() })),
  /** Null when the database has no job tables. */
  jobs: z.object({ version: z.number().int(), queues: z.array(z.string()) }).nullable(),
  hasStandIns: z.boolean(),
  /** The secret in the data folder; null when AUTH_SECRET is set. */
  secret: z.string().nullable(),
  tables: z.array(Table),
})
export type SnapshotHeader = z.infer<typeof SnapshotHeader>

export const SnapshotTableLine = z.object({ table: z.string() })
export const SnapshotRow = z.array(z.string().nullable())
export const SnapshotEnd = z.object({
  end: z.literal(true),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  /** The checksum of all previous lines. */
  sha256: z.string(),
})

/**
 * Tables whose rows are in no backup: whoever finds the file could sign in with a session or use a one-time link. After a restore
 * everybody signs in again.
 */
const LEFT_OUT: readonly string[] = ['public.sessions', 'public.verifications', 'public.address_changes']
export const isLeftOut = (table: { schema: string; name: string }) => LEFT_OUT.includes(nameOf(table))

type SnapshotOptions = {
  readonly secret: string | null
  readonly now: Date
  readonly onProgress: (done: number, total: number) => void
  /** Called with each row as it is in the file. */
  readonly onRow?: (table: string, row: string) => void
}

/** About how much text a batch of rows holds in memory, however long the rows are. */
export const BATCH_BYTES = 4 * 1024 * 1024
export const BATCH_ROWS = 2000

/** Settings for an exact text form of every value, independent of the server's configuration. */
export const PLAIN_TEXT = `set local timezone to 'UTC'; set local datestyle to 'ISO, MDY'; set local intervalstyle to 'postgres';
  set local extra_float_digits to 1; set local bytea_output to 'hex'; set local statement_timeout to 0;
  set local idle_in_transaction_session_timeout to 0`

/** The lines of a consistent snapshot of the database; concurrent writes do not affect it. */
export async function* writeSnapshot(client: pg.ClientBase, options: SnapshotOptions): AsyncGenerator<string> {
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query(PLAIN_TEXT)
    const hash = createHash('sha256')
    const line = (value: unknown) => {
      const text = `${JSON.stringify(value)}\n`
      hash.update(text)
      return text
    }
    const header = await readHeader(client, options)
    yield line(header)
    const total = header.tables.reduce((sum, { rows }) => sum + rows, 0)
    let done = 0
    for (const table of header.tables) {
      yield line({ table: nameOf(table) } satisfies z.infer<typeof SnapshotTableLine>)
      if (isLeftOut(table)) continue
      for await (const rows of rowsOf(client, table)) {
        if (options.onRow !== undefined) for (const row of rows) options.onRow(nameOf(table), JSON.stringify(row))
        yield rows.map((row) => line(row)).join('')
        done += rows.length
        options.onProgress(done, total)
      }
    }
    const sequences = await readSequences(client)
    yield `${JSON.stringify({ end: true, sequences, sha256: hash.digest('hex') } satisfies z.infer<typeof SnapshotEnd>)}\n`
  } finally {
    await client.query('rollback')
  }
}

export const nameOf = ({ schema, name }: { schema: string; name: string }) => `${schema}.${name}`
export const quoted = (...names: string[]) => names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')

/** Every table except the system's and unlogged ones, whose rows need not survive. A partition is covered by its parent table. */
export async function listTables(client: pg.ClientBase): Promise<Omit<SnapshotTable, 'rows'>[]> {
  const { rows } = await client.query<Omit<SnapshotTable, 'rows'>>(`
    select n.nspname as schema, c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and c.relpersistence = 'p' and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    order by n.nspname, c.relname`)
  return rows
}

async function readHeader(
  client: pg.ClientBase,
  { secret, now }: { secret: string | null; now: Date },
): Promise<SnapshotHeader> {
  const tables: SnapshotTable[] = []
  for (const table of await listTables(client)) {
    if (isLeftOut(table)) {
      tables.push({ ...table, rows: 0 })
      continue
    }
    const { rows } = await client.query<{ count: number }>(
      `select count(*) as count from ${quoted(table.schema, table.name)}`,
    )
    tables.push({ ...table, rows: Number(rows[0]?.count ?? 0) })
  }
  const has = (name: string) => tables.some((table) => nameOf(table) === name)
  if (!has('public.migrations')) throw new Error('There are no tables of Altocert in this database.')
  const migrations = await client.query<{ name: string; checksum: string; version: string | null }>(
    // The database may be older than the column.
    "select name, checksum, to_jsonb(migrations) ->> 'version' as version from migrations order by name",
  )
  return {
    format: SNAPSHOT_FORMAT,
    version: SNAPSHOT_VERSION,
    madeAt: now.toISOString(),
    migrations: migrations.rows,
    jobs: has('jobs.version') ? await readJobs(client) : null,
    hasStandIns: tables.some(({ schema }) => schema === 'demo'),
    secret,
    tables,
  }
}

async function readJobs(client: pg.ClientBase): Promise<SnapshotHeader['jobs']> {
  const versions = await client.query<{ version: number }>('select version from jobs.version')
  const queues = await client.query<{ name: string }>('select name from jobs.queue order by name')
  return { version: versions.rows[0]?.version ?? 0, queues: queues.rows.map(({ name }) => name) }
}

export async function* rowsOf(client: pg.ClientBase, table: SnapshotTable): AsyncGenerator<(string | null)[][]> {
  const columns = table.columns.map(({ name }) => `${quoted(name)}::text`).join(', ')
  await client.query(`declare snapshot no scroll cursor for select ${columns} from ${quoted(table.schema, table.name)}`)
  let size = 50
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({ text: `fetch ${size} from snapshot`, rowMode: 'array' })
    if (rows.length > 0) yield rows
    if (rows.length < size) break
    const bytes = rows.reduce((sum, row) => sum + row.reduce((length, value) => length + (value?.length ?? 0), 0), 0)
    size = Math.max(1, Math.min(BATCH_ROWS, Math.floor(BATCH_BYTES / (bytes / rows.length + 1))))
  }
  await client.query('close snapshot')
}

/** Call after reading the rows, so that no sequence is behind its rows. */
async function readSequences(client: pg.ClientBase): Promise<z.infer<typeof SnapshotEnd>['sequences']> {
  const { rows } = await client.query<{ schema: string; name: string }>(`
    select schemaname as schema, sequencename as name from pg_sequences
    where schemaname !~ '^pg_' order by schemaname, sequencename`)
  const sequences = []
  for (const { schema, name } of rows) {
    const sequence = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${quoted(schema, name)}`,
    )
    if (sequence.rows[0] !== undefined) sequences.push({ name: quoted(schema, name), ...sequence.rows[0] })
  }
  return sequences
}
