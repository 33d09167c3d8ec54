import { answerOfSelection } from '../../questions/types/former-answers.ts'
import { Answer, QuestionForReview } from '../../questions/types/question-types.schema.ts'
import { ShownCaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { copy } from './offline-exams.copy.ts'

export const OfflineExamPath = z.object({ examSlug: z.string().min(1).max(300) })

const Seed = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1)

/** A practice exam with its answer keys, for a device of a user with access. The only case in which keys are sent before a check. */
export const OfflineExam = z.object({
  userId: z.string(),
  examId: z.string(),
  examSlug: z.string(),
  examTitle: z.string(),
  courseSlug: z.string(),
  courseTitle: z.string(),
  /** Determines the order of questions and options. */
  seed: Seed,
  questions: z.array(QuestionForReview),
  /** Missing in exams that an earlier build issued. */
  caseStudies: z.array(ShownCaseStudy).optional(),
  accessUntil: z.string(),
  /** The server's clock when it was issued. */
  now: z.string(),
  /** What was issued, signed by the server: its attempt needs it. Exams that an earlier build issued have none. */
  signature: z.string().optional(),
})
export type OfflineExam = z.infer<typeof OfflineExam>

/** The signed facts of an offline exam: who got which exam version, in which order, and for how long. */
export const IssuedExam = z.object({
  userId: z.string(),
  examId: z.string(),
  seed: Seed,
  issuedAt: z.iso.datetime(),
  until: z.iso.datetime(),
})
export type IssuedExam = z.infer<typeof IssuedExam>

/** A practice on a device, sent when the network is back. The device makes its id, so that sending it twice stores it once. */
export const OfflineAttempt = z.object({
  id: z.uuid(),
  examId: z.uuid(),
  seed: Seed,
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  answers: z.record(z.string().max(100), z.preprocess(answerOfSelection, Answer.nullable())),
  /** That of its offline exam. */
  signature: z.string().max(1000).optional(),
})
export type OfflineAttempt = z.infer<typeof OfflineAttempt>

export const StoredOfflineAttempt = z.object({ attemptId: z.string() })

export const fail = failureTable({
  'pack.not-given': { status: 403, kind: 'authorization', sentence: copy['pack.not-given'] },
  'pack.unsigned': { status: 403, kind: 'authorization', sentence: copy['pack.unsigned'] },
})
