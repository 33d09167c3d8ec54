import { DAY_MS } from '../../lib/time.ts'
import type { Blueprint } from '../questions/questions.schema.ts'
import type { Readiness, StudyAnswer } from './study.schema.ts'

/** The model, its source and its limits are written down in docs/readiness.md. */

/** Older answers are ignored, and a question that was not answered for so long counts as new. */
export const FRESH_DAYS = 30
/** Below either minimum there is no estimate. */
const MIN_ANSWERS = 30
const MIN_ANSWERS_PER_DOMAIN = 3
/** The share of exams whose score lies in the interval. */
const INTERVAL = 0.9
/** Jeffreys' prior: half an answer right and half an answer wrong before the first. */
const PRIOR = 0.5
/** The exam length for a course without a blueprint. */
const USUAL_QUESTIONS = 65

export type ReadinessFacts = {
  /** All answers, or the new ones among them, oldest first. */
  readonly answers: readonly StudyAnswer[]
  /** The domain of each question of the course. */
  readonly questionDomains: readonly string[]
  readonly blueprint: Pick<Blueprint, 'questions' | 'domains'> | null
  /** In whole percent. */
  readonly passingScore: number
  readonly now: Date
}

/** The expected score on an exam like those of the course, from its distribution. An estimate, not a promise. */
export function readinessOf(facts: ReadinessFacts): Readiness {
  const weights = weightsOf(facts.questionDomains, facts.blueprint)
  const fresh = freshAnswers(facts.answers, facts.now).filter(({ domain }) => weights.has(domain))
  const domains = [...weights].map(([domain, weight]) => {
    const answered = fresh.filter((answer) => answer.domain === domain)
    return { domain, weight, answered: answered.length, right: answered.filter(({ isRight }) => isRight).length }
  })
  const thin = domains.filter(({ answered }) => answered < MIN_ANSWERS_PER_DOMAIN).map(({ domain }) => domain)
  if (fresh.length < MIN_ANSWERS || thin.length > 0)
    return { kind: 'not-enough', answered: fresh.length, needed: MIN_ANSWERS, thinDomains: thin.sort() }
  const questions = facts.blueprint?.questions ?? USUAL_QUESTIONS
  const share = (count: number) => (100 * count) / questions
  const chances = scoreChances(domains, questions)
  return {
    kind: 'estimate',
    answered: fresh.length,
    expectedPercent: share(chances.reduce((sum, chance, count) => sum + chance * count, 0)),
    lowPercent: share(quantile(chances, (1 - INTERVAL) / 2)),
    highPercent: share(quantile(chances, (1 + INTERVAL) / 2)),
    passingPercent: facts.passingScore,
    passChance: chances.reduce((sum, chance, count) => sum + (share(count) >= facts.passingScore ? chance : 0), 0),
  }
}

/** Answers of the last FRESH_DAYS to questions not answered in the FRESH_DAYS before, so that they measure no memory of the question. */
export function freshAnswers(answers: readonly StudyAnswer[], now: Date): StudyAnswer[] {
  return newAnswers(answers).filter(({ at }) => now.getTime() - at.getTime() < FRESH_DAYS * DAY_MS)
}

/** Answers to questions that were not answered in the FRESH_DAYS before. Applied to its own result, this changes nothing. */
function newAnswers(answers: readonly StudyAnswer[]): StudyAnswer[] {
  const lastAt = new Map<string, Date>()
  return answers.filter(({ key, at }) => {
    const before = lastAt.get(key)
    lastAt.set(key, at)
    return isNew(before, at)
  })
}

/** Whether an answer is the first to its question, or the first in FRESH_DAYS. */
export function isNew(before: Date | undefined, at: Date): boolean {
  return before === undefined || at.getTime() - before.getTime() >= FRESH_DAYS * DAY_MS
}

/** The weight of each domain, summing to 1: from the blueprint, or else from the shares of the course's questions. */
export function weightsOf(
  questionDomains: readonly string[],
  blueprint: Pick<Blueprint, 'domains'> | null,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const domain of questionDomains) counts.set(domain, (counts.get(domain) ?? 0) + 1)
  const named = blueprint?.domains ?? []
  const isMatching = named.length === counts.size && named.every(({ name }) => counts.has(name))
  if (!isMatching) return new Map([...counts].map(([domain, count]) => [domain, count / questionDomains.length]))
  const total = named.reduce((sum, { weight }) => sum + weight, 0)
  return new Map(named.map(({ name, weight }) => [name, weight / total]))
}

type DomainEvidence = { readonly weight: number; readonly answered: number; readonly right: number }

/** The probability of each number of right answers on the next exam, from 0 to all. */
export function scoreChances(domains: readonly DomainEvidence[], questions: number): number[] {
  const counts = shareOut(
    domains.map(({ weight }) => weight),
    questions,
  )
  return domains.reduce<number[]>(
    (chances, { answered, right }, place) =>
      convolve(chances, betaBinomial(counts[place] ?? 0, right + PRIOR, answered - right + PRIOR)),
    [1],
  )
}

/** Apportions whole questions to weights by the largest remainder method. */
export function shareOut(weights: readonly number[], questions: number): number[] {
  const exact = weights.map((weight) => weight * questions)
  const counts = exact.map(Math.floor)
  const left = questions - counts.reduce((sum, count) => sum + count, 0)
  const byRemainder = exact
    .map((value, place) => ({ place, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder)
  for (const { place } of byRemainder.slice(0, Math.max(0, left))) counts[place] = (counts[place] ?? 0) + 1
  return counts
}

/** The beta-binomial distribution: probabilities of 0 to n right answers. */
function betaBinomial(n: number, a: number, b: number): number[] {
  let chance = 1
  for (let wrong = 0; wrong < n; wrong++) chance *= (b + wrong) / (a + b + wrong)
  const chances = [chance]
  for (let right = 0; right < n; right++) {
    chance *= (((n - right) / (right + 1)) * (a + right)) / (b + n - right - 1)
    chances.push(chance)
  }
  return chances
}

/** The distribution of the sum of two independent counts. */
function convolve(first: readonly number[], second: readonly number[]): number[] {
  const sums = Array.from({ length: first.length + second.length - 1 }, () => 0)
  first.forEach((chance, count) =>
    second.forEach((other, more) => {
      sums[count + more] = (sums[count + more] ?? 0) + chance * other
    }),
  )
  return sums
}

/** The smallest count whose cumulative probability reaches the level. */
function quantile(chances: readonly number[], level: number): number {
  let sum = 0
  const count = chances.findIndex((chance) => (sum += chance) >= level)
  return count === -1 ? chances.length - 1 : count
}
