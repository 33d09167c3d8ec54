import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { CourseId, UserId } from '../../lib/ids.ts'
import type { User } from '../../lib/user.ts'
import { after, DAY_MS } from '../../lib/time.ts'
import { userQuery } from '../../platform/cache/cached-queries.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
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

/** The proof that this user may receive questions of the course. @throws Failure access.none, access.ended */
export async function requireAccess(db: Db, user: User, courseId: CourseId, now: Date): Promise<EntitledCourse> {
  const proof = await askAccess(db, user, courseId, now)
  if (proof === 'ended' || proof === 'none') throw fail(`access.${proof}`)
  return proof
}

/** Like `requireAccess`, but returns why access is missing; for results, which stay readable without answer keys. */
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

/** The period at this time, unless it was revoked. */
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

/** The periods of a user for a course that were paid for and not taken back. Seats, grants and pledges are none. */
export async function listPaidPeriods(
  db: Db,
  { userId, courseId }: Holding,
): Promise<{ readonly id: string; readonly startsAt: Date; readonly endsAt: Date }[]> {
  const rows = await db
    .selectFrom('access_periods')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .where('source', '=', 'order')
    .where('revoked_at', 'is', null)
    .orderBy('starts_at')
    .select(['id', 'starts_at', 'ends_at'])
    .execute()
  return rows.map((row) => ({ id: row.id, startsAt: row.starts_at, endsAt: row.ends_at }))
}

/**
 * All periods of a user, cached until one of them changes. Callers compare them with the current time, and only for display:
 * decisions about access query the database.
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

/** The access that a page shows, from the cache; whatever gives out questions asks the database (`requireAccess`). */
export async function shownAccess(
  { cachedQueries, db, clock }: Pick<RequestContext, 'cachedQueries' | 'db' | 'clock'>,
  userId: UserId,
  courseId: string,
): Promise<AccessStatus> {
  const periods = await cachedQueries.get(periodsOfUser, db, userId)
  return accessStatus(
    periods.filter((period) => period.courseId === courseId),
    clock.now(),
  )
}

/** How many users own a course now, and how many did. */
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

/** The ids of users who have access to any course now, as a filter for lists of users. */
export const holdersNow = (now: Date) => sql`
  select user_id from access_periods where revoked_at is null and starts_at <= ${now} and ends_at > ${now}`

/** All periods of a user by course, newest first. */
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

/** Users who may need an email about their access; the sender decides with `accessNewsOf` under a lock. */
export async function listUnnotified(db: Db, now: Date, limit: number): Promise<Holding[]> {
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
    select case when users.email_verified then coalesce(nullif(profiles.full_name, ''), users.name) end as name, users.email,
      courses.title as "courseTitle", courses.status = 'published' as "isSold"
    from users join profiles on profiles.id = users.id cross join courses
    where users.id = ${userId} and courses.id = ${courseId}`.execute(db)
  return rows[0] ?? null
}

/** Order lines and the seats made from them, which granted access. */
export type Sources = { readonly orderLineIds: readonly string[]; readonly seatCodes: readonly string[] }

type GrantFacts = {
  readonly courseId: CourseId
  readonly source: 'order' | 'seat' | 'grant' | 'pledge'
  readonly seatCode: string | null
  /** The holder's email address. */
  readonly holder: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly revokedAt: Date | null
}

/** The periods that order lines and seats granted, with their holders. */
export async function listGrantsOf(db: Db, { orderLineIds, seatCodes }: Sources): Promise<GrantFacts[]> {
  const { rows } = await sql<GrantFacts>`
    select course_id as "courseId", source, seat_code as "seatCode", users.email as holder, starts_at as "startsAt",
      ends_at as "endsAt", revoked_at as "revokedAt"
    from access_periods join users on users.id = access_periods.user_id
    where order_line_id = any(${[...orderLineIds]}::uuid[]) or seat_code = any(${[...seatCodes]}::text[])
    order by starts_at, access_periods.id`.execute(db)
  return rows
}

/** This feature's part of a user's data export. */
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
