import { withKeyOf } from '../../questions/types/content-registry.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { courseSlug, firstFree } from '../../../lib/slug.ts'
import { type AdminAction, audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { addExam } from '../../catalogue/catalogue-commands.server.ts'
import { type Duplicated, fail } from '../../catalogue/catalogue.schema.ts'
import { copyTitle } from '../../catalogue/course-rules.ts'
import { getCurrentExam, getChanges, listLatestExams } from '../drafts/drafts-queries.server.ts'
import { lockExamsOfCourse } from '../../catalogue/exam-locks-commands.server.ts'
import { fail as failDraft } from '../drafts/drafts.schema.ts'
import { isChanged } from '../drafts/drafts.ts'
import { publishDraftIn } from '../drafts/versions-commands.server.ts'

/**
 * Copies a course as a draft. Exams with a draft are copied from it; slugs and question keys are new. Idempotent by the given
 * id.
 * @throws Failure course.not-found
 */
export async function duplicateCourse(
  db: Db,
  copy: AdminAction & { courseId: string; id: string },
): Promise<Duplicated> {
  const { courseId, id, actorId, now } = copy
  return db.transaction().execute(async (tx) => {
    for (const table of ['courses', 'exams'])
      await sql`select pg_advisory_xact_lock(hashtextextended(${table}, 0))`.execute(tx)
    const made = await tx.selectFrom('courses').where('id', '=', id).select(['id', 'slug', 'title']).executeTakeFirst()
    if (made !== undefined) return made
    const original = await tx
      .selectFrom('courses')
      .where('id', '=', courseId)
      .select(['title', 'description', 'price', 'category', 'image_url', 'blueprint'])
      .executeTakeFirst()
    if (original === undefined) throw fail('course.not-found')
    const title = copyTitle(original.title)
    const wanted = courseSlug(title, now)
    const taken = await tx.selectFrom('courses').where('slug', 'like', `${wanted}%`).select('slug').execute()
    const slug = firstFree(wanted, (one) => taken.some((row) => row.slug === one))
    const { blueprint, ...kept } = original
    await tx
      .insertInto('courses')
      .values({
        ...kept,
        id,
        title,
        slug,
        blueprint: blueprint === null ? null : JSON.stringify(blueprint),
        status: 'draft',
        user_id: actorId,
        created_at: now,
        updated_at: now,
      })
      .execute()
    const exams = await listLatestExams(tx, courseId)
    for (const [place, exam] of exams.entries())
      await addExam(tx, {
        ...exam.settings,
        courseId: id as CourseId,
        slug: `${exam.slug}-copy`,
        questions: exam.questions.map((question) => withKeyOf(question, `q-${randomUUID()}`)),
        caseStudies: exam.caseStudies,
        position: place + 1,
        category: null,
        now,
      })
    const after = { from: courseId, title, slug, exams: exams.length }
    await audit(tx, { at: now, actorId, action: 'course.duplicate', table: 'courses', id, before: null, after })
    return { id, slug, title }
  })
}

/** Orders the exams of a course; exams that are not named follow. @throws Failure exam.not-found */
export async function orderExams(
  db: Db,
  order: AdminAction & { courseId: string; examIds: readonly string[] },
): Promise<void> {
  const { courseId, examIds, actorId, now } = order
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('exams', 0))`.execute(tx)
    const rows = await tx
      .selectFrom('test_questions')
      .where('course_id', '=', courseId)
      .where('is_current_version', '=', true)
      .orderBy('position')
      .orderBy('id')
      .select(['id', 'family_id', 'position'])
      .forUpdate()
      .execute()
    const named = examIds.map((id) => {
      const row = rows.find((one) => one.id === id || one.family_id === id)
      if (row === undefined) throw fail('exam.not-found')
      return row
    })
    const next = [...new Set([...named, ...rows])]
    const isSame = next.every(({ position }, place) => position === place + 1)
    if (isSame) return
    for (const [place, { id, position }] of next.entries())
      if (position !== place + 1)
        await tx
          .updateTable('test_questions')
          .set({ position: place + 1, updated_at: now })
          .where('id', '=', id)
          .execute()
    const ids = (list: readonly { family_id: string }[]) => ({ exams: list.map(({ family_id }) => family_id) })
    await audit(tx, {
      at: now,
      actorId,
      action: 'course.exam-order',
      table: 'courses',
      id: courseId,
      before: ids(rows),
      after: ids(next),
    })
  })
}

/**
 * Publishes a course with the drafts of its exams, all or nothing, if they still have the given versions.
 * @throws Failure course.not-found, course.moved-on, course.no-exams, draft.moved-on, draft.no-questions
 */
export async function publishCourse(
  db: Db,
  publish: AdminAction & {
    courseId: string
    rowVersion: number
    drafts: readonly { examId: string; version: number }[]
  },
): Promise<{ slug: string }> {
  const { courseId, rowVersion, drafts, actorId, now } = publish
  return db.transaction().execute(async (tx) => {
    await lockExamsOfCourse(tx, courseId)
    const before = await tx
      .selectFrom('courses')
      .where('id', '=', courseId)
      .select(['slug', 'status', 'row_version'])
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (before === undefined) throw fail('course.not-found')
    if (before.row_version !== rowVersion) throw fail('course.moved-on')
    const exams = await listLatestExams(tx, courseId)
    for (const { familyId, draftVersion, questions } of exams) {
      if (questions.length === 0) throw failDraft('draft.no-questions')
      if (draftVersion === null) continue
      const seen = drafts.find(({ examId }) => examId === familyId)
      if (seen?.version !== draftVersion) throw failDraft('draft.moved-on')
      // A draft without changes makes no version; it stays for its editor.
      if (!isChanged(await getChanges(tx, await getCurrentExam(tx, familyId)))) continue
      await publishDraftIn(tx, { examId: familyId, version: seen.version, actorId, now })
    }
    if (exams.length === 0) throw fail('course.no-exams')
    if (before.status !== 'published') {
      await tx.updateTable('courses').set({ status: 'published', updated_at: now }).where('id', '=', courseId).execute()
      await audit(tx, {
        at: now,
        actorId,
        action: 'course.publish',
        table: 'courses',
        id: courseId,
        before: { status: before.status },
        after: { status: 'published', exams: exams.length },
      })
    }
    return { slug: before.slug }
  })
}
