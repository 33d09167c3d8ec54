import { z } from 'zod'
import { failureTable } from '../../lib/failure.ts'
import { copy } from './failed-jobs.copy.ts'

/** A job whose every try failed. An email shows its recipient and subject, never its text. */
export const FailedJob = z.object({
  id: z.string(),
  name: z.string(),
  to: z.string().nullable(),
  subject: z.string().nullable(),
  why: z.string(),
  tries: z.number().int(),
  failedAt: z.string(),
})
export type FailedJob = z.infer<typeof FailedJob>

export const JobPath = z.object({ jobId: z.uuid() })

export const fail = failureTable({
  'job.not-found': { status: 404, kind: 'database', sentence: copy['jobs.not-found'] },
})
