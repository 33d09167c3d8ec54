import { createHash, createHmac } from 'node:crypto'
import { cookieHeader, cookieName, sameText } from '../../../platform/http/signed-cookie.server.ts'
import { SESSION_DAYS } from './sessions.ts'

/** Every name of the session cookie contains this one. */
export const SESSION_COOKIE = 'altocert.session_token'
/** The name on https before cookies had the prefix `__Host-`. */
export const FORMER_SESSION_COOKIE = `__Secure-${SESSION_COOKIE}`

export function sessionCookieName(appUrl: string): string {
  return cookieName(SESSION_COOKIE, appUrl.startsWith('https:'))
}

/** The database holds this hash instead of the token, so that a stolen copy of it opens no session. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

export function sessionCookieValue(token: string, secret: string): string {
  return `${token}.${createHmac('sha256', secret).update(token).digest('base64')}`
}

/** The Set-Cookie header that keeps a session in a browser. */
export function sessionCookie(token: string, { appUrl, secret }: { appUrl: string; secret: string }): string {
  return cookieHeader(sessionCookieName(appUrl), sessionCookieValue(token, secret), {
    maxAgeSeconds: SESSION_DAYS * 24 * 3600,
    isSecure: appUrl.startsWith('https:'),
  })
}

/** The Set-Cookie header that removes the session from a browser. */
export function endedSessionCookie(appUrl: string): string {
  return cookieHeader(sessionCookieName(appUrl), '', { maxAgeSeconds: 0, isSecure: appUrl.startsWith('https:') })
}

/** The token of the session; null when the signature is not ours. */
export function readSessionCookie(value: string | null, secret: string): string | null {
  if (value === null) return null
  const at = value.lastIndexOf('.')
  if (at <= 0) return null
  const token = value.slice(0, at)
  return sameText(value, sessionCookieValue(token, secret)) ? token : null
}
