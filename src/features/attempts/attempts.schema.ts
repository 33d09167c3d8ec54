import { Answer, AnswerShape, QuestionForReview, QuestionForTaking } from '../questions/types/question-types.schema.ts'
import { MAX_PARTS, ScoringPolicy } from '../questions/types/question-base.schema.ts'
import { withAnswer, withShape } from '../questions/types/former-answers.ts'
import { ShownCaseStudy } from '../questions/case-studies/case-study.schema.ts'
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

/** The version of an exam that a question comes from, and its id there. */
export const QuestionOrigin = z.object({ examId: z.string(), familyId: z.string(), questionId: z.string() })
export type QuestionOrigin = z.infer<typeof QuestionOrigin>

/**
 * The order that a learner sees, fixed when the attempt starts. Saves are validated by it alone. It has no answer key. In a drawn
 * exam `question` is an id of the attempt, because two exams may have questions with equal ids, and `from` says which one it is.
 */
export const Layout = z.array(
  z.preprocess(withShape, z.object({ question: z.string(), shape: AnswerShape, from: QuestionOrigin.optional() })),
)
export type Layout = z.infer<typeof Layout>

export const DRAWN_KINDS = ['mock', 'custom'] as const
export const DrawnKind = z.enum(DRAWN_KINDS)
export type DrawnKind = z.infer<typeof DrawnKind>

/** An exam that was drawn from the bank of a course, without its questions, which are in the layout. */
export const Drawn = z.object({
  kind: DrawnKind,
  title: z.string(),
  /** The draw repeats by its seed, from the same bank and the same progress. */
  seed: z.number().int(),
  /** What the draw says about itself: how many questions the learner had not seen, and where the bank fell short. */
  facts: z.record(z.string(), z.number().int()).default({}),
  /** What the learner asked for. */
  asked: z.unknown().optional(),
})
export type Drawn = z.infer<typeof Drawn>

/** The owner of an attempt: a user, or a guest with the signed cookie. */
export type Taker =
  { readonly kind: 'person'; readonly userId: UserId } | { readonly kind: 'guest'; readonly guestId: GuestId }

/** Proof that an exam is a free trial: only `trialOf` creates one. */
export type TrialExam = { readonly examId: ExamId; readonly proof: 'trial' }

/** The permission to start an attempt: access to the course, or an exam that is a free trial. */
export type Admission =
  | { readonly mode: 'practice' | 'timed'; readonly proof: EntitledCourse }
  | { readonly mode: 'preview'; readonly proof: TrialExam }

/** A visitor's access to the course of an exam. */
export type ExamAccess = 'guest' | 'none' | 'ended' | 'running' | 'admin'

/** An attempt in lists. */
export const AttemptSummary = z.object({
  id: z.string(),
  /** These three are null for a drawn exam. */
  examId: z.string().nullable(),
  familyId: z.string().nullable(),
  examSlug: z.string().nullable(),
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

/** A taker's attempts at one exam: the open ones, and a page (from 1) of the finished ones, newest first. */
export type AttemptsAtExam = {
  readonly open: readonly AttemptSummary[]
  readonly finished: readonly AttemptSummary[]
  readonly finishedCount: number
  readonly page: number
}

/** How sure a learner is of an answer; null if they did not say. */
export const Confidence = z.enum(['sure', 'unsure'])
export type Confidence = z.infer<typeof Confidence>

export const MAX_NOTE_LENGTH = 2000
/** The longest time that is counted for a question. */
const MAX_ACTIVE_MS = 7 * DAY_MS

/** The stored answer of a learner to one question, with its marks. */
export const AnswerState = z.object({
  answer: Answer.nullable(),
  isFlagged: z.boolean(),
  struck: z.array(z.string()),
  note: z.string(),
  confidence: Confidence.nullable(),
  /** The time that the question was on the screen, over all visits. */
  activeMs: z.number().int(),
  seq: z.number().int(),
  /** Practice and preview: the answer key was shown, and the answer is final. */
  isChecked: z.boolean(),
})
export type AnswerState = z.infer<typeof AnswerState>

/** The server's clock, in every reply. The page counts on from it by the monotonic clock, which users cannot set. */
export const ServerClock = z.object({ now: z.string(), remainingSeconds: z.number().int().nullable() })
export type ServerClock = z.infer<typeof ServerClock>

/** The name of a page. An open attempt has one writer: the only page that may change it. */
export const Writer = z
  .string()
  .max(100)
  .regex(/^[\x21-\x7e]+$/)

/** An attempt with its questions in the order that is shown. Only checked questions have their answer key, under `revealed`. */
export const AttemptView = z.object({
  id: z.string(),
  examTitle: z.string(),
  /** Null for a drawn exam. */
  examSlug: z.string().nullable(),
  courseSlug: z.string(),
  courseTitle: z.string(),
  mode: Mode,
  state: z.enum(['open', 'finished']),
  passingScore: z.number().int(),
  timeLimitMinutes: z.number().int().nullable(),
  extraTime: ExtraTime,
  /** The page that may change it; null until a page has given its name. */
  writer: z.string().nullable(),
  questions: z.array(QuestionForTaking),
  /** Only where the first question comes before the others. */
  questionCount: z.number().int().optional(),
  /** Each once, not with every question. */
  caseStudies: z.array(ShownCaseStudy).default([]),
  answers: z.record(z.string(), AnswerState),
  /** By question id, only of questions whose answer key may be shown. */
  revealed: z.record(z.string(), QuestionForReview),
  clock: ServerClock,
})
export type AttemptView = z.infer<typeof AttemptView>

export const DomainResult = z.object({
  domain: z.string(),
  right: z.number().int(),
  total: z.number().int(),
  percent: z.number(),
  /** The weight in the real exam in percent, by the course's blueprint; null if it has none. */
  weight: z.number().nullable().default(null),
})
export type DomainResult = z.infer<typeof DomainResult>

/** An estimate on the provider's scale, with its confidence interval (docs/scoring.md). */
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
  /** Without answer key and explanation if the review withholds them. */
  question: z.union([QuestionForReview, QuestionForTaking]),
  answer: Answer.nullable(),
  isRight: z.boolean(),
  /** Percent of the question's point. Values other than 0 and 100 occur only with partial credit. */
  creditPercent: z.number().int(),
  isFlagged: z.boolean(),
  note: z.string(),
  confidence: Confidence.nullable(),
  activeMs: z.number().int(),
  /** Whether another answer arrived after the end. It does not count; `lateAnswer` is null if the learner cleared the answer. */
  isLate: z.boolean(),
  lateAnswer: Answer.nullable(),
})
export type ReviewedQuestion = z.infer<typeof ReviewedQuestion>

/** A correction of an answer key after the attempt was graded, and the result before it. */
export const RegradeNote = z.object({
  at: z.string(),
  reason: z.string(),
  scorePercent: z.number(),
  isPassed: z.boolean(),
})
export type RegradeNote = z.infer<typeof RegradeNote>

/** A finished attempt with every question in the order that was shown, the learner's answers and, during access, the answer keys. */
export const ReviewView = z.object({
  id: z.string(),
  examTitle: z.string(),
  /** Null for a drawn exam. */
  examSlug: z.string().nullable(),
  courseSlug: z.string(),
  courseTitle: z.string(),
  mode: Mode,
  startedAt: z.string(),
  finishedAt: z.string(),
  finishedBy: FinishedBy,
  timeLimitMinutes: z.number().int().nullable(),
  extraTime: ExtraTime,
  scoringPolicy: ScoringPolicy,
  /** The time budget of each question; null without a time limit. */
  budgetMs: z.number().int().nullable(),
  result: AttemptResult,
  /** Oldest first. */
  regrades: z.array(RegradeNote),
  /** Why it has no answer keys and explanations; null if it has them. */
  withheld: WithoutAccess.nullable(),
  questions: z.array(ReviewedQuestion),
  caseStudies: z.array(ShownCaseStudy).default([]),
})
export type ReviewView = z.infer<typeof ReviewView>

export const AttemptPath = z.object({ attemptId: z.uuid() })
export const AnswerPath = z.object({ attemptId: z.uuid(), questionId: z.string().min(1).max(100) })

/** A page that sends its name becomes the writer of an attempt that has none. */
export const StartAttempt = z.object({ examSlug: z.string().min(1).max(300), mode: Mode, writer: Writer.optional() })
export type StartAttempt = z.infer<typeof StartAttempt>

/** The parts that a learner crossed out. */
const Struck = z
  .array(z.string().min(1).max(100))
  .max(MAX_PARTS)
  .transform((ids) => [...new Set(ids)].sort())

/** A wrong measurement must not refuse an answer: an invalid one counts as 0. */
const ActiveMs = z
  .number()
  .catch(0)
  .transform((ms) => Math.round(Math.min(Math.max(0, ms), MAX_ACTIVE_MS)))

/**
 * One idempotent write: the whole answer to a question after a change, with a number that only grows for its writer. Of two
 * writes the one with the greater (seq, writer) wins, in whatever order they arrive.
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

/** The write that is stored for the question after a save: this one, or a newer one. */
export const SavedAnswer = z.object({ seq: z.number().int(), writer: z.string(), clock: ServerClock })
export type SavedAnswer = z.infer<typeof SavedAnswer>

/** Saves the last answer and checks it in one call, so that the answer key is shown for that answer. */
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
  /** All answers by question id, in case a save never arrived. */
  answers: z.record(z.string().max(100), SaveAnswer).default({}),
  /** The time on each question, also of those that were not changed since. */
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
