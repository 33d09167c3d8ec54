import { strFromU8 } from 'fflate'

type Encoding = 'UTF-8' | 'UTF-16 (little endian)' | 'UTF-16 (big endian)' | 'Windows-1252'

/** Decodes any bytes to text without byte order mark, with line feeds only. Returns the detected encoding, too. */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const encoding = signedEncodingOf(bytes)
  const text = encoding === null ? utf8Of(bytes) : fromUtf16(bytes, encoding)
  if (text !== null) return { text: withLineFeeds(text), encoding: encoding ?? 'UTF-8' }
  return {
    text: withLineFeeds(fromUnits(bytes.length, (at) => windows1252(bytes[at] ?? 0))),
    encoding: 'Windows-1252',
  }
}

/** The beginning of a file, cut between two characters. It is enough to detect the format. */
export function decodeBeginning(bytes: Uint8Array, length: number): string {
  if (bytes.length <= length) return decodeText(bytes).text
  let end = length - (length % 2)
  // A byte 10xxxxxx continues a character.
  while (end > length - 6 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return decodeText(bytes.subarray(0, end)).text
}

type Utf16 = 'UTF-16 (little endian)' | 'UTF-16 (big endian)'

/** Null unless the beginning looks like UTF-16. */
function signedEncodingOf(bytes: Uint8Array): Utf16 | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'UTF-16 (little endian)'
  if (first === 0xfe && second === 0xff) return 'UTF-16 (big endian)'
  const zeros = zerosIn(bytes.subarray(0, 1024))
  // Only western text in UTF-16 has a zero in every second byte.
  if (zeros.odd > 0 && zeros.odd > 4 * zeros.even) return 'UTF-16 (little endian)'
  if (zeros.even > 0 && zeros.even > 4 * zeros.odd) return 'UTF-16 (big endian)'
  return null
}

function zerosIn(bytes: Uint8Array): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 }
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1
  }
  // A few stray zeros do not mean UTF-16; a third of the places does.
  const enough = bytes.length / 6
  return { even: zeros.even >= enough ? zeros.even : 0, odd: zeros.odd >= enough ? zeros.odd : 0 }
}

// Every runtime has TextDecoder; the types without the DOM do not declare it.
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string }

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Null if the bytes are not UTF-8. */
function utf8Of(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes)
  } catch {
    // TextDecoder refuses halves of surrogate pairs, which some files hold; the rest of such a file is still UTF-8.
    return isUtf8(bytes) ? strFromU8(bytes) : null
  }
}

function fromUtf16(bytes: Uint8Array, encoding: Utf16): string {
  const low = encoding === 'UTF-16 (little endian)' ? 0 : 1
  return fromUnits(bytes.length >> 1, (at) => (bytes[2 * at + low] ?? 0) | ((bytes[2 * at + 1 - low] ?? 0) << 8))
}

/** In slices, because a call takes a limited number of arguments. */
function fromUnits(length: number, unitAt: (at: number) => number): string {
  const parts: string[] = []
  for (let start = 0; start < length; start += SLICE) {
    const units = Array.from({ length: Math.min(SLICE, length - start) }, (_, at) => unitAt(start + at))
    parts.push(String.fromCharCode(...units))
  }
  return parts.join('')
}

const SLICE = 8192

function withLineFeeds(text: string): string {
  const begun = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return begun.includes('\r') ? begun.replace(/\r\n?/g, '\n') : begun
}

/** As RFC 3629, except that an encoded half of a surrogate pair becomes U+FFFD. */
function isUtf8(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0
    const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
    if (length === 0) return false
    for (let next = at + 1; next < at + length; next += 1) {
      if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return false
    }
    at += length
  }
  return true
}

function windows1252(byte: number): number {
  return byte >= 0x80 && byte <= 0x9f ? WINDOWS_1252.charCodeAt(byte - 0x80) : byte
}

/** 0x80 to 0x9F, as the encoding standard has them; the five without a character are controls. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'
