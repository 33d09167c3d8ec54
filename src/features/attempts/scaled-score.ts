import type { Blueprint } from '../questions/questions.schema.ts'
import type { AttemptResult, DomainResult, ReviewedQuestion, ScaledScore } from './attempts.schema.ts'

/** Facts about the real exam, from its course. */
export type RealExam = {
  readonly category: keyof typeof passMarks | null
  readonly blueprint: Pick<Blueprint, 'passingScore' | 'domains' | 'curve'> | null
}

/** The scale on which providers report, and where they pass, by level (docs/scoring.md has the source). */
const LOWEST = 100
const HIGHEST = 1000
const passMarks = { practitioner: 700, associate: 720, professional: 750, specialty: 750 } as const

/** Points of the curve from percent to the scale, rising in both; linear between them. */
type Curve = readonly (readonly [percent: number, scaled: number])[]

/** The estimate for a score in percent and its 95% confidence interval for so many questions; null if the scale is unknown. */
export function scaledScore(
  result: Pick<AttemptResult, 'scorePercent' | 'questionCount' | 'passingScore'>,
  exam: RealExam,
): ScaledScore | null {
  const passMark = passMarkOf(exam)
  if (passMark === null || result.questionCount === 0) return null
  const curve = curveOf(result.passingScore, passMark, exam.blueprint?.curve)
  const [low, high] = likelyRange(result.scorePercent, result.questionCount)
  return {
    estimate: onScale(result.scorePercent, curve),
    low: onScale(low, curve),
    high: onScale(high, curve),
    passMark,
  }
}

/** The passing mark of the course's blueprint, otherwise that of its level; null if there is neither. */
export function passMarkOf({ category, blueprint }: RealExam): number | null {
  const stated = blueprint?.passingScore ?? 0
  if (stated > LOWEST && stated < HIGHEST) return stated
  return category === null ? null : passMarks[category]
}

/**
 * Nothing right is the lowest, everything right the highest, and our passing score is the passing mark of the real exam. The
 * blueprint's points refine the curve; those that contradict these three are left out, so that passing here means passing there.
 */
export function curveOf(passingScore: number, passMark: number, further: Curve = []): Curve {
  return [
    [0, LOWEST],
    ...further.filter(([percent, scaled]) => percent < passingScore && scaled < passMark),
    [passingScore, passMark],
    ...further.filter(([percent, scaled]) => percent > passingScore && scaled > passMark),
    [100, HIGHEST],
  ]
}

/** Rounded down, so that the estimate reaches the mark only if the score reaches the passing score. */
export function onScale(percent: number, curve: Curve): number {
  const next = curve.findIndex(([at]) => at > percent)
  if (next === -1) return curve.at(-1)?.[1] ?? LOWEST
  const [from, to] = [curve[next - 1], curve[next]]
  if (from === undefined || to === undefined) return curve[0]?.[1] ?? LOWEST
  return Math.floor(from[1] + ((percent - from[0]) * (to[1] - from[1])) / (to[0] - from[0]))
}

/** 95% of a normal distribution lies within this many standard deviations. */
const Z = 1.96

/** Wilson's score interval of a share, in percent. */
export function likelyRange(percent: number, questionCount: number): readonly [low: number, high: number] {
  const share = percent / 100
  const spread = (Z * Z) / questionCount
  const middle = (share + spread / 2) / (1 + spread)
  const half = (Z * Math.sqrt((share * (1 - share) + spread / 4) / questionCount)) / (1 + spread)
  return [Math.max(0, middle - half) * 100, Math.min(1, middle + half) * 100]
}

/** The domains in the blueprint's order with its weights; domains that it does not name follow by name. */
export function withWeights(
  domains: readonly DomainResult[],
  blueprint: RealExam['blueprint'],
): { domains: DomainResult[]; weightedPercent: number | null } {
  const weights = new Map(blueprint?.domains.map(({ name, weight }) => [name, weight]))
  const order = [...weights.keys()]
  const placeOf = ({ domain }: DomainResult) => (weights.has(domain) ? order.indexOf(domain) : order.length)
  const weighted = domains
    .map((one) => ({ ...one, weight: weights.get(one.domain) ?? null }))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
  const known = weighted.flatMap(({ weight, percent }) => (weight === null ? [] : [{ weight, percent }]))
  const total = known.reduce((sum, { weight }) => sum + weight, 0)
  const reached = known.reduce((sum, { weight, percent }) => sum + weight * percent, 0)
  return { domains: weighted, weightedPercent: total === 0 ? null : Math.floor((reached / total) * 100) / 100 }
}

/** The time per question, if all questions are to be answered in time. */
export function budgetOf(minutes: number | null, questionCount: number): number | null {
  return minutes === null || questionCount === 0 ? null : Math.floor((minutes * 60_000) / questionCount)
}

/** The questions that a learner should review first: lucky guesses, wrong answers that they were sure of, and slow ones. */
export const secondLooks = {
  'right-unsure': ({ isRight, confidence }: ReviewedQuestion) => isRight && confidence === 'unsure',
  'wrong-sure': ({ isRight, confidence }: ReviewedQuestion) => !isRight && confidence === 'sure',
  'over-budget': ({ activeMs }: ReviewedQuestion, budgetMs: number | null) => budgetMs !== null && activeMs > budgetMs,
} as const

const SLOWEST = 3

/** The places of the questions that took longest, slowest first, without questions that were never shown. */
export function slowestPlaces(questions: readonly Pick<ReviewedQuestion, 'activeMs'>[]): number[] {
  return questions
    .map(({ activeMs }, place) => ({ activeMs, place }))
    .filter(({ activeMs }) => activeMs > 0)
    .toSorted((a, b) => b.activeMs - a.activeMs)
    .slice(0, SLOWEST)
    .map(({ place }) => place)
}
