import sharp, { type Sharp } from 'sharp'
import { LOSSLESS_MAX_BYTES, LOSSY_QUALITY, IMAGE_MAX_POINTS, IMAGE_MAX_SIDE, imageKind } from './images.ts'
import { fail } from './images.schema.ts'

export type Redrawn = { readonly bytes: Buffer; readonly width: number; readonly height: number }

// Pictures are different from each other, and each is redrawn once.
sharp.cache(false)

/**
 * The picture drawn anew as WebP, upright, and with nothing but its points: no place, no camera, no bytes behind the end. Of
 * a moving picture the first frame, because nothing moves while somebody thinks.
 * @throws Failure picture.kind, picture.points, picture.broken
 */
export async function redraw(bytes: Uint8Array): Promise<Redrawn> {
  // By our own look at it, so that the libraries for other kinds of file never see what was sent.
  const kind = imageKind(bytes)
  if (kind === null) throw fail('picture.kind')
  const source = sharp(bytes, { limitInputPixels: IMAGE_MAX_POINTS, sequentialRead: true })
  const { width, height, format } = await source.metadata().catch((error: unknown) => {
    throw fail(/pixel limit/.test(String(error)) ? 'picture.points' : 'picture.broken', { detail: error })
  })
  if (width * height > IMAGE_MAX_POINTS) throw fail('picture.points')
  if (format !== kind) throw fail('picture.kind')
  const drawn = source
    .autoOrient()
    .resize({ width: IMAGE_MAX_SIDE, height: IMAGE_MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: 20 })
  const lossy = () => write(drawn.clone().webp({ quality: LOSSY_QUALITY }))
  if (kind === 'jpeg') return lossy()
  // Diagrams and screenshots: letters stay sharp.
  const lossless = await write(drawn.clone().webp({ lossless: true }))
  return lossless.bytes.byteLength > LOSSLESS_MAX_BYTES ? lossy() : lossless
}

/** Whether a picture that could be redrawn is one of several that follow each other. */
export async function isMoving(bytes: Uint8Array): Promise<boolean> {
  const { pages = 1 } = await sharp(bytes, { limitInputPixels: IMAGE_MAX_POINTS }).metadata()
  return pages > 1
}

async function write(drawn: Sharp): Promise<Redrawn> {
  try {
    const { data, info } = await drawn.toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch (error) {
    throw fail('picture.broken', { detail: error })
  }
}
