import { z } from 'zod'
import { questionFields, reviewFields, takingFields } from '../question-base.schema.ts'
import { WrittenText } from '../written/written-answer.schema.ts'

export const MAX_UNIT_LENGTH = 20

/** A decimal as `printDecimal` prints it. JSON's numbers would not be exact. */
const DecimalText = z
  .string()
  .max(100)
  .regex(/^-?\d+(?:\.\d+)?$/)

const numberFields = {
  value: DecimalText,
  /** How far from the value a right answer may be. */
  tolerance: DecimalText.regex(/^\d/),
  /** Empty for a number without one. */
  unit: z.string().max(MAX_UNIT_LENGTH),
}

/** A number that the learner writes. */
export const NumericalQuestion = z.object({ type: z.literal('numerical'), ...questionFields, ...numberFields })
export type NumericalQuestion = z.infer<typeof NumericalQuestion>

export const NumericalForTaking = z.object({ type: z.literal('numerical'), ...takingFields, unit: z.string() })
export type NumericalForTaking = z.infer<typeof NumericalForTaking>

export const NumericalForReview = NumericalForTaking.extend({ ...reviewFields, ...numberFields })
export type NumericalForReview = z.infer<typeof NumericalForReview>

export const NumericalAnswer = z.object({ type: z.literal('numerical'), text: WrittenText })
export type NumericalAnswer = z.infer<typeof NumericalAnswer>

/** There is nothing to shuffle. */
export const NumericalShape = z.object({ type: z.literal('numerical') })
export type NumericalShape = z.infer<typeof NumericalShape>
