import type { OfflineAttempt, OfflineExam } from './offline-exams.schema.ts'

type Times = { readonly startedAt: Date; readonly finishedAt: Date }

/** The times that a device says, as far as they can be true: its clock may be set to anything. */
export function timesWithin(said: Times, { from, until }: { readonly from: Date; readonly until: Date }): Times {
  const bounded = (at: Date) => (at < from ? from : at > until ? until : at)
  const finishedAt = bounded(said.finishedAt)
  const startedAt = bounded(said.startedAt)
  return { startedAt: startedAt < finishedAt ? startedAt : finishedAt, finishedAt }
}

/** When a pack came to the device, by both clocks, and the latest instant that the device has seen since. */
export type OfflineExamClock = { readonly serverMs: number; readonly deviceMs: number; readonly seenMs: number }

/**
 * What time it is for a pack: the server's time when it was packed, and what has gone by on the device since. A clock that
 * is set back gains nothing, because time never goes behind what was seen; one that is set forward ends the pack early.
 */
export function offlineExamTime(clock: OfflineExamClock, deviceNowMs: number): number {
  return Math.max(clock.seenMs, clock.serverMs, clock.serverMs + (deviceNowMs - clock.deviceMs))
}

/** Practice that is under way on a device. */
export type Practice = {
  /** The id of the attempt that it becomes, made at the start: however often and from wherever it is sent, it is one. */
  readonly id: string
  readonly startedAt: string
  /** When the latest answer was checked; null before the first. */
  readonly checkedAt: string | null
  /** The question that is shown. */
  readonly questionId: string
  readonly selections: Readonly<Record<string, readonly string[]>>
  /** Of the question that is shown. */
  readonly struck: readonly string[]
  readonly checked: readonly string[]
}

export function startPractice(offlineExam: OfflineExam, id: string, now: Date): Practice {
  const questionId = offlineExam.questions[0]?.id ?? ''
  return { id, startedAt: now.toISOString(), checkedAt: null, questionId, selections: {}, struck: [], checked: [] }
}

/** The attempt that practice becomes when it ends as it stands: what was checked counts. Null when nothing was. */
export function endPractice(offlineExam: OfflineExam, practice: Practice): OfflineAttempt | null {
  const { id, startedAt, checkedAt, checked, selections } = practice
  if (checkedAt === null) return null
  const answers = Object.fromEntries(checked.map((question) => [question, [...(selections[question] ?? [])]]))
  return { id, examId: offlineExam.examId, seed: offlineExam.seed, startedAt, finishedAt: checkedAt, answers }
}

/** The pack that stays on the device when the server gives it anew: practice that is under way keeps its questions, only its access changes. */
export function renewedOfflineExam(
  before: OfflineExam,
  practice: Practice | undefined,
  given: OfflineExam,
): OfflineExam {
  const isUnderWay = practice !== undefined && Object.keys(practice.selections).length > 0
  if (!isUnderWay || before.userId !== given.userId) return given
  return { ...before, accessUntil: given.accessUntil, now: given.now }
}
