import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { selecting } from '../../../tests/support/answers.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { listPages, realPages, routeFiles } from '../../../tests/support/real-pages.ts'
import { cookieNames, headerNames, sendRaw } from '../../../tests/support/sent-by-visitors.ts'
import { startApp, type Reply, type Visitor } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess } from '../../../tests/support/users.ts'
import { sessionCookieName } from '../../features/accounts/sessions/session-cookie-queries.server.ts'
import { CARDS_ON_PAGE } from '../../features/catalogue/catalogue.ts'
import { sign } from '../../platform/http/signed-cookie.server.ts'
import { after, DAY_MS } from '../../lib/time.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' }, await realPages())
const { db } = app.services.database
const course = await aCourse(db)
// Enough courses for a second page of the home page.
for (let number = 0; number < CARDS_ON_PAGE; number += 1) await aCourse(db)
const exam = await anExam(db, course.id, { isFreeTrial: false })
await anExam(db, course.id, { isFreeTrial: true })

const [owner, other, ended, student] = [
  await aStudent(app),
  await aStudent(app),
  await aStudent(app),
  await aStudent(app),
]
const admin = await anAdmin(app)
for (const user of [owner, other, ended]) await giveAccess(app, user, course.id)
await db
  .updateTable('access_periods')
  .set({ starts_at: after(app.clock.now(), -31 * DAY_MS), ends_at: after(app.clock.now(), -DAY_MS) })
  .where('user_id', '=', ended.id)
  .execute()

/** Words that only the owner and admins may read. */
const NOTE = 'note-of-the-owner'
const start = async (mode: string) =>
  ((await owner.browser.post('/api/attempts', { examSlug: exam.slug, mode })).body as { id: string }).id
const finished = await start('practice')
const saved = {
  answer: selecting(exam.questions[0]!.options[0]!.id),
  isFlagged: false,
  note: NOTE,
  seq: 1,
  writer: 'w',
}
await owner.browser.put(`/api/attempts/${finished}/answers/${exam.questions[0]!.id}`, saved)
await owner.browser.post(`/api/attempts/${finished}/finish`, {})
const drill = (
  (await owner.browser.post('/api/drills', { courseSlug: course.slug, filters: {} })).body as { id: string }
).id
await owner.browser.post('/api/functions/create-cart-payment', { cartItems: [{ id: course.id, quantity: 1 }] })
const order = await db.selectFrom('orders').select('id').executeTakeFirstOrThrow()

const roles = ['guest', 'student', 'ended', 'other', 'owner', 'admin'] as const
type Role = (typeof roles)[number]
const visitors: Record<Role, Visitor> = {
  guest: app.visitor(),
  student: student.browser,
  ended: ended.browser,
  other: other.browser,
  owner: owner.browser,
  admin: admin.browser,
}

/** The owner's things, by the name of the parameter. A parameter that is not here gets an id of nothing. */
const params: Record<string, string> = {
  courseSlug: course.slug,
  courseId: course.id,
  examSlug: exam.slug,
  examId: exam.id,
  questionId: exam.questions[0]!.id,
  mode: 'practice',
  attemptId: finished,
  drillId: drill,
  orderId: order.id,
  userId: owner.id,
  code: 'ABCD-EFGH-2345',
  place: '0',
}
const pages = listPages().map((page) => ({
  ...page,
  path: page.pattern
    .replace(/\*$/, 'no-page-of-ours')
    .replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? randomUUID()),
}))

/** What only admins may read: the key of a question, other users' addresses and words. */
const secrets = [/SECRET-EXPLANATION/, new RegExp(owner.email), new RegExp(NOTE)]

/** A page as a document, as its data, and as the data of each of its parts, which leaves the loaders of the others out. */
function formsOf({ path, chain }: (typeof pages)[number]): string[] {
  const data = path === '/' ? '/_root.data' : `${path}.data`
  const parts = chain.map((id) => `${data}?_routes=${encodeURIComponent(id)}`)
  return [path, data, ...parts, `${data}?_routes=${chain.map(encodeURIComponent).join(',')}`]
}

function textOf({ body }: Reply): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** Where a document or data redirects to; null for a reply with content. */
function redirectOf(reply: Reply): string | null {
  if (reply.status >= 300 && reply.status < 400) return reply.headers.get('location')
  if (reply.status !== 202) return null
  return /"redirect","([^"]+)"/.exec(textOf(reply))?.[1] ?? null
}

/** Data that names no value: the part has no loader, or its loader is not of this request. */
const isEmpty = (reply: Reply) => textOf(reply).trim().startsWith('[{}]')

test('every page is in the list, with its parts', () => {
  expect(pages.length).toBeGreaterThan(50)
  expect(new Set(pages.flatMap(({ chain }) => chain))).toEqual(new Set(routeFiles.map(({ id }) => id)))
})

test.each(pages)('$pattern: what each role gets, in every form', async (page) => {
  const isAdmins = page.pattern.startsWith('/admin')
  for (const form of formsOf(page))
    for (const role of roles) {
      const reply = await visitors[role].get(form)
      const where = `${role} ${form}`
      expect([where, reply.status < 500]).toEqual([where, true])
      const mayRead = role === 'owner' || role === 'admin'
      const told = secrets.filter((secret) => !mayRead && secret.test(textOf(reply))).map(String)
      expect([where, told]).toEqual([where, []])
      if (!isAdmins || role === 'admin') continue
      // The site's own parts show nothing of the admin area.
      const isOfSite = form.includes('_routes=') && /_routes=(root|layout%2Fsite-layout)$/.test(form)
      if (isOfSite || isEmpty(reply)) continue
      const way = redirectOf(reply)
      expect([where, way?.split('?')[0]]).toEqual([where, role === 'guest' ? '/login' : '/'])
    }
})

test('the owner reads their own words, and an admin reads theirs', async () => {
  for (const role of ['owner', 'admin'] as const)
    expect(textOf(await visitors[role].get(`/exam-review/${finished}.data`))).toContain(NOTE)
  for (const role of ['student', 'other', 'ended'] as const)
    expect((await visitors[role].get(`/exam-review/${finished}`)).status).toBe(404)
})

const session = `${sessionCookieName(app.services.env.appUrl)}=x`
const HOSTILE = '"><script>HOSTILE</script>'
const cacheable = [
  '/',
  '/?page=2',
  '/_root.data',
  '/_root.data?page=2',
  `/course/${course.slug}`,
  `/course/${course.slug}?mode=preview`,
]

test.each(cacheable)('no cookie and no header of one visitor changes a byte of %s for the next guest', async (path) => {
  const plain = { host: new URL(app.url).host }
  const next = async () => {
    const { status, body, headers } = await sendRaw(`${app.url}${path}`, plain)
    return { status, body, cookies: headers['set-cookie'], policy: headers['content-security-policy'] }
  }
  const before = await next()
  expect(before.status).toBe(200)
  const signed = sign(randomUUID(), 'guest', app.services.secret)
  const cookies = cookieNames.flatMap((name) => [`${name}=1`, `${name}=${encodeURIComponent(HOSTILE)}`])
  const sent = [
    ...[...cookies, `altocert_guest=${encodeURIComponent(signed)}`, cookies.join('; ')].map((cookie) => ({
      cookie: `${session}; ${cookie}`,
    })),
    ...headerNames.map((name) => ({ [name]: HOSTILE, cookie: session })),
    Object.fromEntries(headerNames.map((name) => [name, HOSTILE])),
  ]
  // The session cookie leads past the cache, so that each of these renders the page, and stores it.
  for (const headers of sent) {
    const own = await sendRaw(`${app.url}${path}`, { ...plain, ...headers })
    expect([headers, own.status < 500, own.body.includes('HOSTILE')]).toEqual([headers, true, false])
    expect([headers, await next()]).toEqual([headers, before])
  }
})

test('the note of a denied admin page comes to the signed-in person only', async () => {
  const { browser } = student
  const denied = 'altocert_denied=1'
  const data = async (cookie: string) => textOf(await browser.get('/_root.data', { cookie }))
  expect(await data(`${browser.cookies}; ${denied}`)).not.toBe(await data(browser.cookies))
  expect(await data(`${session}; ${denied}`)).toBe(await data(session))
})
