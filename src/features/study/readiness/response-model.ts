/** A question as the model sees it, on the logit scale where an author's "medium" is 0. */
export type Item = {
  readonly difficulty: number
  /** The standard error of the difficulty. */
  readonly deviation: number
  /** The chance of a blind answer, from 0 to below 1. */
  readonly guess: number
}

/** A normal distribution. */
export type Normal = { readonly mean: number; readonly deviation: number }

/** The chance of a right answer: who does not know still guesses (a Rasch model with a fixed lower asymptote). */
export function rightChance(advantage: number, guess: number): number {
  return guess + (1 - guess) / (1 + Math.exp(-advantage))
}

/** A logistic curve that is averaged over a normal spread is nearly a flatter logistic curve; this is the factor (pi/8). */
const FLATTENING = Math.PI / 8

/** The chance of a right answer to a question that is drawn from a normal spread of difficulties. */
export function meanRightChance(advantage: number, spread: number, guess: number): number {
  return rightChance(advantage / Math.sqrt(1 + FLATTENING * spread * spread), guess)
}

/** How much an answer to such a question says about the ability (Fisher information), per squared logit. */
export function informationOf(advantage: number, spread: number, guess: number): number {
  const flatter = 1 / Math.sqrt(1 + FLATTENING * spread * spread)
  const known = rightChance(flatter * advantage, 0)
  const right = guess + (1 - guess) * known
  const slope = (1 - guess) * flatter * known * (1 - known)
  return (slope * slope) / (right * (1 - right))
}

/** Equally spaced points of a standard normal distribution with their shares. The rule is exact to ten digits for smooth functions. */
export const NORMAL_NODES: readonly { readonly at: number; readonly share: number }[] = nodesOf(4, 0.8)

function nodesOf(reach: number, step: number) {
  const count = Math.round(reach / step)
  const raw = Array.from({ length: 2 * count + 1 }, (_, place) => (place - count) * step)
  const shares = raw.map((at) => Math.exp((-at * at) / 2))
  const total = shares.reduce((sum, share) => sum + share, 0)
  return raw.map((at, place) => ({ at, share: (shares[place] ?? 0) / total }))
}
