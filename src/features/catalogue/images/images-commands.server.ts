import { createHash } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { type Drawing, isSvg, redraw } from './drawings.ts'
import { isAnimated, reencode } from './sharp-gateway.server.ts'
import { findImageOf } from './images-queries.server.ts'
import { IMAGE_MAX_BYTES, imagePath, type ImageType } from './images.ts'
import { fail, type ImageView } from './images.schema.ts'

type Author = { readonly actorId: UserId | null; readonly now: Date }
type Encoded = { readonly bytes: Uint8Array; readonly width: number; readonly height: number }
type StoredImage = Omit<ImageView, 'isStill'>

/**
 * Re-encodes and stores an image of pixels under the hash of its content. The same file always has the same address.
 * @throws Failure picture.kind, picture.size, picture.points, picture.broken
 */
export async function storeImage(db: Db, bytes: Uint8Array, author: Author): Promise<ImageView> {
  if (bytes.byteLength > IMAGE_MAX_BYTES) throw fail('picture.size')
  const known = await findImageOf(db, hashOf(bytes))
  const image = known ?? (await store(db, 'image/webp', { source: bytes, encoded: await reencode(bytes) }, author))
  return { ...image, isStill: !(await isAnimated(bytes)) }
}

/**
 * As `storeImage`, but also accepts SVG, which it rewrites: for files that come with questions, such as our own exports.
 * @throws Failure picture.drawing, and those of `storeImage`
 */
export async function storeImageOfFile(db: Db, bytes: Uint8Array, author: Author): Promise<ImageView> {
  if (!isSvg(bytes)) return storeImage(db, bytes, author)
  const drawing = redraw(bytes)
  if ('refused' in drawing) throw fail('picture.drawing', { detail: drawing.refused })
  const image = await store(db, 'image/svg+xml', { source: bytes, encoded: drawing }, author)
  return { ...image, isStill: true }
}

/** Stores the drawings of a catalogue. They have no audit entries of their own; adding or updating the catalogue has. */
export async function storeDrawings(db: Db, drawings: readonly Drawing[], now: Date): Promise<void> {
  for (const drawing of drawings)
    await insertImage(db, 'image/svg+xml', { source: drawing.bytes, encoded: drawing }, { actorId: null, now })
}

type FileAndImage = { readonly source: Uint8Array; readonly encoded: Encoded }

async function store(db: Db, type: ImageType, image: FileAndImage, author: Author): Promise<StoredImage> {
  const { width, height, bytes } = image.encoded
  const { id, isNew } = await insertImage(db, type, image, author)
  if (isNew)
    await audit(db, {
      at: author.now,
      actorId: author.actorId,
      action: 'picture.keep',
      table: 'pictures',
      id,
      before: null,
      after: { width, height, bytes: bytes.byteLength },
    })
  return { id, address: imagePath(id, type), width, height }
}

async function insertImage(db: Db, type: ImageType, { source, encoded }: FileAndImage, author: Author) {
  const id = hashOf(encoded.bytes)
  const inserted = await db
    .insertInto('images')
    .values({
      id,
      source_id: hashOf(source),
      content_type: type,
      width: encoded.width,
      height: encoded.height,
      bytes: Buffer.from(encoded.bytes),
      made_by: author.actorId,
      made_at: author.now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return { id, isNew: inserted !== undefined }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
