import type { Db } from '../../../db/open.server.ts'
import { imagePath } from './images.ts'
import type { ImageView } from './images.schema.ts'

const columns = ['id', 'width', 'height'] as const

/** The image stored from a file with this hash. */
export async function findImageOf(db: Db, sourceId: string): Promise<Omit<ImageView, 'isStill'> | null> {
  const row = await db.selectFrom('images').where('source_id', '=', sourceId).select(columns).executeTakeFirst()
  return row === undefined ? null : { ...row, address: imagePath(row.id) }
}

export async function findImageBytes(db: Db, id: string): Promise<{ contentType: string; bytes: Buffer } | null> {
  const row = await db.selectFrom('images').where('id', '=', id).select(['content_type', 'bytes']).executeTakeFirst()
  return row === undefined ? null : { contentType: row.content_type, bytes: row.bytes }
}
