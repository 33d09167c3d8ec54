import { z } from 'zod'
import { QuestionKey } from '../../questions/types/question-base.schema.ts'
import { copy } from './freshness.copy.ts'
import { FRESH_MONTHS, MAX_MARKED, MONTH_CHOICES, STALE_REASONS, type StaleReason } from './freshness.ts'

/** The filter in the URL; invalid values are ignored. */
export const StaleFilter = z.object({
  course: z.uuid().nullable().catch(null),
  reason: z.enum(STALE_REASONS).nullable().catch(null),
  months: z.coerce
    .number()
    .refine((months) => MONTH_CHOICES.some((choice) => choice === months))
    .catch(FRESH_MONTHS),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
})
export type StaleFilter = z.output<typeof StaleFilter>

export const MarkVerified = z.object({
  questions: z
    .array(z.object({ examId: z.uuid(), questionId: QuestionKey }))
    .min(1, copy['freshness.too-many'])
    .max(MAX_MARKED, copy['freshness.too-many']),
})
/** How many questions were marked, and the id by which that is undone. */
export const Marked = z.object({ markingId: z.uuid(), count: z.int() })
export const MarkingPath = z.object({ markingId: z.uuid() })
/** How many questions the marking had; those that changed since are kept as they are. */
export const UndoMarking = z.object({ count: z.int().min(1).max(MAX_MARKED) })
export const Unmarked = z.object({ restored: z.int(), kept: z.int() })

export type StaleQuestion = {
  readonly examId: string
  readonly examTitle: string
  readonly courseTitle: string
  readonly questionId: string
  /** Its number in the exam. */
  readonly number: number
  readonly stem: string
  readonly url: string
  readonly verifiedOn: string | null
  /** The exam guide that it follows, where that is not the course's. */
  readonly guide: string | null
  readonly reasons: readonly StaleReason[]
  readonly deadLinks: readonly string[]
}

export type StaleCourse = { readonly id: string; readonly title: string; readonly count: number }

export type StaleQueue = {
  readonly questions: readonly StaleQuestion[]
  readonly count: number
  /** Of all questions of the chosen course, or of all. */
  readonly totalCount: number
  readonly page: number
  readonly pageCount: number
  readonly reasons: Readonly<Record<StaleReason, number>>
  readonly courses: readonly StaleCourse[]
}
