import sharp, { type Sharp } from 'sharp'
import { LOSSLESS_MAX_BYTES, LOSSY_QUALITY, IMAGE_MAX_POINTS, IMAGE_MAX_SIDE, imageKind } from './images.ts'
import { fail } from './images.schema.ts'

type EncodedImage = { readonly bytes: Buffer; readonly width: number; readonly height: number }

// Each image is encoded once, so a cache has no use.
sharp.cache(false)

/**
 * Re-encodes an image as upright WebP without metadata such as place and camera, and without appended bytes. An animation is
 * reduced to its first frame, because movement distracts during an exam.
 * @throws Failure picture.kind, picture.points, picture.broken
 */
export async function reencode(bytes: Uint8Array): Promise<EncodedImage> {
  // Checks the kind first, so that decoders for other kinds of files never read untrusted bytes.
  const kind = imageKind(bytes)
  if (kind === null) throw fail('picture.kind')
  const source = sharp(bytes, { limitInputPixels: IMAGE_MAX_POINTS, sequentialRead: true })
  const { width, height, format } = await source.metadata().catch((error: unknown) => {
    throw fail(/pixel limit/.test(String(error)) ? 'picture.points' : 'picture.broken', { detail: error })
  })
  if (width * height > IMAGE_MAX_POINTS) throw fail('picture.points')
  if (format !== kind) throw fail('picture.kind')
  const upright = source
    .autoOrient()
    .resize({ width: IMAGE_MAX_SIDE, height: IMAGE_MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: 20 })
  const lossy = () => write(upright.clone().webp({ quality: LOSSY_QUALITY }))
  if (kind === 'jpeg') return lossy()
  // Lossless encoding keeps the text of diagrams and screenshots sharp.
  const lossless = await write(upright.clone().webp({ lossless: true }))
  return lossless.bytes.byteLength > LOSSLESS_MAX_BYTES ? lossy() : lossless
}

/** Whether an image is animated. */
export async function isAnimated(bytes: Uint8Array): Promise<boolean> {
  const { pages = 1 } = await sharp(bytes, { limitInputPixels: IMAGE_MAX_POINTS }).metadata()
  return pages > 1
}

async function write(upright: Sharp): Promise<EncodedImage> {
  try {
    const { data, info } = await upright.toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch (error) {
    throw fail('picture.broken', { detail: error })
  }
}
