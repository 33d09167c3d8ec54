import { seeded } from '../../tests/support/turns.ts'

/** Numbers that depend on nothing but the seed. */
export type Random = {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  pick<Item>(items: readonly Item[]): Item
  shuffle<Item>(items: readonly Item[]): Item[]
  /** Another row of numbers, for work that runs beside this. */
  fork(): Random
}

export function seededRandom(seed: number): Random {
  const next = seeded(seed)
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    shuffle(items) {
      const shuffled = [...items]
      for (let at = shuffled.length - 1; at > 0; at -= 1) {
        const other = between(0, at)
        ;[shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!]
      }
      return shuffled
    },
    fork: () => seededRandom(between(0, 2 ** 31)),
  }
}
