import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aCourse } from '../../../../tests/support/build-course.ts'
import { anAdmin, aStudent, confirm } from '../../../../tests/support/users.ts'
import { after, DAY_MS, MINUTE_MS } from '../../../lib/time.ts'
import { findCourse } from '../../catalogue/catalogue-queries.server.ts'
import { findPriceRecord, listPricedCourses, listPrices } from './scheduled-prices-queries.server.ts'
import type { PricePreview, PricesForm } from './scheduled-prices.schema.ts'
import { applyDuePrices } from './scheduled-prices-commands.server.ts'

const app = await startApp()
const { db, pool } = app.services.database
const admin = await anAdmin(app)
const student = await aStudent(app)

const form = (ids: readonly string[], more: Partial<PricesForm>): PricesForm => ({
  which: { kind: 'some', ids: [...ids] },
  change: { kind: 'set', price: '25.00' },
  when: { kind: 'now' },
  ...more,
})
const preview = async (asked: PricesForm) =>
  (await admin.browser.post('/api/prices/preview', asked)).body as PricePreview
const apply = async (asked: PricesForm) =>
  admin.browser.post('/api/prices', { ...asked, mark: (await preview(asked)).mark })
const inMinutes = (minutes: number) => after(app.clock.now(), minutes * MINUTE_MS)
const sale = (from: Date | null, to: Date): PricesForm['when'] => ({
  kind: 'sale',
  startsAt: from?.toISOString() ?? null,
  endsAt: to.toISOString(),
})
/** The price that a cart is quoted for a course at an instant. */
const quoted = async (id: string, now: Date) => (await listPrices(db, [id], now))[0]?.priceCents
const stored = async (id: string) => {
  const course = await findCourse(db, id)
  return [course?.priceCents, course?.wasCents ?? null]
}
/** Backdates the price history. */
const age = (ids: readonly string[]) =>
  pool.query(`update price_history set at = at - interval '60 days' where course_id = any($1)`, [ids])

test('a bulk change does what its preview showed, and each price has an audit entry', async () => {
  const [one, two, same] = [
    await aCourse(db, { priceCents: 1999 }),
    await aCourse(db, { priceCents: 4950 }),
    await aCourse(db, { priceCents: 0 }),
  ]
  const asked = form([one.id, two.id, same.id], { change: { kind: 'percent', percent: 10, rounding: '99' } })
  const shown = await preview(asked)
  expect(shown).toMatchObject({ changeCount: 2, leftOutCount: 1 })
  expect(Object.fromEntries(shown.rows.map(({ id, toCents, leftOut }) => [id, [toCents, leftOut]]))).toEqual({
    [one.id]: [2199, null],
    [two.id]: [5399, null],
    [same.id]: [0, 'same'],
  })
  expect(await stored(one.id)).toEqual([1999, null])
  expect((await apply(asked)).body).toEqual({ changed: 2 })
  expect([await stored(one.id), await stored(two.id)]).toEqual([
    [2199, null],
    [5399, null],
  ])
  const lines = await db
    .selectFrom('audit_log')
    .where('action', '=', 'price.set')
    .where('subject_id', '=', one.id)
    .select(['before', 'after'])
    .execute()
  expect(lines).toEqual([{ before: { price: '19.99' }, after: { price: '21.99' } }])
})

test('a bulk change is refused when a price has changed since the preview', async () => {
  const [one, two] = [await aCourse(db), await aCourse(db)]
  const asked = form([one.id, two.id], {})
  const { mark } = await preview(asked)
  await admin.browser.patch(`/api/courses/${two.id}`, { price: '31.00' })
  const reply = await admin.browser.post('/api/prices', { ...asked, mark })
  expect(reply).toMatchObject({ status: 409, body: { error: { code: 'price.changed-meanwhile' } } })
  expect(await stored(one.id)).toEqual([1999, null])
  const replies = await Promise.all([apply(form([one.id], {})), apply(form([one.id], {}))])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a scheduled price is quoted from its exact instant, and shown once it is applied', async () => {
  const course = await aCourse(db)
  const startsAt = inMinutes(10)
  await apply(form([course.id], { when: { kind: 'from', startsAt: startsAt.toISOString() } }))
  expect(await quoted(course.id, after(startsAt, -1))).toBe(1999)
  expect(await quoted(course.id, startsAt)).toBe(2500)
  await applyDuePrices(db, after(startsAt, -1))
  expect(await stored(course.id)).toEqual([1999, null])
  await applyDuePrices(db, startsAt)
  await applyDuePrices(db, startsAt)
  expect(await stored(course.id)).toEqual([2500, null])
  expect(await quoted(course.id, startsAt)).toBe(2500)
})

test('a sale applies until just before its end, with the earlier price struck through', async () => {
  const course = await aCourse(db)
  await age([course.id])
  const [startsAt, endsAt] = [inMinutes(10), inMinutes(20)]
  await apply(form([course.id], { change: { kind: 'set', price: '9.99' }, when: sale(startsAt, endsAt) }))
  expect([
    await quoted(course.id, after(startsAt, -1)),
    await quoted(course.id, startsAt),
    await quoted(course.id, after(endsAt, -1)),
    await quoted(course.id, endsAt),
  ]).toEqual([1999, 999, 999, 1999])
  await applyDuePrices(db, startsAt)
  expect(await stored(course.id)).toEqual([999, 1999])
  expect((await findCourse(db, course.id))?.saleEndsAt).toBe(endsAt.toISOString())
  expect(await quoted(course.id, endsAt)).toBe(1999)
  await applyDuePrices(db, endsAt)
  expect(await stored(course.id)).toEqual([1999, null])
  const { history = [] } = (await findPriceRecord(db, course.id)) ?? {}
  expect(history.map(({ cents, isSale }) => [cents, isSale])).toEqual([
    [1999, false],
    [999, true],
    [1999, false],
  ])
})

test('an order at the boundary of a sale costs the price in force at its instant, to the cent', async () => {
  const course = await aCourse(db)
  const startsAt = inMinutes(30)
  await apply(form([course.id], { change: { kind: 'set', price: '9.99' }, when: sale(startsAt, inMinutes(60)) }))
  const quote = async () =>
    (await student.browser.post('/api/functions/quote-cart', { cartItems: [{ id: course.id, quantity: 1 }] })).body
  expect(await quote()).toMatchObject({ lines: [{ price: 19.99 }] })
  app.clock.forward(startsAt.getTime() - app.clock.now().getTime())
  await confirm(admin)
  // No change is applied yet: the page may still show the old price, but the quote does not.
  expect(await quote()).toMatchObject({ lines: [{ price: 9.99 }] })
  await student.browser.post('/api/functions/create-cart-payment', { cartItems: [{ id: course.id, quantity: 1 }] })
  const line = await db
    .selectFrom('order_lines')
    .where('course_id', '=', course.id)
    .select('unit_price_cents')
    .executeTakeFirstOrThrow()
  expect(line.unit_price_cents).toBe(999)
})

test('a due price is applied without a visitor, and pages show it within a second', async () => {
  const course = await aCourse(db)
  await apply(form([course.id], { when: { kind: 'from', startsAt: inMinutes(1).toISOString() } }))
  app.clock.forward(MINUTE_MS)
  await confirm(admin)
  const seen = async () => ((await app.visitor().get(`/api/courses/${course.id}`)).body as { price: number }).price
  await expect.poll(seen, { timeout: 60_000, interval: 50 }).toBe(25)
})

test('a sale shows an earlier price only when it was the lowest of the 30 days before', async () => {
  const [young, raised] = [await aCourse(db), await aCourse(db, { priceCents: 999 })]
  await age([raised.id])
  await admin.browser.patch(`/api/courses/${raised.id}`, { price: '40.00' })
  const asked = form([young.id, raised.id], { change: { kind: 'set', price: '9.99' }, when: sale(null, inMinutes(5)) })
  expect((await apply(asked)).body).toEqual({ changed: 2 })
  expect([await stored(young.id), await stored(raised.id)]).toEqual([
    [999, null],
    [999, null],
  ])
})

test('a price set by hand ends the sale, and the regular price does not return', async () => {
  const course = await aCourse(db)
  await age([course.id])
  const endsAt = inMinutes(5)
  await apply(form([course.id], { change: { kind: 'set', price: '9.99' }, when: sale(null, endsAt) }))
  expect(await stored(course.id)).toEqual([999, 1999])
  await admin.browser.patch(`/api/courses/${course.id}`, { price: '30.00' })
  expect(await stored(course.id)).toEqual([3000, null])
  await applyDuePrices(db, endsAt)
  expect(await stored(course.id)).toEqual([3000, null])
})

test('a price changed during a sale applies when the sale is over', async () => {
  const course = await aCourse(db)
  const endsAt = inMinutes(5)
  expect((await preview(form([course.id], {}))).rows).toMatchObject([{ fromCents: 1999, isOnSale: false }])
  await apply(form([course.id], { change: { kind: 'set', price: '9.99' }, when: sale(null, endsAt) }))
  expect((await preview(form([course.id], {}))).rows).toMatchObject([
    { fromCents: 1999, toCents: 2500, isOnSale: true },
  ])
  await apply(form([course.id], {}))
  expect(await stored(course.id)).toEqual([999, null])
  await applyDuePrices(db, endsAt)
  expect(await stored(course.id)).toEqual([2500, null])
})

test('sales of a course may be adjacent but not overlap, and a sale must lower the price', async () => {
  const course = await aCourse(db)
  const [a, b, c] = [inMinutes(10), inMinutes(20), inMinutes(30)]
  const asked = (from: Date, to: Date, price = '9.99') =>
    form([course.id], { change: { kind: 'set', price }, when: sale(from, to) })
  expect((await apply(asked(a, b))).status).toBe(200)
  expect((await preview(asked(inMinutes(15), c))).rows[0]?.leftOut).toBe('sale-overlaps')
  expect((await preview(asked(b, c, '19.99'))).rows[0]?.leftOut).toBe('sale-not-lower')
  expect((await apply(asked(inMinutes(15), c))).status).toBe(409)
  expect((await apply(asked(b, c, '5.00'))).status).toBe(200)
  await applyDuePrices(db, a)
  await applyDuePrices(db, b)
  expect(await stored(course.id)).toEqual([500, null])
  await applyDuePrices(db, c)
  expect(await stored(course.id)).toEqual([1999, null])
})

test('a scheduled price is canceled, and a running sale is ended at once, each only once', async () => {
  const course = await aCourse(db)
  const planOf = async () =>
    (await findPriceRecord(db, course.id))?.scheduledPrices.find(
      ({ state }) => state === 'planned' || state === 'running',
    )
  const cancel = (id: string | undefined) => admin.browser.call('DELETE', `/api/scheduled-prices/${id}`)
  await apply(form([course.id], { when: { kind: 'from', startsAt: inMinutes(1).toISOString() } }))
  const planned = await planOf()
  expect((await cancel(planned?.id)).status).toBe(200)
  expect((await cancel(planned?.id)).status).toBe(404)
  expect((await cancel(randomUUID())).status).toBe(404)
  await applyDuePrices(db, inMinutes(2))
  expect(await stored(course.id)).toEqual([1999, null])
  await apply(form([course.id], { change: { kind: 'set', price: '9.99' }, when: sale(null, inMinutes(5)) }))
  expect(await stored(course.id)).toEqual([999, null])
  expect((await cancel((await planOf())?.id)).status).toBe(200)
  expect(await stored(course.id)).toEqual([1999, null])
  expect(await quoted(course.id, inMinutes(10))).toBe(1999)
})

test('invalid input is refused under its field', async () => {
  const course = await aCourse(db)
  const [past, future] = [inMinutes(-1), inMinutes(1)]
  const cases: [Partial<Record<keyof PricesForm, unknown>>, string][] = [
    [{ change: { kind: 'set', price: '10000' } }, 'change.price'],
    [{ change: { kind: 'set', price: 'ten' } }, 'change.price'],
    [{ change: { kind: 'percent', percent: -91, rounding: '99' } }, 'change.percent'],
    [{ change: { kind: 'percent', percent: 1.5, rounding: '99' } }, 'change.percent'],
    [{ when: { kind: 'from', startsAt: past.toISOString() } }, 'when.startsAt'],
    [{ when: { kind: 'from', startsAt: 'tomorrow' } }, 'when.startsAt'],
    [{ when: sale(future, future) }, 'when.endsAt'],
    [{ when: sale(null, past) }, 'when.endsAt'],
    [{ which: { kind: 'some', ids: [] } }, 'which.ids'],
  ]
  for (const [wrong, field] of cases) {
    const reply = await admin.browser.post('/api/prices/preview', { ...form([course.id], {}), ...wrong })
    expect([reply.status, (reply.body as { error: { fields: { field: string }[] } }).error.fields[0]?.field]).toEqual([
      400,
      field,
    ])
  }
  expect((await student.browser.post('/api/prices/preview', form([course.id], {}))).status).toBe(403)
})

test('the list is sorted by title and paged, and a change may cover all courses of the filter', async () => {
  const mark = randomUUID().slice(0, 8)
  const ids: string[] = []
  for (const letter of ['c', 'a', 'b']) ids.push((await aCourse(db, { title: `${mark} ${letter}` })).id)
  const wanted = { search: mark, category: null }
  const first = await listPricedCourses(db, { ...wanted, after: null }, 2)
  const second = await listPricedCourses(db, { ...wanted, after: first.next }, 2)
  expect([...first.courses, ...second.courses].map(({ title }) => title.slice(-1))).toEqual(['a', 'b', 'c'])
  expect([first.count, second.next]).toEqual([3, null])
  const all = form([], { which: { kind: 'all', ...wanted } })
  expect((await apply(all)).body).toEqual({ changed: 3 })
  expect(await stored(ids[0]!)).toEqual([2500, null])
  expect((await apply(all)).status).toBe(409)
  app.clock.forward(DAY_MS)
  await confirm(admin)
})
