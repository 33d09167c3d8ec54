import { z } from 'zod'
import { failureTable } from '../../lib/failure.ts'
import { Blueprint } from '../questions/schema.ts'
import { copy } from './copy.ts'
import { CATEGORIES, judgePrice } from './rules.ts'

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
  rowVersion: z.number().int(),
  priceCents: z.number().int(),
  category: CategoryName.nullable(),
  status: z.enum(['draft', 'published', 'withdrawn']),
  updatedAt: z.string(),
  exams: z.array(AdminExamSummary),
})
export type AdminCourseView = z.infer<typeof AdminCourseView>

export const RowId = z.uuid()
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
  'exam.not-found': { status: 404, kind: 'database', sentence: copy['thrown.exam'] },
})
