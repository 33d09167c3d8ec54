import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { Difficulty, OptionId, MAX_OPTIONS, Question, QuestionKey, Reason } from '../../questions/questions.schema.ts'
import { copy } from './drafts.copy.ts'
import { ExamSettings } from '../../catalogue/exam-settings.schema.ts'

const text = z.string(copy['draft.text'])
const flag = z.boolean(copy['draft.flag'])
const Version = z.number(copy['draft.version']).int(copy['draft.version'])

/** A question as somebody writes it. An answer that the question has already keeps its id; a new one has none. */
export const QuestionEdit = z.object({
  stem: text,
  options: z
    .array(z.object({ id: OptionId.nullable().default(null), text, isRight: flag }), copy['draft.answers'])
    .max(MAX_OPTIONS, copy['draft.answers.many']),
  explanation: text.default(''),
  domain: text.default(''),
  url: text.default(''),
  /** Left out by earlier builds: the question keeps the difficulty that it has. */
  difficulty: z.enum(Difficulty.options, copy['draft.difficulty']).optional(),
  needsReview: flag.default(false),
})
export type QuestionEdit = z.infer<typeof QuestionEdit>

export const ExamPath = z.object({ examId: z.uuid() })
export const QuestionPath = ExamPath.extend({ questionId: QuestionKey })

export const ChangeSettings = z.object({ settings: ExamSettings, version: Version })
/** Under a key that its maker chose, so that sending it twice adds it once. */
export const AddQuestion = z.object({ question: QuestionEdit, id: QuestionKey.optional() })
export const ChangeQuestion = z.object({ question: QuestionEdit, version: Version })
/** The version of what is taken away or published: that which was looked at. */
export const ExpectedVersion = z.object({ version: Version })

/** The one draft of an exam. Learners see nothing of it. */
export const DraftView = z.object({
  fromVersion: z.number().int(),
  settings: ExamSettings,
  settingsVersion: z.number().int(),
  /** Of the whole draft: it differs after any change. */
  version: z.number().int(),
  questionCount: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
})
export type DraftView = z.infer<typeof DraftView>

/** One question of a draft, key included, for those who edit it. */
export const DraftQuestionView = z.object({
  question: Question,
  version: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
})
export type DraftQuestionView = z.infer<typeof DraftQuestionView>

/** A question that was taken into the draft, with what its author should still look at. */
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

/** An exam as those who edit it see it: its current version, all versions, and its draft. */
export const ExamRecord = z.object({
  id: z.string(),
  familyId: z.string(),
  courseId: z.string(),
  courseTitle: z.string(),
  courseSlug: z.string(),
  slug: z.string(),
  versionNumber: z.number().int(),
  questionCount: z.number().int(),
  settings: ExamSettings,
  versions: z.array(ExamVersion),
  draft: DraftView.nullable(),
})
export type ExamRecord = z.infer<typeof ExamRecord>

export const CHANGED_PARTS = ['stem', 'options', 'key', 'explanation', 'facts'] as const
export type ChangedPart = (typeof CHANGED_PARTS)[number]

const Named = z.object({ id: z.string(), stem: z.string() })

/** What publishing would change. */
export const DraftChanges = z.object({
  version: z.number().int(),
  settings: z.array(z.object({ name: ExamSettings.keyof(), from: z.string(), to: z.string() })),
  added: z.array(Named),
  removed: z.array(Named),
  changed: z.array(Named.extend({ parts: z.array(z.enum(CHANGED_PARTS)) })),
  /** Whether those that stay come in another order. */
  isReordered: z.boolean(),
})
export type DraftChanges = z.infer<typeof DraftChanges>

export const Published = z.object({ examId: z.string(), versionNumber: z.number().int() })
export type Published = z.infer<typeof Published>

const LISTED = ['all', 'review', 'changed'] as const

/** What of an exam's questions a page of the list shows. */
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
  readonly optionCount: number
  readonly rightCount: number
  readonly needsReview: boolean
  readonly state: 'same' | 'added' | 'changed'
}

export type QuestionList = {
  /** The keys of all of them in their order, so that one can be put before one of another page. */
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
  'draft.full': { status: 409, kind: 'validation', sentence: copy['draft.full'] },
  'draft.refused': { status: 400, kind: 'validation', sentence: copy['draft.refused'] },
})
