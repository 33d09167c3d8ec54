import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.server.ts'
import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import { FIRST_CACHE_ENTRIES, FIRST_CACHE_TTL_MS, LIFETIMES_MS, USE, type CacheClass } from './rules.ts'

/** A read of the catalogue whose result may be kept until the catalogue changes. Its arguments are its key. */
export type KeptRead<Args extends readonly string[], Value> = {
  readonly kind: CacheClass
  read(db: Db, ...args: Args): Promise<Value>
}

/** Only for what depends on courses and test_questions alone: nothing else is told of. */
export function keptRead<Args extends readonly string[], Value>(
  kind: CacheClass,
  read: (db: Db, ...args: Args) => Promise<Value>,
): KeptRead<Args, Value> {
  return { kind, read }
}

type Held<Value> = { readonly value: Value }
export type HitCount = { hits: number; misses: number }

/**
 * What was read from the catalogue, kept until it changes (decision 0011). While nobody can say whether it has changed,
 * nothing is given from here. A read that was under way during a change is not kept.
 */
export class KeptReads {
  readonly #isUp: () => boolean
  readonly #now: () => number
  readonly #caches = new Map<unknown, AdaptiveCache<Held<unknown>>>()
  readonly #documents: LRUCache<string, Promise<string>>
  readonly #underWay = new Map<string, Promise<unknown>>()
  readonly #names = new Map<unknown, number>()
  readonly counts: Partial<Record<CacheClass | 'document', HitCount>> = {}
  #version = 0

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
    this.#version += 1
    this.#underWay.clear()
    this.#documents.clear()
    for (const cache of this.#caches.values()) cache.clear()
  }

  async get<Args extends readonly string[], Value>(kept: KeptRead<Args, Value>, db: Db, ...args: Args): Promise<Value> {
    if (!this.#isUp()) return kept.read(db, ...args)
    const cache = this.#cacheOf(kept)
    const key = JSON.stringify(args)
    const held = cache.get(key)
    this.#count(kept.kind, held !== undefined)
    if (held !== undefined) return held.value
    const version = this.#version
    const value = await this.#once(`${this.#nameOf(kept)} ${key}`, () => kept.read(db, ...args))
    // That something is not there is not kept: anybody can ask for any number of things that are not there.
    if (version === this.#version && value !== null) cache.set(key, { value }, LIFETIMES_MS[kept.kind])
    return value
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

  /** Those who ask for the same at the same time wait for one answer. */
  #once<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
    const underWay = this.#underWay.get(name) as Promise<Value> | undefined
    if (underWay !== undefined) return underWay
    const reading = read().finally(() => {
      if (this.#underWay.get(name) === reading) this.#underWay.delete(name)
    })
    this.#underWay.set(name, reading)
    return reading
  }

  /** Each read has a cache of its own, so the values in it are of its type. */
  #cacheOf<Args extends readonly string[], Value>(kept: KeptRead<Args, Value>): AdaptiveCache<Held<Value>> {
    const cache = this.#caches.get(kept) ?? new AdaptiveCache<Held<unknown>>({ ...USE, now: this.#now })
    this.#caches.set(kept, cache)
    return cache as AdaptiveCache<Held<Value>>
  }

  #nameOf(kept: unknown): number {
    const name = this.#names.get(kept) ?? this.#names.size
    this.#names.set(kept, name)
    return name
  }

  #count(kind: CacheClass | 'document', isHit: boolean): void {
    const count = (this.counts[kind] ??= { hits: 0, misses: 0 })
    if (isHit) count.hits += 1
    else count.misses += 1
  }
}
