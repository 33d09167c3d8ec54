import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { isUuid } from '../../../lib/ids.ts'
import { isPageInstant } from '../../../lib/paging.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { Answer } from '../../questions/types/question-types.schema.ts'
import { copy } from './question-reports.copy.ts'
import {
  isPageAddress,
  MAX_SOURCE_LENGTH,
  MAX_WORDS_LENGTH,
  mayClaim,
  REPORT_REASONS,
  type ReportReason as Reason,
} from './report-reasons.ts'

export const ReportReason = z.enum(REPORT_REASONS)

export const MAX_SETTLE_NOTE_LENGTH = 1000

const Source = z
  .string()
  .trim()
  .max(MAX_SOURCE_LENGTH, copy['report.source.long'])
  .refine((text) => text === '' || isPageAddress(text), copy['report.source.address'])
  .transform((text) => (text === '' ? null : text))

/** A learner's report of a question. Only the reason 'other' requires words. A challenge names an answer and its source. */
export const ReportQuestion = z
  .object({
    reason: ReportReason,
    words: z.string().trim().max(MAX_WORDS_LENGTH, copy['report.words.long']).default(''),
    /** The page that shows what is wrong. */
    source: Source.nullable().default(null),
    /** The answer that the learner thinks right. */
    claim: Answer.nullable().default(null),
  })
  .refine(({ claim, source }) => claim === null || source !== null, {
    path: ['source'],
    error: copy['report.source.needed'],
  })
  .refine(({ claim, reason }) => claim === null || mayClaim(reason), {
    path: ['claim'],
    error: copy['report.claim.reason'],
  })
  .refine(({ reason, words }) => reason !== 'other' || words !== '', {
    path: ['words'],
    error: copy['report.words.needed'],
  })
export type ReportQuestion = z.infer<typeof ReportQuestion>

export const OUTCOMES = ['corrected', 'unchanged'] as const
const Outcome = z.enum(OUTCOMES)
export type Outcome = z.infer<typeof Outcome>

const formerOutcomes = { mended: 'corrected', kept: 'unchanged' } as const
/** An outcome as it is sent or stored. Earlier builds used other words. */
export const AnyOutcome = z
  .enum([...OUTCOMES, 'mended', 'kept'])
  .transform((outcome) => (outcome === 'mended' || outcome === 'kept' ? formerOutcomes[outcome] : outcome))

export const ReportPath = z.object({ reportId: z.uuid() })
/** The outcome of a report. The reporter reads the note. */
export const SettleReport = z.object({
  outcome: AnyOutcome,
  note: z
    .string(copy['settle.note.needed'])
    .trim()
    .min(1, copy['settle.note.needed'])
    .max(MAX_SETTLE_NOTE_LENGTH, copy['settle.note.long']),
})
export type SettleReport = z.infer<typeof SettleReport>

export const ReportState = z.enum(['open', 'settled'])
export type ReportState = z.infer<typeof ReportState>

/** The cursor of the list: the page starts after this report. */
const Cursor = z.string().transform((text, issues) => {
  const [at = '', id = ''] = text.split('~')
  if (isUuid(id) && isPageInstant(at)) return { at: new Date(at), id }
  issues.addIssue({ code: 'custom', message: 'must be the end of a page' })
  return z.NEVER
})

/** The query of the list; invalid values count as missing. */
export const ReportFilter = z.object({
  state: ReportState.catch('open'),
  after: Cursor.nullable().catch(null),
})
export type ReportFilter = z.output<typeof ReportFilter>

export const ReportView = z.object({
  id: z.string(),
  reason: ReportReason,
  words: z.string(),
  source: z.string().nullable(),
  claim: Answer.nullable(),
  reportedAt: z.string(),
  reporter: z.object({ name: z.string(), email: z.string() }),
  examId: z.string(),
  examTitle: z.string(),
  courseTitle: z.string(),
  attemptId: z.string(),
  /** The review exists only once the attempt is finished. */
  hasReview: z.boolean(),
  questionId: z.string(),
  /** Its number in the order that the reporter saw. */
  questionNumber: z.number().int(),
  /** The exam in all its versions. */
  familyId: z.string(),
  /** Null if the version no longer has the question. */
  stem: z.string().nullable(),
  /** Its type, which says whether the stem has gaps. */
  type: z.string().nullable(),
  /** The title of its case study. */
  caseStudy: z.string().nullable().default(null),
  settled: z.object({ at: z.string(), by: z.string().nullable(), outcome: Outcome, note: z.string() }).nullable(),
})
export type ReportView = z.infer<typeof ReportView>

/** A part of a question, such as an option, as the admin who decides on a report sees it. */
export type WeighedPart = {
  readonly id: string
  readonly text: string
  readonly isRight: boolean
  readonly isClaimed: boolean
  readonly count: number
}

/** What an admin decides on a report with. */
export type ReportEvidence = {
  /** The learners whose answers are counted. */
  readonly takerCount: number
  readonly parts: readonly WeighedPart[]
  /** The scenario of its case study; null without one. */
  readonly caseStudy: CaseStudy | null
  /** The other reports of the question, the newest first. */
  readonly others: readonly {
    readonly id: string
    readonly reason: Reason
    readonly words: string
    readonly source: string | null
    readonly by: string
    readonly reportedAt: string
    /** Null while it is open. */
    readonly outcome: Outcome | null
  }[]
  /** When the answer key was corrected after this report. */
  readonly keyCorrectedAt: string | null
}

export const fail = failureTable({
  'report.claim': { status: 400, kind: 'validation', sentence: copy['report.claim.unknown'] },
  'report.challenged': { status: 409, kind: 'validation', sentence: copy['report.challenged'] },
  'report.too-many': { status: 409, kind: 'validation', sentence: copy['report.too-many'] },
  'report.not-found': { status: 404, kind: 'database', sentence: copy['report.not-found'] },
  'report.settled': { status: 409, kind: 'validation', sentence: copy['report.settled'] },
})
