/** SHA-256 (FIPS 180-4) of the text's UTF-8 bytes, as lower-case hex. Runs in browsers, workers and Node. */
export function sha256Hex(text: string): string {
  const blocks = paddedBlocks(text)
  const hash = new Uint32Array(INITIAL_HASH)
  const schedule = new Uint32Array(64)
  for (let start = 0; start < blocks.byteLength; start += 64) {
    for (let t = 0; t < 16; t++) schedule[t] = blocks.getUint32(start + 4 * t)
    compress(hash, schedule)
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('')
}

const INITIAL_HASH = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])

/** Expects the block in the first 16 words of the schedule. */
function compress(hash: Uint32Array, schedule: Uint32Array): void {
  for (let t = 16; t < 64; t++) {
    const early = word(schedule, t - 15)
    const late = word(schedule, t - 2)
    const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    schedule[t] = sigma1 + word(schedule, t - 7) + sigma0 + word(schedule, t - 16)
  }
  let a = word(hash, 0)
  let b = word(hash, 1)
  let c = word(hash, 2)
  let d = word(hash, 3)
  let e = word(hash, 4)
  let f = word(hash, 5)
  let g = word(hash, 6)
  let h = word(hash, 7)
  for (let t = 0; t < 64; t++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + word(ROUND_CONSTANTS, t) + word(schedule, t)) | 0
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  hash[0] = word(hash, 0) + a
  hash[1] = word(hash, 1) + b
  hash[2] = word(hash, 2) + c
  hash[3] = word(hash, 3) + d
  hash[4] = word(hash, 4) + e
  hash[5] = word(hash, 5) + f
  hash[6] = word(hash, 6) + g
  hash[7] = word(hash, 7) + h
}

function rotate(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits))
}

function word(words: Uint32Array, place: number): number {
  return words[place] ?? 0
}

/**
 * The text's UTF-8 bytes, a one bit, zeros, and the length in bits, in whole blocks. Encodes by hand because TextEncoder and
 * Buffer are not part of the language; like them, it encodes a lone surrogate as U+FFFD.
 */
function paddedBlocks(text: string): DataView {
  const bytes = new Uint8Array(text.length * 3 + 72)
  let length = 0
  // A loop, because a closure per character would take most of the time of a large import.
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) {
      bytes[length++] = unit
      continue
    }
    const read = text.codePointAt(at) ?? 0
    if (read >= 0x10000) at += 1
    const point = read >= 0xd800 && read <= 0xdfff ? 0xfffd : read
    if (point < 0x800) {
      bytes[length++] = 0xc0 | (point >> 6)
    } else {
      if (point < 0x10000) {
        bytes[length++] = 0xe0 | (point >> 12)
      } else {
        bytes[length++] = 0xf0 | (point >> 18)
        bytes[length++] = 0x80 | ((point >> 12) & 0x3f)
      }
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f)
    }
    bytes[length++] = 0x80 | (point & 0x3f)
  }
  bytes[length] = 0x80
  const size = ((length + 8) >> 6) * 64 + 64
  const blocks = new DataView(bytes.buffer, 0, size)
  blocks.setUint32(size - 8, Math.floor(length / 2 ** 29))
  blocks.setUint32(size - 4, length << 3)
  return blocks
}
