import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import type { ImportProblem } from './imports.copy.ts'
import { MAX_IMPORT_BYTES, STORED_DAYS, UPLOAD_SILENCE_MS } from './imports.ts'
import { fail, type Mapping } from './imports.schema.ts'

/** `actorId` is null when the command line acts. */
type AdminAction = { readonly actorId: UserId | null; readonly now: Date }

const CHUNK_BYTES = 1024 * 1024

/**
 * Stores an upload as it arrives, a megabyte at a time; it then waits to be read. An aborted, empty or too large upload leaves
 * nothing.
 * @throws Failure import.too-large, import.empty
 */
export async function storeUpload(
  db: Db,
  upload: AdminAction & { name: string; format?: string | undefined; bytes: AsyncIterable<Uint8Array> },
): Promise<string> {
  const { actorId, now } = upload
  const { id } = await db
    .insertInto('imports')
    .values({
      name: upload.name,
      state: 'uploading',
      wanted_format: upload.format ?? null,
      made_by: actorId,
      created_at: now,
      updated_at: now,
      heartbeat_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  try {
    const size = await storeChunks(db, id, upload.bytes)
    if (size === 0) throw fail('import.empty')
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('imports').set({ state: 'waiting', size_bytes: size }).where('id', '=', id).execute()
      await auditImport(tx, upload, 'import.begin', id, { name: upload.name, bytes: size })
    })
    return id
  } catch (error) {
    await db.deleteFrom('imports').where('id', '=', id).execute()
    throw error
  }
}

async function storeChunks(db: Db, importId: string, arriving: AsyncIterable<Uint8Array>): Promise<number> {
  let [size, place, pendingBytes] = [0, 0, 0]
  let parts: Uint8Array[] = []
  const write = async () => {
    if (pendingBytes === 0) return
    const bytes = Buffer.concat(parts)
    await db.insertInto('import_chunks').values({ import_id: importId, place, bytes }).execute()
    ;[place, pendingBytes, parts] = [place + 1, 0, []]
  }
  for await (const part of arriving) {
    size += part.byteLength
    if (size > MAX_IMPORT_BYTES) throw fail('import.too-large')
    parts.push(part)
    pendingBytes += part.byteLength
    if (pendingBytes >= CHUNK_BYTES) await write()
  }
  await write()
  return size
}

/**
 * Queues an import to be read again, as another format or with other columns. The previous result is discarded.
 * @throws Failure import.missing, import.busy, import.stored-already, import.bytes-gone
 */
export async function readAgain(
  db: Db,
  again: AdminAction & { importId: string; format?: string | null | undefined; mapping?: Mapping | null | undefined },
): Promise<void> {
  const { importId, format, mapping, now } = again
  await db.transaction().execute(async (tx) => {
    const row = await getImportForUpdate(tx, importId)
    if (row.state === 'uploading' || row.state === 'waiting' || row.state === 'reading') throw fail('import.busy')
    if (row.hasStored) throw fail('import.stored-already')
    if (!row.hasBytes) throw fail('import.bytes-gone')
    await tx
      .updateTable('imports')
      .set({
        state: 'waiting',
        problem: null,
        heartbeat_at: null,
        lost_readers: 0,
        updated_at: now,
        ...(format === undefined ? {} : { wanted_format: format }),
        // A mapping belongs to one format.
        mapping: mapping === undefined || mapping === null ? null : JSON.stringify(mapping),
      })
      .where('id', '=', importId)
      .execute()
    await auditImport(tx, again, 'import.read', importId, { format, mapping })
  })
}

/** Cancels an import that waits, is being read or waits for its columns. A finished one stays as it is. */
export async function cancelImport(db: Db, cancel: AdminAction & { importId: string }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await getImportForUpdate(tx, cancel.importId)
    const made = await tx
      .updateTable('imports')
      .set({ state: 'cancelled', heartbeat_at: null, updated_at: cancel.now })
      .where('id', '=', cancel.importId)
      .where('state', 'in', ['waiting', 'reading', 'mapping'])
      .returning('id')
      .executeTakeFirst()
    if (made === undefined) return
    await tx.deleteFrom('import_questions').where('import_id', '=', cancel.importId).execute()
    await auditImport(tx, cancel, 'import.cancel', cancel.importId, {})
  })
}

/** Deletes an import with its file and result. Questions stored in the bank stay. Idempotent. */
export async function deleteImport(db: Db, remove: AdminAction & { importId: string }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const gone = await tx.deleteFrom('imports').where('id', '=', remove.importId).returning('name').executeTakeFirst()
    if (gone !== undefined) await auditImport(tx, remove, 'import.delete', remove.importId, { name: gone.name })
  })
}

async function getImportForUpdate(tx: Db, importId: string) {
  const row = await tx.selectFrom('imports').where('id', '=', importId).select('state').forUpdate().executeTakeFirst()
  if (row === undefined) throw fail('import.missing')
  const { rows } = await sql<{ hasStored: boolean; hasBytes: boolean }>`
    select exists (select from import_questions where import_id = ${importId} and outcome = 'stored') as "hasStored",
      exists (select from import_chunks where import_id = ${importId}) as "hasBytes"`.execute(tx)
  return { state: row.state, hasStored: rows[0]?.hasStored === true, hasBytes: rows[0]?.hasBytes === true }
}

/** Deletes uploads that never ended. Returns the ids of the imports that wait to be read, the oldest first. */
export async function tidyImports(db: Db, now: Date): Promise<string[]> {
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

/** Requeues the import that a stopping process was reading, for the next process. */
export async function restoreOwnership(db: Db, importId: string): Promise<void> {
  await db
    .updateTable('imports')
    .set((eb) => ({ state: 'waiting' as const, heartbeat_at: null, turn: eb('turn', '+', 1) }))
    .where('id', '=', importId)
    .where('state', '=', 'reading')
    .execute()
}

/** Marks an import as failed after its reader process died. */
export async function markBroken(
  db: Db,
  broken: { importId: string; problem: ImportProblem; now: Date },
): Promise<void> {
  await db
    .updateTable('imports')
    .set({ state: 'failed', problem: broken.problem, heartbeat_at: null, updated_at: broken.now })
    .where('id', '=', broken.importId)
    .where('state', 'in', ['waiting', 'reading'])
    .execute()
}

/** Removes the bytes of old imports, at most 500 at a time. Returns their count. */
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

async function auditImport(tx: Db, by: AdminAction, action: string, id: string, after: object) {
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'imports', id, before: null, after })
}
