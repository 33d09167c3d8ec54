import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { DrawnKind } from '../../attempts/attempts.schema.ts'
import { CUSTOM_LIMITS, CUSTOM_SOURCES } from './custom-limits.ts'
import { copy } from './mock-exams.copy.ts'

const CustomSource = z.enum(CUSTOM_SOURCES)

const wholeNumber = (max: number, sentence: string) => z.int(sentence).min(1, sentence).max(max, sentence)

/** What a custom exam asks for. A question fits if one of the sources has it; an empty list means all. */
export const CustomExam = z.object({
  from: z.array(CustomSource).max(CUSTOM_SOURCES.length).default([]),
  domains: z.array(z.string().max(1000)).max(100).default([]),
  kinds: z.array(z.string().max(100)).max(100).default([]),
  count: wholeNumber(CUSTOM_LIMITS.count, copy['custom.count.problem']).default(20),
  minutes: wholeNumber(CUSTOM_LIMITS.minutes, copy['custom.minutes.problem']).default(30),
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
