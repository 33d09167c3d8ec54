import { strFromU8 } from 'fflate'

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The size that a PNG, GIF, JPEG, WebP or SVG says of itself; null if the bytes are none of these, or say none. */
export function imageSizeOf(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47]) && bytes.length >= 24)
    return { width: view.getUint32(16), height: view.getUint32(20) }
  if (startsWith(bytes, [0x47, 0x49, 0x46]) && bytes.length >= 10)
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && bytes.length >= 30) return webpSize(view)
  return startsWith(bytes, [0xff, 0xd8]) ? jpegSize(view) : svgSize(bytes)
}

/** The segments of a JPEG follow each other with their lengths; one that begins a frame holds the size. */
function jpegSize(view: DataView): ImageSize | null {
  let at = 2
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return null
}

/** A WebP says its size in a header of its own (VP8X), or in that of its lossless (VP8L) or lossy (VP8) picture. */
function webpSize(view: DataView): ImageSize | null {
  const kind = String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)))
  if (kind === 'VP8X') {
    const side = (at: number) => 1 + view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000
    return { width: side(24), height: side(27) }
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
  }
  if (kind !== 'VP8 ') return null
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

/** More than the first element of a drawing takes. */
const SVG_BEGINNING = 4096

/** An SVG has its size in whole pixels, or in its view box. */
function svgSize(bytes: Uint8Array): ImageSize | null {
  const text = strFromU8(bytes.subarray(0, SVG_BEGINNING), true)
  const [, attributes] = /<svg\b([^<>]*)>/.exec(text) ?? []
  if (attributes === undefined) return null
  const valueOf = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1]?.trim() ?? ''
  const [, , boxWidth = '', boxHeight = ''] = valueOf('viewBox').split(/[\s,]+/)
  const side = (name: string, ofBox: string) => {
    const written = valueOf(name)
    const pixels = Math.round(Number(/^(\d+(?:\.\d+)?)(?:px)?$/.exec(written)?.[1] ?? ofBox))
    return pixels >= 1 ? pixels : null
  }
  const [width, height] = [side('width', boxWidth), side('height', boxHeight)]
  return width === null || height === null ? null : { width, height }
}

function startsWith(bytes: Uint8Array, signs: readonly number[]): boolean {
  return signs.every((sign, at) => bytes[at] === sign)
}
