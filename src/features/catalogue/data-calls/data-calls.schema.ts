import { SpecificationQuestion, SpecificationQuestionWithoutKey } from '../../questions/types/content-registry.ts'
import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { isPageInstant } from '../../../lib/paging.ts'
import { Blueprint } from '../../questions/questions.schema.ts'
import { copy as catalogueCopy } from '../catalogue.copy.ts'
import { CATEGORIES } from '../catalogue.ts'
import { descriptionProblem, titleProblem } from '../course-rules.ts'
import { CategoryName, PriceDollars, RowId } from '../catalogue.schema.ts'
import { copy } from './data-calls.copy.ts'
import type { FactsTyped } from '../course-facts-form.ts'
import { PAGE_LIMIT } from './data-calls.ts'

const Status = z.enum(['draft', 'published', 'withdrawn'])
const RowVersion = z.int(copy['row.version']).min(1, copy['row.version'])

/** A row of `courses` as the specification names its columns. Prices are dollars; instants are ISO 8601 in UTC. */
export const CourseRow = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  price: z.number(),
  category: CategoryName.nullable(),
  image_url: z.string(),
  slug: z.string(),
  status: Status,
  /** Null unless an admin reads it. */
  user_id: z.string().nullable(),
  total_questions: z.number().int(),
  total_practice_exams: z.number().int(),
  row_version: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type CourseRow = z.infer<typeof CourseRow>

/** A row of `test_questions` as the specification names its columns. */
export const ExamRow = z.object({
  id: z.string(),
  course_id: z.string(),
  test_name: z.string(),
  passing_score: z.number().int(),
  time_limit: z.number().int(),
  slug: z.string(),
  category: z.string().nullable(),
  is_free_trial: z.boolean(),
  is_free: z.boolean(),
  version_number: z.number().int(),
  parent_exam_id: z.string().nullable(),
  is_current_version: z.boolean(),
  created_from_version: z.number().int().nullable(),
  question_count: z.number().int(),
  /** For admins the stored questions; for others only those of free trials, without answer key and explanation. */
  questions: z.array(z.union([SpecificationQuestion, SpecificationQuestionWithoutKey])),
  row_version: z.number().int(),
  updated_at: z.string(),
})
export type ExamRow = z.infer<typeof ExamRow>

/** The cursor of a page: the instant and id of the last row before it. */
const Cursor = z
  .string()
  .max(200)
  .transform((text, issues) => {
    const [at = '', id = ''] = text.split('~')
    if (isPageInstant(at) && RowId.safeParse(id).success) return { at, id }
    issues.addIssue({ code: 'custom', message: copy['row.cursor'] })
    return z.NEVER
  })

const Limit = z.coerce
  .number(copy['row.limit'])
  .int(copy['row.limit'])
  .min(1, copy['row.limit'])
  .max(PAGE_LIMIT, copy['row.limit'])
  .default(PAGE_LIMIT)

export const ListCourses = z.object({
  /** 'public': published courses by `created_at`; 'all': every course by `updated_at`, for admins. */
  scope: z.enum(['public', 'all'], copy['row.scope']).default('public'),
  limit: Limit,
  cursor: Cursor.optional(),
})

export const CourseRows = z.object({ courses: z.array(CourseRow), next: z.string().nullable() })

const flagText = z.enum(['true', 'false'], copy['row.flag']).transform((text) => text === 'true')

export const ListExams = z.object({
  course_id: RowId,
  is_free_trial: flagText.optional(),
  /** Returns only the first row. */
  single: flagText.optional(),
})
export const ExamRows = z.object({ exams: z.array(ExamRow) })

const Title = z
  .string(catalogueCopy['validate.title.required'])
  .superRefine((title, issues) => {
    const problem = titleProblem(title)
    if (problem !== null) issues.addIssue({ code: 'custom', message: problem })
  })
  .transform((title) => title.trim())

const Description = z.string(copy['row.text']).superRefine((text, issues) => {
  const problem = descriptionProblem(text)
  if (problem !== null) issues.addIssue({ code: 'custom', message: problem })
})

const Slug = z
  .string(copy['row.slug'])
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, copy['row.slug'])
  .max(200, copy['row.slug'])
const ImageUrl = z
  .string(copy['row.image'])
  .max(2000, copy['row.image'])
  .regex(/^(?:https:\/\/\S+|\/(?!\/)\S*)?$/, copy['row.image'])

const courseFields = {
  title: Title,
  description: Description,
  price: PriceDollars,
  category: CategoryName.nullable(),
  image_url: ImageUrl,
  slug: Slug,
  status: Status,
  blueprint: Blueprint.nullable(),
}

/** A new course. The caller may choose its id, so that a repeated request adds it once. */
export const InsertCourse = z.object({
  id: RowId.optional(),
  title: courseFields.title,
  description: courseFields.description.default(''),
  price: courseFields.price,
  category: courseFields.category.default(null),
  image_url: courseFields.image_url.default(''),
  slug: courseFields.slug.optional(),
  status: courseFields.status.default('draft'),
  blueprint: courseFields.blueprint.default(null),
})
export type InsertCourse = z.output<typeof InsertCourse>

/** The changed fields of a course. With `row_version`, an outdated version is refused. */
export const UpdateCourse = z.object(courseFields).partial().extend({ row_version: RowVersion.optional() })
export type UpdateCourse = z.output<typeof UpdateCourse>

const Questions = z.array(z.unknown(), copy['row.questions']).max(2000, copy['row.questions'])

const examFields = {
  test_name: Title,
  questions: Questions,
  passing_score: z.int(copy['row.passing']).min(0, copy['row.passing']).max(100, copy['row.passing']),
  time_limit: z.int(copy['row.minutes']).min(1, copy['row.minutes']).max(1440, copy['row.minutes']),
  category: CategoryName.nullable(),
}

export const InsertExam = z.object({
  id: RowId.optional(),
  course_id: RowId,
  test_name: examFields.test_name,
  questions: examFields.questions.default([]),
  passing_score: examFields.passing_score.default(70),
  time_limit: examFields.time_limit.default(60),
  category: examFields.category.default(null),
  slug: Slug.optional(),
  is_free_trial: z.boolean(copy['row.flag']).default(false),
})
export type InsertExam = z.output<typeof InsertExam>

/** `is_free_trial` changes at once; all other fields go to the exam's draft, so that a sync never publishes. */
export const UpdateExam = z
  .object(examFields)
  .omit({ category: true })
  .partial()
  .extend({
    is_free_trial: z.boolean(copy['row.flag']).optional(),
    row_version: RowVersion.optional(),
    /** The version of the draft that the admin saw, if another admin has changed it. */
    draft_version: RowVersion.optional(),
  })
export type UpdateExam = z.output<typeof UpdateExam>

export const Inserted = z.object({ id: z.string(), row_version: z.number().int() })
export const Updated = z.object({ done: z.literal(true), row_version: z.number().int() })
/** The optional version of the row that the admin saw when deleting it. */
export const ExpectedVersion = z.object({
  row_version: z.coerce.number(copy['row.version']).int(copy['row.version']).optional(),
})
export const Removed = z.object({ removed: z.number().int() })
/** 'withdrawn': the course has owners or attempts, or the exam was taken, so it is taken off sale and stays. */
export const Deleted = z.object({ done: z.literal(true), outcome: z.enum(['deleted', 'withdrawn']) })
export type Deleted = z.infer<typeof Deleted>
export const DeletedExams = z.object({ done: z.literal(true), removed: z.number().int() })

export const fail = failureTable({
  'row.changed-elsewhere': { status: 409, kind: 'database', sentence: copy['row.changed-elsewhere'] },
  'exam.course-missing': { status: 409, kind: 'validation', sentence: copy['exam.save.nocourse'] },
  'exam.questions-refused': { status: 400, kind: 'validation', sentence: copy['exam.questions-refused'] },
})

/** The typed text of a course form, as the device stores it. */
export const FactsTypedSchema = z.object({
  title: z.string(),
  description: z.string(),
  price: z.string(),
  category: z.enum(['', ...CATEGORIES]),
  slug: z.string(),
  blueprint: z.object({
    code: z.string(),
    minutes: z.string(),
    questions: z.string(),
    passingScore: z.string(),
    source: z.string(),
    guide: z.string().optional(),
    domains: z.array(z.object({ name: z.string(), weight: z.string() })),
    curve: Blueprint.shape.curve,
  }),
}) satisfies z.ZodType<FactsTyped>
