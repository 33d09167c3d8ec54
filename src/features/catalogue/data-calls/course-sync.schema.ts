import { z } from 'zod'
import { CategoryName } from '../catalogue.schema.ts'

const Status = z.enum(['draft', 'published', 'withdrawn'])

/** The fields of a course that an admin edits, as the calls accept them. */
export const CourseFields = z.object({
  title: z.string(),
  description: z.string(),
  price: z.number(),
  category: CategoryName.nullable(),
  image_url: z.string(),
  status: Status,
})
export type CourseFields = z.infer<typeof CourseFields>

/** The fields of an exam that go to its draft. */
export const DraftFields = z.object({
  test_name: z.string(),
  passing_score: z.number(),
  time_limit: z.number(),
  questions: z.array(z.unknown()),
})
export type DraftFields = z.infer<typeof DraftFields>

const TrialFields = z.object({ is_free_trial: z.boolean() })
const ExamFields = DraftFields.extend(TrialFields.shape)
export type ExamFields = z.infer<typeof ExamFields>

/** The stored row in a conflict, as far as the admin needs it to choose. */
export const Stored = z.object({
  /** The version of the row; null when only its draft has changed. */
  version: z.number().nullable(),
  course: CourseFields.optional(),
  exam: DraftFields.omit({ questions: true }).partial().extend({ is_free_trial: z.boolean().optional() }).optional(),
  /** The version of the draft that another admin has changed. */
  draftVersion: z.number().optional(),
})
export type Stored = z.infer<typeof Stored>

/** Why an edit waits for the admin. A conflict whose `stored` is null: the row is deleted. */
export const SyncProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('conflict'), stored: Stored.nullable() }),
  z.object({ kind: z.literal('refused'), sentence: z.string() }),
])
export type SyncProblem = z.infer<typeof SyncProblem>

const common = {
  id: z.string(),
  /** The id of the admin; only their session sends the edit. */
  by: z.string(),
  rowId: z.string(),
  /** The id of the course, also for its exams. */
  courseId: z.string(),
  /** The title of the row at the time of the edit. */
  title: z.string(),
  at: z.number(),
  /** The version of the row that the admin saw; null while an earlier edit of the row is pending. */
  base: z.number().nullable(),
  draftBase: z.number().optional(),
  /** The server may have received the edit, so it is not merged with later ones. */
  isSent: z.boolean(),
  syncProblem: SyncProblem.nullable(),
  /** The server has the edit; it stays in the outbox until the list is loaded again. */
  saved: z.object({ at: z.number(), version: z.number().nullable() }).nullable(),
}

/** An admin's edit, from the click until the server's list contains it. */
export const Edit = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('course.insert'), fields: CourseFields }),
  z.object({
    ...common,
    kind: z.literal('course.update'),
    fields: CourseFields.partial(),
    /** The whole course with the edit, to create it again if it was deleted elsewhere. */
    whole: CourseFields,
  }),
  z.object({ ...common, kind: z.literal('course.delete') }),
  z.object({ ...common, kind: z.literal('exam.insert'), fields: ExamFields }),
  z.object({ ...common, kind: z.literal('exam.draft'), fields: DraftFields.partial() }),
  z.object({ ...common, kind: z.literal('exam.trial'), fields: TrialFields }),
  z.object({ ...common, kind: z.literal('exam.delete') }),
])
export type Edit = z.infer<typeof Edit>
export type EditKind = Edit['kind']

type Fresh<E> = E extends Edit ? Omit<E, 'id' | 'by' | 'at' | 'isSent' | 'syncProblem' | 'saved' | 'draftBase'> : never
/** An edit as a screen submits it. */
export type NewEdit = Fresh<Edit>

/** Edits in the order in which they were made. */
export type Outbox = readonly Edit[]
