import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { DrawnKind } from '../../attempts/attempts.schema.ts'
import { CUSTOM_COUNT_MAX, CUSTOM_MINUTES_MAX } from '../question-filters/question-filters.ts'
import { copy as filterCopy } from '../question-filters/question-filters.copy.ts'
import { DrillFilters, Source, wholeNumber } from '../study.schema.ts'
import { copy } from './mock-exams.copy.ts'

/** What a custom exam asks for: the filters of a drill, without due questions, and the minutes. */
export const CustomExam = DrillFilters.extend({
  from: z
    .array(Source.exclude(['due']))
    .max(3)
    .default([]),
  /** Missed questions are those of any attempt where this is missing. */
  lastAttempts: DrillFilters.shape.lastAttempts.unwrap().optional(),
  count: wholeNumber(CUSTOM_COUNT_MAX, filterCopy['filters.count.problem']).default(20),
  minutes: wholeNumber(CUSTOM_MINUTES_MAX, filterCopy['filters.minutes.problem']).default(30),
})
export type CustomExam = z.infer<typeof CustomExam>

/** `replaces` names the open exam to end; without it the open exam goes on. */
export const StartDrawnExam = z.object({
  courseSlug: z.string().min(1).max(300),
  kind: DrawnKind,
  /** For a custom exam. */
  custom: CustomExam.optional(),
  replaces: z.uuid().optional(),
})
export type StartDrawnExam = z.infer<typeof StartDrawnExam>

export const StartedDrawnExam = z.object({ attemptId: z.string(), courseSlug: z.string() })
export type StartedDrawnExam = z.infer<typeof StartedDrawnExam>

export const fail = failureTable({
  'custom.nothing-fits': { status: 409, kind: 'validation', sentence: copy['custom.nothing-fits'] },
})
