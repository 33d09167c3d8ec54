import type { Db } from '../../db/open.server.ts'
import type { GuestId } from '../../lib/ids.ts'
import type { User } from '../../lib/user.ts'
import type { CachedQueries } from '../cache/cached-queries.server.ts'
import type { Clock } from '../clock.server.ts'
import { fail } from '../request-failures.ts'
import type { Log } from '../log.server.ts'

/** What every endpoint and page loader knows of the request it answers. */
export type RequestContext = {
  readonly requestId: string
  readonly log: Log
  readonly clock: Clock
  readonly db: Db
  /** Reads of the catalogue that are kept until it changes. */
  readonly cachedQueries: CachedQueries
  readonly appUrl: string
  readonly user: User | null
  /** The visitor's id from the signed guest cookie; null before the first preview exam. */
  readonly guestId: GuestId | null
  readonly networkAddress: string
  readonly request: Request
  /** Headers that the reply will carry besides its own, cookies above all. */
  readonly replyHeaders: Headers
}

/**
 * The context in which a page for every guest is made: of the request it has the address and nothing else, no cookie and no
 * header. Field by field, so that a new one has to be decided about here. The id is for the page of a failure, which is not kept.
 */
export function contextOfAnyGuest(context: RequestContext, path: string): RequestContext {
  return {
    requestId: context.requestId,
    log: context.log,
    clock: context.clock,
    db: context.db,
    cachedQueries: context.cachedQueries,
    appUrl: context.appUrl,
    user: null,
    guestId: null,
    networkAddress: '',
    request: new Request(new URL(path, context.appUrl)),
    replyHeaders: new Headers(),
  }
}

/** @throws Failure session.required */
export function requireUser(context: RequestContext): User {
  if (context.user === null) throw fail('session.required')
  return context.user
}

/** An admin, proven. @throws Failure session.required, role.required */
export function requireAdmin(context: RequestContext): User & { readonly role: 'admin' } {
  const user = requireUser(context)
  if (user.role !== 'admin') throw fail('role.required')
  return user as User & { readonly role: 'admin' }
}
