import { z } from 'zod'
import { CategoryName } from '../catalogue.schema.ts'

/** The version of the stored shape. A stored list of another version is ignored. */
export const LOCAL_VERSION = 1

/** A course in local storage, with the specification's names: `supabaseId` is the row id, and `id` a number derived from it. */
export const LocalCourse = z.object({
  id: z.number(),
  supabaseId: z.string(),
  title: z.string(),
  description: z.string(),
  /** Dollars, for display only; the server prices a cart. */
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

/** An exam in local storage, without questions and answer keys. */
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

/** A course that exists only in this browser. */
export const UnsavedCourse = z.object({
  title: z.string().min(1),
  description: z.string().default(''),
  price: z.number().min(0).default(0),
  category: CategoryName.nullable().catch(null),
  supabaseId: z.null().optional(),
  /** Assigned before it is sent, so that a repeated request adds it once. */
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
