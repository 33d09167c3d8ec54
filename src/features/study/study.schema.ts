import { Answer, AnswerShape, QuestionForReview, QuestionForTaking } from '../questions/types/question-types.schema.ts'
import { withAnswer, withShape } from '../questions/types/former-answers.ts'
import { CaseStudy } from '../questions/case-studies/case-study.schema.ts'
import { z } from 'zod'
import { failureTable, fill } from '../../lib/failure.ts'
import { WithoutAccess } from '../access/access.schema.ts'
import { copy as filterCopy } from './question-filters/question-filters.copy.ts'
import { copy } from './study.copy.ts'

/** A source of a drill's questions. Without any, the whole course. */
const SOURCES = ['missed', 'unseen', 'flagged', 'due'] as const
export const Source = z.enum(SOURCES)
export type Source = z.infer<typeof Source>

export const DRILL_MAX = 100
export const LAST_ATTEMPTS_MAX = 20

export const wholeNumber = (max: number, problem: string) => {
  const sentence = fill(problem, { max })
  return z.int(sentence).min(1, sentence).max(max, sentence)
}

/** The filters of a drill. A question fits if any source has it, and its domain and its type are chosen; an empty list means all. */
export const DrillFilters = z.object({
  from: z.array(Source).max(SOURCES.length).default([]),
  /** For 'missed': the number of last attempts to look at. */
  lastAttempts: wholeNumber(LAST_ATTEMPTS_MAX, filterCopy['filters.lastAttempts.problem']).default(3),
  domains: z.array(z.string().max(1000)).max(100).default([]),
  kinds: z.array(z.string().max(100)).max(100).default([]),
  count: wholeNumber(DRILL_MAX, filterCopy['filters.count.problem']).default(20),
})
export type DrillFilters = z.infer<typeof DrillFilters>

/** The standing of a question for a learner, without its text. */
export const Standing = z.object({
  domain: z.string(),
  /** Its type of question, as it is counted. */
  kind: z.string(),
  /** The attempt in which it was missed and not answered right since: 1 is the last attempt, 2 the one before. */
  missedIn: z.number().int().nullable(),
  isUnseen: z.boolean(),
  isFlagged: z.boolean(),
  isDue: z.boolean(),
})
export type Standing = z.infer<typeof Standing>

/** The number of questions of a standing. */
export type CountedStanding = Standing & { readonly count: number }

/** The number of questions due today, and the instant of the next one. */
export const Repetition = z.object({
  dueCount: z.number().int(),
  nextDueAt: z.string().nullable(),
  /** The day of the exam at which the cards are aimed; null without one, and from that day on. */
  examDate: z.string().nullable(),
  /** The reviews to which the intervals are fitted, and the later ones that confirmed it; null for the published intervals. */
  fitted: z.object({ reviews: z.number().int(), heldOut: z.number().int() }).nullable(),
})
export type Repetition = z.infer<typeof Repetition>

/** A score that is forecast, with the interval that holds nine of ten exams. */
const scoreForecast = {
  expectedPercent: z.number(),
  lowPercent: z.number(),
  highPercent: z.number(),
  passChance: z.number(),
}

/** The expected score on an exam like those of the course and on the real one, or the data that is missing for it. */
export const Readiness = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('not-enough'),
    answered: z.number().int(),
    needed: z.number().int(),
    /** Domains with too few answers. */
    thinDomains: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('estimate'),
    answered: z.number().int(),
    passingPercent: z.number(),
    /** On an exam like those of the course. */
    ...scoreForecast,
    /** On the real exam, which may be harder or easier; `resultCount` results of real exams say how much. */
    realExam: z.object({ ...scoreForecast, resultCount: z.number().int() }),
  }),
])
export type Readiness = z.infer<typeof Readiness>
export type ReadinessEstimate = Extract<Readiness, { kind: 'estimate' }>

/** The order of a drill, frozen when it starts; the place identifies a question. It holds no answer key. */
export const DrillLayout = z.array(
  z.preprocess(
    withShape,
    z.object({ examId: z.string(), familyId: z.string(), questionId: z.string(), shape: AnswerShape }),
  ),
)
export type DrillLayout = z.infer<typeof DrillLayout>

/** An answer to a question of a course, in an exam or in a drill. */
export type StudyAnswer = {
  /** Identifies the question in all versions of its exam (`keyOf`). */
  readonly key: string
  readonly domain: string
  readonly isRight: boolean
  readonly isFlagged: boolean
  readonly at: Date
  /** Null in a drill. */
  readonly attemptId: string | null
  /** Whether the question was answered before, however long ago. Progress says so of the answers that count as new. */
  readonly isRepeated?: boolean
}

export const DrillAnswer = z.object({
  answer: Answer.nullable(),
  /** Null until the answer is checked; then it is final. */
  isRight: z.boolean().nullable(),
  isFlagged: z.boolean(),
})
export type DrillAnswer = z.infer<typeof DrillAnswer>

export const DrillQuestion = z.object({
  /** Its place in the drill, which identifies it in calls. */
  place: z.number().int(),
  question: QuestionForTaking,
  answer: DrillAnswer,
  /** The question with its answer key, once it is answered and while access lasts. */
  revealed: QuestionForReview.nullable(),
  /** The place of its case study in the drill's list; null without one. */
  caseStudyAt: z.number().int().nullable().default(null),
})
export type DrillQuestion = z.infer<typeof DrillQuestion>

/** A drill in the shown order. A finished one has only the answered questions. */
export const DrillView = z.object({
  id: z.string(),
  courseSlug: z.string(),
  courseTitle: z.string(),
  isFinished: z.boolean(),
  questionCount: z.number().int(),
  /** Why a finished drill shows no answer keys; null if it shows them. */
  withheld: WithoutAccess.nullable(),
  questions: z.array(DrillQuestion),
  caseStudies: z.array(CaseStudy).default([]),
})
export type DrillView = z.infer<typeof DrillView>

export const DrillSummary = z.object({
  id: z.string(),
  startedAt: z.string(),
  answeredCount: z.number().int(),
  questionCount: z.number().int(),
})
export type DrillSummary = z.infer<typeof DrillSummary>

/** `replaces` names the open drill to end; without it the open drill continues. */
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

export const CardsQuery = z.object({ course: z.string().min(1).max(300) })

export const CheckDrillAnswer = z.preprocess(withAnswer, z.object({ answer: Answer }))
export const CheckedDrillAnswer = z.object({
  question: QuestionForReview,
  answer: DrillAnswer,
  /** Whether every question is answered. */
  isFinished: z.boolean(),
})
export type CheckedDrillAnswer = z.infer<typeof CheckedDrillAnswer>

export const FlagDrillQuestion = z.object({ isFlagged: z.boolean() })

export const fail = failureTable({
  'drill.not-found': { status: 404, kind: 'database', sentence: copy['drill.not-found'] },
  'drill.nothing-fits': { status: 409, kind: 'validation', sentence: copy['drill.nothing-fits'] },
  'cards.none': { status: 409, kind: 'validation', sentence: copy['cards.none'] },
  'drill.finished': { status: 409, kind: 'validation', sentence: copy['drill.finished'] },
  'drill.unknown-answer': { status: 400, kind: 'validation', sentence: copy['drill.unknown-answer'] },
  'drill.too-many-selected': { status: 400, kind: 'validation', sentence: copy['drill.too-many-selected'] },
})
