/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The size that a PNG, GIF or JPEG says of itself; null if the bytes are none of these. */
export function imageSizeOf(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47]) && bytes.length >= 24)
    return { width: view.getUint32(16), height: view.getUint32(20) }
  if (startsWith(bytes, [0x47, 0x49, 0x46]) && bytes.length >= 10)
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  return startsWith(bytes, [0xff, 0xd8]) ? jpegSize(view) : null
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

function startsWith(bytes: Uint8Array, signs: readonly number[]): boolean {
  return signs.every((sign, at) => bytes[at] === sign)
}
