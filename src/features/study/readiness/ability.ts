import { randomOf, shuffled } from '../../questions/types/shuffle.ts'
import { NORMAL_NODES, rightChance, type Item, type Normal } from './response-model.ts'

/** An answer, in the order of time. */
export type Response = {
  /** The place of its domain in the list of domains. */
  readonly domain: number
  readonly isRight: boolean
  readonly item: Item
  /** The chance that the learner remembers the answer itself. 0 for a question that is new to them. */
  readonly remembered: number
  /** How long before the forecast. */
  readonly daysAgo: number
}

/** What is assumed of every learner before the first answer (docs/readiness.md). */
export type AbilityPrior = {
  /** The ability at the first answer. */
  readonly start: Normal
  /** What a learner gains from the first answer to the last, evenly, if `gainDays` or more lie between them; less if fewer do. */
  readonly gain: Normal
  readonly gainDays: number
  /** How far the domains of one learner lie from their own mean. */
  readonly domainDeviation: number
  /** Uneven changes: the deviation of one step, in logits per answer, and its share. Answers decide between them. */
  readonly drifts: readonly { readonly step: number; readonly share: number }[]
  /** Uneven changes by time, in logits per square root of a day. */
  readonly dayStep: number
}

/** The abilities of a learner in each domain as a normal distribution; several with shares make a mixture. */
export type AbilityPart = {
  readonly share: number
  readonly means: Float64Array
  /** Row by row. */
  readonly covariance: Float64Array
}

/** The share of the common step that each domain moves by itself, on top. */
const OWN_DRIFT = 0.5

/** The present abilities after the answers, one part for each assumed drift. */
export function abilitiesAfter(
  responses: readonly Response[],
  domainCount: number,
  prior: AbilityPrior,
): AbilityPart[] {
  const inOrder = mixedWithin(responses)
  const runs = prior.drifts.map(({ step, share }) => {
    const state = startOf(domainCount, prior, daysOf(inOrder))
    const evidence = follow(state, inOrder, { step, dayStep: prior.dayStep })
    return { state, weight: Math.log(share) + evidence }
  })
  const best = Math.max(...runs.map(({ weight }) => weight))
  const total = runs.reduce((sum, { weight }) => sum + Math.exp(weight - best), 0)
  return runs.map(({ state, weight }) => ({
    share: Math.exp(weight - best) / total,
    ...domainAbilities(state, domainCount),
  }))
}

/** The joint normal distribution of the present level, the gain, and each domain's distance from the level. */
type State = { readonly means: Float64Array; readonly covariance: Float64Array; readonly size: number }

const LEVEL = 0
const GAIN = 1
const FIRST_DOMAIN = 2

function daysOf(responses: readonly Response[]): number {
  return (responses[0]?.daysAgo ?? 0) - (responses.at(-1)?.daysAgo ?? 0)
}

function startOf(domainCount: number, prior: AbilityPrior, days: number): State {
  const { start, gain, gainDays, domainDeviation } = prior
  const gained = Math.min(1, days / gainDays)
  const size = FIRST_DOMAIN + domainCount
  const means = new Float64Array(size)
  const covariance = new Float64Array(size * size)
  means[LEVEL] = start.mean
  means[GAIN] = gained * gain.mean
  covariance[LEVEL * size + LEVEL] = start.deviation ** 2
  covariance[GAIN * size + GAIN] = (gained * gain.deviation) ** 2
  for (let place = FIRST_DOMAIN; place < size; place++) covariance[place * size + place] = domainDeviation ** 2
  return { means, covariance, size }
}

/** Moves the state over all answers up to now. @returns the logarithm of the chance of these answers */
function follow(
  state: State,
  responses: readonly Response[],
  drift: { readonly step: number; readonly dayStep: number },
): number {
  const times = timesOf(responses)
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0)
  let evidence = 0
  let daysAgo = responses[0]?.daysAgo ?? 0
  responses.forEach((response, place) => {
    const passed = place === 0 ? 0 : times[place]! - times[place - 1]!
    if (passed > 0) grow(state, passed / span)
    spread(state, drift.step ** 2 * passed + drift.dayStep ** 2 * Math.max(0, daysAgo - response.daysAgo))
    daysAgo = response.daysAgo
    evidence += learn(state, response)
  })
  spread(state, drift.dayStep ** 2 * Math.max(0, daysAgo))
  return evidence
}

/**
 * The answers of one exam in a fixed random order. Each step approximates, and an order such as all right answers last, or domain after
 * domain, would add up the errors of the steps.
 */
function mixedWithin(responses: readonly Response[]): Response[] {
  const random = randomOf(1)
  const mixed: Response[] = []
  let from = 0
  for (let to = 1; to <= responses.length; to++) {
    if (responses[to]?.daysAgo === responses[from]?.daysAgo) continue
    mixed.push(...shuffled(responses.slice(from, to), random))
    from = to
  }
  return mixed
}

/** When each answer was given, counted in answers. Those of one exam were given at once: nothing is learned between them. */
function timesOf(responses: readonly Response[]): Float64Array {
  const times = new Float64Array(responses.length)
  let from = 0
  for (let to = 1; to <= responses.length; to++) {
    if (responses[to]?.daysAgo === responses[from]?.daysAgo) continue
    times.fill((from + to - 1) / 2, from, to)
    from = to
  }
  return times
}

/** The level takes its share of the gain. */
function grow({ means, covariance, size }: State, share: number) {
  means[LEVEL]! += share * means[GAIN]!
  for (let column = 0; column < size; column++) covariance[column]! += share * covariance[GAIN * size + column]!
  for (let row = 0; row < size; row++) covariance[row * size]! += share * covariance[row * size + GAIN]!
}

function spread({ covariance, size }: State, variance: number) {
  if (variance === 0) return
  covariance[0]! += variance
  for (let place = FIRST_DOMAIN; place < size; place++) covariance[place * size + place]! += OWN_DRIFT ** 2 * variance
}

/**
 * Takes an answer into the state. The exact distribution after it is replaced by the normal one of equal mean and variance
 * (assumed density filtering); only the advantage over the question matters, so the integral has one dimension.
 */
function learn(state: State, { domain, isRight, item, remembered }: Response): number {
  const { means, covariance, size } = state
  const own = FIRST_DOMAIN + domain
  const along = new Float64Array(size)
  for (let row = 0; row < size; row++) along[row] = covariance[row * size]! + covariance[row * size + own]!
  const variance = along[LEVEL]! + along[own]! + item.deviation ** 2
  const deviation = Math.sqrt(variance)
  const advantage = means[LEVEL]! + means[own]! - item.difficulty
  const guess = item.guess + (1 - item.guess) * remembered
  let [total, first, second] = [0, 0, 0]
  for (const { at, share } of NORMAL_NODES) {
    const right = rightChance(advantage + deviation * at, guess)
    const chance = share * (isRight ? right : 1 - right)
    total += chance
    first += chance * at
    second += chance * at * at
  }
  const shift = first / total
  const shrink = second / total - shift * shift - 1
  for (let row = 0; row < size; row++) {
    means[row]! += (along[row]! / deviation) * shift
    for (let column = 0; column < size; column++)
      covariance[row * size + column]! += (along[row]! * along[column]! * shrink) / variance
  }
  return Math.log(total)
}

function domainAbilities({ means, covariance, size }: State, domainCount: number) {
  const own = new Float64Array(domainCount)
  const joint = new Float64Array(domainCount * domainCount)
  for (let one = 0; one < domainCount; one++) {
    const row = FIRST_DOMAIN + one
    own[one] = means[LEVEL]! + means[row]!
    for (let other = 0; other < domainCount; other++) {
      const column = FIRST_DOMAIN + other
      joint[one * domainCount + other] =
        covariance[0]! + covariance[column]! + covariance[row]! + covariance[row * size + column]!
    }
  }
  return { means: own, covariance: joint }
}
