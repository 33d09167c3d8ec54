import { z } from 'zod'
import { CategoryName } from '../catalogue.schema.ts'

/** Another shape gets another number: what an older build stored is then not read. */
export const LOCAL_VERSION = 1

/** Spec 3: a course as it lies in local storage. `id` is derived from the row id, which is `supabaseId`. */
export const LocalCourse = z.object({
  id: z.number(),
  supabaseId: z.string(),
  title: z.string(),
  description: z.string(),
  /** Dollars. Shown, never trusted: what a cart costs is asked of the server. */
  price: z.number().min(0),
  category: CategoryName.nullable(),
  imageUrl: z.string(),
  slug: z.string(),
  code: z.string().nullable(),
  totalExams: z.number(),
  totalQuestions: z.number(),
  hasFreeTrial: z.boolean(),
})
export type LocalCourse = z.infer<typeof LocalCourse>

/** An exam as it lies in local storage: facts, never a question and so never a key. */
export const LocalExam = z.object({
  id: z.number(),
  supabaseId: z.string(),
  courseId: z.number(),
  title: z.string(),
  slug: z.string(),
  questionCount: z.number(),
  timeLimitMinutes: z.number(),
  passingScore: z.number(),
  isFreeTrial: z.boolean(),
})
export type LocalExam = z.infer<typeof LocalExam>

export const StoredCourses = z.object({ version: z.literal(LOCAL_VERSION), courses: z.array(LocalCourse) })
export const StoredExams = z.object({ version: z.literal(LOCAL_VERSION), exams: z.array(LocalExam) })

/** A course that was made in a browser and never got a row. */
export const UnsavedCourse = z.object({
  title: z.string().min(1),
  description: z.string().default(''),
  price: z.number().min(0).default(0),
  category: CategoryName.nullable().catch(null),
  supabaseId: z.null().optional(),
  /** Chosen before it is sent, so that sending it twice makes it once. */
  rowId: z.uuid().optional(),
  exams: z
    .array(
      z.object({
        title: z.string().min(1),
        rowId: z.uuid().optional(),
        timeLimitMinutes: z.number().default(60),
        passingScore: z.number().default(70),
        questions: z.array(z.unknown()).default([]),
      }),
    )
    .catch([]),
})
export type UnsavedCourse = z.infer<typeof UnsavedCourse>
