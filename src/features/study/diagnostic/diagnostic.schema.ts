import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { Answer, QuestionForTaking } from '../../questions/types/question-types.schema.ts'
import { copy } from './diagnostic.copy.ts'

/** 'full' asks from the whole bank of an owned course, 'short' from the free trials of any. */
export const DiagnosticSize = z.enum(['full', 'short'])
export type DiagnosticSize = z.infer<typeof DiagnosticSize>

/** `isAnew` starts one although the last is not long ago. An open one goes on. */
export const StartDiagnostic = z.object({
  courseSlug: z.string().min(1).max(300),
  isAnew: z.boolean().default(false),
})

export const DiagnosticPath = z.object({ diagnosticId: z.uuid() })

export const DiagnosticPlace = z.object({
  diagnosticId: z.uuid(),
  place: z
    .string()
    .regex(/^\d{1,2}$/)
    .transform(Number),
})

/** Null is 'I don't know', which counts as missed. */
export const AnswerDiagnostic = z.object({ answer: Answer.nullable() })

/** A diagnostic for the browser. It holds no answer key, and of the questions only the one that is asked. */
export const DiagnosticView = z.object({
  id: z.string(),
  size: DiagnosticSize,
  isFinished: z.boolean(),
  answeredCount: z.number().int(),
  /** How many questions it may come to. */
  mostQuestions: z.number().int(),
  /** Null at the end, and where the question was taken out of the course: then starting goes on with another. */
  question: z.object({ place: z.number().int(), question: QuestionForTaking }).nullable(),
})
export type DiagnosticView = z.infer<typeof DiagnosticView>

export const fail = failureTable({
  'diagnostic.not-found': { status: 404, kind: 'database', sentence: copy['diagnostic.not-found'] },
  'diagnostic.nothing-new': { status: 409, kind: 'validation', sentence: copy['diagnostic.nothing-new'] },
  'diagnostic.nothing-free': { status: 409, kind: 'validation', sentence: copy['diagnostic.nothing-free'] },
  'diagnostic.too-soon': { status: 409, kind: 'validation', sentence: copy['diagnostic.too-soon'] },
  'diagnostic.unknown-answer': { status: 400, kind: 'validation', sentence: copy['diagnostic.unknown-answer'] },
  'diagnostic.nothing-chosen': { status: 400, kind: 'validation', sentence: copy['diagnostic.nothing-chosen'] },
})
