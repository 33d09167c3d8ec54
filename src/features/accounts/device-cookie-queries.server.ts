import { createHash, randomUUID } from 'node:crypto'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { cookieHeader, readCookie, sign, verifySigned } from '../../platform/http/signed-cookie.server.ts'

const DEVICE_COOKIE = 'altocert_device'
const YEAR_SECONDS = 365 * 24 * 3600
const DEVICE_ACCOUNTS = 5

/** Failures of a device that signed in to this address before count separately, so that others cannot lock its owner out. */
export function knownDevice(context: RequestContext, secret: string, email: string): string {
  const { id, accounts } = readDevice(context, secret)
  return accounts.includes(accountMark(email)) ? id : ''
}

/** The Set-Cookie header that marks the browser of this request as known for the address. */
export function deviceCookie(context: RequestContext, secret: string, email: string): string {
  const { id, accounts } = readDevice(context, secret)
  const mark = accountMark(email)
  const known = [mark, ...accounts.filter((account) => account !== mark)].slice(0, DEVICE_ACCOUNTS)
  return cookieHeader(DEVICE_COOKIE, sign([id, ...known].join(':'), 'device', secret), {
    maxAgeSeconds: YEAR_SECONDS,
    isSecure: context.appUrl.startsWith('https:'),
  })
}

function accountMark(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 16)
}

function readDevice(context: RequestContext, secret: string): { id: string; accounts: string[] } {
  const value = verifySigned(readCookie(context.request.headers.get('cookie'), DEVICE_COOKIE), 'device', secret)
  const [id = randomUUID(), ...accounts] = value?.split(':') ?? []
  return { id, accounts }
}
