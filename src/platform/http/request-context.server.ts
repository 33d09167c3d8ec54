import type { Db } from '../../db/open.server.ts'
import type { GuestId } from '../../lib/ids.ts'
import { isConfirmed, type User } from '../../lib/user.ts'
import type { CachedQueries } from '../cache/cached-queries.server.ts'
import type { Clock } from '../clock.server.ts'
import type { RateLimits } from '../limits/rate-limits-commands.server.ts'
import { fail } from '../request-failures.ts'
import type { Log } from '../log.server.ts'
import type { WaitLimit } from './wait-limit.server.ts'

/** What every endpoint and page loader knows about its request. */
export type RequestContext = {
  readonly requestId: string
  readonly log: Log
  readonly clock: Clock
  readonly db: Db
  /** For what an endpoint or loader with `reads: 'replica'` shows: the replica while it is new enough, else `db`. */
  readonly reads: Db
  /** Null without DATABASE_REPLICA_URL. */
  readonly replica: RequestReplica | null
  /** Results of queries, cached until their data changes. */
  readonly cachedQueries: CachedQueries
  readonly limits: RateLimits
  /** How long this request may wait for the database. */
  readonly wait: WaitLimit
  readonly appUrl: string
  readonly user: User | null
  /** The id in the signed guest cookie; null before the first preview exam, which sets it. */
  guestId: GuestId | null
  readonly networkAddress: string
  readonly request: Request
  /** Headers to add to the reply, above all cookies. */
  readonly replyHeaders: Headers
  /** Set to the code of the failure that refuses the request, for its log line. */
  readonly refusal: { code: string | undefined }
}

/** The replica as a request may use it. */
export type RequestReplica = {
  /** The position in the log of the user's last write; 0 without one. */
  readonly position: number
  /** Whether everything is read from the replica, because the page is the same for all guests. */
  readonly isForAllGuests: boolean
  read<Result>(position: number, read: (db: Db) => Promise<Result>): Promise<Result>
}

/** Runs `read`, which changes nothing but the audit log, with `reads` on the replica where there is one that is new enough. */
export function readFromReplica<Result>(
  context: RequestContext,
  read: (context: RequestContext) => Promise<Result>,
): Promise<Result> {
  const { replica } = context
  if (replica === null) return read(context)
  return replica.read(replica.position, (reads) =>
    read({ ...context, reads, ...(replica.isForAllGuests ? { db: reads } : {}) }),
  )
}

/**
 * The context for rendering a page that is cached for every guest: the address of the request, but no cookie and no header. It lists
 * each field, so that a new field needs a decision here. The request id appears on failure pages only, which are not cached.
 */
export function contextOfAnyGuest(context: RequestContext, path: string): RequestContext {
  return {
    requestId: context.requestId,
    log: context.log,
    clock: context.clock,
    db: context.db,
    reads: context.db,
    replica: context.replica && { ...context.replica, position: 0, isForAllGuests: true },
    cachedQueries: context.cachedQueries,
    limits: context.limits,
    wait: context.wait,
    appUrl: context.appUrl,
    user: null,
    guestId: null,
    networkAddress: '',
    request: new Request(new URL(path, context.appUrl)),
    replyHeaders: new Headers(),
    refusal: context.refusal,
  }
}

/** @throws Failure session.required */
export function requireUser(context: RequestContext): User {
  if (context.user === null) throw fail('session.required')
  return context.user
}

/** The signed-in user, who proved lately who they are. @throws Failure session.required, confirmation.required */
export function requireConfirmation(context: RequestContext): User {
  const user = requireUser(context)
  if (!isConfirmed(user, context.clock.now())) throw fail('confirmation.required')
  return user
}

/** @throws Failure session.required, second-factor.required, role.required */
export function requireAdmin(context: RequestContext): User & { readonly role: 'admin' } {
  const user = requireUser(context)
  if (user.isFactorMissing) throw fail('second-factor.required')
  if (user.role !== 'admin') throw fail('role.required')
  return user as User & { readonly role: 'admin' }
}
