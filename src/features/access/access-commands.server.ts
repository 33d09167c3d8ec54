import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { CourseId, UserId } from '../../lib/ids.ts'
import { audit } from '../../platform/audit-log/audit-log-commands.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { accessEmail, givenEmail } from './access-emails.server.ts'
import { findHolder, listUnnotified, type Holding, type Sources } from './access-queries.server.ts'
import {
  moveUp,
  accessNewsOf,
  nextPeriod,
  resumePeriods,
  type AccessPeriod,
  type StoredPeriod,
  type MovedPeriod,
} from './access.ts'
import { fail, type GiveAccess } from './access.schema.ts'

type Grant = {
  readonly userId: UserId
  readonly courseId: CourseId
  readonly source: 'order' | 'seat' | 'grant'
  readonly orderLineId: string | null
  readonly seatCode: string | null
  readonly now: Date
}

/**
 * Gives 30 days, once per order line or seat: a second call changes nothing and returns false. Two grants for the same user and
 * course take turns, so that the second starts where the first ends.
 */
export async function grantAccess(tx: Db, grant: Grant): Promise<boolean> {
  const { startsAt, endsAt } = nextPeriod(await lockPeriods(tx, grant.userId, grant.courseId), grant.now)
  const inserted = await tx
    .insertInto('access_periods')
    .values({
      user_id: grant.userId,
      course_id: grant.courseId,
      source: grant.source,
      order_line_id: grant.orderLineId,
      seat_code: grant.seatCode,
      starts_at: startsAt,
      ends_at: endsAt,
      created_at: grant.now,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Gives a course again for 30 days because of the pledge, from now or from the end of the current access. */
export async function grantPledge(
  tx: Db,
  { userId, courseId, now }: Pick<Grant, 'userId' | 'courseId' | 'now'>,
): Promise<{ readonly periodId: string; readonly until: Date }> {
  const { startsAt, endsAt } = nextPeriod(await lockPeriods(tx, userId, courseId), now)
  const { id } = await tx
    .insertInto('access_periods')
    .values({
      user_id: userId,
      course_id: courseId,
      source: 'pledge',
      order_line_id: null,
      seat_code: null,
      starts_at: startsAt,
      ends_at: endsAt,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { periodId: id, until: endsAt }
}

/** Ends the access that a pledge gave; later periods move up. An ended one stays as it is. */
export async function revokePledge(tx: Db, periodId: string, now: Date): Promise<void> {
  const row = await tx
    .selectFrom('access_periods')
    .where('id', '=', periodId)
    .where('source', '=', 'pledge')
    .select(['user_id', 'course_id'])
    .executeTakeFirst()
  if (row === undefined) return
  const periods = await lockPeriods(tx, row.user_id as UserId, row.course_id as CourseId)
  const given = periods.filter(({ id, revokedAt }) => id === periodId && revokedAt === null)
  if (given.length === 0) return
  await revokePeriods(tx, given, { at: now, isByHand: true })
  const left = periods.map((period) => (period.id === periodId ? { ...period, revokedAt: now } : period))
  for (const moved of moveUp(left, now)) await movePeriod(tx, moved)
}

/**
 * The parts of a larger statement that grant the lines of an order. `changed` locks the buyer's access to their courses and
 * selects a row for each that changed since it was read; `insertion` grants if `cause` has a row. Courses are locked in the
 * order of their ids.
 */
export function grantParts(order: {
  readonly userId: UserId
  readonly lines: readonly {
    readonly id: string
    readonly courseId: CourseId
    readonly periods: readonly AccessPeriod[]
    readonly accessVersion: string
  }[]
  readonly now: Date
}) {
  const { userId, now } = order
  const lines = order.lines
    .map((line) => ({ ...line, ...nextPeriod(line.periods, now) }))
    .toSorted((a, b) => (a.courseId < b.courseId ? -1 : 1))
  const courseIds = lines.map(({ courseId }) => courseId)
  return {
    changed: (cause: RawBuilder<unknown>) => sql`
      select from ${cause} cross join unnest(${courseIds}::uuid[], ${lines.map((line) => line.accessVersion)}::text[])
        as given (course_id, version) where lock_access(${userId}, course_id) <> version`,
    insertion: (cause: RawBuilder<unknown>) => sql`
      insert into access_periods (user_id, course_id, source, order_line_id, starts_at, ends_at, created_at)
      select ${userId}, course_id, 'order', line_id, starts_at, ends_at, ${now}::timestamptz
      from ${cause} cross join unnest(${courseIds}::uuid[], ${lines.map(({ id }) => id)}::uuid[],
        ${lines.map(({ startsAt }) => startsAt)}::timestamptz[], ${lines.map(({ endsAt }) => endsAt)}::timestamptz[])
        as given (course_id, line_id, starts_at, ends_at)`,
  }
}

/** Revokes the periods of these order lines and seats; later periods move up. Periods revoked before stay as they are. */
export async function revokeAccess(tx: Db, sources: Sources, now: Date): Promise<void> {
  for (const { userId, courseId, ids } of await listGranted(tx, sources)) {
    const periods = await lockPeriods(tx, userId, courseId)
    const running = periods.filter((period) => period.revokedAt === null && ids.includes(period.id))
    if (running.length === 0) continue
    await revokePeriods(tx, running, { at: now, isByHand: false })
    const left = periods.map((period) => (running.includes(period) ? { ...period, revokedAt: now } : period))
    for (const moved of moveUp(left, now)) await movePeriod(tx, moved)
  }
}

/** Restores revoked periods with the days that were left, except periods that an admin ended. */
export async function restoreAccess(tx: Db, sources: Sources, now: Date): Promise<void> {
  for (const { userId, courseId, ids } of await listGranted(tx, sources))
    for (const id of ids) {
      const periods = await lockPeriods(tx, userId, courseId)
      const period = periods.find((candidate) => candidate.id === id)
      if (period === undefined || period.revokedAt === null || period.isEndedByHand) continue
      await movePeriod(tx, resumePeriods({ ...period, revokedAt: period.revokedAt }, periods, now))
      await tx.updateTable('access_periods').set({ revoked_at: null }).where('id', '=', id).execute()
    }
}

/** What emails need: the mail service, the brand and the address of the shop. */
export type Site = { readonly mail: Mail; readonly brand: string; readonly appUrl: string }

/** `actorId` is null on the command line. */
type AdminAction = { readonly actorId: UserId | null; readonly reason: string; readonly now: Date }

/**
 * Gives days, from now or from the end of the current access, and tells the user where there is a `site`. A second call with the same key does neither.
 * @throws Failure access.nobody
 */
export async function giveDays(
  db: Db,
  site: Site | null,
  give: AdminAction & Omit<GiveAccess, 'courseId'> & { readonly userId: UserId; readonly courseId: CourseId },
): Promise<{ until: Date }> {
  const { userId, courseId, days, key, reason, now } = give
  return db.transaction().execute(async (tx) => {
    const holder = await findHolder(tx, { userId, courseId })
    if (holder === null) throw fail('access.nobody')
    const { startsAt, endsAt } = nextPeriod(await lockPeriods(tx, userId, courseId), now, days)
    const made = await tx
      .insertInto('access_periods')
      .values({
        id: key,
        user_id: userId,
        course_id: courseId,
        source: 'grant',
        order_line_id: null,
        seat_code: null,
        starts_at: startsAt,
        ends_at: endsAt,
        created_at: now,
      })
      .onConflict((on) => on.column('id').doNothing())
      .returning('ends_at')
      .executeTakeFirst()
    if (made === undefined) {
      const known = await tx
        .selectFrom('access_periods')
        .where('id', '=', key)
        .select('ends_at')
        .executeTakeFirstOrThrow()
      return { until: known.ends_at }
    }
    await note(tx, give, 'access.give', null, { course: holder.courseTitle, days, until: endsAt, reason })
    if (site !== null) await site.mail.send(givenEmail(holder, endsAt, site), tx)
    return { until: endsAt }
  })
}

/** Revokes all access of a user to a course, now and later. @throws Failure access.not-running */
export async function endOwnership(db: Db, end: AdminAction & Holding): Promise<void> {
  const { userId, courseId, reason, now } = end
  await db.transaction().execute(async (tx) => {
    const periods = await lockPeriods(tx, userId, courseId)
    const left = periods.filter(({ revokedAt, endsAt }) => revokedAt === null && endsAt > now)
    const last = left.reduce<Date | null>((latest, { endsAt }) => (latest && latest > endsAt ? latest : endsAt), null)
    if (last === null) throw fail('access.not-running')
    await revokePeriods(tx, left, { at: now, isByHand: true })
    const course = (await findHolder(tx, end))?.courseTitle ?? courseId
    await note(tx, end, 'access.end', { until: last }, { course, until: now, reason })
  })
}

/** Restores a revoked period with the days that it had left, and tells the user. @throws Failure access.not-taken */
export async function restoreOwnership(
  db: Db,
  site: Site,
  back: AdminAction & { readonly periodId: string },
): Promise<void> {
  const { periodId, reason, now } = back
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('access_periods')
      .where('id', '=', periodId)
      .select(['user_id', 'course_id'])
      .executeTakeFirst()
    const holding = { userId: row?.user_id as UserId, courseId: row?.course_id as CourseId }
    const periods = row === undefined ? [] : await lockPeriods(tx, holding.userId, holding.courseId)
    const period = periods.find(({ id }) => id === periodId)
    if (period === undefined || period.revokedAt === null || period.endsAt <= period.revokedAt)
      throw fail('access.not-taken')
    const moved = resumePeriods({ ...period, revokedAt: period.revokedAt }, periods, now)
    await movePeriod(tx, moved)
    await tx
      .updateTable('access_periods')
      .set({ revoked_at: null, ended_by_hand: false })
      .where('id', '=', periodId)
      .execute()
    const holder = await findHolder(tx, holding)
    const course = holder?.courseTitle ?? holding.courseId
    const before = { takenBackAt: period.revokedAt }
    await note(tx, { ...back, userId: holding.userId }, 'access.give-back', before, {
      course,
      until: moved.endsAt,
      reason,
    })
    if (holder !== null) await site.mail.send(givenEmail(holder, moved.endsAt, site), tx)
  })
}

async function note(
  tx: Db,
  by: AdminAction & { readonly userId: UserId },
  action: string,
  before: object | null,
  after: object,
): Promise<void> {
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'profiles', id: by.userId, before, after })
}

const EMAILS_PER_RUN = 500

/**
 * Emails users whose access ends soon or has ended: one email of each kind for each end, however often and in however many processes
 * this runs, because the email is queued in the transaction that records it. Returns the number of emails.
 */
export async function sendAccessEmails(db: Db, site: Site, now: Date): Promise<number> {
  let sent = 0
  for (const holding of await listUnnotified(db, now, EMAILS_PER_RUN))
    if (await db.transaction().execute((tx) => notifyHolder(tx, site, holding, now))) sent += 1
  return sent
}

async function notifyHolder(tx: Db, site: Site, holding: Holding, now: Date): Promise<boolean> {
  // Locks the periods: a purchase at this moment would move the end.
  const news = accessNewsOf(await lockPeriods(tx, holding.userId, holding.courseId), now)
  const holder = await findHolder(tx, holding)
  if (news === null || holder === null) return false
  const first = await tx
    .insertInto('access_emails')
    .values({
      user_id: holding.userId,
      course_id: holding.courseId,
      kind: news.kind,
      access_ends_at: news.endsAt,
      sent_at: now,
    })
    .onConflict((on) => on.doNothing())
    .returning('kind')
    .executeTakeFirst()
  if (first === undefined) return false
  await site.mail.send(accessEmail(holder, news, site), tx)
  return true
}

/** Grouped by user and course, in a fixed order, so that two transactions that lock the same users do not deadlock. */
async function listGranted(tx: Db, { orderLineIds, seatCodes }: Sources) {
  const { rows } = await sql<{ userId: UserId; courseId: CourseId; ids: string[] }>`
    select user_id as "userId", course_id as "courseId", array_agg(id::text order by starts_at, id) as ids
    from access_periods
    where order_line_id = any(${[...orderLineIds]}::uuid[]) or seat_code = any(${[...seatCodes]}::text[])
    group by user_id, course_id order by course_id, user_id`.execute(tx)
  return rows
}

/** The periods of a user for a course, locked until the transaction ends. */
async function lockPeriods(
  tx: Db,
  userId: UserId,
  courseId: CourseId,
): Promise<(StoredPeriod & { readonly isEndedByHand: boolean })[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${userId}:${courseId}`}, 0))`.execute(tx)
  const rows = await tx
    .selectFrom('access_periods')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .select(['id', 'starts_at', 'ends_at', 'revoked_at', 'ended_by_hand'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    revokedAt: row.revoked_at,
    isEndedByHand: row.ended_by_hand,
  }))
}

/** Periods that an admin ended by hand are restored by hand only. */
async function revokePeriods(
  tx: Db,
  periods: readonly StoredPeriod[],
  how: { readonly at: Date; readonly isByHand: boolean },
): Promise<void> {
  const ids = periods.map(({ id }) => id)
  await tx
    .updateTable('access_periods')
    .set({ revoked_at: how.at, ended_by_hand: how.isByHand })
    .where('id', 'in', ids)
    .execute()
}

async function movePeriod(tx: Db, { id, startsAt, endsAt }: MovedPeriod): Promise<void> {
  await tx.updateTable('access_periods').set({ starts_at: startsAt, ends_at: endsAt }).where('id', '=', id).execute()
}

/** Ends all access of a user whose account is deleted. Periods of orders and seats stay for the books. */
export async function eraseAccessHolder(tx: Db, userId: UserId, now: Date): Promise<void> {
  await tx.deleteFrom('access_emails').where('user_id', '=', userId).execute()
  await tx
    .deleteFrom('access_periods')
    .where('user_id', '=', userId)
    .where('source', 'in', ['grant', 'pledge'])
    .execute()
  await tx
    .updateTable('access_periods')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', now)
    .execute()
}
