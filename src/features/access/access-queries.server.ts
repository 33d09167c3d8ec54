import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { CourseId, UserId } from '../../lib/ids.ts'
import type { User } from '../../lib/user.ts'
import { after, DAY_MS } from '../../lib/time.ts'
import { userQuery } from '../../platform/cache/cached-queries.server.ts'
import { inOnePage, type OwnData } from '../../platform/own-data-export.server.ts'
import type { Holder } from './access-emails.server.ts'
import {
  accessStatus,
  ENDED_NEWS_DAYS,
  ENDS_SOON_DAYS,
  type AccessPeriod,
  type AccessStatus,
  type CoursePeriod,
} from './access.ts'
import { fail, type EntitledCourse, type PeriodView, type WithoutAccess } from './access.schema.ts'

async function listPeriods(db: Db, userId: UserId, courseId: CourseId): Promise<AccessPeriod[]> {
  const rows = await db
    .selectFrom('access_periods')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .select(['starts_at', 'ends_at', 'revoked_at'])
    .execute()
  return rows.map((row) => ({ startsAt: row.starts_at, endsAt: row.ends_at, revokedAt: row.revoked_at }))
}

export async function findAccess(db: Db, userId: UserId, courseId: CourseId, now: Date): Promise<AccessStatus> {
  return accessStatus(await listPeriods(db, userId, courseId), now)
}

/** The proof that questions of this course may leave the server for this person. @throws Failure access.none, access.ended */
export async function requireAccess(db: Db, user: User, courseId: CourseId, now: Date): Promise<EntitledCourse> {
  const proof = await askAccess(db, user, courseId, now)
  if (proof === 'ended' || proof === 'none') throw fail(`access.${proof}`)
  return proof
}

/** The same proof, or why there is none: for results, which stay readable without keys. */
export async function askAccess(
  db: Db,
  user: User,
  courseId: CourseId,
  now: Date,
): Promise<EntitledCourse | WithoutAccess> {
  if (user.role === 'admin') return { courseId, userId: user.id, until: null, proof: 'access' }
  const status = await findAccess(db, user.id, courseId, now)
  if (status.kind !== 'running') return status.kind
  return { courseId, userId: user.id, until: status.until, proof: 'access' }
}

/** The period that ran at this instant, unless it was taken back. */
export async function findPeriodAt(
  db: Db,
  { userId, courseId }: Holding,
  at: Date,
): Promise<{ readonly startsAt: Date; readonly givenAt: Date } | null> {
  const row = await db
    .selectFrom('access_periods')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .where('revoked_at', 'is', null)
    .where('starts_at', '<=', at)
    .where('ends_at', '>', at)
    .orderBy('starts_at')
    .select(['starts_at', 'created_at'])
    .executeTakeFirst()
  return row === undefined ? null : { startsAt: row.starts_at, givenAt: row.created_at }
}

/**
 * Every period of a person, kept until one of them changes. Whether it runs is asked of each moment anew, and only for what is
 * shown: whoever lets somebody in asks the database.
 */
export const periodsOfUser = userQuery('user-courses', async (db, userId): Promise<CoursePeriod[]> => {
  const rows = await db
    .selectFrom('access_periods')
    .where('user_id', '=', userId)
    .orderBy('starts_at')
    .orderBy('id')
    .select(['course_id', 'starts_at', 'ends_at', 'revoked_at'])
    .execute()
  return rows.map((row) => ({
    courseId: row.course_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    revokedAt: row.revoked_at,
  }))
})

/** How many people own a course now, and how many did. */
export async function countOwners(db: Db, courseId: string, now: Date): Promise<{ running: number; ended: number }> {
  const { rows } = await sql<{ running: number; ended: number }>`
    with owners as (
      select user_id, bool_or(revoked_at is null and ends_at > ${now}) as is_running
      from access_periods where course_id = ${courseId} group by user_id)
    select count(*) filter (where is_running)::int as running, count(*) filter (where not is_running)::int as ended
    from owners`.execute(db)
  return rows[0] ?? { running: 0, ended: 0 }
}

export async function countRunningAccess(db: Db, now: Date): Promise<number> {
  const row = await db
    .selectFrom('access_periods')
    .where('starts_at', '<=', now)
    .where('ends_at', '>', now)
    .where('revoked_at', 'is', null)
    .select((eb) => eb.fn.count<number>('user_id').distinct().as('learners'))
    .executeTakeFirstOrThrow()
  return row.learners
}

/** Who has access to anything now, for a list of people that is narrowed down to them. */
export const holdersNow = (now: Date) => sql`
  select user_id from access_periods where revoked_at is null and starts_at <= ${now} and ends_at > ${now}`

/** Every period that a person has or had, by course, the newest first. */
export async function listPeriodsOf(db: Db, userId: UserId): Promise<PeriodView[]> {
  const rows = await db
    .selectFrom('access_periods')
    .innerJoin('courses', 'courses.id', 'access_periods.course_id')
    .leftJoin('order_lines', 'order_lines.id', 'access_periods.order_line_id')
    .where('access_periods.user_id', '=', userId)
    .orderBy('courses.title')
    .orderBy('access_periods.course_id')
    .orderBy('access_periods.starts_at', 'desc')
    .orderBy('access_periods.id')
    .select([
      'access_periods.id',
      'access_periods.course_id',
      'courses.title',
      'access_periods.source',
      'order_lines.order_id',
      'access_periods.starts_at',
      'access_periods.ends_at',
      'access_periods.revoked_at',
    ])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    courseId: row.course_id,
    courseTitle: row.title,
    source: row.source,
    orderId: row.order_id,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }))
}

export type Holding = { readonly userId: UserId; readonly courseId: CourseId }

/** Whose access may be news that nobody has sent yet; whoever sends it looks again at what the rules say. */
export async function listUntold(db: Db, now: Date, limit: number): Promise<Holding[]> {
  const { rows } = await sql<Holding>`
    select user_id as "userId", course_id as "courseId" from (
      select user_id, course_id, max(ends_at) as ends_at from access_periods
      where revoked_at is null group by user_id, course_id
    ) last
    where ends_at > ${after(now, -ENDED_NEWS_DAYS * DAY_MS)} and ends_at <= ${after(now, ENDS_SOON_DAYS * DAY_MS)}
      and not exists (
        select from access_emails told where told.user_id = last.user_id and told.course_id = last.course_id
          and told.access_ends_at = last.ends_at
          and told.kind = case when last.ends_at > ${now} then 'ends-soon' else 'ended' end)
    order by ends_at, user_id, course_id limit ${limit}`.execute(db)
  return rows
}

export async function findHolder(db: Db, { userId, courseId }: Holding): Promise<Holder | null> {
  const { rows } = await sql<Holder>`
    select coalesce(nullif(profiles.full_name, ''), users.name) as name, users.email,
      courses.title as "courseTitle", courses.status = 'published' as "isSold"
    from users join profiles on profiles.id = users.id cross join courses
    where users.id = ${userId} and courses.id = ${courseId}`.execute(db)
  return rows[0] ?? null
}

/** What gave the access: lines of an order, and the seats made from them. */
export type Sources = { readonly orderLineIds: readonly string[]; readonly seatCodes: readonly string[] }

export type GrantFacts = {
  readonly courseId: CourseId
  readonly source: 'order' | 'seat' | 'grant'
  readonly seatCode: string | null
  /** The mail address of whoever holds it. */
  readonly holder: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly revokedAt: Date | null
}

/** What lines and seats gave to whom. */
export async function listGrantsOf(db: Db, { orderLineIds, seatCodes }: Sources): Promise<GrantFacts[]> {
  const { rows } = await sql<GrantFacts>`
    select course_id as "courseId", source, seat_code as "seatCode", users.email as holder, starts_at as "startsAt",
      ends_at as "endsAt", revoked_at as "revokedAt"
    from access_periods join users on users.id = access_periods.user_id
    where order_line_id = any(${[...orderLineIds]}::uuid[]) or seat_code = any(${[...seatCodes]}::text[])
    order by starts_at, access_periods.id`.execute(db)
  return rows
}

/** Everything that this room knows of a person. */
export function exportOf(db: Db, userId: UserId): OwnData[] {
  const periods = () =>
    db
      .selectFrom('access_periods')
      .innerJoin('courses', 'courses.id', 'access_periods.course_id')
      .where('access_periods.user_id', '=', userId)
      .orderBy('access_periods.created_at')
      .select([
        'access_periods.id',
        'access_periods.course_id',
        'courses.title as course',
        'access_periods.source',
        'access_periods.order_line_id',
        'access_periods.seat_code',
        'access_periods.starts_at',
        'access_periods.ends_at',
        'access_periods.revoked_at',
        'access_periods.created_at',
      ])
      .execute()
  const emails = () =>
    db
      .selectFrom('access_emails')
      .where('user_id', '=', userId)
      .orderBy('sent_at')
      .select(['course_id', 'kind', 'access_ends_at', 'sent_at'])
      .execute()
  return [
    { name: 'access_periods', pages: inOnePage(periods) },
    { name: 'access_emails', pages: inOnePage(emails) },
  ]
}
