import type { Db } from '../../../db/open.server.ts'
import type { SourceFile } from '../../questions/formats/formats.schema.ts'

/** The size of an uploaded file; 0 if the import was deleted. */
export async function findSize(db: Db, importId: string): Promise<number> {
  const row = await db.selectFrom('imports').where('id', '=', importId).select('size_bytes').executeTakeFirst()
  return row?.size_bytes ?? 0
}

/** The uploaded bytes of an import; null after they were removed. */
export async function findSource(db: Db, importId: string, name: string): Promise<SourceFile | null> {
  const places = await db
    .selectFrom('import_chunks')
    .where('import_id', '=', importId)
    .orderBy('place')
    .select('place')
    .execute()
  if (places.length === 0) return null
  const chunks: Uint8Array[] = []
  // One chunk at a time: the driver holds each reply in memory twice.
  for (const { place } of places) {
    const chunk = await db
      .selectFrom('import_chunks')
      .where('import_id', '=', importId)
      .where('place', '=', place)
      .select('bytes')
      .executeTakeFirstOrThrow()
    chunks.push(chunk.bytes)
  }
  const bytes = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return { path: name, bytes }
}
