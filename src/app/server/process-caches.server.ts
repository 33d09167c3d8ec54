import type { MiddlewareHandler } from 'hono'
import { createProbe } from '../../db/database-probe.server.ts'
import { listCacheUses } from '../../platform/cache/cache-counts.server.ts'
import { CachedPages } from '../../platform/cache/cached-pages.server.ts'
import { RenderedPages } from '../../platform/cache/rendered-pages.server.ts'
import { CachedQueries } from '../../platform/cache/cached-queries.server.ts'
import type { HttpEnv } from '../../platform/http/endpoint.server.ts'
import type { Figure } from '../../platform/metrics.server.ts'
import { followChanges, type Changes } from '../../platform/realtime/catalogue-changes.server.ts'
import type { Listeners } from '../../platform/realtime/listeners.server.ts'
import { withAwayLine } from '../layout/away-line.ts'
import type { Services } from './services.server.ts'

/** Pages and query results that this process holds in memory until the data behind them changes. */
export type ProcessCaches = {
  readonly pages: CachedPages
  readonly rendered: RenderedPages
  readonly queries: CachedQueries
  /** Whether the process receives changes. Nothing is served from a cache while it does not, unless the database is away. */
  isCurrent(): boolean
  /** Asks the database, at most once a second. */
  isDatabaseUp(): Promise<boolean>
  /** Whether the database answers, and was not lost since then, a time of `performance.now()`. */
  wasDatabaseUpSince(time: number): Promise<boolean>
  dropAll(): void
  stop(): Promise<void>
}

/** Opens empty caches, drops their entries on changes of every process, and forwards catalogue changes to the listeners. */
export async function openCaches(
  { database, replica, env, log }: Pick<Services, 'database' | 'replica' | 'env' | 'log'>,
  listeners: Listeners,
): Promise<ProcessCaches> {
  let changes: Changes | null = null
  const isCurrent = () => changes?.isUp() === true
  const pages = new CachedPages({ edgeSeconds: env.edgeCacheSeconds, mark: withAwayLine })
  const rendered = new RenderedPages()
  const queries = new CachedQueries({ isUp: isCurrent, now: () => performance.now() })
  const dropAll = () => {
    pages.drop()
    queries.drop()
  }
  changes = await followChanges(
    database.address.directUrl,
    {
      onPossibleChange: dropAll,
      onChanges: (batch) => listeners.publish(batch),
      onOtherHistory: (latest) => listeners.replace(latest),
      onUserChange(userId) {
        queries.dropUser(userId)
        listeners.recheckUser(userId)
      },
      onOwnChange: (userId, change) => listeners.sendTo(userId, change),
      onMissedUserChanges: () => listeners.recheckAll(),
    },
    log,
  )
  replica?.compareWith(changes.newest)
  const isDatabaseUp = createProbe(database.pool)
  return {
    pages,
    rendered,
    queries,
    isCurrent,
    isDatabaseUp,
    wasDatabaseUpSince: async (time) => changes.wasUpSince(time) && (await isDatabaseUp()),
    dropAll,
    stop: () => changes.stop(),
  }
}

/** After a write, the same user sees its effect with the next request, even before the database's notification arrives. */
export function dropCachesAfterWrites({ queries, dropAll }: ProcessCaches): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next()
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return
    const { user } = c.get('context')
    if (user?.role === 'admin') dropAll()
    else if (user !== null) queries.dropUser(user.id)
  }
}

export function cacheFigures({ pages, rendered, queries }: ProcessCaches): Figure[] {
  const counts = Object.entries({
    ...queries.counts,
    ...listCacheUses(),
    page: pages.counts,
    rendered: rendered.counts,
  })
  return [
    {
      name: 'altocert_cache_requests_total',
      kind: 'counter',
      help: 'Cache requests by class, and whether an entry was found.',
      values: counts.flatMap(([kind, { hits, misses }]) => [
        [{ class: kind, found: 'yes' }, hits] as const,
        [{ class: kind, found: 'no' }, misses] as const,
      ]),
    },
  ]
}
