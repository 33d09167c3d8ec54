import { selecting } from '../../../tests/support/answers.ts'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { LoaderFunctionArgs } from 'react-router'
import { expect, test } from 'vitest'
import { startApp, type Reply, type TestApp, type Visitor } from '../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { anOrderToPay, eventOf, payByCard } from '../../../tests/support/place-order.ts'
import { anAdmin, aStudent, giveAccess, PASSWORD, type SignedIn } from '../../../tests/support/users.ts'

import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import { CachedQueries } from '../../platform/cache/cached-queries.server.ts'
import type { RenderPage } from './guest-pages.server.ts'
import { myCoursesLoader } from '../page-loaders.server.ts'

// Compares each process's cache of user data with the database: My Courses is loaded through the cache and without it at the same moment.

const never = new CachedQueries({ isUp: () => false, now: () => 0 })

/** My Courses from the cache, and read from the database. */
const pages: RenderPage = async (request, context) => {
  const now = context.request.clock.now()
  const load = (cachedQueries: CachedQueries) =>
    myCoursesLoader({
      request,
      params: {},
      context: { ...context, request: { ...context.request, cachedQueries, clock: { now: () => now } } },
    } as unknown as LoaderFunctionArgs)
  const kept = await load(context.request.cachedQueries)
  return Response.json({ kept, fresh: await load(never) })
}

const app = await startApp({ LOG_LEVEL: 'fatal' }, pages)
const { db, url: DATABASE_URL } = app.services.database
/** Another process on the same database. */
const other = await startApp({ LOG_LEVEL: 'fatal', DATABASE_URL }, pages)
const apps = [app, other] as const
const admins = [await anAdmin(app), await anAdmin(other)] as const
const [free, paid] = [await aCourse(db, { priceCents: 0 }), await aCourse(db, { priceCents: 1999 })]
const exams = [await anExam(db, free.id, { isFreeTrial: true }), await anExam(db, paid.id)] as const

type Page = {
  readonly owned: { courseId: string; status: string; until: string }[]
  readonly results: {
    examSlug: string
    finishedCount: number
    open: { id: string; answeredCount: number } | null
  }[]
  readonly courses: { id: string }[]
}
type Shown = { readonly kept: Page; readonly fresh: Page }

/** A learner with a browser at each process. */
type Learner = { readonly id: SignedIn['id']; readonly email: string; readonly at: readonly [Visitor, Visitor] }

async function aLearner(): Promise<Learner> {
  const { id, email, browser } = await aStudent(app)
  const second = other.visitor()
  expect((await second.post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200)
  return { id, email, at: [browser, second] }
}

async function look(browser: Visitor): Promise<Shown> {
  const { status, body } = await browser.get('/my-courses')
  expect(status).toBe(200)
  return body as Shown
}

async function expectTrueAtOnce(browser: Visitor): Promise<void> {
  const { kept, fresh } = await look(browser)
  expect(kept).toEqual(fresh)
}

/** At each process, the cache matches the database within a second. */
async function expectTrueSoon({ at }: Learner): Promise<void> {
  const startedAt = performance.now()
  for (const browser of at) {
    let shown = await look(browser)
    while (JSON.stringify(shown.kept) !== JSON.stringify(shown.fresh) && performance.now() - startedAt < 1000)
      shown = await look(browser)
    expect(shown.kept).toEqual(shown.fresh)
  }
}

async function hitsOf(one: TestApp, kind: string): Promise<number> {
  const text = await (await fetch(`${one.url}/metrics`)).text()
  return Number(new RegExp(`class="${kind}",found="yes"} (\\d+)`).exec(text)?.[1] ?? 0)
}

/** Moves both clocks without ending a session. */
async function forward(ms: number) {
  await sql`update sessions set expires_at = now() + interval '100 years'`.execute(db)
  for (const { clock } of apps) clock.forward(ms)
}

/** @throws on any status other than success or an expected refusal: such a request is a bug of this test */
function expectHandled({ status, body }: Reply): void {
  if (![200, 403, 409].includes(status)) throw new Error(JSON.stringify(body))
}

type Act = (learner: Learner, at: 0 | 1) => Promise<unknown>
const as =
  (path: (learner: Learner) => string, body: () => object): Act =>
  async (learner, at) =>
    expectHandled(await admins[at].browser.post(path(learner), body()))

const acts = {
  // Two checkouts within a minute would be the same order.
  async buys(learner: Learner, at: 0 | 1) {
    await forward(2 * MINUTE_MS)
    const cart = { cartItems: [{ id: free.id, title: free.title, price: 0, quantity: 1 }] }
    expectHandled(await learner.at[at].post('/api/functions/create-cart-payment', cart))
  },
  isGiven: as(
    ({ id }) => `/api/profiles/${id}/access`,
    () => ({ courseId: paid.id, days: 20, reason: 'a test', key: randomUUID() }),
  ),
  isEnded: as(
    ({ id }) => `/api/profiles/${id}/access/${paid.id}/end`,
    () => ({ reason: 'a test' }),
  ),
  async isRefunded(learner: Learner, at: 0 | 1) {
    const order = await db.selectFrom('orders').where('user_id', '=', learner.id).select('id').executeTakeFirst()
    if (order !== undefined) expectHandled(await admins[at].browser.post(`/api/orders/${order.id}/end-access`))
  },
  async begins(learner: Learner, at: 0 | 1) {
    expectHandled(await learner.at[at].post('/api/attempts', { examSlug: exams[1].slug, mode: 'practice' }))
  },
  async tries(learner: Learner, at: 0 | 1) {
    expectHandled(await learner.at[at].post('/api/attempts', { examSlug: exams[0].slug, mode: 'preview' }))
  },
  async answers(learner: Learner, at: 0 | 1) {
    const attempt = await openAttempt(learner)
    if (attempt === undefined) return
    const { body } = await learner.at[at].get(`/api/attempts/${attempt.id}`)
    const { questions = [] } = body as { questions?: { id: string; options: { id: string }[] }[] }
    const question = questions[0]
    if (question === undefined) return
    await learner.at[at].put(`/api/attempts/${attempt.id}/answers/${question.id}`, {
      answer: selecting(question.options[0]?.id),
      isFlagged: false,
      struck: [],
      seq: 1,
      writer: 'w',
    })
  },
  async finishes(learner: Learner, at: 0 | 1) {
    const attempt = await openAttempt(learner)
    if (attempt !== undefined)
      expectHandled(await learner.at[at].post(`/api/attempts/${attempt.id}/finish`, { answers: {} }))
  },
  async isRenamed(_learner: Learner, at: 0 | 1) {
    expectHandled(await admins[at].browser.patch(`/api/courses/${paid.id}`, { title: `Paid ${randomUUID()}` }))
  },
  async waits() {
    await forward(11 * DAY_MS)
  },
} satisfies Record<string, Act>
type Deed = keyof typeof acts

const openAttempt = (learner: Learner) =>
  db
    .selectFrom('attempts')
    .where('user_id', '=', learner.id)
    .where('state', '=', 'open')
    .select('id')
    .executeTakeFirst()

/** The gateway sends the webhook of the payment to the first process. */
async function tellOf(sessionId: string) {
  const event = await eventOf(app, { sessionId, type: 'checkout.session.completed' })
  const headers = { 'stripe-signature': event.signature, 'content-type': 'application/json' }
  const { status, body } = await app.visitor().call('POST', '/api/webhooks/stripe', event.body, headers)
  if (status !== 200) throw new Error(JSON.stringify(body))
}

const learners = [await aLearner(), await aLearner()]
const step = fc.record({
  act: fc.constantFrom(...(Object.keys(acts) as Deed[])),
  by: fc.nat(learners.length - 1),
  at: fc.constantFrom<0 | 1>(0, 1),
})

test('whatever users buy, take and lose in any process, their cached data matches the database', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      for (const { act, by, at } of steps) {
        const learner = learners[by]!
        for (const one of learners) for (const browser of one.at) await look(browser)
        await (acts[act] as Act)(learner, at)
        await expectTrueAtOnce(learner.at[at])
        await expectTrueSoon(learner)
        for (const one of learners) {
          const { kept } = await look(one.at[at])
          const own = await db.selectFrom('attempts').where('user_id', '=', one.id).select(['id', 'state']).execute()
          const open = own.filter(({ state }) => state === 'open').map(({ id }) => id)
          expect(kept.results.flatMap((result) => result.open?.id ?? []).sort()).toEqual(open.sort())
          const finishedCount = kept.results.reduce((sum, result) => sum + result.finishedCount, 0)
          expect(finishedCount).toBe(own.length - open.length)
        }
      }
    }),
    { numRuns: 4 },
  )
  for (const one of apps)
    for (const kind of ['user-courses', 'user-progress']) expect(await hitsOf(one, kind)).toBeGreaterThan(10)
})

test('access that ends while it is cached ends at that moment', async () => {
  const learner = await aLearner()
  await giveAccess(app, learner, paid.id)
  expect((await look(learner.at[0])).kept.owned).toMatchObject([{ courseId: paid.id, status: 'running' }])
  const hits = await hitsOf(app, 'user-courses')
  await forward(30 * DAY_MS)
  expect((await look(learner.at[0])).kept.owned).toMatchObject([{ courseId: paid.id, status: 'ended' }])
  expect(await hitsOf(app, 'user-courses')).toBeGreaterThan(hits)
})

test('saved answers notify no process, but are counted', async () => {
  const learner = await aLearner()
  await giveAccess(app, learner, paid.id)
  await acts.begins(learner, 0)
  await look(learner.at[0])
  await look(learner.at[1])
  const hits = await hitsOf(app, 'user-progress')
  await acts.answers(learner, 1)
  const { kept } = await look(learner.at[0])
  expect(kept.results).toMatchObject([{ open: { answeredCount: 1 } }])
  expect(await hitsOf(app, 'user-progress')).toBe(hits + 1)
})

test('a payment reported by webhook shows at the next request', async () => {
  const { id, browser } = await aStudent(app)
  const order = await anOrderToPay(app, [{ course: paid }])
  await db.updateTable('orders').set({ user_id: id }).where('id', '=', order.orderId).execute()
  expect((await look(browser)).kept.owned).toEqual([])
  await payByCard(order)
  await tellOf(order.sessionId)
  expect((await look(browser)).kept.owned).toMatchObject([{ courseId: paid.id, status: 'running' }])
})

test('attempts of a guest show at the first request after the sign-in', async () => {
  const learner = await aLearner()
  expect((await look(learner.at[0])).kept.results).toEqual([])
  const guest = app.visitor()
  expect((await guest.post('/api/attempts', { examSlug: exams[0].slug, mode: 'preview' })).status).toBe(200)
  expect((await guest.post('/api/auth/sign-in', { email: learner.email, password: PASSWORD })).status).toBe(200)
  expect((await look(learner.at[0])).kept.results).toMatchObject([
    { examSlug: exams[0].slug, open: { answeredCount: 0 } },
  ])
})

test('a process that receives no changes serves no cached user data', async () => {
  const learner = await aLearner()
  await giveAccess(app, learner, paid.id)
  await look(learner.at[1])
  const database = new URL(DATABASE_URL).pathname.slice(1)
  await db.transaction().execute(async (tx) => {
    await sql`update access_periods set revoked_at = now() where user_id = ${learner.id}`.execute(tx)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${database} and usename = current_user and query like '%catalogue_changes%' and pid <> pg_backend_pid()`.execute(
      tx,
    )
  })
  await expectTrueSoon(learner)
  expect((await look(learner.at[1])).kept.owned).toEqual([])
})

test('users see their own changes at the next request, even before the notification arrives', async () => {
  const learner = await aLearner()
  const [browser] = learner.at
  const triggers = (what: 'disable' | 'enable') =>
    sql.raw(`alter table access_periods ${what} trigger user`).execute(db)
  await triggers('disable')
  try {
    const guest = app.visitor()
    for (const act of [
      () => acts.buys(learner, 0),
      () => acts.isGiven(learner, 0),
      () => acts.begins(learner, 0),
      () => acts.finishes(learner, 0),
      () => acts.isEnded(learner, 0),
      () => guest.post('/api/attempts', { examSlug: exams[0].slug, mode: 'preview' }),
      () => guest.post('/api/auth/sign-in', { email: learner.email, password: PASSWORD }),
    ]) {
      await look(browser)
      await act()
      await expectTrueAtOnce(browser)
    }
    const order = await anOrderToPay(app, [{ course: paid }])
    await db.updateTable('orders').set({ user_id: learner.id }).where('id', '=', order.orderId).execute()
    await payByCard(order)
    await look(browser)
    await tellOf(order.sessionId)
    const { kept, fresh } = await look(browser)
    expect(kept).toEqual(fresh)
  } finally {
    await triggers('enable')
  }
})
