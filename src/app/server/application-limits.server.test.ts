import { randomUUID } from 'node:crypto'
import type { LoaderFunctionArgs } from 'react-router'
import { expect, test } from 'vitest'
import { selecting } from '../../../tests/support/answers.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { startApp, type Reply, type Visitor } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess, PASSWORD, type SignedIn } from '../../../tests/support/users.ts'
import { AttemptView } from '../../features/attempts/attempts.schema.ts'
import { pageLoader } from '../../platform/http/page-loader.server.ts'
import type { RenderPage } from './guest-pages.server.ts'

/** A page with a search, in place of the built pages. */
const searchLoader = pageLoader(async ({ url }) => ({ found: url.searchParams.get('search') }))
const pages: RenderPage = async (request, context) => {
  try {
    return Response.json(await searchLoader({ request, params: {}, context } as unknown as LoaderFunctionArgs))
  } catch (thrown) {
    const { data, init } = thrown as { data: object; init: ResponseInit }
    return Response.json(data, init)
  }
}

const app = await startApp({ LOG_LEVEL: 'fatal', LIMITS: '' }, pages)
const { db, url: DATABASE_URL } = app.services.database
/** Another process on the same database. */
const other = await startApp({ LOG_LEVEL: 'fatal', LIMITS: '', DATABASE_URL }, pages)
const course = await aCourse(db, { priceCents: 1999 })
const exam = await anExam(db, course.id)
const admin = await anAdmin(app)

const checkout = ({ browser }: { browser: Visitor }) =>
  browser.post('/api/functions/create-cart-payment', { cartItems: [{ id: course.id, quantity: 1 }] })
const quote = (browser: Visitor, coupon: string) =>
  browser.post('/api/functions/quote-cart', { cartItems: [{ id: course.id, quantity: 1 }], coupon })

function expectRefusal({ status, headers, body }: Reply, sentence: RegExp): void {
  expect({ status, body }).toMatchObject({
    status: 429,
    body: { error: { code: 'request.too-many', message: expect.stringMatching(sentence) } },
  })
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect((body as { error: { facts?: object } }).error.facts ?? { retryAfterSeconds: seconds }).toEqual({
    retryAfterSeconds: seconds,
  })
}
const WAIT = /many times within a short while\. Please try again in (\d+ seconds?|1 minute)\.$/
const waits = (unit: string) => new RegExp(`Please try again in (\\d+ )?${unit}`)

/** The same user with a browser at the other process. */
async function atOther({ email }: SignedIn): Promise<Visitor> {
  const browser = other.visitor()
  expect((await browser.post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200)
  return browser
}

test('two processes share the count of checkouts, and a minute later the user may go on', async () => {
  const student = await aStudent(app)
  const second = { browser: await atOther(student) }
  for (let call = 0; call < 10; call += 1) expect((await checkout(call % 2 === 0 ? student : second)).status).toBe(200)
  expectRefusal(await checkout(student), WAIT)
  expectRefusal(await checkout(second), WAIT)
  expect((await checkout(await aStudent(app))).status).toBe(200)
  app.clock.forward(60_000)
  other.clock.forward(60_000)
  expect((await checkout(second)).status).toBe(200)
})

test('ten wrong guesses of a coupon in a minute, at checkout too; a right one is no guess', async () => {
  const rule = { percent: 10, amount: null, firstDay: null, lastDay: null, useLimit: null, courseIds: null }
  expect((await admin.browser.post('/api/coupons', { code: 'RIGHT-ONE', ...rule })).status).toBe(200)
  const { browser } = await aStudent(app)
  for (let call = 0; call < 14; call += 1) expect((await quote(browser, 'right-one')).status).toBe(200)
  for (let call = 0; call < 9; call += 1) expect((await quote(browser, `WRONG-${call}`)).status).toBe(404)
  const cart = { cartItems: [{ id: course.id, quantity: 1 }], coupon: 'WRONG-AGAIN' }
  expect((await browser.post('/api/functions/create-cart-payment', cart)).status).toBe(404)
  expectRefusal(await quote(browser, 'WRONG-10'), WAIT)
  // Nobody finds out by the reply whether a further guess was right.
  expectRefusal(await quote(browser, 'RIGHT-ONE'), WAIT)
  expect((await quote(browser, '')).status).toBe(200)
})

test('sixty searches in a minute, in a field and in the address of a page', async () => {
  const { browser } = await anAdmin(app)
  const field = (search: string) => browser.get(`/api/admin/course-choices?search=${search}`)
  const page = (search: string) => browser.get(`/admin/users?search=${search}`)
  for (let call = 0; call < 30; call += 1) {
    expect((await field('x')).status).toBe(200)
    expect((await page('x')).body).toEqual({ found: 'x' })
  }
  expectRefusal(await field('x'), WAIT)
  expectRefusal(await page('x'), WAIT)
  expect((await field('')).status).toBe(200)
  expect((await page('')).status).toBe(200)
})

test('exports, imports and reports are limited by the minute, the hour and the day', async () => {
  const { id, browser } = await anAdmin(app)
  await giveAccess(app, { id }, course.id)
  for (let call = 0; call < 5; call += 1)
    expect((await browser.get(call % 2 ? '/api/profiles/me/data' : '/api/analytics/days.csv')).status).toBe(200)
  expectRefusal(await browser.get('/api/profiles/me/data'), WAIT)
  const upload = (call: number) =>
    browser.call('POST', `/api/imports?name=bank-${call}.csv`, 'x', { 'content-type': 'application/octet-stream' })
  for (let call = 0; call < 20; call += 1) expect((await upload(call)).status).toBe(200)
  expectRefusal(await upload(20), waits('(minutes|hour)'))
  const attempt = AttemptView.parse(
    (await browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })).body,
  )
  const report = () =>
    browser.put(`/api/attempts/${attempt.id}/reports/${exam.questions[0]!.id}`, { reason: 'unclear', note: 'Hm' })
  const first = await report()
  expect(first).toMatchObject({ status: 200 })
  for (let call = 1; call < 30; call += 1) expect((await report()).status).toBe(200)
  expectRefusal(await report(), waits('(hours|day)'))
})

test('sixty takers behind one address are never refused, and saves of answers are not counted', async () => {
  const takers = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      // Half of them sign in at the other process.
      const taker = await aStudent(at % 2 === 0 ? app : other)
      await giveAccess(app, taker, course.id)
      return taker
    }),
  )
  const allows = async (calls: Promise<Reply>[]) => {
    for (const { status, body } of await Promise.all(calls)) expect({ status, body }).toMatchObject({ status: 200 })
  }
  const attempts = await Promise.all(
    takers.map(async ({ browser }) =>
      AttemptView.parse((await browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' })).body),
    ),
  )
  const counts = () => db.selectFrom('rate_limits').selectAll().orderBy('kind').orderBy('subject').execute()
  const before = await counts()
  for (let seq = 1; seq <= 4; seq += 1)
    await allows(
      takers.map(({ browser }, at) => {
        const question = exam.questions[seq - 1]!
        const answer = { answer: selecting(question.options[0]!.id), isFlagged: false, struck: [], seq, writer: 'tab' }
        return browser.put(`/api/attempts/${attempts[at]!.id}/answers/${question.id}`, answer)
      }),
    )
  expect(await counts()).toEqual(before)
  await allows(takers.map((taker) => checkout(taker)))
  for (let search = 0; search < 5; search += 1) await allows(takers.map(({ browser }) => browser.get('/?search=cloud')))
})

test('guests behind one address share a limit for new guests, and known ones go on', async () => {
  const small = await startApp({ LOG_LEVEL: 'fatal', LIMITS: 'guest=2' })
  const shop = small.services.database.db
  const { slug: examSlug } = await anExam(shop, (await aCourse(shop)).id, { isFreeTrial: true })
  const start = (visitor: Visitor) => visitor.post('/api/attempts', { examSlug, mode: 'preview', writer: randomUUID() })
  const known = small.visitor()
  expect((await start(known)).status).toBe(200)
  expect((await start(small.visitor())).status).toBe(200)
  expectRefusal(await start(small.visitor()), /from this network\. Please try again in 5 minutes\.$/)
  expect((await start(known)).status).toBe(200)
})

test('sign-in attempts of a network are counted by all processes together', async () => {
  const [one, two] = [
    await startApp({ LOG_LEVEL: 'fatal', LIMITS: 'account=4' }),
    await startApp({ LOG_LEVEL: 'fatal', LIMITS: 'account=4', DATABASE_URL }),
  ]
  await db.deleteFrom('rate_limits').where('kind', '=', 'account').execute()
  const third = await startApp({ LOG_LEVEL: 'fatal', LIMITS: 'account=4', DATABASE_URL })
  const attempt = (at: typeof one) =>
    at.visitor().post('/api/auth/sign-in', { email: 'nobody@example.com', password: PASSWORD })
  for (const at of [two, third, two, third]) expect((await attempt(at)).status).toBe(401)
  expectRefusal(await attempt(third), /from this network/)
  expectRefusal(await attempt(two), /from this network/)
  expect((await attempt(one)).status).toBe(401)
})

test('a call without permission is refused before it counts', async () => {
  const student = await aStudent(app)
  for (let call = 0; call < 7; call += 1)
    expect((await student.browser.get('/api/analytics/days.csv')).status).toBe(403)
  expect((await student.browser.get('/api/profiles/me/data')).status).toBe(200)
})

test('the description of the API says the limit of each call', async () => {
  const { body } = await app.visitor().get('/api/openapi.json')
  const { paths } = body as {
    paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>
  }
  expect(paths['/api/functions/create-cart-payment']?.['post']?.responses['429']).toMatchObject({
    description: 'At most 10 per user and minute, 500 per network address.',
    headers: { 'Retry-After': {} },
  })
  expect(paths['/api/attempts/{attemptId}/answers/{questionId}']?.['put']?.responses['429']).toBe(undefined)
})
