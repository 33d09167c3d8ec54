import type { CacheClass } from './cache-classes.ts'

export type CacheCount = { hits: number; misses: number }

const uses: Partial<Record<CacheClass, CacheCount>> = {}

/** For the caches that rooms hold themselves, because each use asks the database whether what is held is still so. */
export function countCacheUse(kind: CacheClass, isHit: boolean): void {
  const count = (uses[kind] ??= { hits: 0, misses: 0 })
  if (isHit) count.hits += 1
  else count.misses += 1
}

/** Of this process since it started. */
export function listCacheUses(): Readonly<Partial<Record<CacheClass, CacheCount>>> {
  return uses
}
