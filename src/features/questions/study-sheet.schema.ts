import { z } from 'zod'
import { GuideVersion, VerifiedOn } from './types/question-base.schema.ts'

/** A page about one domain of the exam guide: what it asks, and what to know for it. */
export const StudySheet = z.object({
  /** Made from the domain: its place in the address. */
  slug: z.string().min(1).max(200),
  domain: z.string().trim().min(1).max(200),
  order: z.int().min(1).max(1000),
  guide: GuideVersion,
  verifiedOn: VerifiedOn.nullable(),
  sources: z.array(z.url({ protocol: /^https$/ })).max(100),
  /** Markdown with the sections of `SHEET_SECTIONS`. */
  body: z.string().min(1).max(100_000),
})
export type StudySheet = z.infer<typeof StudySheet>
