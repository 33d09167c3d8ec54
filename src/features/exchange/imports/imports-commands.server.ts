import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { copy } from './imports.copy.ts'
import { STORED_DAYS, MAX_IMPORT_BYTES, SILENCE_MS, UPLOAD_SILENCE_MS } from './imports.ts'
import { fail, type Mapping } from './imports.schema.ts'

/** Null: somebody at the shell of the server. */
type AdminAction = { readonly actorId: UserId | null; readonly now: Date }

const CHUNK_BYTES = 1024 * 1024

/**
 * Keeps what arrives, a megabyte at a time; it then waits to be read. What breaks off, is empty or too large leaves nothing.
 * @throws Failure import.too-large, import.empty
 */
export async function storeUpload(
  db: Db,
  keep: AdminAction & { name: string; format?: string | undefined; bytes: AsyncIterable<Uint8Array> },
): Promise<string> {
  const { actorId, now } = keep
  const { id } = await db
    .insertInto('imports')
    .values({
      name: keep.name,
      state: 'uploading',
      wanted_format: keep.format ?? null,
      made_by: actorId,
      created_at: now,
      updated_at: now,
      heartbeat_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  try {
    const size = await storeChunks(db, id, keep.bytes)
    if (size === 0) throw fail('import.empty')
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('imports').set({ state: 'waiting', size_bytes: size }).where('id', '=', id).execute()
      await note(tx, keep, 'import.begin', id, { name: keep.name, bytes: size })
    })
    return id
  } catch (error) {
    await db.deleteFrom('imports').where('id', '=', id).execute()
    throw error
  }
}

async function storeChunks(db: Db, importId: string, arriving: AsyncIterable<Uint8Array>): Promise<number> {
  let [size, place, held] = [0, 0, 0]
  let parts: Uint8Array[] = []
  const write = async () => {
    if (held === 0) return
    const bytes = Buffer.concat(parts)
    await db.insertInto('import_chunks').values({ import_id: importId, place, bytes }).execute()
    ;[place, held, parts] = [place + 1, 0, []]
  }
  for await (const part of arriving) {
    size += part.byteLength
    if (size > MAX_IMPORT_BYTES) throw fail('import.too-large')
    parts.push(part)
    held += part.byteLength
    if (held >= CHUNK_BYTES) await write()
  }
  await write()
  return size
}

/**
 * Lets an import be read again, as another format or with other columns. What was read of it before is given up.
 * @throws Failure import.missing, import.busy, import.stored-already, import.bytes-gone
 */
export async function readAgain(
  db: Db,
  again: AdminAction & { importId: string; format?: string | null | undefined; mapping?: Mapping | null | undefined },
): Promise<void> {
  const { importId, format, mapping, now } = again
  await db.transaction().execute(async (tx) => {
    const row = await takeRow(tx, importId)
    if (row.state === 'uploading' || row.state === 'waiting' || row.state === 'reading') throw fail('import.busy')
    if (row.hasStored) throw fail('import.stored-already')
    if (!row.hasBytes) throw fail('import.bytes-gone')
    await tx
      .updateTable('imports')
      .set({
        state: 'waiting',
        problem: null,
        heartbeat_at: null,
        updated_at: now,
        ...(format === undefined ? {} : { wanted_format: format }),
        // Other columns belong to another format.
        mapping: mapping === undefined || mapping === null ? null : JSON.stringify(mapping),
      })
      .where('id', '=', importId)
      .execute()
    await note(tx, again, 'import.read', importId, { format, mapping })
  })
}

/** Stops the reading of an import. What is not being read is called off all the same, unless it was read to its end. */
export async function callOff(db: Db, off: AdminAction & { importId: string }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await takeRow(tx, off.importId)
    const made = await tx
      .updateTable('imports')
      .set({ state: 'cancelled', heartbeat_at: null, updated_at: off.now })
      .where('id', '=', off.importId)
      .where('state', 'in', ['waiting', 'reading', 'mapping'])
      .returning('id')
      .executeTakeFirst()
    if (made === undefined) return
    await tx.deleteFrom('import_questions').where('import_id', '=', off.importId).execute()
    await note(tx, off, 'import.cancel', off.importId, {})
  })
}

/** Deletes an import with its file and what was read of it. What went into the bank stays. Twice is once. */
export async function deleteImport(db: Db, remove: AdminAction & { importId: string }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const gone = await tx.deleteFrom('imports').where('id', '=', remove.importId).returning('name').executeTakeFirst()
    if (gone !== undefined) await note(tx, remove, 'import.delete', remove.importId, { name: gone.name })
  })
}

async function takeRow(tx: Db, importId: string) {
  const row = await tx.selectFrom('imports').where('id', '=', importId).select('state').forUpdate().executeTakeFirst()
  if (row === undefined) throw fail('import.missing')
  const { rows } = await sql<{ hasStored: boolean; hasBytes: boolean }>`
    select exists (select from import_questions where import_id = ${importId} and outcome = 'stored') as "hasStored",
      exists (select from import_chunks where import_id = ${importId}) as "hasBytes"`.execute(tx)
  return { state: row.state, hasStored: rows[0]?.hasStored === true, hasBytes: rows[0]?.hasBytes === true }
}

/**
 * Looks after imports whose process is no more: a reading that nobody is heard of is marked, an upload that never ended is
 * taken away. Says which imports wait to be read, the oldest first.
 */
export async function tidyImports(db: Db, now: Date): Promise<string[]> {
  await db
    .updateTable('imports')
    .set({ state: 'failed', problem: copy['import.problem.stopped'], heartbeat_at: null, updated_at: now })
    .where('state', '=', 'reading')
    .where('heartbeat_at', '<', after(now, -SILENCE_MS))
    .execute()
  await db
    .deleteFrom('imports')
    .where('state', '=', 'uploading')
    .where('heartbeat_at', '<', after(now, -UPLOAD_SILENCE_MS))
    .execute()
  const rows = await db
    .selectFrom('imports')
    .where('state', '=', 'waiting')
    .orderBy('created_at')
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A process that ends gives back what it was reading, so that the next one takes it up. */
export async function restoreOwnership(db: Db, importId: string): Promise<void> {
  await db
    .updateTable('imports')
    .set((eb) => ({ state: 'waiting' as const, heartbeat_at: null, turn: eb('turn', '+', 1) }))
    .where('id', '=', importId)
    .where('state', '=', 'reading')
    .execute()
}

/** Whoever read it ended without a word. */
export async function markBroken(db: Db, broken: { importId: string; problem: string; now: Date }): Promise<void> {
  await db
    .updateTable('imports')
    .set({ state: 'failed', problem: broken.problem, heartbeat_at: null, updated_at: broken.now })
    .where('id', '=', broken.importId)
    .where('state', 'in', ['waiting', 'reading'])
    .execute()
}

/** Removes the bytes of old imports; says of how many. */
export async function deleteImportBytes(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from imports where created_at < ${after(now, -STORED_DAYS * DAY_MS)}
      and (exists (select from import_chunks where import_id = imports.id) or exists (select from import_images where import_id = imports.id))
    limit 500`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await db.deleteFrom('import_chunks').where('import_id', 'in', ids).execute()
  await db.deleteFrom('import_images').where('import_id', 'in', ids).execute()
  return ids.length
}

async function note(tx: Db, by: AdminAction, action: string, id: string, after: object) {
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'imports', id, before: null, after })
}
