/** A domain that still has questions to ask. */
type OpenDomain<One> = {
  readonly weight: number
  readonly place: number
  /** How many of its questions were asked. */
  readonly done: number
  readonly left: readonly One[]
}

/** The domain whose share of the questions lacks most, the next one counted; the heavier one of two. */
export function mostBehind<One>(open: readonly OpenDomain<One>[]): OpenDomain<One> | null {
  const weight = open.reduce((sum, one) => sum + one.weight, 0)
  const asked = open.reduce((sum, { done }) => sum + done, 0)
  const lack = (one: OpenDomain<One>) => (one.weight / weight) * (asked + 1) - one.done
  return open.toSorted((a, b) => lack(b) - lack(a) || b.weight - a.weight)[0] ?? null
}
