import { createHash } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { isAnimated, reencode } from './sharp-gateway.server.ts'
import { findImageOf } from './images-queries.server.ts'
import { IMAGE_MAX_BYTES, imagePath } from './images.ts'
import { fail, type ImageView } from './images.schema.ts'

/**
 * Re-encodes and stores an image under the hash of its content. The same file always has the same address.
 * @throws Failure picture.kind, picture.size, picture.points, picture.broken
 */
export async function storeImage(
  db: Db,
  bytes: Uint8Array,
  author: { readonly actorId: UserId | null; readonly now: Date },
): Promise<ImageView> {
  if (bytes.byteLength > IMAGE_MAX_BYTES) throw fail('picture.size')
  const sourceId = hashOf(bytes)
  const known = await findImageOf(db, sourceId)
  if (known !== null) return { ...known, isStill: !(await isAnimated(bytes)) }
  const encoded = await reencode(bytes)
  const { width, height } = encoded
  const id = hashOf(encoded.bytes)
  const inserted = await db
    .insertInto('images')
    .values({
      id,
      source_id: sourceId,
      content_type: 'image/webp',
      width,
      height,
      bytes: encoded.bytes,
      made_by: author.actorId,
      made_at: author.now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted !== undefined) {
    const after = { width, height, bytes: encoded.bytes.byteLength }
    await audit(db, {
      at: author.now,
      actorId: author.actorId,
      action: 'picture.keep',
      table: 'pictures',
      id,
      before: null,
      after,
    })
  }
  return { id, address: imagePath(id), width, height, isStill: !(await isAnimated(bytes)) }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
