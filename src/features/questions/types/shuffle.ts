/** The items in another order (Fisher-Yates). @param random returns numbers from 0 up to, and without, 1 */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const held = result[last] as Item
    result[last] = result[other] as Item
    result[other] = held
  }
  return result
}

/** mulberry32: a small generator that gives the same numbers for a seed in every JavaScript engine. */
export function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
