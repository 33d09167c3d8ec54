import { createHash } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import { toDollars, type Cents } from '../../../lib/money.ts'
import { after } from '../../../lib/time.ts'
import { type AdminAction, audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { copy } from './scheduled-prices.copy.ts'
import {
  listDue,
  listPastPrices,
  listStoredPrices,
  lockPrices,
  type PricedRow,
} from './scheduled-prices-queries.server.ts'
import { changedPrice, overlap, priceAt, WAS_PRICE_DAYS, wasPrice, type ScheduledPrice } from './scheduled-prices.ts'
import {
  fail,
  type ApplyPrices,
  type ChangePrices,
  type PricePreview,
  type PreviewRow,
} from './scheduled-prices.schema.ts'

const ROWS_SHOWN = 200
const COURSES_AT_ONCE = 200

/** Shows the effect of a change on each course, and the courses it leaves out. Changes nothing. @throws Failure price.instant */
export async function previewPrices(db: Db, request: ChangePrices, now: Date): Promise<PricePreview> {
  requireFuture(request, now)
  const rows = previewRows(await listStoredPrices(db, request.which), request, now)
  return {
    rows: rows.toSorted(byEffect).slice(0, ROWS_SHOWN),
    changeCount: rows.filter(({ leftOut }) => leftOut === null).length,
    leftOutCount: rows.filter(({ leftOut }) => leftOut !== null).length,
    mark: markOf(rows),
  }
}

/**
 * Applies a previewed change to all its courses, or to none when the preview is outdated. Returns the number of changed prices.
 * @throws Failure price.instant, price.changed-meanwhile, price.nothing
 */
export async function applyPrices(db: Db, request: ApplyPrices & AdminAction): Promise<number> {
  const { now } = request
  requireFuture(request, now)
  return db.transaction().execute(async (tx) => {
    const courses = await lockPrices(tx, request.which)
    const rows = previewRows(courses, request, now)
    if (markOf(rows) !== request.mark) throw fail('price.changed-meanwhile')
    const changed = rows.flatMap((row) =>
      row.leftOut === null && row.toCents !== null ? [{ ...row, to: row.toCents }] : [],
    )
    if (changed.length === 0) throw fail('price.nothing')
    for (const row of changed) {
      const course = courses.find(({ id }) => id === row.id)
      if (course !== undefined) await changePrice(tx, course, request, row.to as Cents)
    }
    return changed.length
  })
}

async function changePrice(
  tx: Db,
  course: PricedRow,
  { when, actorId, now }: ApplyPrices & AdminAction,
  to: Cents,
): Promise<void> {
  const regular = course.stored.regularCents ?? course.stored.priceCents
  const startsAt = when.kind === 'now' ? now : (when.startsAt ?? now)
  const endsAt = when.kind === 'sale' ? when.endsAt : null
  const kind = when.kind === 'sale' ? ('sale' as const) : ('price' as const)
  await tx
    .insertInto('scheduled_prices')
    .values({
      course_id: course.id,
      kind,
      cents: to,
      starts_at: startsAt,
      ends_at: endsAt,
      made_at: now,
      made_by: actorId,
    })
    .execute()
  if (startsAt <= now) await applyScheduledPrice(tx, course.id, now)
  await audit(tx, {
    at: now,
    actorId,
    action: when.kind === 'now' ? 'price.set' : 'price.plan',
    table: 'courses',
    id: course.id,
    before: { price: toDollars(regular) },
    after: { price: toDollars(to), ...(when.kind === 'now' ? {} : { kind, startsAt, endsAt }) },
  })
}

/**
 * Cancels a scheduled price, or ends a running sale, which restores the regular price at once.
 * @throws Failure price.plan-not-found
 */
export async function cancelScheduledPrice(
  db: Db,
  cancel: AdminAction & { readonly scheduledPriceId: string },
): Promise<void> {
  const { scheduledPriceId, actorId, now } = cancel
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('scheduled_prices')
      .where('id', '=', scheduledPriceId)
      .select('course_id')
      .executeTakeFirst()
    const [course] = row === undefined ? [] : await lockPrices(tx, { kind: 'some', ids: [row.course_id] })
    const scheduledPrice = course?.scheduledPrices.find(({ id }) => id === scheduledPriceId)
    if (course === undefined || scheduledPrice === undefined) throw fail('price.plan-not-found')
    // A sale cannot end at the instant at which it began.
    const end = now > scheduledPrice.startsAt ? now : after(scheduledPrice.startsAt, 1)
    await tx
      .updateTable('scheduled_prices')
      .set(scheduledPrice.state === 'running' ? { ends_at: end } : { state: 'cancelled' })
      .where('id', '=', scheduledPriceId)
      .execute()
    if (scheduledPrice.state === 'running') await applyScheduledPrice(tx, course.id, end)
    const { kind, startsAt, endsAt } = scheduledPrice
    await audit(tx, {
      at: now,
      actorId,
      action: 'price.cancel',
      table: 'courses',
      id: course.id,
      before: { kind, price: toDollars(scheduledPrice.cents), startsAt, endsAt },
      after: null,
    })
  })
}

/** Applies due price changes, one course per transaction, and returns the number of courses. Safe to run in several processes. */
export async function applyDuePrices(db: Db, now: Date): Promise<number> {
  const due = await listDue(db, now, COURSES_AT_ONCE)
  for (const courseId of due) await db.transaction().execute((tx) => applyScheduledPrice(tx, courseId, now))
  return due.length
}

async function applyScheduledPrice(tx: Db, courseId: string, now: Date): Promise<void> {
  const [course] = await lockPrices(tx, { kind: 'some', ids: [courseId] })
  if (course === undefined) return
  const current = priceAt(course.stored, course.scheduledPrices, now)
  for (const to of ['done', 'running'] as const) {
    const ids = current.moved.filter((move) => move.to === to).map(({ id }) => id)
    if (ids.length > 0) await tx.updateTable('scheduled_prices').set({ state: to }).where('id', 'in', ids).execute()
  }
  const { priceCents, regularCents, sale } = current
  if (priceCents === course.stored.priceCents && regularCents === course.stored.regularCents) return
  const was = sale !== null && current.begun ? await wasBefore(tx, courseId, sale) : undefined
  await tx
    .updateTable('courses')
    .set({
      price: toDollars(priceCents),
      regular_price: regularCents === null ? null : toDollars(regularCents),
      sale_ends_at: sale?.endsAt ?? null,
      ...(sale === null
        ? { was_price: null }
        : was === undefined
          ? {}
          : { was_price: was === null ? null : toDollars(was) }),
      updated_at: now,
    })
    .where('id', '=', courseId)
    .execute()
}

async function wasBefore(tx: Db, courseId: string, { startsAt, cents }: ScheduledPrice): Promise<Cents | null> {
  return wasPrice(await listPastPrices(tx, courseId, startsAt, WAS_PRICE_DAYS), { startsAt, cents })
}

/** Requires that a change begins and ends in the future. @throws Failure price.instant, with its field */
function requireFuture({ when }: ChangePrices, now: Date): void {
  const refuse = (field: string, message: string) =>
    fail('price.instant', { sentence: message, fields: [{ field, message }] })
  if (when.kind === 'now') return
  if (when.startsAt !== null && when.startsAt <= now) throw refuse('when.startsAt', copy['price.form.past'])
  if (when.kind === 'from') return
  if (when.endsAt <= now) throw refuse('when.endsAt', copy['price.form.past'])
  if (when.startsAt !== null && when.endsAt <= when.startsAt) throw refuse('when.endsAt', copy['price.form.order'])
}

function previewRows(courses: readonly PricedRow[], request: ChangePrices, now: Date): PreviewRow[] {
  return courses.map((course) => previewRow(course, request, now))
}

/** For a course on sale, the change applies to the regular price that returns after the sale. */
function previewRow(
  { id, title, stored, scheduledPrices }: PricedRow,
  { change, when }: ChangePrices,
  now: Date,
): PreviewRow {
  const from = stored.regularCents ?? stored.priceCents
  const to = changedPrice(from, change)
  const row = { id, title, fromCents: from, toCents: to, isOnSale: stored.regularCents !== null }
  if (to === null) return { ...row, leftOut: 'too-high' }
  if (when.kind === 'now' && to === from) return { ...row, leftOut: 'same' }
  if (when.kind !== 'sale') return { ...row, leftOut: null }
  if (to >= from) return { ...row, leftOut: 'sale-not-lower' }
  const span = { startsAt: when.startsAt ?? now, endsAt: when.endsAt }
  const hasOverlap = scheduledPrices.some(
    ({ kind, startsAt, endsAt }) => kind === 'sale' && endsAt !== null && overlap({ startsAt, endsAt }, span),
  )
  return { ...row, leftOut: hasOverlap ? 'sale-overlaps' : null }
}

/** Changed courses first, then those left out; each by title. */
function byEffect(a: PreviewRow, b: PreviewRow): number {
  return Number(a.leftOut !== null) - Number(b.leftOut !== null) || a.title.localeCompare(b.title, 'en')
}

/** A fingerprint of a preview: equal only for equal changes of the same courses. */
function markOf(rows: readonly PreviewRow[]): string {
  const text = JSON.stringify(rows.map(({ id, fromCents, toCents, leftOut }) => [id, fromCents, toCents, leftOut]))
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
