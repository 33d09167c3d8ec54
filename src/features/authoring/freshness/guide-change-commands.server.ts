import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { getCourseFacts } from '../../catalogue/catalogue-queries.server.ts'
import { lockExamsOfCourse } from '../../catalogue/exam-locks-commands.server.ts'
import { fail, type GuideChange, type GuideChanged } from './guide-change.schema.ts'

type Change = GuideChange & { readonly courseId: string; readonly actorId: UserId | null; readonly now: Date }

/**
 * Gives a course a new exam guide: its blueprint, the domains of its questions in published versions and drafts, and those of its
 * study sheets change in one transaction. Questions that name no guide get the former one, so that the queue has them.
 * @throws Failure course.not-found, guide.no-blueprint, guide.changed-elsewhere, guide.domain-unknown, guide.same
 */
export async function changeGuide(db: Db, change: Change): Promise<GuideChanged> {
  const { courseId, guide, former, domains, mapping } = change
  return db.transaction().execute(async (tx) => {
    await lockExamsOfCourse(tx, courseId)
    await sql`select 1 from courses where id = ${courseId} for update`.execute(tx)
    const { blueprint, rowVersion } = await getCourseFacts(tx, courseId)
    if (blueprint === null) throw fail('guide.no-blueprint')
    if (rowVersion !== change.version) throw fail('guide.changed-elsewhere')
    if (guide === former) throw fail('guide.same')
    const names = new Set(domains.map(({ name }) => name))
    if (Object.values(mapping).some((to) => to !== null && !names.has(to))) throw fail('guide.domain-unknown')
    const outcome = await countChange(tx, change, names)
    if (change.isPreview) return outcome
    const next = { ...blueprint, guide, domains }
    await tx
      .updateTable('courses')
      .set({ blueprint: JSON.stringify(next), updated_at: change.now })
      .where('id', '=', courseId)
      .execute()
    await moveQuestions(tx, change)
    await audit(tx, {
      at: change.now,
      actorId: change.actorId,
      action: 'course.guide',
      table: 'courses',
      id: courseId,
      before: { guide: blueprint.guide ?? former, domains: blueprint.domains },
      after: { guide, domains, mapping, queued: outcome.queued },
    })
    return outcome
  })
}

async function countChange(tx: Db, change: Change, names: ReadonlySet<string>): Promise<GuideChanged> {
  const { rows } = await sql<{ from: string; count: number; queued: number }>`
    select known.domain as from, count(*)::int as count,
      count(*) filter (where coalesce(known.guide, ${change.former}) <> ${change.guide})::int as queued
    from question_freshness as known
    join test_questions as exam on exam.family_id = known.family_id and exam.is_current_version
    where exam.course_id = ${change.courseId} group by known.domain order by known.domain`.execute(tx)
  return {
    domains: rows.map(({ from, count }) => {
      const to = change.mapping[from]
      return { from, count, to: to === undefined ? (names.has(from) ? from : null) : to }
    }),
    queued: rows.reduce((sum, { queued }) => sum + queued, 0),
  }
}

/** The domains follow the blueprint at once, which has no draft either: readiness and results weigh questions by both. */
async function moveQuestions(tx: Db, { courseId, mapping, former, actorId, now }: Change): Promise<void> {
  const moves = JSON.stringify(Object.fromEntries(Object.entries(mapping).filter(([, to]) => to !== null)))
  const moved = (one: string) => {
    const question = sql.raw(one)
    return sql`${question} || jsonb_build_object('guide', coalesce(${question} -> 'guide', to_jsonb(${former}::text)),
      'domain', coalesce(${moves}::jsonb -> (${question} ->> 'domain'), ${question} -> 'domain'))`
  }
  await sql`
    update exam_draft_questions as draft
    set question = ${moved('draft.question')}, row_version = nextval('draft_versions'), updated_at = ${now}, updated_by = ${actorId}
    from test_questions as exam
    where exam.family_id = draft.family_id and exam.is_current_version and exam.course_id = ${courseId}`.execute(tx)
  await sql`
    update test_questions set questions = (
      select coalesce(jsonb_agg(${moved('one')} order by place), '[]')
      from jsonb_array_elements(questions) with ordinality as list (one, place))
    where course_id = ${courseId} and is_current_version`.execute(tx)
  await sql`
    update study_sheets set domain = ${moves}::jsonb ->> domain where course_id = ${courseId} and ${moves}::jsonb ? domain`.execute(
    tx,
  )
}
