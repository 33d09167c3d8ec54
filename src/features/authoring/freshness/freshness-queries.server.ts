import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { excerpt } from '../drafts/drafts.ts'
import { freshSince, QUEUE_PAGE, STALE_REASONS, type StaleReason } from './freshness.ts'
import type { StaleCourse, StaleFilter, StaleQueue } from './freshness.schema.ts'

const Row = z.object({
  examId: z.string(),
  examTitle: z.string(),
  courseTitle: z.string(),
  questionId: z.string(),
  number: z.int(),
  stem: z.string(),
  type: z.string(),
  url: z.string(),
  verifiedOn: z.string().nullable(),
  guide: z.string().nullable(),
  deadLinks: z.array(z.string()),
  never: z.boolean(),
  old: z.boolean(),
  changed: z.boolean(),
  guideDiffers: z.boolean(),
  dead: z.boolean(),
})

/** The questions of courses that are not withdrawn, each with why it waits. Reads columns only, never a text of a question. */
function judged(today: string, months: number) {
  return sql`
    select known.family_id, known.question_id, known.place, exam.test_name, exam.position, courses.id as course_id,
      courses.title as course_title, known.verified_on, known.guide,
      -- A day that is still to come says nothing.
      known.verified_on is null or known.verified_on > ${today}::date as never,
      coalesce(known.verified_on < ${freshSince(today, months)}::date, false) as old,
      known.verified_on is not null and known.verified_hash is distinct from known.text_hash as changed,
      coalesce(known.guide <> courses.blueprint ->> 'guide', false) as guide_differs,
      known.links && (select coalesce(array_agg(url), '{}') from link_checks where state = 'dead') as dead
    from question_freshness as known
    join test_questions as exam on exam.family_id = known.family_id and exam.is_current_version
    join courses on courses.id = exam.course_id
    where courses.status <> 'withdrawn'`
}

const isStale = sql`(never or old or changed or guide_differs or dead)`
const column = (reason: StaleReason) => sql.ref(reason === 'guide' ? 'guide_differs' : reason)

/** A page of the questions to verify, by course, exam and place, with the counts to filter by. */
export async function listStaleQuestions(db: Db, filter: StaleFilter, today: string): Promise<StaleQueue> {
  const { course, reason, months } = filter
  const ofCourse = course === null ? sql`true` : sql`course_id = ${course}`
  const asked = reason === null ? isStale : column(reason)
  const counts = await countStale(db, { today, months, ofCourse, asked })
  const pageCount = Math.max(1, Math.ceil(counts.count / QUEUE_PAGE))
  const page = Math.min(filter.page, pageCount)
  const { rows } = await sql`
    with shown as (
      select * from (${judged(today, months)}) as judged where ${ofCourse} and ${asked}
      order by course_title, course_id, position, family_id, place limit ${QUEUE_PAGE} offset ${(page - 1) * QUEUE_PAGE})
    select shown.family_id as "examId", shown.test_name as "examTitle", shown.course_title as "courseTitle",
      shown.question_id as "questionId", shown.place as number, known.stem, known.type, known.url,
      shown.verified_on::text as "verifiedOn", shown.guide, never, old, changed, guide_differs as "guideDiffers", dead,
      array(select url from link_checks where state = 'dead' and url = any(known.links)) as "deadLinks"
    from shown join question_freshness as known using (family_id, question_id)
    order by shown.course_title, shown.course_id, shown.position, shown.family_id, shown.place`.execute(db)
  return {
    questions: rows.map(toView),
    ...counts,
    page,
    pageCount,
    courses: await listStaleCourses(db, today, months),
  }
}

function toView(row: unknown): StaleQueue['questions'][number] {
  const { never, old, changed, guideDiffers, dead, guide, type, stem, ...shown } = Row.parse(row)
  const is: Record<StaleReason, boolean> = { never, old, changed, guide: guideDiffers, dead }
  return {
    ...shown,
    stem: excerpt({ type, stem }),
    guide: guideDiffers ? guide : null,
    reasons: STALE_REASONS.filter((reason) => is[reason]),
  }
}

async function countStale(
  db: Db,
  of: { today: string; months: number; ofCourse: ReturnType<typeof sql>; asked: ReturnType<typeof sql> },
): Promise<Pick<StaleQueue, 'count' | 'totalCount' | 'reasons'>> {
  const { rows } = await sql<Record<StaleReason | 'asked' | 'total', number>>`
    select count(*)::int as total, count(*) filter (where ${of.asked})::int as asked,
      ${sql.join(STALE_REASONS.map((reason) => sql`count(*) filter (where ${column(reason)})::int as ${sql.ref(reason)}`))}
    from (${judged(of.today, of.months)}) as judged where ${of.ofCourse}`.execute(db)
  const counts = rows[0]
  return {
    count: counts?.asked ?? 0,
    totalCount: counts?.total ?? 0,
    reasons: Object.fromEntries(STALE_REASONS.map((one) => [one, counts?.[one] ?? 0])) as StaleQueue['reasons'],
  }
}

async function listStaleCourses(db: Db, today: string, months: number): Promise<StaleCourse[]> {
  const { rows } = await sql<StaleCourse>`
    select course_id as id, course_title as title, count(*) filter (where ${isStale})::int as count
    from (${judged(today, months)}) as judged group by course_id, course_title order by course_title, course_id limit 500`.execute(
    db,
  )
  return rows
}

export type LinkCounts = { readonly checked: number; readonly dead: number; readonly unsure: number }

export async function countLinks(db: Db): Promise<LinkCounts> {
  const { rows } = await sql<LinkCounts>`
    select count(*)::int as checked, count(*) filter (where state = 'dead')::int as dead,
      count(*) filter (where state = 'unsure')::int as unsure
    from link_checks`.execute(db)
  return rows[0] ?? { checked: 0, dead: 0, unsure: 0 }
}

export async function countByDomain(db: Db, courseId: string): Promise<{ domain: string; count: number }[]> {
  const { rows } = await sql<{ domain: string; count: number }>`
    select known.domain, count(*)::int as count
    from question_freshness as known
    join test_questions as exam on exam.family_id = known.family_id and exam.is_current_version
    where exam.course_id = ${courseId} group by known.domain order by known.domain`.execute(db)
  return rows
}
