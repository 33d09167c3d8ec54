import { z } from 'zod'
import {
  DEFAULT_DOMAIN,
  Difficulty,
  GuideVersion,
  QuestionKey,
  VerifiedOn,
  type QuestionFields,
} from '../question-base.schema.ts'

/** When and against which exam guide a question was verified, in the specification's names. */
export const specificationFreshness = { verified_on: VerifiedOn.optional(), guide: GuideVersion.optional() }

export function toFreshnessFields({ verifiedOn, guide }: Pick<QuestionFields, 'verifiedOn' | 'guide'>) {
  return {
    ...(verifiedOn !== undefined && { verified_on: verifiedOn }),
    ...(guide !== undefined && { guide }),
  }
}

/**
 * A question that is more than a lettered choice, in the fields of the specification (docs/product.md, stored questions). `body` is
 * the question; the answers and the key are for people who read the fields, and mean nothing when they are sent back.
 */
export function typedSpecification<Type extends string>(types: readonly Type[]) {
  return z.object({
    id: QuestionKey,
    type: z.enum(types),
    question: z.string().min(1),
    answer_a: z.string(),
    answer_b: z.string(),
    final_answer: z.string(),
    body: z.record(z.string(), z.unknown()),
    explanation: z.string(),
    domain: z.string().default(DEFAULT_DOMAIN),
    needs_review: z.boolean(),
    url: z.string(),
    difficulty: Difficulty,
    case_study: QuestionKey.optional(),
    ...specificationFreshness,
  })
}

/** The fields that every typed question has in the specification's names. */
export function specificationFields(question: QuestionFields) {
  return {
    id: question.id,
    question: question.stem,
    explanation: question.explanation,
    domain: question.domain,
    needs_review: question.needsReview,
    url: question.url,
    difficulty: question.difficulty,
    ...(question.caseStudy !== undefined && { case_study: question.caseStudy }),
    ...toFreshnessFields(question),
  }
}

/** What guests and students receive of it: `body` has the parts as learners see them. */
export function typedWithoutKey<Type extends string>(types: readonly Type[]) {
  return typedSpecification(types)
    .pick({ id: true, type: true, question: true, answer_a: true, answer_b: true, body: true, domain: true })
    .strict()
}
