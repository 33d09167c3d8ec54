import { z } from 'zod'
import { failureTable } from '../../lib/failure.ts'
import { Blueprint } from '../questions/questions.schema.ts'
import { copy } from './catalogue.copy.ts'
import { CATEGORIES, judgePrice, SEARCH_MAX } from './catalogue.ts'

export const CategoryName = z.enum(CATEGORIES)

/** A course as lists show it. */
export const CourseCardView = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  priceCents: z.number().int(),
  /** The lowest price of the 30 days before the sale that runs, where it is known and higher. */
  wasCents: z.number().int().nullable(),
  saleEndsAt: z.string().nullable(),
  category: CategoryName.nullable(),
  imageUrl: z.string(),
  code: z.string().nullable(),
  totalExams: z.number().int(),
  totalQuestions: z.number().int(),
  hasFreeTrial: z.boolean(),
})
export type CourseCardView = z.infer<typeof CourseCardView>

/** A page of the home's list. */
export type HomeCourses = {
  readonly courses: readonly CourseCardView[]
  /** All courses are here, so the browser searches by itself and nothing else is asked for. */
  readonly isWhole: boolean
  readonly allCount: number
  /** Of those that fit the search; all where everything is here. */
  readonly foundCount: number
  readonly page: number
  readonly pageCount: number
}

/** An exam as a course page shows it: facts, never questions. */
export const ExamSummary = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  questionCount: z.number().int(),
  timeLimitMinutes: z.number().int(),
  passingScore: z.number().int(),
  isFreeTrial: z.boolean(),
})
export type ExamSummary = z.infer<typeof ExamSummary>

export const CourseView = CourseCardView.extend({
  blueprint: Blueprint.nullable(),
  updatedAt: z.string(),
  exams: z.array(ExamSummary),
})
export type CourseView = z.infer<typeof CourseView>

/** An exam as the admin's list shows it. */
export const AdminExamSummary = ExamSummary.extend({ rowVersion: z.number().int() })
export type AdminExamSummary = z.infer<typeof AdminExamSummary>

export const AdminCourseView = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  imageUrl: z.string(),
  /** The code of the real exam, for the badge. */
  code: z.string().nullable(),
  rowVersion: z.number().int(),
  priceCents: z.number().int(),
  category: CategoryName.nullable(),
  status: z.enum(['draft', 'published', 'withdrawn']),
  updatedAt: z.string(),
  exams: z.array(AdminExamSummary),
})
export type AdminCourseView = z.infer<typeof AdminCourseView>

export const COURSE_STATES = ['draft', 'published', 'withdrawn'] as const
export const COURSE_SORTS = ['changed', 'title', 'price', 'exams'] as const

/** What of the courses a page of the admin's list shows. What does not fit is as if it were not there. */
export const CourseFilter = z.object({
  search: z.string().trim().max(SEARCH_MAX).catch(''),
  status: z.enum(['all', ...COURSE_STATES]).catch('all'),
  level: z.enum(['all', ...CATEGORIES, 'none']).catch('all'),
  sort: z.enum(COURSE_SORTS).catch('changed'),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
})
export type CourseFilter = z.infer<typeof CourseFilter>

export const AdminCourses = z.object({
  courses: z.array(AdminCourseView),
  foundCount: z.number().int(),
  page: z.number().int(),
  pageCount: z.number().int(),
})
export type AdminCourses = z.infer<typeof AdminCourses>

/** What an admin can say of a course. */
export const CourseFactsView = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  imageUrl: z.string(),
  priceCents: z.number().int(),
  category: CategoryName.nullable(),
  status: z.enum(COURSE_STATES),
  blueprint: Blueprint.nullable(),
  rowVersion: z.number().int(),
  updatedAt: z.string(),
})
export type CourseFactsView = z.infer<typeof CourseFactsView>

export const RowId = z.uuid()
export const BUILDER_STEPS = ['facts', 'exams', 'questions', 'look'] as const
/** Where the course builder is: which course, which step. */
export const BuilderFilter = z.object({
  course: RowId.nullable().catch(null).default(null),
  step: z.enum(BUILDER_STEPS).catch('facts').default('facts'),
})
/** The copy's id is made by whoever asks for it, so that asking twice makes one. */
export const DuplicateCourse = z.object({ id: RowId })
export const Duplicated = z.object({ id: z.string(), slug: z.string(), title: z.string() })
export type Duplicated = z.infer<typeof Duplicated>
/** What hangs on a course, and so what deleting it would do: with owners or orders, now or before, it is withdrawn from sale. */
export const CourseDependents = z.object({
  exams: z.number().int(),
  questions: z.number().int(),
  drafts: z.number().int(),
  owners: z.number().int(),
  formerOwners: z.number().int(),
  attempts: z.number().int().describe('Of people with an account.'),
  guestAttempts: z.number().int(),
  orders: z.number().int(),
  outcome: z.enum(['deleted', 'withdrawn']),
})
export type CourseDependents = z.infer<typeof CourseDependents>

/** What was looked at before the course goes on sale: its row, and each draft as a whole. */
export const PublishCourse = z.object({
  rowVersion: z.int(copy['course.version']).min(1, copy['course.version']),
  drafts: z.array(z.object({ examId: RowId, version: z.int(copy['course.version']) })).max(500),
})
/** The exams of a course by the ids of any of their versions, the first one first. */
export const ExamOrder = z.object({ examIds: z.array(RowId).min(1).max(500) })
export const CoursePath = z.object({ courseId: RowId })
export const ExamPath = z.object({ examId: RowId })

/** Dollars as typed or sent; the spec's sentences when they do not fit. */
export const PriceDollars = z
  .union([z.string(), z.number()], copy['validate.price.form'])
  .transform((value, issues) => {
    const judged = judgePrice(value)
    if (judged.kind === 'price') return judged.priceCents
    issues.addIssue({ code: 'custom', message: judged.sentence })
    return z.NEVER
  })

export const fail = failureTable({
  'course.not-found': { status: 404, kind: 'database', sentence: copy['thrown.course'] },
  'course.moved-on': { status: 409, kind: 'validation', sentence: copy['course.moved-on'] },
  'course.no-exams': { status: 409, kind: 'validation', sentence: copy['course.no-exams'] },
  'exam.not-found': { status: 404, kind: 'database', sentence: copy['thrown.exam'] },
})
