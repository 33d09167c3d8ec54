import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import { bucketsOf, shiftDays, type Period } from './analytics.ts'
import type { CourseFigures, Figures, Money, Point } from './analytics.schema.ts'

/** The scope of a query: days in UTC, and one course or all. */
type Range = { readonly period: Period; readonly courseId: string | null }

/** Test orders count only until the first live order: from then on the figures show real money only. */
export async function countsLive(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isLive: boolean }>`select exists (select from orders where is_live) as "isLive"`.execute(
    db,
  )
  return rows[0]?.isLive === true
}

export async function getFigures(db: Db, range: Range): Promise<Figures> {
  const isLive = await countsLive(db)
  const [money, trials, learners, finished] = await Promise.all([
    addUpMoney(db, range, isLive),
    countTrials(db, range, isLive),
    countLearners(db, range),
    countFinished(db, range),
  ])
  return { ...money, ...trials, learners, ...finished }
}

/** One point for each day or month of the period, also where nothing happened. */
export async function listPoints(db: Db, range: Range): Promise<Point[]> {
  const isLive = await countsLive(db)
  const [money, learners, finished] = await Promise.all([
    listMoney(db, range, isLive),
    listLearners(db, range),
    listFinished(db, range),
  ])
  return bucketsOf(range.period).map((day) => ({
    day,
    ...(money.get(day) ?? NO_MONEY),
    learners: learners.get(day) ?? 0,
    ...(finished.get(day) ?? NOTHING_FINISHED),
  }))
}

/** Only what the line on the dashboard needs. */
export async function listNet(db: Db, range: Range): Promise<number[]> {
  const money = await listMoney(db, range, await countsLive(db))
  return bucketsOf(range.period).map((day) => {
    const { grossCents, refundedCents } = money.get(day) ?? NO_MONEY
    return grossCents - refundedCents
  })
}

/** The courses with any figure in the period, by revenue. */
export async function listCourseFigures(db: Db, period: Period): Promise<CourseFigures[]> {
  const isLive = await countsLive(db)
  const at = instants(period)
  const { rows } = await sql<CourseFigures>`
    with money as (
      select course_id, ${moneySums} from (${shares(at, isLive, null)}) as shares group by course_id),
    tried as (select course_id, ${trialSums} from (${trials(at, isLive, null)}) as trials group by course_id),
    finished as (
      select course_id, count(*) filter (where mode = 'timed') as timed,
        count(*) filter (where mode = 'timed' and is_passed) as passed
      from attempts where ${finishedIn(at, null)} group by course_id)
    select courses.id as "courseId", courses.title, coalesce(orders, 0)::int as orders,
      coalesce("grossCents", 0)::float8 as "grossCents", coalesce("refundedCents", 0)::float8 as "refundedCents",
      coalesce(trials, 0)::int as trials, coalesce(purchases, 0)::int as purchases,
      coalesce(timed, 0)::int as timed, coalesce(passed, 0)::int as passed
    from courses
    left join money on money.course_id = courses.id
    left join tried on tried.course_id = courses.id
    left join finished on finished.course_id = courses.id
    where num_nonnulls(money.course_id, tried.course_id, finished.course_id) > 0
    order by coalesce("grossCents", 0) - coalesce("refundedCents", 0) desc, courses.title, courses.id`.execute(db)
  return rows
}

/** The start of a period, and the end, which is not part of it. */
type Instants = { readonly start: string; readonly end: string }

function instants({ from, to }: Period): Instants {
  return { start: `${from}T00:00:00Z`, end: `${shiftDays(to, 1)}T00:00:00Z` }
}

const NO_MONEY: Money = { orders: 0, grossCents: 0, refundedCents: 0 }
const NOTHING_FINISHED = { timed: 0, passed: 0, practice: 0 }

const moneySums = sql`sum(orders)::int as orders, sum(gross)::float8 as "grossCents", sum(refunded)::float8 as "refundedCents"`

/** Payments and refunds of all orders, each at its time. A move holds the total refunded so far, so a refund is the difference to the move before. */
function events({ start, end }: Instants, isLive: boolean): RawBuilder<unknown> {
  return sql`
    select id as order_id, paid_at as at, 1 as orders, total_cents::bigint as gross, 0::bigint as refunded
    from orders where paid_at >= ${start} and paid_at < ${end} and is_live = ${isLive}
    union all
    select move.order_id, move.at, 0, 0, greatest(0,
      coalesce((move.detail->>'refundedCents')::bigint, orders.total_cents) - coalesce((
        select max((earlier.detail->>'refundedCents')::bigint) from order_moves as earlier
        where earlier.order_id = move.order_id and earlier.id < move.id), 0))
    from order_moves as move join orders on orders.id = move.order_id
    where (move.to_state = 'refunded' or move.detail ? 'refundedCents')
      and move.at >= ${start} and move.at < ${end} and orders.is_live = ${isLive}`
}

/**
 * The events, divided among the courses of each order by their price. The share of a line is the running total up to it minus the
 * running total before it, in whole cents, so that the lines add up to the order exactly.
 */
function shares(at: Instants, isLive: boolean, courseId: string | null): RawBuilder<unknown> {
  const part = (column: 'gross' | 'refunded') => {
    const cents = sql.ref(`events.${column}`)
    return sql`coalesce(${cents} * upto / nullif(whole, 0), 0) - coalesce(${cents} * (upto - amount) / nullif(whole, 0), 0) as ${sql.ref(column)}`
  }
  return sql`
    with events as (${events(at, isLive)}),
    lines as (
      select order_id, course_id, amount, sum(amount) over (partition by order_id order by id)::bigint as upto,
        sum(amount) over (partition by order_id)::bigint as whole
      from (
        select id, order_id, course_id, (unit_price_cents * quantity - discount_cents)::bigint as amount
        from order_lines where order_id in (select order_id from events)) as priced)
    select events.at, events.orders, lines.course_id, ${part('gross')}, ${part('refunded')}
    from events join lines on lines.order_id = events.order_id
    ${courseId === null ? sql`` : sql`where lines.course_id = ${courseId}`}`
}

function moneyIn({ period, courseId }: Range, isLive: boolean): RawBuilder<unknown> {
  return courseId === null ? events(instants(period), isLive) : shares(instants(period), isLive, courseId)
}

async function addUpMoney(db: Db, range: Range, isLive: boolean): Promise<Money> {
  const { rows } = await sql<{ orders: number | null; grossCents: number | null; refundedCents: number | null }>`
    select ${moneySums} from (${moneyIn(range, isLive)}) as events`.execute(db)
  const [row] = rows
  return { orders: row?.orders ?? 0, grossCents: row?.grossCents ?? 0, refundedCents: row?.refundedCents ?? 0 }
}

async function listMoney(db: Db, range: Range, isLive: boolean): Promise<Map<string, Money>> {
  const { rows } = await sql<Money & { day: string }>`
    select ${dayText}, orders, "grossCents", "refundedCents" from (
      select ${bucket(range.period, sql.ref('at'))} as bucket, ${moneySums}
      from (${moneyIn(range, isLive)}) as events group by 1) as sums`.execute(db)
  return new Map(rows.map(({ day, ...money }) => [day, money]))
}

function bucket({ unit }: Period, at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`date_trunc(${sql.lit(unit)}, ${at})`
}

/** Formats a bucket, not each row, because formatting dates is slow. */
const dayText = sql`to_char(bucket, 'YYYY-MM-DD') as day`

function ofCourse(courseId: string | null): RawBuilder<unknown> {
  return courseId === null ? sql`true` : sql`course_id = ${courseId}`
}

const noAdmin = sql`not exists (select from profiles where profiles.id = user_id and profiles.role = 'admin')`

const trialSums = sql`count(*)::int as trials, count(*) filter (where has_bought)::int as purchases`

/** Users and guests who tried a course for free, and whether they paid for it afterwards within the period. */
function trials({ start, end }: Instants, isLive: boolean, courseId: string | null): RawBuilder<unknown> {
  return sql`
    select tried.course_id, coalesce(bought.last_at >= tried.at, false) as has_bought
    from (
      select course_id, user_id, guest_id, min(started_at) as at from attempts
      where mode = 'preview' and started_at >= ${start} and started_at < ${end} and ${ofCourse(courseId)} and ${noAdmin}
      group by course_id, user_id, guest_id) as tried
    left join (
      select orders.user_id, order_lines.course_id, max(orders.paid_at) as last_at
      from orders join order_lines on order_lines.order_id = orders.id
      where orders.paid_at >= ${start} and orders.paid_at < ${end} and orders.is_live = ${isLive} and ${ofCourse(courseId)}
      group by orders.user_id, order_lines.course_id) as bought
      on bought.user_id = tried.user_id and bought.course_id = tried.course_id`
}

async function countTrials(
  db: Db,
  { period, courseId }: Range,
  isLive: boolean,
): Promise<{ trials: number; purchases: number }> {
  const { rows } = await sql<{ trials: number; purchases: number }>`
    select ${trialSums} from (${trials(instants(period), isLive, courseId)}) as trials`.execute(db)
  return rows[0] ?? { trials: 0, purchases: 0 }
}

/** Users who started an exam or a drill, with the time. */
function active({ period, courseId }: Range): RawBuilder<unknown> {
  const { start, end } = instants(period)
  const inRange = sql`started_at >= ${start} and started_at < ${end} and ${ofCourse(courseId)}`
  return sql`
    select user_id, started_at as at from attempts where user_id is not null and ${inRange}
    union all select user_id, started_at from drills where user_id is not null and ${inRange}`
}

async function countLearners(db: Db, range: Range): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select user_id from (${active(range)}) as active group by user_id) as learners
    where ${noAdmin}`.execute(db)
  return rows[0]?.count ?? 0
}

async function listLearners(db: Db, range: Range): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; count: number }>`
    select ${dayText}, count(*)::int as count from (
      select ${bucket(range.period, sql.ref('at'))} as bucket, user_id from (${active(range)}) as active
      group by 1, 2) as learners
    where ${noAdmin} group by bucket`.execute(db)
  return new Map(rows.map(({ day, count }) => [day, count]))
}

/** Finished attempts of learners, without previews. */
function finishedIn({ start, end }: Instants, courseId: string | null): RawBuilder<unknown> {
  return sql`state = 'finished' and finished_at >= ${start} and finished_at < ${end} and mode <> 'preview'
    and user_id is not null and ${ofCourse(courseId)} and ${noAdmin}`
}

const finishedSums = sql`count(*) filter (where mode = 'timed')::int as timed,
  count(*) filter (where mode = 'timed' and is_passed)::int as passed,
  count(*) filter (where mode = 'practice')::int as practice`

type Finished = { readonly timed: number; readonly passed: number; readonly practice: number }

async function countFinished(db: Db, { period, courseId }: Range): Promise<Finished> {
  const { rows } = await sql<Finished>`
    select ${finishedSums} from attempts where ${finishedIn(instants(period), courseId)}`.execute(db)
  return rows[0] ?? NOTHING_FINISHED
}

async function listFinished(db: Db, { period, courseId }: Range): Promise<Map<string, Finished>> {
  const { rows } = await sql<Finished & { day: string }>`
    select ${dayText}, timed, passed, practice from (
      select ${bucket(period, sql.ref('finished_at'))} as bucket, ${finishedSums}
      from attempts where ${finishedIn(instants(period), courseId)} group by 1) as sums`.execute(db)
  return new Map(rows.map(({ day, ...finished }) => [day, finished]))
}
