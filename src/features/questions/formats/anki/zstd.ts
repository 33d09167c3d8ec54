import { Decompress } from 'fzstd'

/** What a decoder should support (RFC 8878, 3.1.1.1.2); Anki writes a quarter of it. */
const MOST_WINDOW = 8 * 2 ** 20
/** A block unpacks to 128 kB at most, and each costs time even if it unpacks to nothing. */
const MOST_BLOCKS = 25_000

export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd
}

/** Null if the bytes are damaged, ask for too much memory, or unpack to more than `most` bytes. */
export function unpackZstd(bytes: Uint8Array, most: number): Uint8Array | null {
  if (!isZstd(bytes) || !isModest(bytes)) return null
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    const stream = new Decompress((chunk) => {
      length += chunk.length
      if (length > most) throw new Error('too large')
      chunks.push(chunk)
    })
    stream.push(bytes, true)
  } catch {
    // Damaged, or larger than it may be: the caller reports the file as not read.
    return null
  }
  const content = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    content.set(chunk, at)
    at += chunk.length
  }
  return content
}

/** Looks at the headers of the frame and its blocks (RFC 8878, 3.1.1), which say how much work they are. */
function isModest(bytes: Uint8Array): boolean {
  const flags = bytes[4] ?? 0
  const isSingle = (flags & 0x20) !== 0
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
  const keyBytes = [0, 1, 2, 4][flags & 3] ?? 0
  const window = bytes[5] ?? 0
  const base = 2 ** (10 + (window >> 3))
  if (!isSingle && base + (base / 8) * (window & 7) > MOST_WINDOW) return false
  let at = (isSingle ? 5 : 6) + keyBytes + sizeBytes
  for (let count = 0; count < MOST_BLOCKS; count += 1) {
    if (at + 3 > bytes.length) return false
    const head = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)
    at += 3 + ((head & 6) === 2 ? 1 : head >> 3)
    // The last block; a checksum may follow, and nothing else.
    if ((head & 1) === 1) return at + ((flags & 4) === 0 ? 0 : 4) === bytes.length
  }
  return false
}
