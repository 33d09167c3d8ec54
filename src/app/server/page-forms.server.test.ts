import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { listFormPages, realPages } from '../../../tests/support/real-pages.ts'
import { startApp, type Reply, type Visitor } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, PASSWORD } from '../../../tests/support/users.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' }, await realPages())
const { db } = app.services.database
const PRICE_CENTS = 1999
const course = await aCourse(db, { priceCents: PRICE_CENTS })
const exam = await anExam(db, course.id, { isFreeTrial: false })
const student = await aStudent(app)
const admin = await anAdmin(app)

/** Mail programs post here without an origin (RFC 8058). */
const STOP_PATH = '/stop-reminders/unknown'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Posts a form of a page as a browser without scripts does. */
const submit = (visitor: Visitor, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  visitor.post(path, new URLSearchParams(fields).toString(), { ...FORM, ...headers })

const textOf = ({ body }: Reply) => (typeof body === 'string' ? body : JSON.stringify(body))
const way = (reply: Reply) => [reply.status, reply.headers.get('location')]

/** Every page with a form that works without scripts, with what each role gets. */
const forms: Record<
  string,
  { readonly path?: string; readonly fields?: Record<string, string>; readonly expected: readonly unknown[] }
> = {
  '/login': { fields: { email: 'nobody@example.com', password: 'Wrong-Horse-7!' }, expected: [401, 401, 401] },
  '/register': { fields: { name: 'Nora' }, expected: [400, 400, 400] },
  '/forgot-password': { fields: { email: 'nobody@example.com' }, expected: [200, 200, 200] },
  '/reset-password': {
    path: '/reset-password?token=unknown',
    fields: { password: PASSWORD },
    expected: [400, 400, 400],
  },
  '/verify-email': { path: '/verify-email?token=unknown', expected: [400, 400, 400] },
  // An admin needs no access; the reply is the page with the first question.
  '/course/:courseSlug/exam/:examSlug/:mode': {
    path: `/course/${course.slug}/exam/${exam.slug}/practice`,
    fields: { act: 'start' },
    expected: [401, 403, 200],
  },
  '/exam/:examSlug/:mode': { path: `/exam/${exam.slug}/timed`, fields: { act: 'start' }, expected: [401, 403, 200] },
  // An admin needs no access; the reply leads to the exam that was drawn.
  // Guests get the short one, of which this course has no free question; an admin needs no access.
  '/course/:courseSlug/diagnostic': {
    path: `/course/${course.slug}/diagnostic`,
    fields: { do: 'start' },
    expected: [409, 409, 303],
  },
  '/course/:courseSlug/drill': {
    path: `/course/${course.slug}/drill`,
    fields: { kind: 'drill', count: '5' },
    expected: [302, 403, 303],
  },
  // A form of a drill that is gone leads nowhere.
  '/course/:courseSlug/drill/:drillId': {
    path: `/course/${course.slug}/drill/${randomUUID()}`,
    fields: { do: 'end' },
    expected: [302, 404, 404],
  },
  '/course/:courseSlug/mock': {
    path: `/course/${course.slug}/mock`,
    fields: { kind: 'mock' },
    expected: [302, 403, 303],
  },
  // A form of an exam that is gone leads nowhere.
  '/course/:courseSlug/mock/:attemptId': {
    path: `/course/${course.slug}/mock/${randomUUID()}`,
    fields: { do: 'save' },
    expected: [404, 404, 404],
  },
  // A guest is sent to the sign-in, as from every page of an account.
  '/account': { fields: { do: 'name', name: '' }, expected: [302, 400, 400] },
  '/confirm-address': { path: '/confirm-address?token=unknown', expected: [302, 400, 400] },
  '/delete-account': { fields: {}, expected: [302, 400, 400] },
  '/orders/:orderId': { path: `/orders/${randomUUID()}`, fields: { do: 'pay' }, expected: [302, 404, 404] },
  // A guest signs in first; the exam date that the others lack is the reason for their refusal.
  '/course/:courseSlug/result': {
    path: `/course/${course.slug}/result`,
    fields: { do: 'report', isPassed: 'yes' },
    expected: [302, 409, 409],
  },
  // The token in the address is all that counts; this one is none.
  '/stop-reminders/:token': { path: STOP_PATH, expected: [404, 404, 404] },
  '/course/:courseSlug/plan': {
    path: `/course/${course.slug}/plan`,
    fields: { do: 'save', examDate: '2020-01-01', timeZone: 'UTC', minutesADay: '30' },
    expected: [302, 403, 400],
  },
  '/course/:courseSlug': { path: `/course/${course.slug}`, expected: [303, 303, 303] },
}
const visitors = [app.visitor(), student.browser, admin.browser]

test.each(Object.entries(forms))(
  '%s: what its form does for each role',
  async (pattern, { path, fields, expected }) => {
    const got: number[] = []
    for (const visitor of visitors) got.push((await submit(visitor, path ?? pattern, fields ?? {})).status)
    expect(got).toEqual(expected)
  },
)

test('every page with an action is in the table', async () => {
  expect((await listFormPages()).toSorted()).toEqual(Object.keys(forms).toSorted())
})

test('reminders are turned off from anywhere, whatever origin is named', async () => {
  for (const origin of ['null', 'nonsense', 'https://mail.example'])
    expect((await submit(app.visitor(), STOP_PATH, {}, { origin })).status).toBe(404)
})

const ownForms = Object.keys(forms).filter((pattern) => forms[pattern]?.path !== STOP_PATH)

test.each(ownForms)('%s: a form of another site is refused', async (pattern) => {
  const path = forms[pattern]?.path ?? pattern
  const origins = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: app.url.replace('http:', 'https:') },
  ]
  for (const headers of origins) {
    const reply = await submit(student.browser, path, forms[pattern]?.fields ?? {}, headers)
    expect([headers, reply.status]).toEqual([headers, 403])
    // The data of the page, which the framework posts, is refused alike.
    expect((await submit(student.browser, `${path.replace(/\?.*/, '')}.data`, {}, headers)).status).toBe(403)
  }
  expect(await postWithoutOrigin(path)).toBe(403)
})

/** `fetch` of a browser always names its origin; a script of somebody else may not. */
function postWithoutOrigin(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${app.url}${path}`, { method: 'POST', headers: FORM }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end('do=sign-out')
  })
}

test('the form signs in as the call does: same sentences, same count, same lockout, then a session', async () => {
  const { email } = student
  const visitor = app.visitor()
  const wrong = { email, password: 'Wrong-Horse-7!' }
  const first = await submit(visitor, '/login', wrong)
  expect(textOf(first)).toContain('Invalid email or password')
  expect(textOf(first)).toContain('4 attempt(s) remaining before account lockout.')
  expect(textOf(first)).not.toContain('Wrong-Horse-7!')
  expect(first.headers.get('cache-control')).toBe('no-store')
  const called = await visitor.post('/api/auth/sign-in', wrong)
  expect(called.body).toMatchObject({ error: { facts: { remaining: 3 } } })

  expect(way(await submit(visitor, '/login?redirect=/my-courses', { email, password: PASSWORD }))).toEqual([
    303,
    '/my-courses',
  ])
  expect((await visitor.get('/my-courses')).status).toBe(200)
  expect(way(await submit(visitor, '/login', { do: 'sign-out' }))).toEqual([303, '/'])
  expect(way(await visitor.get('/my-courses'))).toEqual([302, '/login?redirect=%2Fmy-courses'])

  const stranger = app.visitor()
  const unknown = { email: 'nobody-else@example.com', password: 'Wrong-Horse-7!' }
  for (let tries = 0; tries < 4; tries += 1) expect((await submit(stranger, '/login', unknown)).status).toBe(401)
  const locked = await submit(stranger, '/login', unknown)
  expect([locked.status, textOf(locked).includes('Try again in 15 minutes.')]).toEqual([423, true])
  expect((await stranger.post('/api/auth/sign-in', unknown)).status).toBe(423)
})

test('signing in leads to no other site', async () => {
  for (const target of ['https://evil.example', '//evil.example', '/\\evil.example']) {
    const typed = { email: student.email, password: PASSWORD }
    const reply = await submit(app.visitor(), `/login?redirect=${encodeURIComponent(target)}`, typed)
    expect(way(reply)).toEqual([303, '/'])
  }
})

test('buying is for the signed-in, at the price of the shop, and a price that changed is said first', async () => {
  const path = `/course/${course.slug}`
  expect(way(await submit(app.visitor(), path, {}))).toEqual([303, `/login?redirect=${encodeURIComponent(path)}`])
  const stale = await submit(student.browser, path, { price: '0.01' })
  expect([stale.status, textOf(stale).includes('Prices or courses have changed')]).toEqual([409, true])
  const { status, headers } = await submit(student.browser, path, { price: String(PRICE_CENTS / 100) })
  expect(status).toBe(303)
  expect(headers.get('location')).toMatch(/\/demo\/pay\/cs_test_/)
  const order = await db.selectFrom('order_lines').select('unit_price_cents').executeTakeFirstOrThrow()
  expect(order.unit_price_cents).toBe(PRICE_CENTS)
  expect((await submit(student.browser, '/course/no-such-course', {})).status).toBe(404)
})

test('a form that is none, too large or holds a NUL is refused', async () => {
  const visitor = app.visitor()
  expect((await visitor.post('/login', { email: 'a@b.cd' })).status).toBe(400)
  expect((await submit(visitor, '/login', { email: 'a@b.cd', password: 'x'.repeat(300_000) })).status).toBe(413)
  expect((await submit(visitor, '/login', { email: 'a\0@b.cd', password: 'x' })).status).toBe(400)
})

test('a form of an exam whose attempt has no id that could be one is an old form', async () => {
  const reply = await submit(admin.browser, `/exam/${exam.slug}/timed`, { attempt: '-'.repeat(36), do: 'save' })
  expect(reply.status).toBe(200)
})

test('a page without a form answers a post with its failure page', async () => {
  const reply = await submit(student.browser, '/my-courses', {})
  expect([reply.status, textOf(reply).includes('<h1')]).toEqual([405, true])
})

test('a form that is posted to an address of slashes, or by a program that names no site, gets a failure page', async () => {
  for (const path of ['//', '///', '//evil.example/login'])
    expect([404, 405]).toContain((await submit(app.visitor(), path, {})).status)
  expect((await submit(app.visitor(), STOP_PATH, {}, { origin: 'data:text' })).status).toBe(404)
})
