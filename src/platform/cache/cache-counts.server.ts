import type { CacheClass } from './cache-classes.ts'

export type CacheCount = { hits: number; misses: number }

const uses: Partial<Record<CacheClass, CacheCount>> = {}

/** Counts a use of a cache that a feature keeps itself, and whose entries are compared with the database at each use. */
export function countCacheUse(kind: CacheClass, isHit: boolean): void {
  const count = (uses[kind] ??= { hits: 0, misses: 0 })
  if (isHit) count.hits += 1
  else count.misses += 1
}

/** The counts of this process since it started. */
export function listCacheUses(): Readonly<Partial<Record<CacheClass, CacheCount>>> {
  return uses
}
