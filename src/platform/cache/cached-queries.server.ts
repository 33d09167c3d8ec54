import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.server.ts'
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

/** A read whose result may be kept until what it depends on changes. Its arguments are its key. */
export type CachedQuery<Args extends readonly string[], Value> = {
  readonly kind: CacheClass
  read(db: Db, ...args: Args): Promise<Value>
  /** What is kept is given only while this is what it was before it was read. */
  state?(db: Db, ...args: Args): Promise<string>
}

/** Only for what depends on courses and test_questions alone. */
export function cachedQuery<Args extends readonly string[], Value>(
  kind: Exclude<CacheClass, UserClass>,
  read: (db: Db, ...args: Args) => Promise<Value>,
): CachedQuery<Args, Value> {
  return { kind, read }
}

/**
 * Only for what depends on a person and the catalogue, and not on the moment. Of access periods the processes are told; whatever
 * else it depends on changes its state, which each use asks for.
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
 * What was read, kept until the catalogue changes, or what is a person's until something of theirs does (decision 0011). While
 * nobody can say whether it has changed, nothing is given from here. A read that was under way during a change is not kept.
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

  /** The catalogue may have changed. */
  drop(): void {
    this.#underWay.clear()
    this.#documents.clear()
    for (const cache of this.#caches.values()) cache.clear()
  }

  /** What this person owns may have changed. What asks for its state at each use finds out by itself. */
  dropUser(userId: UserId): void {
    for (const [kept, cache] of this.#caches) {
      if (kept.state !== undefined || !USER_CLASSES.some((kind) => kind === kept.kind)) continue
      const key = JSON.stringify([userId])
      this.#underWay.delete(`${this.#nameOf(kept, key)} `)
      cache.delete(key)
    }
  }

  async get<Args extends readonly string[], Value>(
    kept: CachedQuery<Args, Value>,
    db: Db,
    ...args: Args
  ): Promise<Value> {
    if (!this.#isUp()) return kept.read(db, ...args)
    const cache = this.#cacheOf(kept)
    const key = JSON.stringify(args)
    // Asked for before anything is read: what changes in between is found out by the next use.
    const state = kept.state === undefined ? '' : await kept.state(db, ...args)
    const held = cache.get(key)
    const isHit = held?.state === state
    this.#count(kept.kind, isHit)
    if (isHit) return held.value
    return this.#once(`${this.#nameOf(kept, key)} ${state}`, async (isTrue) => {
      const value = await kept.read(db, ...args)
      // That something is not there is not kept: anybody can ask for any number of things that are not there.
      if (isTrue() && value !== null) cache.set(key, { value, state }, LIFETIMES_MS[kept.kind])
      return value
    })
  }

  /** A text made from the catalogue, such as the sitemap. */
  async document(name: string, make: () => Promise<string>): Promise<string> {
    if (!this.#isUp()) return make()
    // Looked at without being moved to the front: the oldest goes first.
    const held = this.#documents.peek(name)
    this.#count('document', held !== undefined)
    if (held !== undefined) return held
    const making = make()
    this.#documents.set(name, making)
    making.catch(() => this.#documents.delete(name))
    return making
  }

  /** Those who ask for the same at the same time wait for one answer; it is true as long as nobody has put it away. */
  #once<Value>(name: string, read: (isTrue: () => boolean) => Promise<Value>): Promise<Value> {
    const underWay = this.#underWay.get(name) as Promise<Value> | undefined
    if (underWay !== undefined) return underWay
    const isTrue = () => this.#underWay.get(name) === reading
    const reading: Promise<Value> = read(isTrue).finally(() => {
      if (isTrue()) this.#underWay.delete(name)
    })
    this.#underWay.set(name, reading)
    return reading
  }

  /** Each read has a cache of its own, so the values in it are of its type. */
  #cacheOf<Args extends readonly string[], Value>(kept: CachedQuery<Args, Value>): AdaptiveCache<CachedValue<Value>> {
    const cache = this.#caches.get(kept) ?? new AdaptiveCache<CachedValue<unknown>>({ ...ADAPTIVE_TTL, now: this.#now })
    this.#caches.set(kept, cache)
    return cache as AdaptiveCache<CachedValue<Value>>
  }

  #nameOf(kept: unknown, key: string): string {
    const number = this.#names.get(kept) ?? this.#names.size
    this.#names.set(kept, number)
    return `${number} ${key}`
  }

  #count(kind: CacheClass | 'document', isHit: boolean): void {
    const count = (this.counts[kind] ??= { hits: 0, misses: 0 })
    if (isHit) count.hits += 1
    else count.misses += 1
  }
}
