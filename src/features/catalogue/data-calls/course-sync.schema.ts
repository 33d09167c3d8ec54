import { z } from 'zod'
import { CategoryName } from '../catalogue.schema.ts'

const Status = z.enum(['draft', 'published', 'withdrawn'])

/** What an admin types of a course, as the calls take it. */
export const CourseFields = z.object({
  title: z.string(),
  description: z.string(),
  price: z.number(),
  category: CategoryName.nullable(),
  image_url: z.string(),
  status: Status,
})
export type CourseFields = z.infer<typeof CourseFields>

/** What goes to an exam's draft. */
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

/** What the server has instead, as far as a person needs it to choose. Null: the row is gone. */
export const Stored = z.object({
  /** Of the row; null when only its draft has moved on. */
  version: z.number().nullable(),
  course: CourseFields.optional(),
  exam: DraftFields.omit({ questions: true }).partial().extend({ is_free_trial: z.boolean().optional() }).optional(),
  /** Of the draft that somebody else has begun. */
  draftVersion: z.number().optional(),
})
export type Stored = z.infer<typeof Stored>

/** Why an edit is not sent again by itself. */
export const SyncProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('conflict'), stored: Stored.nullable() }),
  z.object({ kind: z.literal('refused'), sentence: z.string() }),
])
export type SyncProblem = z.infer<typeof SyncProblem>

const common = {
  id: z.string(),
  /** Whose change this is: nobody else's session sends it. */
  by: z.string(),
  rowId: z.string(),
  /** The course that the row belongs to, or is. */
  courseId: z.string(),
  /** What the row was called when it was changed. */
  title: z.string(),
  at: z.number(),
  /** The version of the row that was looked at; null while an earlier change of the same row is on its way. */
  base: z.number().nullable(),
  draftBase: z.number().optional(),
  /** It may have reached the server, so it is not touched any more. */
  isSent: z.boolean(),
  syncProblem: SyncProblem.nullable(),
  /** The server has it; it is shown until the list is read again. */
  saved: z.object({ at: z.number(), version: z.number().nullable() }).nullable(),
}

/** A change that an admin made here, from the click to the next list of the server. */
export const Edit = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('course.insert'), fields: CourseFields }),
  z.object({
    ...common,
    kind: z.literal('course.update'),
    fields: CourseFields.partial(),
    /** The course as it looked with the change, for the case that it is gone meanwhile. */
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
/** A change as a screen hands it over. */
export type NewEdit = Fresh<Edit>

/** Changes in the order in which they were made. */
export type Outbox = readonly Edit[]
