import type { AbilityPart } from './ability.ts'
import type { ExamDomain } from './exam-forecast.ts'
import { NORMAL_NODES, meanRightChance, type Normal } from './response-model.ts'

/** How much harder the real exam is than the questions of a course, in logits: positive is harder. */
export type ExamShift = Normal & {
  /** How many results of real exams it rests on. */
  readonly resultCount: number
}

/** What is assumed before the first result: as hard as the course, give or take half a logit. */
export const STATED_SHIFT: ExamShift = { mean: 0, deviation: 0.5, resultCount: 0 }

/** Forms of the real exam differ among themselves, so the shift of one learner's exam is never known better than this. */
const LEAST_DEVIATION = 0.1

/** What a learner's forecast rested on, in few numbers, to be kept until the result of the exam comes in. */
export type ToldAbility = {
  /** The ability less the mean difficulty of the course's questions. */
  readonly advantage: Normal
  /** The spread of the difficulties. */
  readonly spread: number
  readonly guess: number
  readonly questions: number
  readonly passingPercent: number
}

/** The abilities of a forecast as one number with its deviation: each domain counts by its questions. */
export function toldAbility(
  parts: readonly AbilityPart[],
  domains: readonly ExamDomain[],
  passingPercent: number,
): ToldAbility {
  const questions = domains.reduce((sum, domain) => sum + domain.questions, 0)
  const weights = domains.map((domain) => domain.questions / questions)
  const sums = parts.map(({ share, means, covariance }) => ({
    share,
    mean: weights.reduce((sum, weight, place) => sum + weight * (means[place]! - domains[place]!.difficulty.mean), 0),
    variance: covariance.reduce(
      (sum, value, at) => sum + value * weights[Math.floor(at / weights.length)]! * weights[at % weights.length]!,
      0,
    ),
  }))
  const mean = sums.reduce((sum, part) => sum + part.share * part.mean, 0)
  const variance = sums.reduce((sum, part) => sum + part.share * (part.variance + (part.mean - mean) ** 2), 0)
  const best = parts.reduce((best, part) => (part.share > best.share ? part : best))
  const spread = weights.reduce((sum, weight, place) => {
    const { difficulty } = domains[place]!
    return sum + weight * (difficulty.deviation ** 2 + (best.means[place]! - difficulty.mean - mean) ** 2)
  }, 0)
  return {
    advantage: { mean, deviation: Math.sqrt(variance) },
    spread: Math.sqrt(spread),
    guess: weights.reduce((sum, weight, place) => sum + weight * domains[place]!.guess, 0),
    questions,
    passingPercent,
  }
}

/** What happened; a score in percent, if the learner gave it, says more than the bare result. */
export type ExamResult = {
  readonly told: ToldAbility
  readonly isPassed: boolean
  readonly scorePercent: number | null
}

/** Shifts from -REACH to REACH logits are compared, STEP apart. */
const REACH = 2.5
const STEP = 0.05

/** The shift after the results of real exams. Each result is weighed by how surprising it is at each shift (Bayes on a grid). */
export function shiftAfter(results: readonly ExamResult[], before: ExamShift = STATED_SHIFT): ExamShift {
  if (results.length === 0) return before
  const shifts = Array.from({ length: Math.round((2 * REACH) / STEP) + 1 }, (_, place) => place * STEP - REACH)
  const logs = shifts.map((shift) =>
    results.reduce(
      (sum, result) => sum + Math.log(Math.max(1e-12, resultChance(result, shift))),
      -0.5 * ((shift - before.mean) / before.deviation) ** 2,
    ),
  )
  const best = Math.max(...logs)
  const masses = logs.map((log) => Math.exp(log - best))
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  const mean = shifts.reduce((sum, shift, place) => sum + shift * masses[place]!, 0) / total
  const variance = shifts.reduce((sum, shift, place) => sum + (shift - mean) ** 2 * masses[place]!, 0) / total
  return {
    mean,
    deviation: Math.max(LEAST_DEVIATION, Math.sqrt(variance)),
    resultCount: before.resultCount + results.length,
  }
}

/** The chance of a result if the real exam is so much harder. */
function resultChance({ told, isPassed, scorePercent }: ExamResult, shift: number): number {
  return NORMAL_NODES.reduce((sum, { at, share }) => {
    const advantage = told.advantage.mean + told.advantage.deviation * at - shift
    const right = meanRightChance(advantage, told.spread, told.guess)
    return (
      sum +
      share * (scorePercent === null ? passedChance(told, right, isPassed) : scoreDensity(told, right, scorePercent))
    )
  }, 0)
}

function passedChance({ questions, passingPercent }: ToldAbility, right: number, isPassed: boolean): number {
  const needed = Math.ceil((passingPercent / 100) * questions - 1e-9)
  const deviation = Math.sqrt(Math.max(1e-9, questions * right * (1 - right)))
  const passed = normalShare((questions * right - (needed - 0.5)) / deviation)
  return isPassed ? passed : 1 - passed
}

/** A scaled score is rounded and only about a share of right answers, so it counts as known to two points. */
const SCORE_ERROR = 0.02

function scoreDensity({ questions }: ToldAbility, right: number, scorePercent: number): number {
  const variance = (right * (1 - right)) / questions + SCORE_ERROR ** 2
  return Math.exp(-((scorePercent / 100 - right) ** 2) / (2 * variance)) / Math.sqrt(variance)
}

/** The share of a standard normal distribution below a value (Zelen & Severo 1964, error below 1e-7). */
function normalShare(value: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(value))
  const tail =
    (Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return value >= 0 ? 1 - tail : tail
}
