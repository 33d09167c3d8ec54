import type { Db } from '../../../db/open.server.ts'
import { picturePath } from './rules.ts'
import type { PictureView } from './schema.ts'

const columns = ['id', 'width', 'height'] as const

/** The picture that was made of these very bytes before. */
export async function findPictureOf(db: Db, sourceId: string): Promise<Omit<PictureView, 'isStill'> | null> {
  const row = await db.selectFrom('pictures').where('source_id', '=', sourceId).select(columns).executeTakeFirst()
  return row === undefined ? null : { ...row, address: picturePath(row.id) }
}

export async function findPictureBytes(db: Db, id: string): Promise<{ contentType: string; bytes: Buffer } | null> {
  const row = await db.selectFrom('pictures').where('id', '=', id).select(['content_type', 'bytes']).executeTakeFirst()
  return row === undefined ? null : { contentType: row.content_type, bytes: row.bytes }
}
