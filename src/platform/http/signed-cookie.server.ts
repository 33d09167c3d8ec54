import { createHmac, timingSafeEqual } from 'node:crypto'

/** Reads a cookie of a Cookie header, percent-decoded; null when it is missing or malformed. */
export function readCookie(header: string | null | undefined, name: string): string | null {
  if (header === null || header === undefined) return null
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at === -1 || part.slice(0, at).trim() !== name) continue
    try {
      return decodeURIComponent(part.slice(at + 1).trim())
    } catch {
      return null
    }
  }
  return null
}

/** Returns `value.signature`: readable by anyone, but nobody can change the value. */
export function sign(value: string, purpose: string, secret: string): string {
  return `${value}.${signature(value, purpose, secret)}`
}

/** The value; null when the signature is not ours or is for another purpose. */
export function verifySigned(signed: string | null, purpose: string, secret: string): string | null {
  if (signed === null) return null
  const at = signed.lastIndexOf('.')
  if (at <= 0) return null
  const value = signed.slice(0, at)
  return sameText(signed.slice(at + 1), signature(value, purpose, secret)) ? value : null
}

export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

function signature(value: string, purpose: string, secret: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n${value}`).digest('base64url')
}

export function cookieHeader(
  name: string,
  value: string,
  options: { maxAgeSeconds: number; isSecure: boolean },
): string {
  return `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Lax${options.isSecure ? '; Secure' : ''}`
}
