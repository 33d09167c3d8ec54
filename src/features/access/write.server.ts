import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { CourseId, PersonId } from '../../lib/ids.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { accessLetter } from './letters.server.ts'
import { findHolder, listUntold, type Holding, type Sources } from './read.server.ts'
import { movedUp, newsOf, nextPeriod, resumed, type Held, type Moved } from './rules.ts'

export type Grant = {
  readonly personId: PersonId
  readonly courseId: CourseId
  readonly source: 'order' | 'seat' | 'grant'
  readonly orderLineId: string | null
  readonly seatCode: string | null
  readonly now: Date
}

/**
 * Gives 30 days, once for each order line or seat: a second call for the same one changes nothing and says false. Two grants
 * for one person and course take turns, so that the second starts where the first ends.
 */
export async function grantAccess(tx: Db, grant: Grant): Promise<boolean> {
  const { startsAt, endsAt } = nextPeriod(await takePeriods(tx, grant.personId, grant.courseId), grant.now)
  const inserted = await tx
    .insertInto('access_periods')
    .values({
      user_id: grant.personId,
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

/** Takes back what these lines and seats gave; periods that wait behind it move up. Taken back already: nothing changes. */
export async function revokeAccess(tx: Db, sources: Sources, now: Date): Promise<void> {
  for (const { personId, courseId, ids } of await listGranted(tx, sources)) {
    const periods = await takePeriods(tx, personId, courseId)
    const running = periods.filter((period) => period.revokedAt === null && ids.includes(period.id))
    if (running.length === 0) continue
    await tx
      .updateTable('access_periods')
      .set({ revoked_at: now })
      .where(
        'id',
        'in',
        running.map(({ id }) => id),
      )
      .execute()
    const left = periods.map((period) => (running.includes(period) ? { ...period, revokedAt: now } : period))
    for (const moved of movedUp(left, now)) await movePeriod(tx, moved)
  }
}

/** Gives back what was taken, with the days that were left. */
export async function restoreAccess(tx: Db, sources: Sources, now: Date): Promise<void> {
  for (const { personId, courseId, ids } of await listGranted(tx, sources))
    for (const id of ids) {
      const periods = await takePeriods(tx, personId, courseId)
      const period = periods.find((one) => one.id === id)
      if (period === undefined || period.revokedAt === null) continue
      await movePeriod(tx, resumed({ ...period, revokedAt: period.revokedAt }, periods, now))
      await tx.updateTable('access_periods').set({ revoked_at: null }).where('id', '=', id).execute()
    }
}

const LETTERS_AT_ONCE = 500

/**
 * Tells whose access ends soon or has ended: one letter of each kind for each end, however often and in how many processes this
 * runs. The letter is queued in the transaction that remembers it. Says how many were queued.
 */
export async function sendAccessLetters(
  db: Db,
  site: { readonly mail: Mail; readonly brand: string; readonly appUrl: string },
  now: Date,
): Promise<number> {
  let sent = 0
  for (const holding of await listUntold(db, now, LETTERS_AT_ONCE))
    if (await db.transaction().execute((tx) => tellHolder(tx, site, holding, now))) sent += 1
  return sent
}

async function tellHolder(
  tx: Db,
  site: { readonly mail: Mail; readonly brand: string; readonly appUrl: string },
  holding: Holding,
  now: Date,
): Promise<boolean> {
  // Held still: a purchase in this moment would move the end.
  const news = newsOf(await takePeriods(tx, holding.personId, holding.courseId), now)
  const holder = await findHolder(tx, holding)
  if (news === null || holder === null) return false
  const first = await tx
    .insertInto('access_letters')
    .values({
      user_id: holding.personId,
      course_id: holding.courseId,
      kind: news.kind,
      access_ends_at: news.endsAt,
      sent_at: now,
    })
    .onConflict((on) => on.doNothing())
    .returning('kind')
    .executeTakeFirst()
  if (first === undefined) return false
  await site.mail.send(accessLetter(holder, news, site), tx)
  return true
}

/** By person and course, always in the same order, so that two that lock the same people never wait for each other. */
async function listGranted(tx: Db, { orderLineIds, seatCodes }: Sources) {
  const { rows } = await sql<{ personId: PersonId; courseId: CourseId; ids: string[] }>`
    select user_id as "personId", course_id as "courseId", array_agg(id::text order by starts_at, id) as ids
    from access_periods
    where order_line_id = any(${[...orderLineIds]}::uuid[]) or seat_code = any(${[...seatCodes]}::text[])
    group by user_id, course_id order by course_id, user_id`.execute(tx)
  return rows
}

/** A person's periods of a course, ours to change until the transaction ends. */
async function takePeriods(tx: Db, personId: PersonId, courseId: CourseId): Promise<Held[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${personId}:${courseId}`}, 0))`.execute(tx)
  const rows = await tx
    .selectFrom('access_periods')
    .where('user_id', '=', personId)
    .where('course_id', '=', courseId)
    .select(['id', 'starts_at', 'ends_at', 'revoked_at'])
    .execute()
  return rows.map((row) => ({ id: row.id, startsAt: row.starts_at, endsAt: row.ends_at, revokedAt: row.revoked_at }))
}

async function movePeriod(tx: Db, { id, startsAt, endsAt }: Moved): Promise<void> {
  await tx.updateTable('access_periods').set({ starts_at: startsAt, ends_at: endsAt }).where('id', '=', id).execute()
}

/** Nothing is open to this person any more. What orders and seats gave stays with them, for the books. */
export async function forgetHolder(tx: Db, personId: PersonId, now: Date): Promise<void> {
  await tx.deleteFrom('access_letters').where('user_id', '=', personId).execute()
  await tx.deleteFrom('access_periods').where('user_id', '=', personId).where('source', '=', 'grant').execute()
  await tx
    .updateTable('access_periods')
    .set({ revoked_at: now })
    .where('user_id', '=', personId)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', now)
    .execute()
}
