import type { Answer } from '../../questions/types/question-types.schema.ts'
import type { OfflineAttempt, OfflineExam } from './offline-exams.schema.ts'

export type Times = { readonly startedAt: Date; readonly finishedAt: Date }

/** The times that a device reports, limited to possible values: its clock may be set to anything. */
export function timesWithin(reported: Times, { from, until }: { readonly from: Date; readonly until: Date }): Times {
  const bounded = (at: Date) => (at < from ? from : at > until ? until : at)
  const finishedAt = bounded(reported.finishedAt)
  const startedAt = bounded(reported.startedAt)
  return { startedAt: startedAt < finishedAt ? startedAt : finishedAt, finishedAt }
}

/** When an exam came to the device, by both clocks, and the latest instant that was computed since. */
export type OfflineExamClock = { readonly serverMs: number; readonly deviceMs: number; readonly seenMs: number }

/**
 * The current time for an offline exam: the server's time when it was fetched, plus the time that passed on the device since. A
 * clock that is set back gains nothing, because time never goes back behind `seenMs`; one that is set forward ends access early.
 */
export function offlineExamTime(clock: OfflineExamClock, deviceNowMs: number): number {
  return Math.max(clock.seenMs, clock.serverMs, clock.serverMs + (deviceNowMs - clock.deviceMs))
}

/** A practice that has begun on a device. */
export type Practice = {
  /** The id of the attempt that it becomes, made at the start, so that sending it twice stores one attempt. */
  readonly id: string
  readonly startedAt: string
  /** When the latest answer was checked; null before the first. */
  readonly checkedAt: string | null
  /** The question that is shown. */
  readonly questionId: string
  /** By question id, also of questions that are not checked yet. */
  readonly answers: Readonly<Record<string, Answer | null>>
  /** The crossed-out parts of the question that is shown. */
  readonly struck: readonly string[]
  /** The ids of the questions whose answers are final. */
  readonly checked: readonly string[]
}

export function startPractice(offlineExam: OfflineExam, id: string, now: Date): Practice {
  const questionId = offlineExam.questions[0]?.id ?? ''
  return { id, startedAt: now.toISOString(), checkedAt: null, questionId, answers: {}, struck: [], checked: [] }
}

/** How many questions have an answer, checked or not. */
export function answeredCount(practice: Practice): number {
  return Object.values(practice.answers).filter((answer) => answer !== null).length
}

/** The attempt that a practice becomes when it ends now: its checked answers count. Null if nothing was checked. */
export function endPractice(offlineExam: OfflineExam, practice: Practice): OfflineAttempt | null {
  const { id, startedAt, checkedAt, checked } = practice
  if (checkedAt === null) return null
  const { examId, seed, signature } = offlineExam
  const answers = Object.fromEntries(checked.map((question) => [question, practice.answers[question] ?? null]))
  const attempt = { id, examId, seed, startedAt, finishedAt: checkedAt, answers }
  return signature === undefined ? attempt : { ...attempt, signature }
}

/** When a practice that is finished now ended: now, or if access has ended meanwhile, when its last answer was checked. */
export function finishOf(ended: OfflineAttempt, accessUntil: string, now: { atMs: number; deviceMs: number }): string {
  return now.atMs < Date.parse(accessUntil) ? new Date(now.deviceMs).toISOString() : ended.finishedAt
}

/** The exam that stays on the device when it is fetched again. A practice that has begun keeps its questions; only the access changes. */
export function renewedOfflineExam(
  before: OfflineExam,
  practice: Practice | undefined,
  given: OfflineExam,
): OfflineExam {
  const isUnderWay = practice !== undefined && Object.keys(practice.answers).length > 0
  if (!isUnderWay || before.userId !== given.userId) return given
  return { ...before, accessUntil: given.accessUntil, now: given.now }
}
