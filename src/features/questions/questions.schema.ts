import { z } from 'zod'
import { lengthOf } from '../../lib/text.ts'
import { type ReasonCode, reasonKinds, wordReason } from './questions.copy.ts'
import { GuideVersion, ScoringPolicy } from './types/question-base.schema.ts'
import type { Question } from './types/question-types.schema.ts'

/** Further points of the curve from percent to the provider's scale, if they are known (docs/scoring.md). */
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
  /** The version of the exam guide that the course follows, and that of each question that names none. */
  guide: GuideVersion.optional(),
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
  scoringPolicy: ScoringPolicy.optional(),
})
export type ExamFacts = z.infer<typeof ExamFacts>

/** The head of a course file. */
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

const VERDICTS = ['good', 'needs-review', 'refused'] as const
export type Verdict = (typeof VERDICTS)[number]

export type { ReasonCode }
export const REASON_CODES = Object.keys(reasonKinds) as ReasonCode[]

export const Reason = z.object({
  code: z.enum(REASON_CODES),
  field: z.string(),
  /** What the sentence names: a letter, a name, a line. */
  facts: z.array(z.string()).default([]),
  sentence: z.string(),
  line: z.int().optional(),
})
export type Reason = z.output<typeof Reason>

/** A reason as the database holds it: without its sentence, which earlier builds stored, and which stays as it was. */
export const StoredReason = Reason.extend({ sentence: z.string().optional() }).transform((stored): Reason => ({
  ...stored,
  sentence: stored.sentence ?? wordReason(stored.code, stored.facts),
}))

/** A refused question has no `question`: nothing can publish it by mistake. */
export type Judgement =
  | { verdict: 'good' | 'needs-review'; question: Question; reasons: Reason[] }
  | { verdict: 'refused'; question?: undefined; reasons: Reason[] }
