import { createHmac, timingSafeEqual } from 'node:crypto'

/** Browsers accept a cookie with this prefix only from our own host, over https and for every path: no other subdomain can set it. */
const HOST_PREFIX = '__Host-'

/** The name of a cookie of ours on the wire. */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure && !name.startsWith('__') ? `${HOST_PREFIX}${name}` : name
}

/**
 * Reads a cookie of a Cookie header, percent-decoded; null when it is missing or malformed. The prefixed name comes first;
 * browsers from before the prefix have the plain one.
 */
export function readCookie(header: string | null | undefined, name: string): string | null {
  return readNamed(header, cookieName(name, true)) ?? readNamed(header, name)
}

function readNamed(header: string | null | undefined, name: string): string | null {
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
  return `${cookieName(name, options.isSecure)}=${encodeURIComponent(value)}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Lax${options.isSecure ? '; Secure' : ''}`
}

/** The Set-Cookie headers that give a cookie of an https site its prefix, and remove the former one. Empty when there is none. */
export function replaceFormerCookie(
  header: string | null,
  { former, name, maxAgeSeconds }: { former: string; name: string; maxAgeSeconds: number },
): string[] {
  const value = readNamed(header, former)
  if (value === null) return []
  const removal = `${former}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure`
  if (readNamed(header, cookieName(name, true)) !== null) return [removal]
  return [removal, cookieHeader(name, value, { maxAgeSeconds, isSecure: true })]
}
