/** The largest file; larger ones are refused before they are read. */
export const IMAGE_MAX_BYTES = 5 * 1024 * 1024
/** The largest number of pixels; the header is checked before an image is decoded. */
export const IMAGE_MAX_POINTS = 24_000_000
/** The longest side of a stored image in pixels: twice the width of a question on a large screen. */
export const IMAGE_MAX_SIDE = 1600
/** An image whose lossless form is larger than this is stored with LOSSY_QUALITY. */
export const LOSSLESS_MAX_BYTES = 400 * 1024
export const LOSSY_QUALITY = 85
/** The largest SVG file. One that is drawn by hand has a few kB. */
export const DRAWING_MAX_BYTES = 64 * 1024

const IMAGE_KINDS = ['png', 'jpeg', 'webp', 'gif'] as const
type ImageKind = (typeof IMAGE_KINDS)[number]

/** The kind of an image of pixels by its first bytes; null for anything else, such as SVG, which can contain scripts. */
export function imageKind(bytes: Uint8Array): ImageKind | null {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  return /^GIF8[79]a$/.test(text(0, 6)) ? 'gif' : null
}

export type ImageType = 'image/webp' | 'image/svg+xml'

export const imagePath = (id: string, type: ImageType) => `/pictures/${id}.${type === 'image/webp' ? 'webp' : 'svg'}`
