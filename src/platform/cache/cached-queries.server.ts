import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.server.ts'
import { isOnReplica } from '../../db/replica.server.ts'
import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import type { UserId } from '../../lib/ids.ts'
import {
  FIRST_CACHE_ENTRIES,
  FIRST_CACHE_TTL_MS,
  LIFETIMES_MS,
  USER_CLASSES,
  ADAPTIVE_TTL,
  type CacheClass,
  type UserClass,
} from './cache-classes.ts'
import type { CacheCount } from './cache-counts.server.ts'

/** A query whose result may be cached until the data it depends on changes. Its arguments are the cache key. */
export type CachedQuery<Args extends readonly string[], Value> = {
  readonly kind: CacheClass
  read(db: Db, ...args: Args): Promise<Value>
  /** A cached result is valid only while this returns the same text as just before the query ran. */
  state?(db: Db, ...args: Args): Promise<string>
}

/** Only for queries that depend on courses and test_questions alone. */
export function cachedQuery<Args extends readonly string[], Value>(
  kind: Exclude<CacheClass, UserClass>,
  read: (db: Db, ...args: Args) => Promise<Value>,
): CachedQuery<Args, Value> {
  return { kind, read }
}

/**
 * Only for queries that depend on a user and the catalogue, and not on the current time. Processes are notified of changes to access
 * periods; a change to anything else the query depends on must change its `state`.
 */
export function userQuery<Value>(
  kind: UserClass,
  read: (db: Db, userId: UserId) => Promise<Value>,
  state?: (db: Db, userId: UserId) => Promise<string>,
): CachedQuery<[UserId], Value> {
  return state === undefined ? { kind, read } : { kind, read, state }
}

type CachedValue<Value> = { readonly value: Value; readonly state: string }

/**
 * Results of queries, cached until the catalogue changes, or until data of their user changes (decision 0011). While changes
 * cannot be received, every query runs. The result of a query that was under way during a change is not cached.
 */
export class CachedQueries {
  readonly #isUp: () => boolean
  readonly #now: () => number
  readonly #caches = new Map<
    { readonly kind: CacheClass; readonly state?: unknown },
    AdaptiveCache<CachedValue<unknown>>
  >()
  readonly #documents: LRUCache<string, Promise<string>>
  readonly #underWay = new Map<string, Promise<unknown>>()
  readonly #names = new Map<unknown, number>()
  readonly counts: Partial<Record<CacheClass | 'document', CacheCount>> = {}

  constructor(options: { isUp(): boolean; now(): number }) {
    this.#isUp = options.isUp
    this.#now = options.now
    this.#documents = new LRUCache({
      max: FIRST_CACHE_ENTRIES,
      ttl: FIRST_CACHE_TTL_MS,
      ttlResolution: 0,
      perf: { now: options.now },
    })
  }

  /** Drops everything, because the catalogue may have changed. */
  drop(): void {
    this.#underWay.clear()
    this.#documents.clear()
    for (const cache of this.#caches.values()) cache.clear()
  }

  /** Drops the results of a user whose access may have changed. Queries with a `state` notice that by themselves. */
  dropUser(userId: UserId): void {
    for (const [query, cache] of this.#caches) {
      if (query.state !== undefined || !USER_CLASSES.some((kind) => kind === query.kind)) continue
      const key = JSON.stringify([userId])
      this.#underWay.delete(`${this.#nameOf(query, key)} `)
      cache.delete(key)
    }
  }

  async get<Args extends readonly string[], Value>(
    query: CachedQuery<Args, Value>,
    db: Db,
    ...args: Args
  ): Promise<Value> {
    // No number tells whether a replica has replayed the newest change of a user.
    const isUncertain = isOnReplica(db) && USER_CLASSES.some((kind) => kind === query.kind)
    if (!this.#isUp() || isUncertain) return query.read(db, ...args)
    const cache = this.#cacheOf(query)
    const key = JSON.stringify(args)
    // Before the query: the next use notices a change that comes in between.
    const state = query.state === undefined ? '' : await query.state(db, ...args)
    const cached = cache.get(key)
    const isHit = cached?.state === state
    this.#count(query.kind, isHit)
    if (isHit) return cached.value
    // A replica may fail, which only those who read from it handle.
    const server = isOnReplica(db) ? ' replica' : ''
    return this.#shared(`${this.#nameOf(query, key)} ${state}${server}`, async (isCurrent) => {
      const value = await query.read(db, ...args)
      // Misses are not cached: unknown keys would let anyone fill the cache.
      if (isCurrent() && value !== null) cache.set(key, { value, state }, LIFETIMES_MS[query.kind])
      return value
    })
  }

  /** A text made from the catalogue, such as the sitemap. */
  async document(name: string, make: () => Promise<string>): Promise<string> {
    if (!this.#isUp()) return make()
    // `peek` does not count as a use: the oldest document is evicted first.
    const cached = this.#documents.peek(name)
    this.#count('document', cached !== undefined)
    if (cached !== undefined) return cached
    const making = make()
    this.#documents.set(name, making)
    making.catch(() => this.#documents.delete(name))
    return making
  }

  /** Concurrent calls with the same name share one promise. `isCurrent` is false once the result was dropped under way. */
  #shared<Value>(name: string, read: (isCurrent: () => boolean) => Promise<Value>): Promise<Value> {
    const underWay = this.#underWay.get(name) as Promise<Value> | undefined
    if (underWay !== undefined) return underWay
    const isCurrent = () => this.#underWay.get(name) === reading
    const reading: Promise<Value> = read(isCurrent).finally(() => {
      if (isCurrent()) this.#underWay.delete(name)
    })
    this.#underWay.set(name, reading)
    return reading
  }

  /** Each query has a cache of its own, so the values in it have its type. */
  #cacheOf<Args extends readonly string[], Value>(query: CachedQuery<Args, Value>): AdaptiveCache<CachedValue<Value>> {
    const cache =
      this.#caches.get(query) ?? new AdaptiveCache<CachedValue<unknown>>({ ...ADAPTIVE_TTL, now: this.#now })
    this.#caches.set(query, cache)
    return cache as AdaptiveCache<CachedValue<Value>>
  }

  #nameOf(query: unknown, key: string): string {
    const number = this.#names.get(query) ?? this.#names.size
    this.#names.set(query, number)
    return `${number} ${key}`
  }

  #count(kind: CacheClass | 'document', isHit: boolean): void {
    const count = (this.counts[kind] ??= { hits: 0, misses: 0 })
    if (isHit) count.hits += 1
    else count.misses += 1
  }
}
