import { randomUUID } from 'node:crypto'
import type { GuestId } from '../../lib/ids.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { cookieHeader, sign } from '../../platform/http/signed-cookie.server.ts'
import type { Taker } from './attempts.schema.ts'

export const GUEST_COOKIE = 'altocert_guest'
export const GUEST_SECONDS = 365 * 24 * 3600

/** Makes a new guest, who is the caller from now on, and sets their signed cookie. */
export function createGuestMaker(secret: string) {
  return async (context: RequestContext): Promise<Taker> => {
    await context.limits.claim('guest', context)
    const guestId = randomUUID() as GuestId
    context.guestId = guestId
    context.replyHeaders.append(
      'set-cookie',
      cookieHeader(GUEST_COOKIE, sign(guestId, 'guest', secret), {
        maxAgeSeconds: GUEST_SECONDS,
        isSecure: context.appUrl.startsWith('https:'),
      }),
    )
    return { kind: 'guest', guestId }
  }
}
