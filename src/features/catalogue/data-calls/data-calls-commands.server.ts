import { toStored } from '../../questions/types/content-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { fill } from '../../../lib/failure.ts'
import { toDollars } from '../../../lib/money.ts'
import { courseSlug, examSlug, firstFree } from '../../../lib/slug.ts'
import { type AdminAction, audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { judgeQuestion } from '../../questions/questions.ts'
import { lockExamOf, lockExamsOfCourse } from '../exam-locks-commands.server.ts'
import { storedDescription } from '../course-rules.ts'
import { fail as failCatalogue } from '../catalogue.schema.ts'
import type { ExamSettings } from '../exam-settings.schema.ts'
import { switchFreeTrial } from '../catalogue-commands.server.ts'
import { copy } from './data-calls.copy.ts'
import { findCourseRow, findExamRow } from './data-calls-queries.server.ts'
import {
  fail,
  type Deleted,
  type InsertCourse,
  type InsertExam,
  type UpdateCourse,
  type UpdateExam,
} from './data-calls.schema.ts'

/** Functions of features that this one cannot import; the app provides them. */
export type DataCallCallbacks = {
  /** Deletes all attempts at a course's exams. Called only for a course without current or former owners. */
  deleteAttempts(tx: Db, courseId: string): Promise<void>
  /** Replaces settings and questions in the exam's draft. @throws Failure exam.not-found, draft.moved-on, draft.full */
  replaceDraft(tx: Db, replace: DraftReplacement): Promise<unknown>
}

type DraftReplacement = AdminAction & {
  readonly examId: string
  readonly settings: Partial<ExamSettings>
  readonly questions?: readonly Question[]
  /** The version of the draft that the admin saw. */
  readonly version?: number | undefined
}

type Stored = { readonly id: string; readonly row_version: number }

/** Adds a course under the id that the caller chose. Repeating it changes nothing and returns the stored version. */
export async function insertCourse(db: Db, add: AdminAction & { course: InsertCourse }): Promise<Stored> {
  const { course, actorId, now } = add
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('courses', 0))`.execute(tx)
    const preferred = course.slug ?? courseSlug(course.title, now)
    const values = {
      ...(course.id === undefined ? {} : { id: course.id }),
      title: course.title,
      description: storedDescription(course.description),
      price: toDollars(course.price),
      category: course.category,
      image_url: course.image_url,
      slug: await freeSlug(tx, 'courses', preferred),
      status: course.status,
      blueprint: course.blueprint === null ? null : JSON.stringify(course.blueprint),
      user_id: actorId,
      created_at: now,
      updated_at: now,
    }
    const inserted = await tx
      .insertInto('courses')
      .values(values)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning(['id', 'row_version'])
      .executeTakeFirst()
    if (inserted === undefined) return getCourse(tx, course.id ?? '')
    await auditChange(tx, add, 'course.insert', 'courses', inserted.id, null, values)
    return inserted
  })
}

/**
 * Changes the given fields of a course. An outdated `row_version` is refused with the stored row as a fact.
 * @throws Failure course.not-found, row.changed-elsewhere, confirmation.required
 */
export async function updateCourse(
  db: Db,
  change: AdminAction & {
    courseId: string
    fields: UpdateCourse
    /** Called before another price is stored: it needs a recent confirmation. */
    requireConfirmation(): void
  },
): Promise<Stored> {
  const { courseId, now } = change
  const { row_version: seen, price, description, slug, blueprint, ...rest } = change.fields
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('courses')
      .where('id', '=', courseId)
      .select(['title', 'description', 'price', 'category', 'image_url', 'slug', 'status', 'blueprint', 'row_version'])
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined) throw failCatalogue('course.not-found')
    if (seen !== undefined && seen !== before.row_version)
      throw fail('row.changed-elsewhere', { facts: { stored: await findCourseRow(tx, courseId, { isAdmin: true }) } })
    if (price !== undefined && Number(toDollars(price)) !== Number(before.price)) change.requireConfirmation()
    const after = {
      ...rest,
      ...(price === undefined ? {} : { price: toDollars(price) }),
      ...(description === undefined ? {} : { description: storedDescription(description) }),
      ...(blueprint === undefined ? {} : { blueprint: blueprint === null ? null : JSON.stringify(blueprint) }),
      ...(slug === undefined || slug === before.slug ? {} : { slug: await freeSlug(tx, 'courses', slug) }),
    }
    if (Object.keys(after).length === 0) return { id: courseId, row_version: before.row_version }
    const stored = await tx
      .updateTable('courses')
      .set({ ...after, updated_at: now })
      .where('id', '=', courseId)
      .returning(['id', 'row_version'])
      .executeTakeFirstOrThrow()
    const touched = Object.fromEntries(Object.keys(after).map((name) => [name, before[name as keyof typeof before]]))
    await auditChange(tx, change, 'course.update', 'courses', courseId, touched, after)
    return stored
  })
}

/**
 * Deletes a course with its exams and their free-trial attempts. A course that anybody bought or was given is withdrawn from sale
 * instead, and its owners keep it. Deleting a missing course changes nothing.
 * @throws Failure row.changed-elsewhere
 */
export async function deleteCourse(
  db: Db,
  remove: AdminAction &
    Pick<DataCallCallbacks, 'deleteAttempts'> & { courseId: string; rowVersion: number | undefined },
): Promise<Deleted> {
  const { courseId, rowVersion, now } = remove
  return db.transaction().execute(async (tx) => {
    await lockExamsOfCourse(tx, courseId)
    await sql`select 1 from courses where id = ${courseId} for update`.execute(tx)
    const before = await findCourseRow(tx, courseId, { isAdmin: true })
    if (before === null) return { done: true, outcome: 'deleted' }
    if (rowVersion !== undefined && rowVersion !== before.row_version)
      throw fail('row.changed-elsewhere', { facts: { stored: before } })
    const isGone = await unlessUsed(tx, async () => {
      await remove.deleteAttempts(tx, courseId)
      await tx.deleteFrom('test_questions').where('course_id', '=', courseId).execute()
      await tx.deleteFrom('courses').where('id', '=', courseId).execute()
    })
    if (!isGone)
      await tx.updateTable('courses').set({ status: 'withdrawn', updated_at: now }).where('id', '=', courseId).execute()
    const outcome = isGone ? 'deleted' : 'withdrawn'
    await auditChange(tx, remove, `course.${outcome}`, 'courses', courseId, before, null)
    return { done: true, outcome }
  })
}

/** Adds an exam to a course. @throws Failure exam.course-missing, exam.questions-refused */
export async function insertExam(db: Db, add: AdminAction & { exam: InsertExam }): Promise<Stored> {
  const { exam, now } = add
  const questions = acceptQuestions(exam.questions)
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('exams', 0))`.execute(tx)
    const course = await tx
      .selectFrom('courses')
      .where('id', '=', exam.course_id)
      .select('id')
      .forShare()
      .executeTakeFirst()
    if (course === undefined)
      throw fail('exam.course-missing', { sentence: fill(copy['exam.save.nocourse'], { id: exam.course_id }) })
    const { last } = await tx
      .selectFrom('test_questions')
      .where('course_id', '=', exam.course_id)
      .select((eb) => eb.fn.max('position').as('last'))
      .executeTakeFirstOrThrow()
    const preferred = examSlug({ title: exam.test_name, ...(exam.slug === undefined ? {} : { slug: exam.slug }) }, now)
    const values = {
      ...(exam.id === undefined ? {} : { id: exam.id }),
      course_id: exam.course_id,
      test_name: exam.test_name,
      passing_score: exam.passing_score,
      time_limit: exam.time_limit,
      category: exam.category,
      slug: await freeSlug(tx, 'test_questions', preferred),
      is_free_trial: exam.is_free_trial,
      position: Number(last ?? 0) + 1,
      user_id: add.actorId,
      created_at: now,
      updated_at: now,
    }
    const inserted = await tx
      .insertInto('test_questions')
      .values({ ...values, questions: JSON.stringify(questions.map(toStored)) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning(['id', 'row_version'])
      .executeTakeFirst()
    if (inserted === undefined) return getExam(tx, exam.id ?? '')
    await auditChange(tx, add, 'exam.insert', 'test_questions', inserted.id, null, {
      ...values,
      questions: questions.length,
    })
    return inserted
  })
}

/**
 * Changes the free trial at once. All other changes go to the exam's draft until an admin publishes it.
 * @throws Failure exam.not-found, row.changed-elsewhere, exam.questions-refused
 */
export async function updateExam(
  db: Db,
  change: AdminAction & Pick<DataCallCallbacks, 'replaceDraft'> & { examId: string; fields: UpdateExam },
): Promise<Stored> {
  const { examId, actorId, now } = change
  const {
    row_version: seen,
    draft_version: version,
    is_free_trial: isFreeTrial,
    questions,
    ...settings
  } = change.fields
  const accepted = questions === undefined ? undefined : acceptQuestions(questions)
  return db.transaction().execute(async (tx) => {
    // The same lock order as publishing and correcting: first the exam, then its rows.
    await lockExamOf(tx, examId)
    await sql`select 1 from test_questions where id = ${examId} for update`.execute(tx)
    const stored = await findExamRow(tx, examId, { isAdmin: true })
    if (stored === null) throw failCatalogue('exam.not-found')
    if (seen !== undefined && seen !== stored.row_version) throw fail('row.changed-elsewhere', { facts: { stored } })
    if (isFreeTrial !== undefined) await switchFreeTrial(tx, { examId, isFreeTrial, actorId, now })
    if (accepted !== undefined || Object.keys(settings).length > 0)
      await change.replaceDraft(tx, {
        examId,
        actorId,
        now,
        settings: {
          ...(settings.test_name === undefined ? {} : { title: settings.test_name }),
          ...(settings.passing_score === undefined ? {} : { passingScore: settings.passing_score }),
          ...(settings.time_limit === undefined ? {} : { timeLimitMinutes: settings.time_limit }),
        },
        ...(accepted === undefined ? {} : { questions: accepted }),
        version,
      })
    return getExam(tx, examId)
  })
}

/** Deletes an exam with all its versions. An exam that was taken leaves the course and stays readable for those who took it. */
export async function deleteExam(
  db: Db,
  remove: AdminAction & { examId: string; rowVersion: number | undefined },
): Promise<Deleted> {
  return db.transaction().execute(async (tx) => {
    await lockExamOf(tx, remove.examId)
    const before = await findExamRow(tx, remove.examId, { isAdmin: true })
    if (before === null) return { done: true, outcome: 'deleted' }
    if (remove.rowVersion !== undefined && remove.rowVersion !== before.row_version)
      throw fail('row.changed-elsewhere', { facts: { stored: before } })
    const outcome = await removeFamily(tx, before.parent_exam_id ?? before.id, remove.now)
    await auditChange(
      tx,
      remove,
      `exam.${outcome}`,
      'test_questions',
      before.id,
      { ...before, questions: before.question_count },
      null,
    )
    return { done: true, outcome }
  })
}

/** Deletes all exams of a course, each as `deleteExam` does. */
export async function deleteExamsOfCourse(db: Db, remove: AdminAction & { courseId: string }): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await lockExamsOfCourse(tx, remove.courseId)
    const exams = await tx
      .selectFrom('test_questions')
      .where('course_id', '=', remove.courseId)
      .where('is_current_version', '=', true)
      .select(['id', 'family_id'])
      .execute()
    for (const { id, family_id: familyId } of exams) {
      const outcome = await removeFamily(tx, familyId, remove.now)
      await auditChange(tx, remove, `exam.${outcome}`, 'test_questions', id, null, null)
    }
    return exams.length
  })
}

/**
 * Removes versions of exams without a current version that nobody took, and returns their number. The database already prevents
 * exams without a course.
 */
export async function removeOrphanedExams(db: Db, remove: AdminAction): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from test_questions orphan
      where not is_current_version
        and not exists (select 1 from test_questions current where current.family_id = orphan.family_id and current.is_current_version)
      order by version_number desc`.execute(tx)
    let removed = 0
    for (const { id } of rows) {
      const isGone = await unlessUsed(tx, () => tx.deleteFrom('test_questions').where('id', '=', id).execute())
      if (!isGone) continue
      removed += 1
      await auditChange(tx, remove, 'exam.orphan', 'test_questions', id, null, null)
    }
    return removed
  })
}

async function removeFamily(tx: Db, familyId: string, now: Date): Promise<'deleted' | 'withdrawn'> {
  const isGone = await unlessUsed(tx, () => tx.deleteFrom('test_questions').where('family_id', '=', familyId).execute())
  if (isGone) return 'deleted'
  await tx
    .updateTable('test_questions')
    .set({ is_current_version: false, updated_at: now })
    .where('family_id', '=', familyId)
    .where('is_current_version', '=', true)
    .execute()
  return 'withdrawn'
}

const FOREIGN_KEY_VIOLATION = '23503'

/** Tries to remove rows; false when a foreign key of any feature still refers to them. */
async function unlessUsed(tx: Db, remove: () => Promise<unknown>): Promise<boolean> {
  await sql`savepoint removal`.execute(tx)
  try {
    await remove()
    await sql`release savepoint removal`.execute(tx)
    return true
  } catch (error) {
    await sql`rollback to savepoint removal`.execute(tx)
    if ((error as { code?: string }).code === FOREIGN_KEY_VIOLATION) return false
    throw error
  }
}

/** Validates questions. @throws Failure exam.questions-refused, with the position, field and reason of each problem */
function acceptQuestions(sent: readonly unknown[]): Question[] {
  const judged = sent.map((one) => judgeQuestion(one))
  const refused = judged.flatMap((judgement, place) =>
    judgement.question === undefined
      ? judgement.reasons.map(({ field, sentence }) => ({ field: `questions.${place}.${field}`, message: sentence }))
      : [],
  )
  if (refused.length > 0) throw fail('exam.questions-refused', { fields: refused })
  const questions = judged.flatMap(({ question }) => (question === undefined ? [] : [question]))
  const twice = questions.findIndex(({ id }, place) => questions.findIndex((one) => one.id === id) < place)
  if (twice >= 0)
    throw fail('exam.questions-refused', {
      fields: [{ field: `questions.${twice}.id`, message: copy['row.id.twice'] }],
    })
  return questions
}

async function freeSlug(tx: Db, table: 'courses' | 'test_questions', preferred: string): Promise<string> {
  const taken =
    table === 'courses'
      ? await tx.selectFrom('courses').where('slug', 'like', `${preferred}%`).select('slug').execute()
      : await tx
          .selectFrom('test_questions')
          .where('slug', 'like', `${preferred}%`)
          .where('is_current_version', '=', true)
          .select('slug')
          .execute()
  const slugs = new Set(taken.map(({ slug }) => slug))
  return firstFree(preferred, (slug) => slugs.has(slug))
}

async function getCourse(tx: Db, id: string): Promise<Stored> {
  return tx.selectFrom('courses').where('id', '=', id).select(['id', 'row_version']).executeTakeFirstOrThrow()
}

async function getExam(tx: Db, id: string): Promise<Stored> {
  return tx.selectFrom('test_questions').where('id', '=', id).select(['id', 'row_version']).executeTakeFirstOrThrow()
}

async function auditChange(
  tx: Db,
  by: AdminAction,
  action: string,
  table: 'courses' | 'test_questions',
  id: string,
  before: object | null,
  after: object | null,
) {
  await audit(tx, { at: by.now, actorId: by.actorId, action, table, id, before, after })
}
