import { renamed } from '../../../lib/former-names.ts'
import { answerOfSelection } from '../../questions/types/former-answers.ts'
import { withCurrentFields } from '../../questions/types/former-questions.ts'
import type { OfflineExamClock, Practice } from './offline-exams.ts'
import type { OfflineAttempt, OfflineExam } from './offline-exams.schema.ts'

/** An exam on a device. Exams that an early build stored have no practice. */
export type StoredOfflineExam = {
  readonly offlineExam: OfflineExam
  readonly clock: OfflineExamClock
  readonly practice?: Practice
}

/** A finished practice that waits to be sent, or that the server refused. */
export type StoredResult = {
  readonly userId: string
  /** Results that an earlier build stored have none. */
  readonly examSlug?: string
  readonly attempt: OfflineAttempt
  /** Why the server refused it for good. It is not sent again, and stays on the device. */
  readonly refused?: string
}

/** An exam that this build or an earlier one stored on the device; null if there is none. */
export function storedOfflineExam(record: unknown): StoredOfflineExam | null {
  if (record === undefined) return null
  const stored = renamed(record, { pack: 'offlineExam' }) as StoredOfflineExam
  const offlineExam = renamed(stored.offlineExam, { personId: 'userId' }) as OfflineExam
  const questions = offlineExam.questions.map(withCurrentFields) as OfflineExam['questions']
  const { practice, ...rest } = stored
  return {
    ...rest,
    offlineExam: { ...offlineExam, questions },
    ...(practice === undefined ? {} : { practice: storedPractice(practice) }),
  }
}

/** A page of an earlier build may still be open: it adds `selections` to what this build stored, and they are newer. */
function storedPractice(record: Practice & { readonly selections?: Readonly<Record<string, unknown>> }): Practice {
  const { selections = {}, answers = {}, ...rest } = record
  return { ...rest, answers: { ...answers, ...answersOfSelections(selections) } }
}

/** A result that this build or an earlier one stored on the device. */
export function storedResult(record: unknown): StoredResult {
  const stored = renamed(record, { personId: 'userId' }) as StoredResult
  return { ...stored, attempt: { ...stored.attempt, answers: answersOfSelections(stored.attempt.answers) } }
}

/** Answers in the current format stay as they are. */
function answersOfSelections(selections: Readonly<Record<string, unknown>>): Practice['answers'] {
  const answers = Object.entries(selections).map(([id, selection]) => [id, answerOfSelection(selection)])
  return Object.fromEntries(answers) as Practice['answers']
}
