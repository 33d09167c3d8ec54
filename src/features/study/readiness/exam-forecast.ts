import type { AbilityPart } from './ability.ts'
import { meanRightChance, NORMAL_NODES, type Normal } from './response-model.ts'

/** The questions of an exam in one domain. */
export type ExamDomain = {
  readonly questions: number
  /** How the difficulties of such questions are spread. */
  readonly difficulty: Normal
  readonly guess: number
}

/** The probability of each number of right answers on an exam, from 0 to all. */
export type ScoreChances = readonly number[]

/** How many draws of abilities stand for their distribution. */
const DRAWS = 256
/** Draws with nearly equal expected scores are counted together. */
const BINS = 400

/**
 * The distribution of the score on an exam whose questions are drawn at random: over the abilities, over how much harder the exam
 * is than its domains say, and over the luck of the answers.
 */
export function scoreChances(
  parts: readonly AbilityPart[],
  domains: readonly ExamDomain[],
  shift: Normal = { mean: 0, deviation: 0 },
): ScoreChances {
  const questions = domains.reduce((sum, domain) => sum + domain.questions, 0)
  const bins = new Float64Array(BINS + 1)
  const draws = drawsOf(domains.length + 1)
  const abilities = new Float64Array(domains.length)
  for (const part of parts) {
    if (part.share < 1e-4) continue
    const root = rootOf(part.covariance, domains.length)
    for (const draw of draws) {
      drawInto(abilities, part, root, draw)
      const harder = shift.mean + shift.deviation * draw[domains.length]!
      const expected = expectedRight(abilities, domains, harder) / questions
      const at = Math.min(BINS - 1e-9, expected * BINS)
      const bin = Math.floor(at)
      const mass = part.share / draws.length
      bins[bin]! += mass * (1 - (at - bin))
      bins[bin + 1]! += mass * (at - bin)
    }
  }
  return binomialMixture(bins, questions)
}

/** The expected number of right answers of a learner with known abilities. */
function expectedRight(abilities: ArrayLike<number>, domains: readonly ExamDomain[], harder: number): number {
  return domains.reduce((sum, { questions, difficulty, guess }, place) => {
    const advantage = (abilities[place] ?? 0) - difficulty.mean - harder
    return sum + questions * meanRightChance(advantage, difficulty.deviation, guess)
  }, 0)
}

/** Fixed draws from a standard normal distribution that fill the space evenly, so that equal answers give equal forecasts. */
const drawsBySize = new Map<number, readonly Float64Array[]>()

function drawsOf(size: number): readonly Float64Array[] {
  const known = drawsBySize.get(size)
  if (known !== undefined) return known
  const pairs = Math.ceil(size / 2)
  const steps = additiveSteps(2 * pairs)
  const half = Array.from({ length: DRAWS / 2 }, (_, number) => {
    const draw = new Float64Array(size)
    for (let pair = 0; pair < pairs; pair++) {
      const [one, other] = [2 * pair, 2 * pair + 1].map((place) => (0.5 + (number + 1) * steps[place]!) % 1)
      const length = Math.sqrt(-2 * Math.log(1 - one!))
      draw[2 * pair] = length * Math.cos(2 * Math.PI * other!)
      if (2 * pair + 1 < size) draw[2 * pair + 1] = length * Math.sin(2 * Math.PI * other!)
    }
    return draw
  })
  const draws = half.flatMap((draw) => [draw, draw.map((value) => -value)])
  drawsBySize.set(size, draws)
  return draws
}

/** The steps of the additive recurrence whose points lie evenly: powers of the root of x^(n+1) = x + 1. */
function additiveSteps(size: number): number[] {
  let root = 1.5
  for (let round = 0; round < 50; round++) root = (1 + root) ** (1 / (size + 1))
  return Array.from({ length: size }, (_, place) => root ** -(place + 1))
}

function drawInto(abilities: Float64Array, { means }: AbilityPart, root: Float64Array, draw: Float64Array) {
  const size = abilities.length
  for (let row = 0; row < size; row++) {
    let value = means[row]!
    for (let column = 0; column <= row; column++) value += root[row * size + column]! * draw[column]!
    abilities[row] = value
  }
}

/** The lower triangular root of a covariance (Cholesky). */
function rootOf(covariance: Float64Array, size: number): Float64Array {
  const root = new Float64Array(size * size)
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      let rest = covariance[row * size + column]!
      for (let at = 0; at < column; at++) rest -= root[row * size + at]! * root[column * size + at]!
      if (row === column) root[row * size + row] = Math.sqrt(Math.max(rest, 1e-12))
      else root[row * size + column] = rest / root[column * size + column]!
    }
  return root
}

function binomialMixture(bins: Float64Array, questions: number): ScoreChances {
  const chances = new Float64Array(questions + 1)
  const one = new Float64Array(questions + 1)
  bins.forEach((mass, bin) => {
    if (mass === 0) return
    binomialInto(one, bin / (bins.length - 1))
    for (let count = 0; count <= questions; count++) chances[count]! += mass * one[count]!
  })
  return [...chances]
}

/** The binomial distribution, computed outwards from its peak: starting at 0 right answers would underflow. */
function binomialInto(chances: Float64Array, chance: number) {
  const p = Math.min(1 - 1e-12, Math.max(1e-12, chance))
  const questions = chances.length - 1
  const peak = Math.min(questions, Math.floor((questions + 1) * p))
  chances.fill(0)
  chances[peak] = 1
  let total = 1
  for (let count = peak; count < questions; count++)
    total += chances[count + 1] = ((chances[count]! * (questions - count)) / (count + 1)) * (p / (1 - p))
  for (let count = peak; count > 0; count--)
    total += chances[count - 1] = ((chances[count]! * count) / (questions - count + 1)) * ((1 - p) / p)
  for (let count = 0; count <= questions; count++) chances[count]! /= total
}

/** The share of exams whose score lies in the interval, at least. */
const INTERVAL = 0.9

export type ScoreForecast = {
  readonly expectedPercent: number
  readonly lowPercent: number
  readonly highPercent: number
  readonly passChance: number
}

/** A distribution of scores in the numbers that people read. */
export function forecastOf(chances: ScoreChances, passingPercent: number): ScoreForecast {
  const share = (count: number) => (100 * count) / (chances.length - 1)
  const { low, high } = shortestInterval(chances)
  return {
    expectedPercent: share(chances.reduce((sum, chance, count) => sum + chance * count, 0)),
    lowPercent: share(low),
    highPercent: share(high),
    passChance: chances.reduce((sum, chance, count) => sum + (share(count) >= passingPercent ? chance : 0), 0),
  }
}

/** How much of a domain's questions a learner would get right, in percent, with the interval that holds nine of ten such learners. */
export type Mastery = { readonly expectedPercent: number; readonly lowPercent: number; readonly highPercent: number }

/** The 95% point of a standard normal distribution. */
const NORMAL_95 = 1.645

/** The mastery of each domain, in their order: of its questions on average, so without the luck of an exam. */
export function masteriesOf(parts: readonly AbilityPart[], domains: readonly ExamDomain[]): Mastery[] {
  return domains.map(({ difficulty, guess }, place) => {
    const percent = (ability: number) => 100 * meanRightChance(ability - difficulty.mean, difficulty.deviation, guess)
    const { mean, deviation } = abilityIn(parts, place)
    const points = NORMAL_NODES.map(({ at, share }) => share * percent(mean + deviation * at))
    return {
      expectedPercent: points.reduce((sum, point) => sum + point, 0),
      lowPercent: percent(mean - NORMAL_95 * deviation),
      highPercent: percent(mean + NORMAL_95 * deviation),
    }
  })
}

/** The ability over all domains, each weighed as the exam weighs it. The weights sum to 1. */
export function overallAbility(parts: readonly AbilityPart[], weights: readonly number[]): Normal {
  const meanIn = ({ means }: AbilityPart) => weights.reduce((sum, weight, place) => sum + weight * means[place]!, 0)
  const mean = parts.reduce((sum, part) => sum + part.share * meanIn(part), 0)
  const variance = parts.reduce((sum, part) => {
    const own = weights.reduce(
      (rows, one, row) =>
        weights.reduce(
          (cells, other, column) => cells + one * other * part.covariance[row * weights.length + column]!,
          rows,
        ),
      0,
    )
    return sum + part.share * (own + (meanIn(part) - mean) ** 2)
  }, 0)
  return { mean, deviation: Math.sqrt(variance) }
}

function abilityIn(parts: readonly AbilityPart[], place: number): Normal {
  const mean = parts.reduce((sum, { share, means }) => sum + share * means[place]!, 0)
  const variance = parts.reduce(
    (sum, { share, means, covariance }) =>
      sum + share * (covariance[place * (means.length + 1)]! + (means[place]! - mean) ** 2),
    0,
  )
  return { mean, deviation: Math.sqrt(variance) }
}

/** The fewest neighboring counts that hold the share, the likeliest of them if there are several. */
function shortestInterval(chances: ScoreChances): { low: number; high: number } {
  let best = { low: 0, high: chances.length - 1, held: 0 }
  let [low, held] = [0, 0]
  chances.forEach((chance, high) => {
    held += chance
    while (low < high && held - chances[low]! >= INTERVAL) held -= chances[low++]!
    const isShorter = high - low < best.high - best.low || (high - low === best.high - best.low && held > best.held)
    if (held >= INTERVAL && isShorter) best = { low, high, held }
  })
  return best
}
