import { z } from 'zod'
import { failureTable } from '../../lib/failure.ts'
import { Blueprint } from '../questions/questions.schema.ts'
import { copy } from './catalogue.copy.ts'
import { CATEGORIES, SEARCH_MAX } from './catalogue.ts'
import { judgePrice } from './course-rules.ts'

export const CategoryName = z.enum(CATEGORIES)

/** A course in a list. */
export const CourseCardView = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  priceCents: z.number().int(),
  /** The lowest price of the 30 days before the running sale; null where it is not known or not higher. */
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

/** A page of the home page's list. */
export type HomeCourses = {
  readonly courses: readonly CourseCardView[]
  /** Whether `courses` has all courses, so that the browser searches by itself. */
  readonly isWhole: boolean
  readonly allCount: number
  /** The number of matches; all courses when `isWhole`. */
  readonly foundCount: number
  readonly page: number
  readonly pageCount: number
}

/** An exam on a course page, without questions. */
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

/** An exam in the admin's list. */
export const AdminExamSummary = ExamSummary.extend({ rowVersion: z.number().int() })
export type AdminExamSummary = z.infer<typeof AdminExamSummary>

export const AdminCourseView = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  imageUrl: z.string(),
  /** The vendor's exam code, such as SAA-C03, for the badge. */
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
const COURSE_SORTS = ['changed', 'title', 'price', 'exams'] as const

/** The filter of the admin's list of courses; invalid values are ignored. */
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

/** The fields of a course that an admin can edit. */
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
/** The course and step of the course builder, from its address. */
export const BuilderFilter = z.object({
  course: RowId.nullable().catch(null).default(null),
  step: z.enum(BUILDER_STEPS).catch('facts').default('facts'),
})
/** The caller chooses the id of the copy, so that a repeated request makes one copy. */
export const DuplicateCourse = z.object({ id: RowId })
export const Duplicated = z.object({ id: z.string(), slug: z.string(), title: z.string() })
export type Duplicated = z.infer<typeof Duplicated>
/** The records that depend on a course, and the effect of deleting it: with current or former owners or orders it is withdrawn. */
export const CourseDependents = z.object({
  exams: z.number().int(),
  questions: z.number().int(),
  drafts: z.number().int(),
  owners: z.number().int(),
  formerOwners: z.number().int(),
  attempts: z.number().int().describe('Attempts of users with an account.'),
  guestAttempts: z.number().int(),
  orders: z.number().int(),
  outcome: z.enum(['deleted', 'withdrawn']),
})
export type CourseDependents = z.infer<typeof CourseDependents>

/** The versions of the course and of its drafts that the admin reviewed before publishing. */
export const PublishCourse = z.object({
  rowVersion: z.int(copy['course.version']).min(1, copy['course.version']),
  drafts: z.array(z.object({ examId: RowId, version: z.int(copy['course.version']) })).max(500),
})
/** The exams of a course in their new order, by the id of any of their versions. */
export const ExamOrder = z.object({ examIds: z.array(RowId).min(1).max(500) })
export const CoursePath = z.object({ courseId: RowId })
export const ExamPath = z.object({ examId: RowId })

/** A price in dollars, as text or number, with the specification's messages. */
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
  'study-sheet.not-found': { status: 404, kind: 'database', sentence: copy['thrown.sheet'] },
  'exam.not-found': { status: 404, kind: 'database', sentence: copy['thrown.exam'] },
})
