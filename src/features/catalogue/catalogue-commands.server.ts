import { toStored } from '../questions/types/content-registry.ts'
import type { CaseStudy } from '../questions/case-studies/case-study.schema.ts'
import type { Question } from '../questions/types/question-types.schema.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { CourseId, ExamId, UserId } from '../../lib/ids.ts'
import { toDollars, type Cents } from '../../lib/money.ts'
import { courseSlug, firstFree } from '../../lib/slug.ts'
import { audit } from '../../platform/audit-log/audit-log-commands.server.ts'
import type { Blueprint } from '../questions/questions.schema.ts'
import type { Category } from './catalogue.ts'
import { storedDescription } from './course-rules.ts'
import { fail } from './catalogue.schema.ts'

type NewCourse = {
  readonly title: string
  readonly description: string
  readonly priceCents: Cents
  readonly category: Category | null
  readonly slug?: string
  readonly blueprint: Blueprint | null
  readonly imageUrl?: string
  readonly ownerId: UserId | null
  readonly status?: 'draft' | 'published'
  readonly now: Date
}

/** Adds a course. A number is appended to a slug that is taken. */
export async function addCourse(tx: Db, course: NewCourse): Promise<CourseId> {
  const slug = course.slug ?? courseSlug(course.title, course.now)
  const taken = new Set(
    (await tx.selectFrom('courses').where('slug', 'like', `${slug}%`).select('slug').execute()).map(({ slug }) => slug),
  )
  const { id } = await tx
    .insertInto('courses')
    .values({
      title: course.title.trim(),
      description: storedDescription(course.description),
      price: toDollars(course.priceCents),
      category: course.category,
      slug: firstFree(slug, (slug) => taken.has(slug)),
      blueprint: course.blueprint === null ? null : JSON.stringify(course.blueprint),
      image_url: course.imageUrl ?? '',
      user_id: course.ownerId,
      status: course.status ?? 'published',
      created_at: course.now,
      updated_at: course.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id as CourseId
}

type NewExam = {
  readonly courseId: CourseId
  readonly title: string
  readonly slug: string
  /** Questions, or SQL that reads stored ones, so that copying does not load them. */
  readonly questions: readonly Question[] | RawBuilder<string>
  /** Those that the questions name. */
  readonly caseStudies?: readonly CaseStudy[]
  readonly passingScore: number
  readonly timeLimitMinutes: number
  readonly isFreeTrial: boolean
  readonly scoringPolicy?: 'all-or-nothing' | 'partial'
  readonly position: number
  readonly category: Category | null
  readonly now: Date
}

/** Adds an exam. A number is appended to the slug of another current exam, because `/exam/{slug}` has no course. */
export async function addExam(tx: Db, exam: NewExam): Promise<ExamId> {
  const rows = await tx
    .selectFrom('test_questions')
    .where('slug', 'like', `${exam.slug}%`)
    .where('is_current_version', '=', true)
    .select('slug')
    .execute()
  const taken = new Set(rows.map(({ slug }) => slug))
  const { id } = await tx
    .insertInto('test_questions')
    .values({
      course_id: exam.courseId,
      test_name: exam.title,
      questions: 'toOperationNode' in exam.questions ? exam.questions : JSON.stringify(exam.questions.map(toStored)),
      ...(exam.caseStudies === undefined ? {} : { case_studies: JSON.stringify(exam.caseStudies) }),
      passing_score: exam.passingScore,
      time_limit: exam.timeLimitMinutes,
      slug: firstFree(exam.slug, (slug) => taken.has(slug)),
      category: exam.category,
      is_free_trial: exam.isFreeTrial,
      ...(exam.scoringPolicy === undefined ? {} : { scoring_policy: exam.scoringPolicy }),
      position: exam.position,
      created_at: exam.now,
      updated_at: exam.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id as ExamId
}

type FreeTrialChange = { examId: string; isFreeTrial: boolean; actorId: UserId; now: Date }

/** Switches the free trial for learners at once, and in the exam's draft. @throws Failure exam.not-found */
export async function switchFreeTrial(tx: Db, change: FreeTrialChange): Promise<void> {
  const before = await tx
    .selectFrom('test_questions')
    .where('id', '=', change.examId)
    .select('is_free_trial')
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) throw fail('exam.not-found')
  const after = { is_free_trial: change.isFreeTrial }
  await tx
    .updateTable('test_questions')
    .set({ ...after, updated_at: change.now })
    .where('id', '=', change.examId)
    .execute()
  // Publishing an older draft must not restore the previous setting.
  await sql`
    update exam_drafts set is_free_trial = ${change.isFreeTrial},
      settings_version = nextval('draft_versions'), row_version = nextval('draft_versions')
    where family_id = (select family_id from test_questions where id = ${change.examId})
      and is_free_trial <> ${change.isFreeTrial}`.execute(tx)
  await audit(tx, {
    at: change.now,
    actorId: change.actorId,
    action: 'exam.free-trial',
    table: 'test_questions',
    id: change.examId,
    before,
    after,
  })
}
