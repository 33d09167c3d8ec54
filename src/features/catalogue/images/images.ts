/** A larger file is refused before it is read. */
export const IMAGE_MAX_BYTES = 5 * 1024 * 1024
/** A picture of more points is refused by what its first bytes say, before anything is unpacked. */
export const IMAGE_MAX_POINTS = 24_000_000
/** Neither side of a kept picture is longer: twice the width that a question has on a large screen. */
export const IMAGE_MAX_SIDE = 1600
/** What would be larger without loss is kept with a loss that nobody sees. */
export const LOSSLESS_MAX_BYTES = 400 * 1024
export const LOSSY_QUALITY = 85

export const IMAGE_KINDS = ['png', 'jpeg', 'webp', 'gif'] as const
export type ImageKind = (typeof IMAGE_KINDS)[number]

/** What a file is by its first bytes, whatever its name says. Null: no picture that is taken (SVG can hold scripts). */
export function imageKind(bytes: Uint8Array): ImageKind | null {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  return /^GIF8[79]a$/.test(text(0, 6)) ? 'gif' : null
}

export const imagePath = (id: string) => `/pictures/${id}.webp`
