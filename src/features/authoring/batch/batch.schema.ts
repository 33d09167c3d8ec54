import { withType } from '../../questions/types/former-answers.ts'
import { Question } from '../../questions/types/question-types.schema.ts'
import { QuestionKey } from '../../questions/types/question-base.schema.ts'
import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { RowId } from '../../catalogue/catalogue.schema.ts'
import { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { MAX_CASE_STUDIES } from '../case-studies/draft-case-studies.schema.ts'
import { MAX_QUESTIONS } from '../drafts/drafts.ts'
import { copy } from './batch.copy.ts'

const Keys = z.array(QuestionKey, copy['batch.ids']).min(1, copy['batch.ids']).max(MAX_QUESTIONS, copy['batch.ids'])

/** With `before` the questions move before that one (null: to the end); without it they are the whole order. */
export const OrderQuestions = z.object({ questionIds: Keys, before: QuestionKey.nullable().optional() })
/** The former order, for the undo. */
export const FormerOrder = z.object({ former: z.array(z.string()) })

export const SendQuestions = z.object({
  questionIds: Keys,
  toExamId: RowId,
  as: z.enum(['move', 'copy'], copy['batch.as']),
  /** The case studies that questions join there, by the key of the question: how an undo gives back what they left. */
  join: z.record(QuestionKey, QuestionKey).optional(),
})
/** A question that left its case study, because the exam that it came into does not have it. */
const LeftCaseStudy = z.object({ questionId: z.string(), caseStudyId: z.string(), title: z.string() })
export type LeftCaseStudy = z.infer<typeof LeftCaseStudy>
export const Sent = z.object({
  sent: z.array(z.object({ from: z.string(), to: z.string() })),
  left: z.array(LeftCaseStudy).default([]),
  /** The former order of the source exam, for the undo. */
  former: z.array(z.string()),
})

export const MarkQuestions = z.object({ questionIds: Keys, needsReview: z.boolean(copy['batch.flag']) })
/** The ids that changed, for the undo. */
export const Marked = z.object({ changed: z.array(z.string()) })

/** An exam that can receive questions. */
const Destination = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  courseTitle: z.string(),
  questionCount: z.int(),
})
export type Destination = z.infer<typeof Destination>
export const Destinations = z.object({ choices: z.array(Destination), foundCount: z.int() })
export type Destinations = z.infer<typeof Destinations>

/** A former question, which the undo sends back; a page of an earlier build sends it without its type. */
const FormerQuestion = z.preprocess(withType, Question)

export const RemoveQuestions = z.object({ questionIds: Keys })
const Placed = z.object({ question: FormerQuestion, place: z.int32() })
export type Placed = z.infer<typeof Placed>
export const RemovedQuestions = z.object({ taken: z.array(Placed) })
export const PutBack = z.object({ questions: z.array(Placed).min(1).max(MAX_QUESTIONS) })

const Words = z.string(copy['replace.find']).min(1, copy['replace.find']).max(1000, copy['replace.long'])

export const FindWordsQuery = z
  .object({
    courseId: RowId.optional(),
    examId: RowId.optional(),
    find: Words,
    matchCase: z.boolean().default(false),
  })
  .refine(({ courseId, examId }) => (courseId === undefined) !== (examId === undefined), {
    message: copy['replace.scope'],
    path: ['examId'],
  })

const WordMatch = z.object({ part: z.string(), before: z.string(), matched: z.string(), after: z.string() })
export const WordMatches = z.object({
  questions: z.array(
    z.object({
      examId: z.string(),
      examTitle: z.string(),
      questionId: z.string(),
      number: z.number().int(),
      matches: z.array(WordMatch),
    }),
  ),
  caseStudies: z.array(
    z.object({
      examId: z.string(),
      examTitle: z.string(),
      caseStudyId: z.string(),
      title: z.string(),
      matches: z.array(WordMatch),
    }),
  ),
  /** Totals; the list of questions may be cut. */
  questionCount: z.number().int(),
  matchCount: z.number().int(),
})
export type WordMatches = z.infer<typeof WordMatches>

const MAX_TARGETS = MAX_QUESTIONS * 10
const MAX_CASE_STUDY_TARGETS = MAX_CASE_STUDIES * 10
const ReplaceTargets = z.object({
  targets: z.array(z.object({ examId: RowId, questionId: QuestionKey })).max(MAX_TARGETS),
  caseStudies: z
    .array(z.object({ examId: RowId, caseStudyId: QuestionKey }))
    .max(MAX_CASE_STUDY_TARGETS)
    .default([]),
})
export type ReplaceTargets = z.infer<typeof ReplaceTargets>
export const ReplaceWords = ReplaceTargets.extend({
  find: Words,
  matchCase: z.boolean().default(false),
  replaceWith: z.string().max(1000, copy['replace.long']),
}).refine(({ targets, caseStudies }) => targets.length + caseStudies.length > 0, {
  message: copy['replace.targets'],
  path: ['targets'],
})
const Changed = z.object({ examId: z.string(), version: z.int(), question: FormerQuestion })
const ChangedCaseStudy = z.object({ examId: z.string(), version: z.int(), caseStudy: CaseStudy })
export const Replaced = z.object({
  /** The former questions with their new versions, for the undo. */
  changed: z.array(Changed),
  refused: z.array(z.object({ examId: z.string(), questionId: z.string(), sentence: z.string() })),
  /** The same of the case studies. */
  caseStudies: z.object({
    changed: z.array(ChangedCaseStudy),
    refused: z.array(z.object({ examId: z.string(), caseStudyId: z.string(), sentence: z.string() })),
  }),
})
export type Replaced = z.infer<typeof Replaced>
export const UndoReplacing = z
  .object({
    changed: z.array(Changed.extend({ examId: RowId })).max(MAX_TARGETS),
    caseStudies: z
      .array(ChangedCaseStudy.extend({ examId: RowId }))
      .max(MAX_CASE_STUDY_TARGETS)
      .default([]),
  })
  .refine(({ changed, caseStudies }) => changed.length + caseStudies.length > 0, {
    message: copy['replace.targets'],
    path: ['changed'],
  })
export type UndoReplacing = z.infer<typeof UndoReplacing>
export const Undone = z.object({
  restored: z.number().int(),
  restoredCaseStudies: z.number().int(),
  kept: z.number().int(),
})

export const fail = failureTable({
  'batch.unknown': { status: 409, kind: 'validation', sentence: copy['batch.unknown'] },
  'batch.key-taken': { status: 409, kind: 'validation', sentence: copy['batch.key-taken'] },
  'batch.full': { status: 409, kind: 'validation', sentence: copy['batch.full'] },
  'batch.case-study': { status: 409, kind: 'validation', sentence: copy['batch.case-study'] },
  'batch.same-exam': { status: 409, kind: 'validation', sentence: copy['batch.same-exam'] },
})
