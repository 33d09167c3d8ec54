import { Answer, AnswerShape, QuestionForReview, QuestionForTaking } from '../questions/types/question-types.schema.ts'
import { MAX_PARTS, ScoringPolicy } from '../questions/types/question-base.schema.ts'
import { withAnswer, withShape } from '../questions/types/former-answers.ts'
import { z } from 'zod'
import { ExtraTime } from '../../lib/extra-time.ts'
import { failureTable } from '../../lib/failure.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { ExamId, GuestId, UserId } from '../../lib/ids.ts'
import { WithoutAccess, type EntitledCourse } from '../access/access.schema.ts'
import { copy } from './attempts.copy.ts'

export const MODES = ['practice', 'timed', 'preview'] as const
export const Mode = z.enum(MODES)
export type Mode = z.infer<typeof Mode>

/** The order that a learner sees, frozen when the attempt starts, and all that a save is judged by. It has no answer key. */
export const Layout = z.array(z.preprocess(withShape, z.object({ question: z.string(), shape: AnswerShape })))
export type Layout = z.infer<typeof Layout>

/** Whose attempt it is: a person's, or that of a guest with the signed cookie. */
export type Taker =
  { readonly kind: 'person'; readonly userId: UserId } | { readonly kind: 'guest'; readonly guestId: GuestId }

/** An exam that anyone may try, proven: only `trialOf` makes one. */
export type TrialExam = { readonly examId: ExamId; readonly proof: 'trial' }

/** What lets an attempt start: access to the course, or an exam that is a free trial. */
export type Admission =
  | { readonly mode: 'practice' | 'timed'; readonly proof: EntitledCourse }
  | { readonly mode: 'preview'; readonly proof: TrialExam }

/** What a visitor has of an exam's course. */
export type ExamAccess = 'guest' | 'none' | 'ended' | 'running' | 'admin'

/** An attempt in lists. */
export const AttemptSummary = z.object({
  id: z.string(),
  examId: z.string(),
  familyId: z.string(),
  examSlug: z.string(),
  examTitle: z.string(),
  courseId: z.string(),
  courseSlug: z.string(),
  mode: Mode,
  state: z.enum(['open', 'finished']),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  deadlineAt: z.string().nullable(),
  /** Percent with two decimals; null while open. */
  scorePercent: z.number().nullable(),
  isPassed: z.boolean().nullable(),
  answeredCount: z.number().int(),
  questionCount: z.number().int(),
})
export type AttemptSummary = z.infer<typeof AttemptSummary>

/** How sure a learner says to be of an answer; null is not said. */
export const Confidence = z.enum(['sure', 'unsure'])
export type Confidence = z.infer<typeof Confidence>

export const MAX_NOTE_LENGTH = 2000
/** A question that was looked at for longer counts as this long. */
const MAX_ACTIVE_MS = 7 * DAY_MS

/** What a learner has put down for one question. */
export const AnswerState = z.object({
  answer: Answer.nullable(),
  isFlagged: z.boolean(),
  struck: z.array(z.string()),
  note: z.string(),
  confidence: Confidence.nullable(),
  /** How long the question was looked at so far, all visits together. */
  activeMs: z.number().int(),
  seq: z.number().int(),
  /** Practice and preview: the answer key was shown, and the answer is final. */
  isChecked: z.boolean(),
})
export type AnswerState = z.infer<typeof AnswerState>

/** The server's clock, in every reply: the page counts from here with a clock that nobody can set. */
export const ServerClock = z.object({ now: z.string(), remainingSeconds: z.number().int().nullable() })
export type ServerClock = z.infer<typeof ServerClock>

/** A page's name for itself. An open attempt has one writer: the page that may change it. */
const Writer = z
  .string()
  .max(100)
  .regex(/^[\x21-\x7e]+$/)

/** An open attempt: questions in the order that is shown, without any key. Checked questions carry theirs. */
export const AttemptView = z.object({
  id: z.string(),
  examTitle: z.string(),
  examSlug: z.string(),
  courseSlug: z.string(),
  courseTitle: z.string(),
  mode: Mode,
  state: z.enum(['open', 'finished']),
  passingScore: z.number().int(),
  timeLimitMinutes: z.number().int().nullable(),
  extraTime: ExtraTime,
  /** The page that may change it; null while none has named itself. */
  writer: z.string().nullable(),
  questions: z.array(QuestionForTaking),
  answers: z.record(z.string(), AnswerState),
  /** By question id, only where the key is due. */
  revealed: z.record(z.string(), QuestionForReview),
  clock: ServerClock,
})
export type AttemptView = z.infer<typeof AttemptView>

export const DomainResult = z.object({
  domain: z.string(),
  right: z.number().int(),
  total: z.number().int(),
  percent: z.number(),
  /** Percent of the real exam, by the course's blueprint; null where it has none. */
  weight: z.number().nullable().default(null),
})
export type DomainResult = z.infer<typeof DomainResult>

/** An estimate on the provider's scale, with the range that chance leaves (docs/scoring.md). */
export const ScaledScore = z.object({
  estimate: z.number().int(),
  low: z.number().int(),
  high: z.number().int(),
  passMark: z.number().int(),
})
export type ScaledScore = z.infer<typeof ScaledScore>

export const AttemptResult = z.object({
  rightCount: z.number().int(),
  answeredCount: z.number().int(),
  questionCount: z.number().int(),
  scorePercent: z.number(),
  passingScore: z.number().int(),
  isPassed: z.boolean(),
  domains: z.array(DomainResult),
  weightedPercent: z.number().nullable().default(null),
  scaled: ScaledScore.nullable().default(null),
})
export type AttemptResult = z.infer<typeof AttemptResult>

export const FinishedBy = z.enum(['learner', 'deadline', 'merge'])
export type FinishedBy = z.infer<typeof FinishedBy>

export const ReviewedQuestion = z.object({
  /** Without key and explanation where the review withholds them. */
  question: z.union([QuestionForReview, QuestionForTaking]),
  answer: Answer.nullable(),
  isRight: z.boolean(),
  /** Percent of the question's point; between 0 and 100 only where the exam gives partial credit. */
  creditPercent: z.number().int(),
  isFlagged: z.boolean(),
  note: z.string(),
  confidence: Confidence.nullable(),
  activeMs: z.number().int(),
  /** Whether another answer, which does not count, arrived after the end; null says that the learner cleared it. */
  isLate: z.boolean(),
  lateAnswer: Answer.nullable(),
})
export type ReviewedQuestion = z.infer<typeof ReviewedQuestion>

/** That a key was mended after the attempt had been graded by it, and what the result was before. */
export const RegradeNote = z.object({
  at: z.string(),
  reason: z.string(),
  scorePercent: z.number(),
  isPassed: z.boolean(),
})
export type RegradeNote = z.infer<typeof RegradeNote>

/** A finished attempt with every question, in the order that was seen, the given and, while access runs, the right answers. */
export const ReviewView = z.object({
  id: z.string(),
  examTitle: z.string(),
  examSlug: z.string(),
  courseSlug: z.string(),
  courseTitle: z.string(),
  mode: Mode,
  startedAt: z.string(),
  finishedAt: z.string(),
  finishedBy: FinishedBy,
  timeLimitMinutes: z.number().int().nullable(),
  extraTime: ExtraTime,
  scoringPolicy: ScoringPolicy,
  /** The time that each question may take; null where no clock runs. */
  budgetMs: z.number().int().nullable(),
  result: AttemptResult,
  /** The oldest first. */
  regrades: z.array(RegradeNote),
  /** Why keys and explanations are not in it; null where they are. */
  withheld: WithoutAccess.nullable(),
  questions: z.array(ReviewedQuestion),
})
export type ReviewView = z.infer<typeof ReviewView>

export const AttemptPath = z.object({ attemptId: z.uuid() })
export const AnswerPath = z.object({ attemptId: z.uuid(), questionId: z.string().min(1).max(100) })

/** With its name a page becomes the writer of an attempt that has none. */
export const StartAttempt = z.object({ examSlug: z.string().min(1).max(300), mode: Mode, writer: Writer.optional() })
export type StartAttempt = z.infer<typeof StartAttempt>

/** The parts that a learner crossed out. */
const Struck = z
  .array(z.string().min(1).max(100))
  .max(MAX_PARTS)
  .transform((ids) => [...new Set(ids)].sort())

/** A measurement is never a reason to refuse an answer: what makes no sense counts as nothing. */
const ActiveMs = z
  .number()
  .catch(0)
  .transform((ms) => Math.round(Math.min(Math.max(0, ms), MAX_ACTIVE_MS)))

/**
 * One idempotent write: what is put down for a question after this change, with a number that only grows for its writer.
 * Of two writes the one with the greater (seq, writer) stays, in whatever order they arrive.
 */
export const SaveAnswer = z.preprocess(
  withAnswer,
  z.object({
    answer: Answer.nullable(),
    isFlagged: z.boolean().default(false),
    struck: Struck.default([]),
    note: z.string().max(MAX_NOTE_LENGTH).default(''),
    confidence: Confidence.nullable().default(null),
    activeMs: ActiveMs.default(0),
    seq: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
    writer: Writer,
  }),
)
export type SaveAnswer = z.infer<typeof SaveAnswer>

/** What is stored for the question after a save: the same seq and writer, or those of the newer write that stays. */
export const SavedAnswer = z.object({ seq: z.number().int(), writer: z.string(), clock: ServerClock })
export type SavedAnswer = z.infer<typeof SavedAnswer>

/** The click and the check in one call, so that the key is shown for what was chosen last. */
export const CheckAnswer = z.object({ answer: SaveAnswer.optional(), writer: Writer.optional() })
export const CheckedAnswer = z.object({ question: QuestionForReview, answer: AnswerState, clock: ServerClock })
export type CheckedAnswer = z.infer<typeof CheckedAnswer>

export const FinishedAttempt = z.object({ attemptId: z.string(), finishedBy: FinishedBy, result: AttemptResult })
export type FinishedAttempt = z.infer<typeof FinishedAttempt>

export const AttemptClock = z.object({
  state: z.enum(['open', 'finished']),
  writer: z.string().nullable(),
  clock: ServerClock,
})
export type AttemptClock = z.infer<typeof AttemptClock>

export const TakeOver = z.object({ writer: Writer })
export type TakeOver = z.infer<typeof TakeOver>

export const FinishAttempt = z.object({
  writer: Writer.optional(),
  /** Everything that was put down, by question id: a backstop for writes that never arrived. */
  answers: z.record(z.string().max(100), SaveAnswer).default({}),
  /** How long each question was looked at, also where nothing was put down since. */
  activeMs: z.record(z.string().max(100), ActiveMs).default({}),
})
export type FinishAttempt = z.infer<typeof FinishAttempt>

export const fail = failureTable({
  'attempt.not-found': { status: 404, kind: 'database', sentence: copy['attempt.not-found'] },
  'attempt.signed-out': { status: 401, kind: 'authentication', sentence: copy['attempt.signed-out'] },
  'attempt.finished': { status: 409, kind: 'validation', sentence: copy['attempt.finished'] },
  'attempt.too-late': { status: 409, kind: 'validation', sentence: copy['attempt.too-late'] },
  'attempt.elsewhere': { status: 409, kind: 'validation', sentence: copy['attempt.elsewhere'] },
  'attempt.not-finished': { status: 409, kind: 'validation', sentence: copy['attempt.not-finished'] },
  'attempt.unknown-question': { status: 400, kind: 'validation', sentence: copy['attempt.unknown-question'] },
  'attempt.unknown-answer': { status: 400, kind: 'validation', sentence: copy['attempt.unknown-answer'] },
  'attempt.too-many-selected': { status: 400, kind: 'validation', sentence: copy['attempt.too-many-selected'] },
  'attempt.from-the-future': { status: 400, kind: 'validation', sentence: copy['attempt.from-the-future'] },
  'attempt.checked': { status: 409, kind: 'validation', sentence: copy['attempt.checked'] },
  'attempt.no-key-in-timed': { status: 403, kind: 'authorization', sentence: copy['attempt.no-key-in-timed'] },
  'attempt.not-a-trial': { status: 403, kind: 'authorization', sentence: copy['attempt.not-a-trial'] },
  'attempt.no-questions': { status: 409, kind: 'validation', sentence: copy['attempt.no-questions'] },
})
