import { z } from 'zod'
import { lengthOf } from '../../lib/text.ts'

/** The letters say where an answer stands in the stored question, and nothing else. */
export const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f'] as const
export type Letter = (typeof LETTERS)[number]

export const MIN_OPTIONS = 2
export const MAX_OPTIONS = LETTERS.length
/** Spec 3: domain of a question without one. */
export const DEFAULT_DOMAIN = 'General'
/** Room for a long policy document; what is longer is a mistake of the file, not a question. */
export const MAX_TEXT_LENGTH = 100_000

/** The key of a question stays for ever: attempts, notes and files name it. */
export const QuestionKey = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
export const OptionId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
export const Difficulty = z.enum(['easy', 'medium', 'hard', ''])
export type Difficulty = z.infer<typeof Difficulty>

/** Upper-case letters, sorted, without separator: `BE`. */
const OptionLetters = z.string().regex(/^A?B?C?D?E?F?$/)

/** Spec 3, Question, as it lies in `test_questions.questions`. */
export const StoredQuestion = z.object({
  id: QuestionKey,
  question: z.string().min(1),
  answer_a: z.string().min(1),
  answer_b: z.string().min(1),
  answer_c: z.string().default(''),
  answer_d: z.string().default(''),
  answer_e: z.string().default(''),
  answer_f: z.string().default(''),
  answer_ids: z.partialRecord(z.enum(LETTERS), OptionId).default({}),
  final_answer: OptionLetters.min(1),
  explanation: z.string().default(''),
  domain: z.string().default(DEFAULT_DOMAIN),
  needs_review: z.boolean().default(false),
  url: z.string().default(''),
  suggested_answer: OptionLetters.default(''),
  most_voted_answer: OptionLetters.default(''),
  difficulty: Difficulty.default(''),
})
export type StoredQuestion = z.infer<typeof StoredQuestion>

export const QuestionOption = z.object({ id: OptionId, text: z.string().min(1), isRight: z.boolean() })
export type QuestionOption = z.infer<typeof QuestionOption>

/** What code works with; the answers are in stored order. */
export const Question = z.object({
  id: QuestionKey,
  stem: z.string().min(1),
  options: z.array(QuestionOption).min(MIN_OPTIONS).max(MAX_OPTIONS),
  explanation: z.string(),
  domain: z.string(),
  needsReview: z.boolean(),
  url: z.string(),
  suggestedOptionIds: z.array(OptionId),
  mostVotedOptionIds: z.array(OptionId),
  difficulty: Difficulty,
})
export type Question = z.infer<typeof Question>

/** What a learner sees before the key is due: it has no field that could hold the key. */
export const QuestionForTaking = z.object({
  id: z.string(),
  stem: z.string(),
  options: z.array(z.object({ id: z.string(), text: z.string() })),
  isMultiple: z.boolean(),
  choiceCount: z.number().int(),
  domain: z.string(),
})
export type QuestionForTaking = z.infer<typeof QuestionForTaking>

export const QuestionForReview = QuestionForTaking.extend({
  rightOptionIds: z.array(z.string()),
  explanation: z.string(),
  url: z.string(),
  suggestedOptionIds: z.array(z.string()),
  mostVotedOptionIds: z.array(z.string()),
  difficulty: Difficulty,
})
export type QuestionForReview = z.infer<typeof QuestionForReview>

/** Further points of the curve from percent to the provider's scale, where somebody knows them (docs/scoring.md). */
const Curve = z
  .array(z.tuple([z.number().gt(0).lt(100), z.int().gt(100).lt(1000)]))
  .min(1)
  .max(20)
  .refine((points) => points.every(([percent, scaled], place) => isAfter([percent, scaled], points[place - 1])), {
    error: 'the points of the curve must rise, in percent and on the scale',
  })

function isAfter(point: readonly [number, number], before: readonly [number, number] | undefined): boolean {
  return before === undefined || (point[0] > before[0] && point[1] > before[1])
}

/** Facts of the real exam, as its provider publishes them. Weights are percent and sum to 100. */
export const Blueprint = z.object({
  code: z.string().trim().min(1).max(40),
  minutes: z.int().min(1).max(1440),
  questions: z.int().min(1).max(1000),
  passingScore: z.int().min(1).max(1000),
  source: z.url({ protocol: /^https$/ }),
  domains: z
    .array(z.object({ name: z.string().trim().min(1).max(200), weight: z.number().gt(0).max(100) }))
    .min(1)
    .refine((domains) => Math.abs(domains.reduce((sum, domain) => sum + domain.weight, 0) - 100) < 0.01, {
      error: 'the weights of the domains must sum to 100',
    }),
  curve: Curve.optional(),
})
export type Blueprint = z.infer<typeof Blueprint>

/** What the head of an exam's file says. */
export const ExamFacts = z.object({
  title: z.string().trim().min(1).max(199),
  slug: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens')
    .max(200),
  order: z.int().min(0).max(10_000),
  timeLimitMinutes: z.int().min(1).max(1440),
  passingScore: z.int().min(0).max(100),
  isFreeTrial: z.boolean(),
  /** Left out where each question is right or wrong as a whole. */
  scoringPolicy: z.enum(['all-or-nothing', 'partial']).optional(),
})
export type ExamFacts = z.infer<typeof ExamFacts>

/** What a course's file says; the bounds are those of spec 5. */
export const CourseFacts = z.object({
  title: z
    .string()
    .trim()
    .min(1)
    .refine((title) => lengthOf(title) < 200, 'must be shorter than 200 characters')
    .regex(/^[^<>]*$/, 'must not contain < or >'),
  category: z.enum(['practitioner', 'associate', 'professional', 'specialty']).nullable(),
  priceCents: z.int().min(0).max(999_999),
  blueprint: Blueprint.nullable(),
  description: z.string().refine((text) => lengthOf(text) < 2000, 'must be shorter than 2000 characters'),
  /** Its picture in place of the badge: an address of the web or of this site, or nothing. */
  imageUrl: z
    .string()
    .max(2000)
    .regex(/^(?:https:\/\/\S+|\/(?!\/)\S*)?$/, 'must be an https address')
    .default(''),
})
export type CourseFacts = z.infer<typeof CourseFacts>

export const VERDICTS = ['good', 'needs-review', 'refused'] as const
export type Verdict = (typeof VERDICTS)[number]

/** Why a question is not simply good. */
export const REASON_CODES = [
  'not-a-question',
  'wrong-type',
  'key-missing',
  'key-malformed',
  'key-taken',
  'question-empty',
  'answer-empty',
  'answers-too-many',
  'right-answer-missing',
  'right-answer-unknown',
  'text-too-long',
  'line-stray',
  'answer-gap',
  'answer-repeated',
  'answer-id-replaced',
  'answer-not-indented',
  'all-answers-right',
  'explanation-empty',
  'explanation-twice',
  'letters-unknown',
  'difficulty-unknown',
  'review-unknown',
  'fact-unknown',
  'fact-twice',
  'mark-inside-text',
  'fence-holds-question',
  'text-unstorable',
  'type-unsupported',
  'type-contradicts-key',
  'syntax-broken',
  'quote-unclosed',
  'cells-too-many',
  'entity-unknown',
  'picture-missing',
  'key-disputed',
  'key-uncertain',
] as const
export type ReasonCode = (typeof REASON_CODES)[number]

export const Reason = z.object({
  code: z.enum(REASON_CODES),
  field: z.string(),
  sentence: z.string(),
  line: z.int().optional(),
})
export type Reason = z.infer<typeof Reason>

/** A refused question has no `question`: nothing can publish it by mistake. */
export type Judgement =
  | { verdict: 'good' | 'needs-review'; question: Question; reasons: Reason[] }
  | { verdict: 'refused'; question?: undefined; reasons: Reason[] }
