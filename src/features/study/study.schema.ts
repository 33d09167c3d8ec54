import { z } from 'zod'
import { failureTable } from '../../lib/failure.ts'
import { WithoutAccess } from '../access/access.schema.ts'
import { MAX_OPTIONS, QuestionForReview, QuestionForTaking } from '../questions/questions.schema.ts'
import { copy } from './study.copy.ts'

/** Where a drill's questions come from. Without any, from the whole course. */
export const SOURCES = ['missed', 'unseen', 'flagged', 'due'] as const
export const Source = z.enum(SOURCES)
export type Source = z.infer<typeof Source>

export const DRILL_MAX = 100
export const LAST_ATTEMPTS_MAX = 20

/** What a drill is built from: a question fits when any of the sources has it and its domain is chosen, or none is. */
export const DrillFilters = z.object({
  from: z.array(Source).max(SOURCES.length).default([]),
  /** For 'missed': in how many of the last attempts. */
  lastAttempts: z.int().min(1).max(LAST_ATTEMPTS_MAX).default(3),
  domains: z.array(z.string().max(1000)).max(100).default([]),
  count: z.int().min(1).max(DRILL_MAX).default(20),
})
export type DrillFilters = z.infer<typeof DrillFilters>

/** How a question of the course stands for a learner. It says nothing of what is asked. */
export const Standing = z.object({
  domain: z.string(),
  /** In the how many-eth last attempt it was missed, and not answered right since: 1 is the last. */
  missedIn: z.number().int().nullable(),
  isUnseen: z.boolean(),
  isFlagged: z.boolean(),
  isDue: z.boolean(),
})
export type Standing = z.infer<typeof Standing>

/** What of a course comes back today, and when the next does. */
export const Repetition = z.object({ dueCount: z.number().int(), nextDueAt: z.string().nullable() })
export type Repetition = z.infer<typeof Repetition>

/** What a learner would score on an exam like those of the course: an estimate, or that there is too little to say. */
export const Readiness = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('not-enough'),
    answered: z.number().int(),
    needed: z.number().int(),
    /** Domains with hardly an answer. */
    thinDomains: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('estimate'),
    answered: z.number().int(),
    expectedPercent: z.number(),
    lowPercent: z.number(),
    highPercent: z.number(),
    passingPercent: z.number(),
    passChance: z.number(),
  }),
])
export type Readiness = z.infer<typeof Readiness>

/** The order of a drill, frozen when it starts. Its questions are told apart by their place. It holds no key. */
export const DrillLayout = z.array(
  z.object({
    examId: z.string(),
    familyId: z.string(),
    questionId: z.string(),
    answers: z.array(z.string()),
    isMultiple: z.boolean(),
  }),
)
export type DrillLayout = z.infer<typeof DrillLayout>

/** An answer that was given to a question of a course, in an exam or in a drill: what study learns from. */
export type StudyAnswer = {
  /** The question in all versions of its exam. */
  readonly key: string
  readonly domain: string
  readonly isRight: boolean
  readonly isFlagged: boolean
  readonly at: Date
  /** The attempt that it belongs to; null in a drill. */
  readonly attemptId: string | null
}

export const DrillAnswer = z.object({
  selection: z.array(z.string()),
  /** Null until it is checked; from then on the answer is final. */
  isRight: z.boolean().nullable(),
  isFlagged: z.boolean(),
})
export type DrillAnswer = z.infer<typeof DrillAnswer>

export const DrillQuestion = z.object({
  /** Its place in the drill: what calls name it by. */
  place: z.number().int(),
  question: QuestionForTaking,
  answer: DrillAnswer,
  /** With the key; only once it is answered, and while access runs. */
  revealed: QuestionForReview.nullable(),
})
export type DrillQuestion = z.infer<typeof DrillQuestion>

/** A drill in the order that is shown. A finished one has only what was answered. */
export const DrillView = z.object({
  id: z.string(),
  courseSlug: z.string(),
  courseTitle: z.string(),
  isFinished: z.boolean(),
  questionCount: z.number().int(),
  /** Why a finished drill gives no keys; null where it does. */
  withheld: WithoutAccess.nullable(),
  questions: z.array(DrillQuestion),
})
export type DrillView = z.infer<typeof DrillView>

export const DrillSummary = z.object({
  id: z.string(),
  startedAt: z.string(),
  answeredCount: z.number().int(),
  questionCount: z.number().int(),
})
export type DrillSummary = z.infer<typeof DrillSummary>

/** Naming the drill that is open ends it; otherwise the open one goes on. */
export const StartDrill = z.object({
  courseSlug: z.string().min(1).max(300),
  filters: DrillFilters,
  replaces: z.uuid().optional(),
})
export type StartDrill = z.infer<typeof StartDrill>

export const DrillPath = z.object({ drillId: z.uuid() })
export const DrillPlace = z.object({
  drillId: z.uuid(),
  place: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number),
})

export const CheckDrillAnswer = z.object({
  selection: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(MAX_OPTIONS)
    .transform((ids) => [...new Set(ids)].sort()),
})
export const CheckedDrillAnswer = z.object({
  question: QuestionForReview,
  answer: DrillAnswer,
  /** Every question is answered. */
  isFinished: z.boolean(),
})
export type CheckedDrillAnswer = z.infer<typeof CheckedDrillAnswer>

export const FlagDrillQuestion = z.object({ isFlagged: z.boolean() })

export const fail = failureTable({
  'drill.not-found': { status: 404, kind: 'database', sentence: copy['drill.not-found'] },
  'drill.nothing-fits': { status: 409, kind: 'validation', sentence: copy['drill.nothing-fits'] },
  'drill.finished': { status: 409, kind: 'validation', sentence: copy['drill.finished'] },
  'drill.unknown-answer': { status: 400, kind: 'validation', sentence: copy['drill.unknown-answer'] },
  'drill.too-many-selected': { status: 400, kind: 'validation', sentence: copy['drill.too-many-selected'] },
})
