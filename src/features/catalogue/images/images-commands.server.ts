import { createHash } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { isMoving, redraw } from './sharp-gateway.server.ts'
import { findImageOf } from './images-queries.server.ts'
import { IMAGE_MAX_BYTES, imagePath } from './images.ts'
import { fail, type ImageView } from './images.schema.ts'

/**
 * Keeps a picture by what it holds and says its address. The same file gets the same address, however often it comes.
 * @throws Failure picture.kind, picture.size, picture.points, picture.broken
 */
export async function storeImage(
  db: Db,
  bytes: Uint8Array,
  by: { readonly actorId: UserId | null; readonly now: Date },
): Promise<ImageView> {
  if (bytes.byteLength > IMAGE_MAX_BYTES) throw fail('picture.size')
  const sourceId = hashOf(bytes)
  const known = await findImageOf(db, sourceId)
  if (known !== null) return { ...known, isStill: !(await isMoving(bytes)) }
  const drawn = await redraw(bytes)
  const { width, height } = drawn
  const id = hashOf(drawn.bytes)
  const made = await db
    .insertInto('images')
    .values({
      id,
      source_id: sourceId,
      content_type: 'image/webp',
      width,
      height,
      bytes: drawn.bytes,
      made_by: by.actorId,
      made_at: by.now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made !== undefined) {
    const after = { width, height, bytes: drawn.bytes.byteLength }
    await audit(db, {
      at: by.now,
      actorId: by.actorId,
      action: 'picture.keep',
      table: 'pictures',
      id,
      before: null,
      after,
    })
  }
  return { id, address: imagePath(id), width, height, isStill: !(await isMoving(bytes)) }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
