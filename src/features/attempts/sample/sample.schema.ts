import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { Answer, QuestionForReview } from '../../questions/types/question-types.schema.ts'
import { copy } from './sample.copy.ts'

export const SamplePath = z.object({ examSlug: z.string().min(1).max(300) })
export const CheckSample = z.object({ questionId: z.string().min(1).max(100), answer: Answer })
export const CheckedSample = z.object({ isRight: z.boolean(), question: QuestionForReview })
export type CheckedSample = z.infer<typeof CheckedSample>

export const fail = failureTable({
  'sample.changed': { status: 404, kind: 'database', sentence: copy['sample.changed'] },
})
