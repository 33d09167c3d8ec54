import type { Db } from '../../../db/open.server.ts'
import { imagePath, type ImageType } from './images.ts'
import type { ImageView } from './images.schema.ts'

/** The image stored from a file with this hash. */
export async function findImageOf(db: Db, sourceId: string): Promise<Omit<ImageView, 'isStill'> | null> {
  const row = await db
    .selectFrom('images')
    .where('source_id', '=', sourceId)
    .select(['id', 'content_type', 'width', 'height'])
    .executeTakeFirst()
  if (row === undefined) return null
  const { id, width, height } = row
  return { id, address: imagePath(id, row.content_type), width, height }
}

export async function findImageBytes(db: Db, id: string): Promise<{ contentType: ImageType; bytes: Buffer } | null> {
  const row = await db.selectFrom('images').where('id', '=', id).select(['content_type', 'bytes']).executeTakeFirst()
  return row === undefined ? null : { contentType: row.content_type, bytes: row.bytes }
}
