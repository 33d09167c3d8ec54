import { answerProblem as shapeProblem, pointsOf, shuffleShapes } from '../questions/types/grading-registry.ts'
import type { ScoringPolicy } from '../questions/types/question-base.schema.ts'
import { POINTS } from '../questions/types/type-grading.ts'
import type { Answer, Question } from '../questions/types/question-types.schema.ts'
import type { ExtraTime } from '../../lib/extra-time.ts'
import type { ExamId } from '../../lib/ids.ts'
import { after, MINUTE_MS, SECOND_MS } from '../../lib/time.ts'
import { scaledScore, withWeights, type RealExam } from './scaled-score.ts'
import type { AttemptResult, FinishedBy, Layout, Mode, TrialExam } from './attempts.schema.ts'

/** Finished attempts on a page of the history at an exam: the most points of its chart that stay distinct on a phone. */
export const HISTORY_PAGE = 24

/** Answers that reach the server within this time after the deadline count, whatever the browser's clock says. */
export const GRACE_MS = 30 * SECOND_MS

/** The remaining seconds at which screen readers announce the clock. */
export const SPOKEN_SECONDS = [1800, 600, 300, 60] as const

const timeFactors = { none: 1, 'x1.25': 1.25, 'x1.5': 1.5, x2: 2, untimed: null } as const satisfies Record<
  ExtraTime,
  number | null
>

/** The time limit in minutes with extra time; null without a limit. */
export function minutesWith(extraTime: ExtraTime, timeLimitMinutes: number): number | null {
  const factor = timeFactors[extraTime]
  return factor === null ? null : timeLimitMinutes * factor
}

type TimeFacts = {
  readonly mode: Mode
  readonly startedAt: Date
  readonly timeLimitMinutes: number
  readonly extraTime: ExtraTime
}

/** The end of a timed attempt; null without a time limit. */
export function deadlineOf({ mode, startedAt, timeLimitMinutes, extraTime }: TimeFacts): Date | null {
  const minutes = minutesWith(extraTime, timeLimitMinutes)
  if (mode !== 'timed' || minutes === null) return null
  return after(startedAt, minutes * MINUTE_MS)
}

/** Whole seconds that are left, never below zero; null without a deadline. */
export function remainingSeconds(deadlineAt: Date | null, now: Date): number | null {
  if (deadlineAt === null) return null
  return Math.max(0, Math.ceil((deadlineAt.getTime() - now.getTime()) / SECOND_MS))
}

/** Whether the deadline and the grace period after it have passed, so that no answer counts any more. */
export function isOverdue(deadlineAt: Date | null, now: Date): boolean {
  return deadlineAt !== null && now.getTime() > deadlineAt.getTime() + GRACE_MS
}

/** The end of an attempt that is closed now. After the deadline, the deadline is its end and its cause. */
export function endOf(deadlineAt: Date | null, now: Date): { finishedAt: Date; finishedBy: FinishedBy } {
  if (deadlineAt !== null && now > deadlineAt) return { finishedAt: deadlineAt, finishedBy: 'deadline' }
  return { finishedAt: now, finishedBy: 'learner' }
}

/** The proof that this exam is a free trial; null if it is not. */
export function trialOf(exam: { readonly id: ExamId; readonly isFreeTrial: boolean }): TrialExam | null {
  return exam.isFreeTrial ? { examId: exam.id, proof: 'trial' } : null
}

/** The order of an attempt: options always shuffled, questions only in the timed exam. The same seed gives the same order. */
export function shuffleLayout(seed: number, questions: readonly Question[], mode: Mode): Layout {
  return shuffleShapes(questions, { seed, shufflesQuestions: mode === 'timed' }).map(({ question, shape }) => ({
    question: question.id,
    shape,
  }))
}

type AnswerProblem = 'attempt.unknown-question' | 'attempt.unknown-answer' | 'attempt.too-many-selected'

/** Why an answer cannot be saved for a question of this attempt; null if it can. */
export function answerProblem(
  layout: Layout,
  questionId: string,
  given: { readonly answer: Answer | null; readonly struck: readonly string[] },
): AnswerProblem | null {
  const entry = layout.find(({ question }) => question === questionId)
  if (entry === undefined) return 'attempt.unknown-question'
  const problem = shapeProblem(entry.shape, given.answer, given.struck)
  return problem === null ? null : PROBLEMS[problem]
}

const PROBLEMS = { 'unknown-part': 'attempt.unknown-answer', 'too-many': 'attempt.too-many-selected' } as const

/** The numbers that a page may use at once, for example for a thousand unsent answers of a closed page. */
export const SEQ_HEAD_START = 1_000_000

/**
 * Whether a sequence number is too large for the age of the attempt: no learner makes more than one change per millisecond. A
 * write with the largest possible number would block every later one.
 */
export function isFromTheFuture(seq: number, startedAt: Date, now: Date): boolean {
  return seq > SEQ_HEAD_START + (now.getTime() - startedAt.getTime())
}

type Write = { readonly seq: number; readonly writer: string }

/** Whether a write replaces another: the greater number wins; for equal numbers the writers' names decide, as in the database. */
export function isNewer(write: Write, than: Write): boolean {
  return write.seq > than.seq || (write.seq === than.seq && write.writer > than.writer)
}

/** Whether a page may change an open attempt: only its writer, or any page while it has none. */
export function mayWrite(attempt: { readonly writer: string | null }, writer: string | null | undefined): boolean {
  return attempt.writer === null || attempt.writer === writer
}

/** The result of an attempt. Unanswered questions are wrong; a score equal to the passing score passes. */
export function gradeAttempt(attempt: {
  readonly layout: Layout
  readonly questions: readonly Question[]
  readonly answers: ReadonlyMap<string, Answer | null>
  readonly policy: ScoringPolicy
  readonly passingScore: number
  readonly realExam: RealExam
}): AttemptResult {
  const { layout, answers, policy, passingScore } = attempt
  const byId = new Map(attempt.questions.map((question) => [question.id, question]))
  const domains = new Map<string, { right: number; points: number; total: number }>()
  let points = 0
  let rightCount = 0
  let answeredCount = 0
  for (const { question: id } of layout) {
    const question = byId.get(id)
    const answer = answers.get(id) ?? null
    if (answer !== null) answeredCount += 1
    if (question === undefined) continue
    const earned = pointsOf(question, answer, policy)
    const domain = domains.get(question.domain) ?? { right: 0, points: 0, total: 0 }
    points += earned
    domain.points += earned
    domain.total += 1
    if (earned === POINTS) {
      rightCount += 1
      domain.right += 1
    }
    domains.set(question.domain, domain)
  }
  const byDomain = [...domains]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([domain, { right, points: earned, total }]) => ({
      domain,
      right,
      total,
      percent: percent(earned, total),
      weight: null,
    }))
  const score = { scorePercent: percent(points, layout.length), questionCount: layout.length, passingScore }
  return {
    ...score,
    rightCount,
    answeredCount,
    isPassed: layout.length > 0 && points * 100 >= passingScore * POINTS * layout.length,
    ...withWeights(byDomain, attempt.realExam.blueprint),
    scaled: scaledScore(score, attempt.realExam),
  }
}

/** Rounded down to two decimals, so that 72 means at least 72. */
function percent(points: number, questions: number): number {
  return questions === 0 ? 0 : Math.floor((points * 10_000) / (POINTS * questions)) / 100
}

/** The whole percent that is shown. Rounded down too, so that it never equals a passing score that was missed. */
export function wholePercent(scorePercent: number): number {
  return Math.floor(scorePercent)
}
