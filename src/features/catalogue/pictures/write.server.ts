import { createHash } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import type { PersonId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit.server.ts'
import { isMoving, redraw } from './gateway.server.ts'
import { findPictureOf } from './read.server.ts'
import { PICTURE_MAX_BYTES, picturePath } from './rules.ts'
import { fail, type PictureView } from './schema.ts'

/**
 * Keeps a picture by what it holds and says its address. The same file gets the same address, however often it comes.
 * @throws Failure picture.kind, picture.size, picture.points, picture.broken
 */
export async function keepPicture(
  db: Db,
  bytes: Uint8Array,
  by: { readonly actorId: PersonId | null; readonly now: Date },
): Promise<PictureView> {
  if (bytes.byteLength > PICTURE_MAX_BYTES) throw fail('picture.size')
  const sourceId = hashOf(bytes)
  const known = await findPictureOf(db, sourceId)
  if (known !== null) return { ...known, isStill: !(await isMoving(bytes)) }
  const drawn = await redraw(bytes)
  const { width, height } = drawn
  const id = hashOf(drawn.bytes)
  const made = await db
    .insertInto('pictures')
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
  return { id, address: picturePath(id), width, height, isStill: !(await isMoving(bytes)) }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
