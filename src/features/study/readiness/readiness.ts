import { DAY_MS } from '../../../lib/time.ts'
import type { Blueprint } from '../../questions/questions.schema.ts'
import type { Readiness, ReadinessEstimate, StudyAnswer } from '../study.schema.ts'
import { abilitiesAfter, type AbilityPart, type AbilityPrior, type Response } from './ability.ts'
import { forecastOf, masteriesOf, scoreChances, type ExamDomain, type Mastery } from './exam-forecast.ts'
import { STATED_SHIFT, toldAbility, type ExamShift, type ToldAbility } from './exam-shift.ts'
import type { Item, Normal } from './response-model.ts'

/** The model, its sources and its limits are written down in docs/readiness.md. */

/** Older answers are ignored, and a question that was not answered for so long counts as new. */
export const FRESH_DAYS = 30
/** Below either minimum there is no estimate. */
const MIN_ANSWERS = 30
const MIN_ANSWERS_PER_DOMAIN = 3
/** The exam length for a course without a blueprint. */
const USUAL_QUESTIONS = 65

/** What is assumed of every learner before the first answer; docs/readiness.md says why. */
export const PRIOR: AbilityPrior = {
  start: { mean: 1, deviation: 1.25 },
  gain: { mean: 0.55, deviation: 0.75 },
  gainDays: 7,
  domainDeviation: 0.5,
  drifts: [
    { step: 0, share: 0.8 },
    { step: 0.04, share: 0.2 },
  ],
  dayStep: 0.03,
}
/** The chance to remember the very answer of a question that was answered more than FRESH_DAYS before. */
export const REMEMBERED = 0.3

/** The difficulty of a question without responses by its author's label. */
export const LABEL_DIFFICULTY = { easy: -0.7, medium: 0, hard: 0.7, '': 0 } as const
/** How far a question may lie from its label. */
export const LABEL_DEVIATION = 0.8

/** A question of the course that may be asked. */
export type CourseItem = { readonly key: string; readonly domain: string; readonly item: Item }

export type ReadinessFacts = {
  /** All answers, or the new ones among them, oldest first. */
  readonly answers: readonly StudyAnswer[]
  readonly items: readonly CourseItem[]
  readonly blueprint: Pick<Blueprint, 'questions' | 'domains'> | null
  /** In whole percent. */
  readonly passingScore: number
  readonly now: Date
  /** How much harder the real exam is than the course's questions, as far as results tell. */
  readonly shift?: ExamShift
}

/** The expected score on an exam like those of the course, and on the real one. An estimate, not a promise. */
export function readinessOf(facts: ReadinessFacts): Readiness {
  return tellReadiness(facts).readiness
}

/** Readiness, and what has to be kept of an estimate until the result of the exam comes in. */
export function tellReadiness(facts: ReadinessFacts): { readiness: Readiness; told: ToldAbility | null } {
  const names = facts.items.map(({ domain }) => domain)
  const weights = weightsOf(names, facts.blueprint)
  const fresh = freshAnswers(facts.answers, facts.now).filter(({ domain }) => weights.has(domain))
  const thin = [...weights.keys()].filter(
    (name) => fresh.filter(({ domain }) => domain === name).length < MIN_ANSWERS_PER_DOMAIN,
  )
  if (fresh.length < MIN_ANSWERS || thin.length > 0)
    return {
      readiness: { kind: 'not-enough', answered: fresh.length, needed: MIN_ANSWERS, thinDomains: thin.sort() },
      told: null,
    }
  const { estimate, abilities, domains } = estimated(facts, fresh, weights)
  return { readiness: estimate, told: toldAbility(abilities, domains, facts.passingScore) }
}

/** The estimate however few the answers are, for a diagnostic, which says how wide it is. */
export function firstEstimate(facts: ReadinessFacts): ReadinessEstimate {
  const weights = weightsOf(
    facts.items.map(({ domain }) => domain),
    facts.blueprint,
  )
  const fresh = freshAnswers(facts.answers, facts.now).filter(({ domain }) => weights.has(domain))
  return estimated(facts, fresh, weights).estimate
}

function estimated(facts: ReadinessFacts, fresh: readonly StudyAnswer[], weights: ReadonlyMap<string, number>) {
  const { items, passingScore: passingPercent, shift = STATED_SHIFT } = facts
  const domains = examDomains(items, weights, facts.blueprint?.questions ?? USUAL_QUESTIONS)
  const abilities = presentAbilities(fresh, items, [...weights.keys()], facts.now)
  const estimate: ReadinessEstimate = {
    kind: 'estimate',
    answered: fresh.length,
    passingPercent,
    ...forecastOf(scoreChances(abilities, domains), passingPercent),
    realExam: {
      ...forecastOf(scoreChances(abilities, domains, shift), passingPercent),
      resultCount: shift.resultCount,
    },
  }
  return { estimate, abilities, domains }
}

/** Each domain of the exam with its weight and how well its questions are known, heaviest first. */
export function masteriesIn(
  facts: Pick<ReadinessFacts, 'answers' | 'items' | 'blueprint' | 'now'>,
): { readonly name: string; readonly weight: number; readonly mastery: Mastery | null }[] {
  const { answers, items, blueprint, now } = facts
  const names = items.map(({ domain }) => domain)
  const weights = weightsOf(names, blueprint)
  const fresh = freshAnswers(answers, now).filter(({ domain }) => weights.has(domain))
  const domains = examDomains(items, weights, blueprint?.questions ?? USUAL_QUESTIONS)
  const masteries =
    fresh.length === 0 ? [] : masteriesOf(presentAbilities(fresh, items, [...weights.keys()], now), domains)
  return [...weights]
    .map(([name, weight], place) => ({ name, weight, mastery: masteries[place] ?? null }))
    .sort((a, b) => b.weight - a.weight)
}

/**
 * The abilities of a learner in the domains, in their order. They change by time once a day: a page is cached until its numbers change
 * (decision 0031).
 */
export function presentAbilities(
  answers: readonly StudyAnswer[],
  items: readonly CourseItem[],
  domains: readonly string[],
  now: Date,
): AbilityPart[] {
  const today = Math.ceil(now.getTime() / DAY_MS) * DAY_MS
  const known = new Map(items.map(({ key, item }) => [key, item]))
  const responses = answers.map(({ key, domain, isRight, at, isRepeated = false }): Response => ({
    domain: domains.indexOf(domain),
    isRight,
    item: known.get(key) ?? UNKNOWN_ITEM,
    remembered: isRepeated ? REMEMBERED : 0,
    daysAgo: (today - at.getTime()) / DAY_MS,
  }))
  return abilitiesAfter(responses, domains.length, PRIOR)
}

/** A question that the course no longer has. */
const UNKNOWN_ITEM: Item = { difficulty: LABEL_DIFFICULTY[''], deviation: LABEL_DEVIATION, guess: 0.25 }

/** The questions of an exam like those of the course, domain by domain. */
export function examDomains(
  items: readonly CourseItem[],
  weights: ReadonlyMap<string, number>,
  questions: number,
): ExamDomain[] {
  const counts = shareOut([...weights.values()], questions)
  return [...weights.keys()].map((name, place) => {
    const own = items.filter(({ domain }) => domain === name).map(({ item }) => item)
    return {
      questions: counts[place] ?? 0,
      difficulty: difficultiesOf(own.length === 0 ? [UNKNOWN_ITEM] : own),
      guess: own.length === 0 ? UNKNOWN_ITEM.guess : meanOf(own.map(({ guess }) => guess)),
    }
  })
}

/** The spread of the true difficulties: that of the estimates and what they may be off. */
function difficultiesOf(items: readonly Item[]): Normal {
  const mean = meanOf(items.map(({ difficulty }) => difficulty))
  const variance = meanOf(items.map(({ difficulty, deviation }) => (difficulty - mean) ** 2 + deviation ** 2))
  return { mean, deviation: Math.sqrt(variance) }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
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
