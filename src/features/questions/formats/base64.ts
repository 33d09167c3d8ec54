const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Map([...DIGITS].map((digit, value) => [digit.charCodeAt(0), value]))

/** RFC 4648, with padding: the same in a browser, a worker and Node. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0)
    parts.push(
      DIGITS.charAt(bits >> 18) +
        DIGITS.charAt((bits >> 12) & 63) +
        (b === undefined ? '=' : DIGITS.charAt((bits >> 6) & 63)) +
        (c === undefined ? '=' : DIGITS.charAt(bits & 63)),
    )
  }
  return parts.join('')
}

/** White space and padding are passed over; null when anything else is no digit. */
export function fromBase64(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4))
  let [bits, count, length] = [0, 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= 32 || code === 61) continue
    const value = VALUES.get(code)
    if (value === undefined) return null
    bits = ((bits << 6) | value) & 0xffffff
    count += 6
    if (count < 8) continue
    count -= 8
    bytes[length] = (bits >> count) & 255
    length += 1
  }
  return bytes.slice(0, length)
}
