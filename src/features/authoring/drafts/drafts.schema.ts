import { QuestionKey, type Difficulty } from '../../questions/types/question-base.schema.ts'
import { QuestionEdit } from '../../questions/types/question-edit.schema.ts'
import { Question } from '../../questions/types/question-types.schema.ts'
import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { Reason } from '../../questions/questions.schema.ts'
import { changedPartNames, copy } from './drafts.copy.ts'
import { ExamSettings } from '../../catalogue/exam-settings.schema.ts'

const Version = z.number(copy['draft.version']).int(copy['draft.version'])

export const ExamPath = z.object({ examId: z.uuid() })
export const QuestionPath = ExamPath.extend({ questionId: QuestionKey })

export const ChangeSettings = z.object({ settings: ExamSettings, version: Version })
/** With an id from the client, sending it twice adds one question. */
export const AddQuestion = z.object({ question: QuestionEdit, id: QuestionKey.optional() })
export const ChangeQuestion = z.object({ question: QuestionEdit, version: Version })
/** The version that the admin saw; a newer one is neither discarded nor published. */
export const ExpectedVersion = z.object({ version: Version })

/** The one draft of an exam. Learners see nothing of it. */
export const DraftView = z.object({
  fromVersion: z.number().int(),
  settings: ExamSettings,
  settingsVersion: z.number().int(),
  /** Of the whole draft: every change increments it. */
  version: z.number().int(),
  questionCount: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
})
export type DraftView = z.infer<typeof DraftView>

/** One question of a draft for its editors, answer key included. */
export const DraftQuestionView = z.object({
  question: Question,
  version: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
})
export type DraftQuestionView = z.infer<typeof DraftQuestionView>

/** A question that was saved in the draft, with notes for its author. */
export const SavedQuestion = z.object({
  question: Question,
  version: z.number().int(),
  notes: z.array(Reason),
})
export type SavedQuestion = z.infer<typeof SavedQuestion>

export const ExamVersion = z.object({
  id: z.string(),
  versionNumber: z.number().int(),
  isCurrent: z.boolean(),
  title: z.string(),
  questionCount: z.number().int(),
  createdAt: z.string(),
})
export type ExamVersion = z.infer<typeof ExamVersion>

/** An exam for its editors: its current version, all versions, and its draft. */
export const ExamRecord = z.object({
  id: z.string(),
  familyId: z.string(),
  courseId: z.string(),
  courseTitle: z.string(),
  courseSlug: z.string(),
  courseStatus: z.enum(['draft', 'published', 'withdrawn']),
  slug: z.string(),
  versionNumber: z.number().int(),
  questionCount: z.number().int(),
  settings: ExamSettings,
  versions: z.array(ExamVersion),
  draft: DraftView.nullable(),
})
export type ExamRecord = z.infer<typeof ExamRecord>

export type ChangedPart = keyof typeof changedPartNames
const CHANGED_PARTS = Object.keys(changedPartNames) as ChangedPart[]

const Named = z.object({ id: z.string(), stem: z.string(), type: z.string() })

/** The changes that publishing would make. */
export const DraftChanges = z.object({
  version: z.number().int(),
  settings: z.array(z.object({ name: ExamSettings.keyof(), from: z.string(), to: z.string() })),
  added: z.array(Named),
  removed: z.array(Named),
  changed: z.array(Named.extend({ parts: z.array(z.enum(CHANGED_PARTS)) })),
  /** The titles of case studies that were added, removed or changed. */
  caseStudies: z.array(z.string()).default([]),
  /** Whether the remaining questions come in another order. */
  isReordered: z.boolean(),
})
export type DraftChanges = z.infer<typeof DraftChanges>

export const Published = z.object({ examId: z.string(), versionNumber: z.number().int() })
export type Published = z.infer<typeof Published>

const LISTED = ['all', 'review', 'changed'] as const

/** The filter of an exam's question list. */
export const QuestionFilter = z.object({
  search: z.string().trim().max(200).catch(''),
  show: z.enum(LISTED).catch('all'),
  page: z.coerce.number().int().min(1).max(1000).catch(1),
})
export type QuestionFilter = z.infer<typeof QuestionFilter>

export type ListedQuestion = {
  readonly id: string
  readonly number: number
  readonly stem: string
  readonly domain: string
  readonly difficulty: Difficulty
  /** A few words about its parts, such as how many options are right. */
  readonly summary: string
  /** The title of its case study. */
  readonly caseStudy: string | null
  readonly needsReview: boolean
  readonly state: 'same' | 'added' | 'changed'
}

export type QuestionList = {
  /** The keys of all questions in order, so that a question can move to another page. */
  readonly keys: readonly string[]
  readonly questions: readonly ListedQuestion[]
  readonly foundCount: number
  readonly totalCount: number
  readonly page: number
  readonly pageCount: number
}

export const fail = failureTable({
  'draft.none': { status: 409, kind: 'validation', sentence: copy['draft.none'] },
  'draft.question-gone': { status: 404, kind: 'database', sentence: copy['draft.question-gone'] },
  'draft.changed-elsewhere': { status: 409, kind: 'validation', sentence: copy['draft.changed-elsewhere'] },
  'draft.moved-on': { status: 409, kind: 'validation', sentence: copy['draft.moved-on'] },
  'draft.no-questions': { status: 409, kind: 'validation', sentence: copy['draft.no-questions'] },
  'draft.no-changes': { status: 409, kind: 'validation', sentence: copy['draft.no-changes'] },
  'draft.case-studies': { status: 409, kind: 'validation', sentence: copy['draft.case-studies'] },
  'draft.full': { status: 409, kind: 'validation', sentence: copy['draft.full'] },
  'draft.refused': { status: 400, kind: 'validation', sentence: copy['draft.refused'] },
})
