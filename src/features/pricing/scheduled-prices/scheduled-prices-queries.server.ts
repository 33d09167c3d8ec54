import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { cents, dollarsColumn, type Cents } from '../../../lib/money.ts'
import { pageOf } from '../../../lib/paging.ts'
import { likeText } from '../../../lib/text.ts'
import { priceAt, type PastPrice, type ScheduledPrice, type StoredPrice } from './scheduled-prices.ts'
import type { ScheduledPriceView, PricedCourse, PriceFilter, CourseSelection } from './scheduled-prices.schema.ts'

const PAGE = 50

/** The scheduled prices of a row of `courses` that have not ended. */
const openScheduledPrices = sql<ScheduledPriceRow[]>`(
  select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'cents', cents, 'startsAt', starts_at, 'endsAt', ends_at,
    'state', state) order by starts_at, id), '[]')
  from scheduled_prices where scheduled_prices.course_id = courses.id and state in ('planned', 'running'))`

type ScheduledPriceRow = Omit<ScheduledPrice, 'startsAt' | 'endsAt' | 'cents'> & {
  cents: number
  startsAt: string
  endsAt: string | null
}

function toScheduledPrice(row: ScheduledPriceRow): ScheduledPrice {
  return {
    ...row,
    cents: cents(row.cents),
    startsAt: new Date(row.startsAt),
    endsAt: row.endsAt === null ? null : new Date(row.endsAt),
  }
}

function toScheduledPriceView(scheduledPrice: ScheduledPrice): ScheduledPriceView {
  return {
    ...scheduledPrice,
    startsAt: scheduledPrice.startsAt.toISOString(),
    endsAt: scheduledPrice.endsAt?.toISOString() ?? null,
  }
}

/**
 * The prices of published courses at this instant, including due changes that are not applied yet. One statement reads prices and
 * schedules, so that no change is applied in between.
 */
export async function listPrices(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<{ id: CourseId; title: string; slug: string; priceCents: Cents }[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('courses')
    .where('id', 'in', ids)
    .where('status', '=', 'published')
    .select(['id', 'title', 'slug', 'price', 'regular_price', openScheduledPrices.as('scheduledPrices')])
    .execute()
  return rows.map((row) => ({
    id: row.id as CourseId,
    title: row.title,
    slug: row.slug,
    priceCents: priceAt(storedPrice(row), row.scheduledPrices.map(toScheduledPrice), now).priceCents,
  }))
}

function storedPrice(row: { price: string; regular_price: string | null }): StoredPrice {
  return {
    priceCents: dollarsColumn(row.price),
    regularCents: row.regular_price === null ? null : dollarsColumn(row.regular_price),
  }
}

/** Courses with a scheduled price that is due to start or end, at most about twice `limit`. */
export async function listDue(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    (select course_id as id from scheduled_prices where state = 'planned' and starts_at <= ${now} limit ${limit})
    union
    (select course_id as id from scheduled_prices where state = 'running' and ends_at <= ${now} limit ${limit})`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export type PricedRow = {
  readonly id: string
  readonly title: string
  readonly stored: StoredPrice
  readonly scheduledPrices: readonly ScheduledPrice[]
}

/** Courses with their prices, locked until the transaction ends. They are locked in the order of their ids to avoid deadlocks. */
export async function lockPrices(tx: Db, which: CourseSelection): Promise<PricedRow[]> {
  const rows = await selectedCourses(tx, which)
    .orderBy('courses.id')
    .select(['courses.id', 'courses.title', 'courses.price', 'courses.regular_price'])
    .forNoKeyUpdate()
    .execute()
  return withScheduledPrices(tx, rows)
}

/** The same without locks, for a preview. */
export async function listStoredPrices(db: Db, which: CourseSelection): Promise<PricedRow[]> {
  const rows = await selectedCourses(db, which)
    .orderBy('courses.id')
    .select(['courses.id', 'courses.title', 'courses.price', 'courses.regular_price'])
    .execute()
  return withScheduledPrices(db, rows)
}

/** Reads scheduled prices after locking their courses: every change of a schedule locks the course first. */
async function withScheduledPrices(
  db: Db,
  rows: readonly { id: string; title: string; price: string; regular_price: string | null }[],
): Promise<PricedRow[]> {
  const scheduledPrices = await listOpenScheduledPrices(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    stored: storedPrice(row),
    scheduledPrices: scheduledPrices.get(row.id) ?? [],
  }))
}

async function listOpenScheduledPrices(db: Db, courseIds: readonly string[]): Promise<Map<string, ScheduledPrice[]>> {
  const { rows } = await sql<ScheduledPriceRow & { courseId: string; startsAt: Date; endsAt: Date | null }>`
    select course_id as "courseId", id, kind, cents, starts_at as "startsAt", ends_at as "endsAt", state from scheduled_prices
    where course_id = any(${[...courseIds]}::uuid[]) and state in ('planned', 'running')
    order by starts_at, id`.execute(db)
  const scheduledPrices = new Map<string, ScheduledPrice[]>()
  for (const { courseId, startsAt, endsAt, ...scheduledPrice } of rows) {
    const parsed: ScheduledPrice = { ...scheduledPrice, cents: cents(scheduledPrice.cents), startsAt, endsAt }
    scheduledPrices.set(courseId, [...(scheduledPrices.get(courseId) ?? []), parsed])
  }
  return scheduledPrices
}

function selectedCourses(db: Db, which: CourseSelection) {
  const courses = db.selectFrom('courses')
  if (which.kind === 'some') return courses.where('courses.id', 'in', which.ids)
  return courses.where(matching(which))
}

function matching({ search, category }: Pick<PriceFilter, 'search' | 'category'>) {
  const part = `%${likeText(search)}%`
  return sql<boolean>`(${search === '' ? sql`true` : sql`courses.title ilike ${part}`}
    and ${category === null ? sql`true` : sql`courses.category = ${category}`})`
}

/** A page of courses by title, with their current and scheduled prices. */
export async function listPricedCourses(
  db: Db,
  filter: PriceFilter,
  size = PAGE,
): Promise<{ courses: PricedCourse[]; count: number; next: string | null }> {
  let query = db
    .selectFrom('courses')
    .where(matching(filter))
    .orderBy('courses.title')
    .orderBy('courses.id')
    .limit(size + 1)
    .select(['id', 'title', 'status', 'price', 'regular_price', 'was_price', openScheduledPrices.as('scheduledPrices')])
  const { after } = filter
  if (after !== null)
    query = query.where(
      sql<boolean>`(courses.title, courses.id) > (select title, id from courses where id = ${after}::uuid)`,
    )
  const [rows, { count }] = await Promise.all([
    query.execute(),
    db
      .selectFrom('courses')
      .where(matching(filter))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  const { page, last } = pageOf(rows, size)
  return {
    courses: page.map((row) => ({
      id: row.id,
      title: row.title,
      status: row.status,
      ...storedPrice(row),
      wasCents: row.was_price === null ? null : dollarsColumn(row.was_price),
      scheduledPrices: row.scheduledPrices.map((scheduledPrice) =>
        toScheduledPriceView(toScheduledPrice(scheduledPrice)),
      ),
    })),
    count,
    next: last?.id ?? null,
  }
}

const HISTORY_SHOWN = 200

type PriceRecord = PricedCourse & {
  readonly history: readonly { readonly cents: number; readonly isSale: boolean; readonly at: string }[]
}

/** A course with its current, past and scheduled prices. */
export async function findPriceRecord(db: Db, courseId: string): Promise<PriceRecord | null> {
  const row = await db
    .selectFrom('courses')
    .where('id', '=', courseId)
    .select(['id', 'title', 'status', 'price', 'regular_price', 'was_price'])
    .executeTakeFirst()
  if (row === undefined) return null
  const [history, scheduledPrices] = await Promise.all([
    db
      .selectFrom('price_history')
      .where('course_id', '=', courseId)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(HISTORY_SHOWN)
      .select(['cents', 'is_sale', 'at'])
      .execute(),
    db
      .selectFrom('scheduled_prices')
      .where('course_id', '=', courseId)
      .orderBy('starts_at', 'desc')
      .orderBy('id')
      .limit(HISTORY_SHOWN)
      .select(['id', 'kind', 'cents', 'starts_at', 'ends_at', 'state'])
      .execute(),
  ])
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    ...storedPrice(row),
    wasCents: row.was_price === null ? null : dollarsColumn(row.was_price),
    history: history.map((price) => ({ cents: price.cents, isSale: price.is_sale, at: price.at.toISOString() })),
    scheduledPrices: scheduledPrices.map(({ starts_at: startsAt, ends_at: endsAt, ...scheduledPrice }) => ({
      ...scheduledPrice,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt?.toISOString() ?? null,
    })),
  }
}

/** A course's prices in the `days` before an instant, and the one in force when those days began. */
export async function listPastPrices(db: Db, courseId: string, before: Date, days: number): Promise<PastPrice[]> {
  const { rows } = await sql<{ cents: number; at: Date }>`
    select cents, at from price_history where course_id = ${courseId} and at < ${before}
      and at >= coalesce((select max(at) from price_history
        where course_id = ${courseId} and at <= ${before}::timestamptz - ${days} * interval '1 day'), '-infinity')
    order by at, id`.execute(db)
  return rows.map((row) => ({ cents: cents(row.cents), at: row.at }))
}
