import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { Blueprint } from '../../questions/questions.schema.ts'
import { GuideVersion } from '../../questions/types/question-base.schema.ts'
import { copy } from './guide-change.copy.ts'

export const GuidePath = z.object({ courseId: z.uuid() })

/** A new version of the exam guide: its domains, and which of them each former domain became. */
export const GuideChange = z.object({
  guide: GuideVersion,
  /** The version that questions followed until now, which those get that name none. */
  former: GuideVersion,
  domains: Blueprint.shape.domains,
  /** Null for a domain without a counterpart. One that is left out keeps its name. */
  mapping: z.record(z.string().max(200), z.string().max(200).nullable()),
  /** The row version of the course that was read. */
  version: z.int(),
  /** Whether it is only asked what would change. */
  isPreview: z.boolean(),
})
export type GuideChange = z.infer<typeof GuideChange>

/** What changes, or would change, for the questions of each former domain. */
export const GuideChanged = z.object({
  domains: z.array(z.object({ from: z.string(), to: z.string().nullable(), count: z.int() })),
  /** Questions that were not verified against the new guide, and so are in the queue. */
  queued: z.int(),
})
export type GuideChanged = z.infer<typeof GuideChanged>

export const fail = failureTable({
  'guide.no-blueprint': { status: 409, kind: 'database', sentence: copy['guide.no-blueprint'] },
  'guide.changed-elsewhere': { status: 409, kind: 'database', sentence: copy['guide.changed-elsewhere'] },
  'guide.domain-unknown': { status: 400, kind: 'validation', sentence: copy['guide.domain-unknown'] },
  'guide.same': { status: 400, kind: 'validation', sentence: copy['guide.same'] },
})
