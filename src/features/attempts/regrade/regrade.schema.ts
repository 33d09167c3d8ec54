import { MAX_TEXT_LENGTH, QuestionKey } from '../../questions/types/question-base.schema.ts'
import { keyOfSelection } from '../../questions/types/former-answers.ts'
import { AnswerKey } from '../../questions/types/question-edit.schema.ts'
import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { Mode } from '../attempts.schema.ts'
import { copy } from './regrade.copy.ts'

export const KeyPath = z.object({ examId: z.uuid(), questionId: QuestionKey })

export const PreviewKey = z.object({ answerKey: AnswerKey })
export type PreviewKey = z.infer<typeof PreviewKey>

export const MAX_REASON_LENGTH = 500

export const CorrectKey = PreviewKey.extend({
  /** Made once per page, so that sending it twice corrects once. */
  id: z.uuid(),
  /** The answer key that the admin saw. */
  wasAnswerKey: AnswerKey,
  /** Null leaves it in each version as it is. */
  explanation: z.string(copy['key.text']).max(MAX_TEXT_LENGTH, copy['key.explanation.length']).nullable().default(null),
  reason: z
    .string(copy['key.reason.required'])
    .trim()
    .min(1, copy['key.reason.required'])
    .max(MAX_REASON_LENGTH, copy['key.reason.length']),
})
export type CorrectKey = z.infer<typeof CorrectKey>

/** Earlier builds sent answer keys as lists of option ids. */
export function upgradeKeys(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const { rightOptionIds, wasRightOptionIds, ...rest } = body as Record<string, unknown>
  return {
    ...(rightOptionIds === undefined ? {} : { answerKey: keyOfSelection(rightOptionIds) }),
    ...(wasRightOptionIds === undefined ? {} : { wasAnswerKey: keyOfSelection(wasRightOptionIds) }),
    ...rest,
  }
}

const Score = z.object({ scorePercent: z.number(), isPassed: z.boolean(), domainPercent: z.number().nullable() })
export type Score = z.infer<typeof Score>

/** A result that a corrected answer key changes. */
export const ChangedResult = z.object({
  attemptId: z.string(),
  /** Null for a guest. */
  learner: z.string().nullable(),
  mode: Mode,
  versionNumber: z.number().int(),
  finishedAt: z.string(),
  before: Score,
  after: Score,
})
export type ChangedResult = z.infer<typeof ChangedResult>

/** The effect that a corrected answer key would have. */
export const KeyPreview = z.object({
  versions: z.array(
    z.object({ versionNumber: z.number().int(), effect: z.enum(['corrected', 'same', 'inapplicable']) }),
  ),
  domain: z.string(),
  finishedCount: z.number().int(),
  openCount: z.number().int(),
  changedCount: z.number().int(),
  raisedCount: z.number().int(),
  loweredCount: z.number().int(),
  nowPassedCount: z.number().int(),
  noLongerPassedCount: z.number().int(),
  toldCount: z.number().int(),
  /** The first LISTED_RESULTS of them. */
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
