import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { anAdmin } from '../../../tests/support/users.ts'
import { createAccount } from '../accounts/accounts-commands.server.ts'
import type { OrderState } from '../checkout/orders.ts'
import { getFigures, listCourseFigures, listNet, listPoints } from './analytics-queries.server.ts'
import type { Period } from './analytics.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const courses = [
  await aCourse(db, { title: 'A' }),
  await aCourse(db, { title: 'B' }),
  await aCourse(db, { title: '=C' }),
]

async function aUser() {
  return createAccount(db, { name: 'A', email: `${randomUUID()}@example.com`, passwordHash: '', isVerified: true })
}

type Move = { to: OrderState; at: string; detail?: object }

/** An order as the room checkout leaves it, with what was given back when. */
async function order(options: {
  lines: [course: number, cents: number, discount?: number][]
  extraCents?: number
  paidAt: string
  moves?: Move[]
  user?: string
  isLive?: boolean
}) {
  const { lines, extraCents = 0, paidAt, moves = [], isLive = false } = options
  const subtotal = lines.reduce((sum, [, cents]) => sum + cents, 0)
  const discount = lines.reduce((sum, [, , off = 0]) => sum + off, 0)
  const total = subtotal - discount + extraCents
  const { id } = await db
    .insertInto('orders')
    .values({
      user_id: options.user ?? (await aUser()),
      state: moves.at(-1)?.to ?? 'paid',
      subtotal_cents: subtotal,
      discount_cents: discount,
      tax_cents: extraCents,
      shipping_cents: 0,
      total_cents: total,
      cart_key: randomUUID(),
      provider: 'stripe',
      is_live: isLive,
      created_at: new Date(paidAt),
      paid_at: new Date(paidAt),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [course, cents, off = 0] of lines)
    await db
      .insertInto('order_lines')
      .values({
        order_id: id,
        course_id: courses[course]!.id,
        title: 'T',
        unit_price_cents: cents,
        quantity: 1,
        discount_cents: off,
      })
      .execute()
  for (const { to, at, detail = {} } of [{ to: 'paid' as const, at: paidAt }, ...moves])
    await db
      .insertInto('order_moves')
      .values({
        order_id: id,
        from_state: null,
        to_state: to,
        cause: 'test',
        detail: JSON.stringify(detail),
        at: new Date(at),
      })
      .execute()
  return { id, total }
}

const march: Period = { from: '2026-03-01', to: '2026-03-31', unit: 'day' }
const april: Period = { from: '2026-04-01', to: '2026-04-30', unit: 'day' }
const ever: Period = { from: '2020-01-01', to: '2030-12-31', unit: 'month' }
const all = (period: Period) => getFigures(db, { period, courseId: null })

await order({ lines: [[0, 1999]], extraCents: 1199, paidAt: '2026-03-01T00:00:00Z' })
await order({ lines: [[0, 1999]], paidAt: '2026-03-31T23:59:59.999Z' })
await order({ lines: [[0, 500]], paidAt: '2026-04-01T00:00:00Z' })
await order({
  lines: [
    [0, 1000, 333],
    [1, 1000],
    [2, 1000, 1],
  ],
  extraCents: 101,
  paidAt: '2026-03-10T12:00:00Z',
  moves: [
    { to: 'partly_refunded', at: '2026-03-12T00:00:00Z', detail: { refundedCents: 100 } },
    { to: 'partly_refunded', at: '2026-04-02T00:00:00Z', detail: { refundedCents: 1001 } },
  ],
})
await order({
  lines: [[1, 2500]],
  paidAt: '2026-03-15T00:00:00Z',
  moves: [{ to: 'refunded', at: '2026-04-03T00:00:00Z', detail: { refundedCents: 2500 } }],
})
await order({
  lines: [[1, 700]],
  paidAt: '2026-03-16T00:00:00Z',
  moves: [
    { to: 'partly_refunded', at: '2026-03-17T00:00:00Z', detail: { refundedCents: 200 } },
    { to: 'disputed', at: '2026-03-18T00:00:00Z', detail: { dispute: 'd' } },
    { to: 'refunded', at: '2026-04-20T00:00:00Z', detail: { dispute: 'd', ended: 'lost' } },
  ],
})
await order({
  lines: [[2, 800]],
  paidAt: '2026-03-19T00:00:00Z',
  moves: [
    { to: 'disputed', at: '2026-03-20T00:00:00Z', detail: { dispute: 'e' } },
    { to: 'paid', at: '2026-03-22T00:00:00Z', detail: { dispute: 'e', ended: 'won', refundedCents: 0 } },
  ],
})
await order({ lines: [[0, 0]], paidAt: '2026-03-20T00:00:00Z' })

test('payments and refunds count on the day they happened', async () => {
  expect(await all(march)).toMatchObject({
    orders: 7,
    grossCents: 3198 + 1999 + 2767 + 2500 + 700 + 800,
    refundedCents: 100 + 200,
  })
  expect(await all(april)).toMatchObject({ orders: 1, grossCents: 500, refundedCents: 901 + 2500 + 500 })
})

test('the money of all days equals that of the orders, to the cent', async () => {
  const orders = await db
    .selectFrom('orders')
    .where('paid_at', 'is not', null)
    .select(['id', 'total_cents', 'state'])
    .execute()
  const moves = await db.selectFrom('order_moves').select(['order_id', 'detail']).execute()
  const net = orders.reduce((sum, { id, total_cents: total, state }) => {
    const refunds = moves
      .filter((move) => move.order_id === id)
      .map(({ detail }) => (detail as { refundedCents?: number }).refundedCents ?? 0)
    return sum + total - (state === 'refunded' ? total : Math.max(0, ...refunds))
  }, 0)
  const figures = await all(ever)
  expect(figures.grossCents - figures.refundedCents).toBe(net)
  const points = await listPoints(db, { period: ever, courseId: null })
  expect(points.reduce((sum, one) => sum + one.grossCents - one.refundedCents, 0)).toBe(net)
  const days = await listNet(db, { period: march, courseId: null })
  expect(days).toHaveLength(31)
  expect(days.reduce((sum, one) => sum + one, 0)).toBe(11_964 - 300)
})

test('the figures of the courses add up to the total, to the cent', async () => {
  for (const period of [march, april, ever]) {
    const whole = await all(period)
    const lines = await listCourseFigures(db, period)
    expect(lines.reduce((sum, one) => sum + one.grossCents, 0)).toBe(whole.grossCents)
    expect(lines.reduce((sum, one) => sum + one.refundedCents, 0)).toBe(whole.refundedCents)
    for (const { courseId, grossCents, refundedCents, orders } of lines) {
      const figures = await getFigures(db, { period, courseId })
      expect([figures.grossCents, figures.refundedCents, figures.orders]).toEqual([grossCents, refundedCents, orders])
    }
  }
})

async function attempt(
  mode: 'timed' | 'practice' | 'preview',
  at: string,
  more: { user?: string | null; course?: number; isPassed?: boolean | null } = {},
) {
  const { user = await aUser(), course = 0, isPassed = null } = more
  const exam = await anExam(db, courses[course]!.id)
  await db
    .insertInto('attempts')
    .values({
      exam_id: exam.id,
      family_id: exam.id,
      course_id: courses[course]!.id,
      user_id: user,
      guest_id: user === null ? randomUUID() : null,
      mode,
      state: isPassed === null ? 'open' : 'finished',
      seed: 1,
      layout: '[]',
      scoring_policy: 'all-or-nothing',
      passing_score: 70,
      started_at: new Date(at),
      finished_at: isPassed === null ? null : new Date(at),
      is_passed: isPassed,
    })
    .execute()
  return user
}

test('a purchase counts when its buyer tried the course first; admins, other buyers and later days do not count', async () => {
  const may: Period = { from: '2027-05-01', to: '2027-05-31', unit: 'day' }
  const buyer = (await attempt('preview', '2027-05-02T00:00:00Z'))!
  await attempt('preview', '2027-05-03T00:00:00Z', { user: buyer })
  await order({ lines: [[0, 100]], paidAt: '2027-05-04T00:00:00Z', user: buyer })
  const before = (await attempt('preview', '2027-05-05T00:00:00Z'))!
  await order({ lines: [[0, 100]], paidAt: '2027-05-04T00:00:00Z', user: before })
  const other = (await attempt('preview', '2027-05-05T00:00:00Z'))!
  await order({ lines: [[1, 100]], paidAt: '2027-05-06T00:00:00Z', user: other })
  const late = (await attempt('preview', '2027-05-05T00:00:00Z'))!
  await order({ lines: [[0, 100]], paidAt: '2027-06-01T00:00:00Z', user: late })
  await attempt('preview', '2027-05-05T00:00:00Z', { user: null })
  await attempt('preview', '2027-05-05T00:00:00Z', { user: admin.id })
  expect(await all(may)).toMatchObject({ trials: 5, purchases: 1, learners: 4 })
  expect(await getFigures(db, { period: may, courseId: courses[1]!.id })).toMatchObject({ trials: 0, purchases: 0 })
  expect((await listCourseFigures(db, may))[0]).toMatchObject({ title: 'A', trials: 5, purchases: 1 })
})

test('learners are counted once, results of timed exams make the pass rate, and admins and previews are left out', async () => {
  const june: Period = { from: '2028-06-01', to: '2028-06-30', unit: 'day' }
  const ana = (await attempt('timed', '2028-06-01T00:00:00Z', { isPassed: true }))!
  await attempt('timed', '2028-06-30T23:59:59Z', { user: ana, isPassed: false })
  await attempt('practice', '2028-06-02T00:00:00Z', { user: ana, isPassed: true })
  await attempt('timed', '2028-06-02T00:00:00Z', { course: 1, isPassed: true })
  await attempt('timed', '2028-06-02T00:00:00Z', { user: admin.id, isPassed: true })
  await attempt('preview', '2028-06-02T00:00:00Z', { user: null, isPassed: true })
  await attempt('timed', '2028-07-01T00:00:00Z', { isPassed: true })
  expect(await all(june)).toMatchObject({ learners: 2, timed: 3, passed: 2, practice: 1 })
  const points = await listPoints(db, { period: june, courseId: null })
  expect(points).toHaveLength(30)
  expect(points[1]).toMatchObject({ day: '2028-06-02', learners: 2, timed: 1, passed: 1, practice: 1 })
  expect(await getFigures(db, { period: june, courseId: courses[1]!.id })).toMatchObject({ learners: 1, timed: 1 })
})

test('an admin downloads the figures as CSV, in dollars, and no title becomes a formula', async () => {
  const query = '?period=own&from=2026-03-10&to=2026-03-12'
  const days = await admin.browser.get(`/api/analytics/days.csv${query}`)
  expect(String(days.body).split('\r\n')).toEqual([
    'day,orders,gross,refunded,net,learners,timed,passed,practice',
    '2026-03-10,1,27.67,0,27.67,0,0,0,0',
    '2026-03-11,0,0,0,0,0,0,0,0',
    '2026-03-12,0,0,1,-1,0,0,0,0',
    '',
  ])
  const lines = String((await admin.browser.get(`/api/analytics/courses.csv${query}`)).body)
  expect(lines).toContain("\r\n'=C,1,")
})

test('the first live order removes test orders from the figures', async () => {
  await order({ lines: [[0, 4200]], paidAt: '2026-03-11T00:00:00Z', isLive: true })
  expect(await all(march)).toMatchObject({ orders: 1, grossCents: 4200, refundedCents: 0 })
})
