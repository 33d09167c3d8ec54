import { answerProblem } from '../questions/types/grading-registry.ts'
import type { Answer, AnswerShape } from '../questions/types/question-types.schema.ts'
import { DAY_MS } from '../../lib/time.ts'
import {
  DRILL_MAX,
  LAST_ATTEMPTS_MAX,
  type CountedStanding,
  type DrillFilters,
  type DrillQuestion,
  type DrillView,
  type Source,
  type Standing,
} from './study.schema.ts'

/** The first filters of a drill: missed questions, or else unseen ones, or else all. */
export function defaultFilters(standings: readonly CountedStanding[]): DrillFilters {
  const filters: DrillFilters = { from: [], lastAttempts: 3, domains: [], kinds: [], count: 20 }
  const first = (['missed', 'unseen'] as const).find((source) => countFitting(standings, { from: [source] }) > 0)
  return first === undefined ? filters : { ...filters, from: [first] }
}

/** All due questions, the longest due first. */
export const DUE_FILTERS: DrillFilters = { from: ['due'], lastAttempts: 1, domains: [], kinds: [], count: DRILL_MAX }

/** Whether a question is in one of the chosen sources, domains and types. An empty list of these does not filter. */
export function fits(
  standing: Standing,
  { from, domains, kinds, lastAttempts }: Pick<DrillFilters, 'from' | 'lastAttempts' | 'domains' | 'kinds'>,
): boolean {
  if (domains.length > 0 && !domains.includes(standing.domain)) return false
  if (kinds.length > 0 && !kinds.includes(standing.kind)) return false
  return from.length === 0 || from.some((source) => isFrom(standing, source, lastAttempts))
}

function isFrom(standing: Standing, source: Source, lastAttempts: number): boolean {
  switch (source) {
    case 'missed':
      return standing.missedIn !== null && standing.missedIn <= lastAttempts
    case 'unseen':
      return standing.isUnseen
    case 'flagged':
      return standing.isFlagged
    case 'due':
      return standing.isDue
  }
}

/** Whether a question belongs to the learner's cards: missed and not answered right since, or due again. */
export function isForCards({ missedIn, isDue }: Standing): boolean {
  return missedIn !== null || isDue
}

export function countCards(standings: readonly CountedStanding[]): number {
  return standings.reduce((sum, standing) => (isForCards(standing) ? sum + standing.count : sum), 0)
}

export function countFitting(standings: readonly CountedStanding[], filters: Partial<DrillFilters>): number {
  const complete = { from: [], lastAttempts: 3, domains: [], kinds: [], ...filters }
  return standings.reduce((sum, standing) => (fits(standing, complete) ? sum + standing.count : sum), 0)
}

/** Equal standings as one, with their number. What was missed longer ago than a filter can ask for counts as not missed. */
export function countStandings(standings: readonly Standing[]): CountedStanding[] {
  // Many questions share one object.
  const counts = new Map<Standing, number>()
  for (const standing of standings) counts.set(standing, (counts.get(standing) ?? 0) + 1)
  const counted = new Map<string, CountedStanding>()
  for (const [{ domain, kind, isUnseen, isFlagged, isDue, missedIn: last }, count] of counts) {
    const missedIn = last !== null && last <= LAST_ATTEMPTS_MAX ? last : null
    const key = `${missedIn} ${isUnseen} ${isFlagged} ${isDue} ${kind} ${domain}`
    const before = counted.get(key)?.count ?? 0
    counted.set(key, { domain, kind, isUnseen, isFlagged, isDue, missedIn, count: before + count })
  }
  return [...counted.values()]
}

/** Identifies a question in all versions of its exam, and apart from equal ids in other exams. */
export function keyOf(question: { readonly familyId: string; readonly questionId: string }): string {
  return `${question.familyId} ${question.questionId}`
}

type GivenAnswer = { readonly answer: Answer | null; readonly isFlagged: boolean }

/**
 * The questions that the learner of a finished attempt has seen. A blank before the last answer was skipped and counts as
 * missed; a blank after it was not reached and is left out, unless it was flagged.
 */
export function seenOf<Question extends GivenAnswer>(questions: readonly Question[]): Question[] {
  const last = questions.findLastIndex(({ answer }) => answer !== null)
  return questions.filter(({ isFlagged }, place) => place <= last || isFlagged)
}

/** The last instant of the day in UTC. Questions due before it are due today. */
export function endOfDay(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + DAY_MS - 1)
}

type DrillAnswerProblem = 'drill.unknown-answer' | 'drill.too-many-selected'

export function drillAnswerProblem(shape: AnswerShape, answer: Answer): DrillAnswerProblem | null {
  const problem = answerProblem(shape, answer)
  return problem === null ? null : PROBLEMS[problem]
}

const PROBLEMS = { 'unknown-part': 'drill.unknown-answer', 'too-many': 'drill.too-many-selected' } as const

type DrillResult = {
  readonly rightCount: number
  readonly answeredCount: number
  readonly leftOutCount: number
  readonly domains: readonly { readonly domain: string; readonly right: number; readonly total: number }[]
  readonly missed: readonly DrillQuestion[]
}

/** The result of a drill. Questions without an answer are left out. */
export function drillResult({ questions, questionCount }: Pick<DrillView, 'questions' | 'questionCount'>): DrillResult {
  const answered = questions.filter(({ answer }) => answer.isRight !== null)
  const missed = answered.filter(({ answer }) => answer.isRight === false)
  const names = [...new Set(answered.map(({ question }) => question.domain))].sort()
  return {
    rightCount: answered.length - missed.length,
    answeredCount: answered.length,
    leftOutCount: questionCount - answered.length,
    domains: names.map((domain) => {
      const total = answered.filter(({ question }) => question.domain === domain).length
      return { domain, total, right: total - missed.filter(({ question }) => question.domain === domain).length }
    }),
    missed,
  }
}

type NextStep = 'due' | 'unseen' | 'exam'

/** The most useful next step: due questions, then unseen ones, then an exam. */
export function nextStep(counts: { readonly dueCount: number; readonly unseenCount: number }): NextStep {
  if (counts.dueCount > 0) return 'due'
  return counts.unseenCount > 0 ? 'unseen' : 'exam'
}

/** The next question without an answer, wrapping around the end; null if all have one. */
export function nextUnanswered(questions: readonly Pick<DrillQuestion, 'answer'>[], from: number): number | null {
  const order = questions.map((_, offset) => (from + 1 + offset) % questions.length)
  return order.find((index) => questions[index]?.answer.isRight === null) ?? null
}
