import { LRUCache } from 'lru-cache'

type AdaptiveCacheOptions = {
  /** Maximum number of entries; the least recently used one is removed first. */
  readonly entries: number
  readonly hotAbove: number
  readonly hotFactor: number
  readonly coldBelow: number
  readonly coldFactor: number
  readonly sweepEveryMs: number
  readonly sweepAbove: number
  readonly sweepPercent: number
  /** Milliseconds of a monotonic clock. */
  now(): number
}

type Entry<Value> = {
  readonly value: Value
  readonly storedAt: number
  readonly ttlMs: number
  accesses: number
}

/**
 * A cache that extends the lifetime of popular entries and shortens that of rarely used ones. It regularly removes the least
 * used entries. It has no timers: expiry and removal happen at the next call.
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

  /** The value, or undefined when it is missing or expired. Counts as an access. */
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
    // Start from the least recently used, so that it is removed first among entries with equal use.
    const usesOf = (key: string) => this.#entries.peek(key)?.accesses ?? 0
    const byUse = [...this.#entries.rkeys()].sort((a, b) => usesOf(a) - usesOf(b))
    const count = Math.floor((this.#entries.size * sweepPercent) / 100)
    for (const key of byUse.slice(0, count)) this.#entries.delete(key)
  }
}

/** The lifetime in milliseconds after this many accesses: longer when hot, shorter when cold. */
export function lifeMs(
  ttlMs: number,
  accesses: number,
  rule: Pick<AdaptiveCacheOptions, 'hotAbove' | 'hotFactor' | 'coldBelow' | 'coldFactor'>,
): number {
  if (accesses > rule.hotAbove) return ttlMs * rule.hotFactor
  return accesses < rule.coldBelow ? ttlMs * rule.coldFactor : ttlMs
}
