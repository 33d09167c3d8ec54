import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { OptionId, MAX_OPTIONS, MAX_TEXT_LENGTH, QuestionKey } from '../../questions/questions.schema.ts'
import { Mode } from '../attempts.schema.ts'
import { copy } from './regrade.copy.ts'

export const KeyPath = z.object({ examId: z.uuid(), questionId: QuestionKey })

const Key = z
  .array(OptionId, copy['key.none'])
  .min(1, copy['key.none'])
  .max(MAX_OPTIONS, copy['key.unknown-answer'])
  .transform((ids) => [...new Set(ids)].sort())

export const PreviewKey = z.object({ rightOptionIds: Key })
export type PreviewKey = z.infer<typeof PreviewKey>

export const MAX_REASON_LENGTH = 500

export const CorrectKey = PreviewKey.extend({
  /** Made once for each time the page is opened: asking twice mends once. */
  id: z.uuid(),
  /** The key that was looked at. */
  wasRightOptionIds: Key,
  /** Null: it stays in each version as it is. */
  explanation: z.string(copy['key.text']).max(MAX_TEXT_LENGTH, copy['key.explanation.length']).nullable().default(null),
  reason: z
    .string(copy['key.reason.required'])
    .trim()
    .min(1, copy['key.reason.required'])
    .max(MAX_REASON_LENGTH, copy['key.reason.length']),
})
export type CorrectKey = z.infer<typeof CorrectKey>

const Score = z.object({ scorePercent: z.number(), isPassed: z.boolean(), domainPercent: z.number().nullable() })
export type Score = z.infer<typeof Score>

/** A result that a mended key changes. */
export const ChangedResult = z.object({
  attemptId: z.string(),
  /** Null: a guest's. */
  learner: z.string().nullable(),
  mode: Mode,
  versionNumber: z.number().int(),
  finishedAt: z.string(),
  before: Score,
  after: Score,
})
export type ChangedResult = z.infer<typeof ChangedResult>

/** What a mended key would do. */
export const KeyPreview = z.object({
  versions: z.array(z.object({ versionNumber: z.number().int(), becomes: z.enum(['mended', 'same', 'kept']) })),
  domain: z.string(),
  finishedCount: z.number().int(),
  openCount: z.number().int(),
  changedCount: z.number().int(),
  raisedCount: z.number().int(),
  loweredCount: z.number().int(),
  nowPassedCount: z.number().int(),
  noLongerPassedCount: z.number().int(),
  toldCount: z.number().int(),
  /** The first of them. */
  results: z.array(ChangedResult),
})
export type KeyPreview = z.infer<typeof KeyPreview>

export const KeyCorrected = z.object({ changedCount: z.number().int(), toldCount: z.number().int() })
export type KeyCorrected = z.infer<typeof KeyCorrected>

export const fail = failureTable({
  'key.no-question': { status: 404, kind: 'database', sentence: copy['key.no-question'] },
  'key.unknown-answer': { status: 400, kind: 'validation', sentence: copy['key.unknown-answer'] },
  'key.count': { status: 400, kind: 'validation', sentence: copy['key.count'] },
  'key.same': { status: 409, kind: 'validation', sentence: copy['key.same'] },
  'key.moved-on': { status: 409, kind: 'validation', sentence: copy['key.moved-on'] },
})
