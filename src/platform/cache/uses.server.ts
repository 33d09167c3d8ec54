import type { CacheClass } from './rules.ts'

export type HitCount = { hits: number; misses: number }

const uses: Partial<Record<CacheClass, HitCount>> = {}

/** For the caches that rooms hold themselves, because each use asks the database whether what is held is still so. */
export function countUse(kind: CacheClass, isHit: boolean): void {
  const count = (uses[kind] ??= { hits: 0, misses: 0 })
  if (isHit) count.hits += 1
  else count.misses += 1
}

/** Of this process since it started. */
export function listUses(): Readonly<Partial<Record<CacheClass, HitCount>>> {
  return uses
}
