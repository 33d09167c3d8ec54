import { z } from 'zod'

/** The domain of a question without one. */
export const DEFAULT_DOMAIN = 'General'
/** Room for a long policy document. A longer text is a mistake in a file. */
export const MAX_TEXT_LENGTH = 100_000

/** The key of a question never changes: attempts, notes and files refer to it. */
export const QuestionKey = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
/** Identifies an option, step or other part within its question. */
export const PartId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
/** The parts that a question has at most, whatever its type; a limit on what is sent. */
export const MAX_PARTS = 100
export const Difficulty = z.enum(['easy', 'medium', 'hard', ''])
export type Difficulty = z.infer<typeof Difficulty>

/** A calendar day, YYYY-MM-DD. */
export const VerifiedOn = z.iso.date()
/** The version of an exam guide as its provider names it, such as 'DVA-C02 2.1'. */
export const GuideVersion = z.string().trim().min(1).max(60)

export const ScoringPolicy = z.enum(['all-or-nothing', 'partial'])
export type ScoringPolicy = z.infer<typeof ScoringPolicy>

/** The fields that questions of every type have. */
export const questionFields = {
  id: QuestionKey,
  stem: z.string().min(1),
  explanation: z.string(),
  domain: z.string(),
  needsReview: z.boolean(),
  url: z.string(),
  difficulty: Difficulty,
  /** The case study of the exam that it belongs to. Questions of one follow each other. */
  caseStudy: QuestionKey.optional(),
  /** When its facts were compared with its sources. Says nothing to learners, so it is no part of its content. */
  verifiedOn: VerifiedOn.optional(),
  /** The exam guide that it follows. Left out where it follows that of its course. */
  guide: GuideVersion.optional(),
}
const Fields = z.object(questionFields)
export type QuestionFields = z.infer<typeof Fields>

/** What a learner receives before the answer key is due, of every type. None of these fields can hold an answer key. */
export const takingFields = { id: z.string(), stem: z.string(), domain: z.string() }

/** What a review adds, of every type. */
export const reviewFields = { explanation: z.string(), url: z.string(), difficulty: Difficulty }
