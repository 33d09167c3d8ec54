import { LRUCache } from 'lru-cache'

export type AdaptiveCacheOptions = {
  /** How many are held; the one that was used least recently goes first. */
  readonly entries: number
  readonly hotAbove: number
  readonly hotFactor: number
  readonly coldBelow: number
  readonly coldFactor: number
  readonly sweepEveryMs: number
  readonly sweepAbove: number
  readonly sweepPercent: number
  /** Milliseconds, from a clock that only goes forward. */
  now(): number
}

type Entry<Value> = {
  readonly value: Value
  readonly storedAt: number
  readonly ttlMs: number
  accesses: number
}

/**
 * Keeps values for their lifetime: longer while they are much in use, shorter when hardly anybody asks for them. The least
 * used are swept out from time to time. There are no timers: what is due is done when the cache is next used.
 */
export class AdaptiveCache<Value extends {}> {
  readonly #entries: LRUCache<string, Entry<Value>>
  readonly #options: AdaptiveCacheOptions
  #sweptAt: number

  constructor(options: AdaptiveCacheOptions) {
    this.#options = options
    this.#entries = new LRUCache({ max: options.entries })
    this.#sweptAt = options.now()
  }

  get size(): number {
    return this.#entries.size
  }

  /** The value, while it lives; asking counts as an access. */
  get(key: string): Value | undefined {
    this.#sweepWhenDue()
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    entry.accesses += 1
    if (this.#options.now() - entry.storedAt < lifeMs(entry.ttlMs, entry.accesses, this.#options)) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: string, value: Value, ttlMs: number): void {
    this.#sweepWhenDue()
    this.#entries.set(key, { value, ttlMs, storedAt: this.#options.now(), accesses: 0 })
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  #sweepWhenDue(): void {
    const { now, sweepEveryMs, sweepAbove, sweepPercent } = this.#options
    const at = now()
    if (at - this.#sweptAt < sweepEveryMs) return
    this.#sweptAt = at
    if (this.#entries.size <= sweepAbove) return
    // From the least recently used on, so that of two that were used equally often the older use goes.
    const usesOf = (key: string) => this.#entries.peek(key)?.accesses ?? 0
    const byUse = [...this.#entries.rkeys()].sort((a, b) => usesOf(a) - usesOf(b))
    const count = Math.floor((this.#entries.size * sweepPercent) / 100)
    for (const key of byUse.slice(0, count)) this.#entries.delete(key)
  }
}

/** A lifetime by use: doubled when hot, halved when cold (the factors are the caller's). */
export function lifeMs(
  ttlMs: number,
  accesses: number,
  rule: Pick<AdaptiveCacheOptions, 'hotAbove' | 'hotFactor' | 'coldBelow' | 'coldFactor'>,
): number {
  if (accesses > rule.hotAbove) return ttlMs * rule.hotFactor
  return accesses < rule.coldBelow ? ttlMs * rule.coldFactor : ttlMs
}
