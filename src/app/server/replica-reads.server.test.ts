import { sql } from 'kysely'
import { setTimeout as wait } from 'node:timers/promises'
import type { LoaderFunctionArgs } from 'react-router'
import { afterAll, expect, test } from 'vitest'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { startApp, type TestApp } from '../../../tests/support/start-app.ts'
import { startReplicated } from '../../../tests/support/start-replica.ts'
import { aStudent, anAdmin } from '../../../tests/support/users.ts'
import { courseLoader, usersLoader } from '../page-loaders.server.ts'
import type { RenderPage } from './guest-pages.server.ts'

/** The data of the pages instead of their looks. */
const dataOfPages: RenderPage = async (request, context) => {
  const { pathname } = new URL(request.url)
  const args = { request, context, params: { courseSlug: pathname.split('/').at(-1) } } as unknown as LoaderFunctionArgs
  const data = await (pathname.startsWith('/course/') ? courseLoader(args) : usersLoader(args))
  return new Response(JSON.stringify(data), { headers: { 'content-type': 'text/html' } })
}

const database = await startReplicated()
const environment = {
  DATABASE_URL: database.url,
  DATABASE_REPLICA_URL: database.replicaUrl,
  LOG_LEVEL: 'fatal',
  AUTH_SECRET: 'a-secret-that-all-processes-share-0001',
}
afterAll(() => database.stop())
const app = await startApp(environment, dataOfPages)
const other = await startApp(environment, dataOfPages)
const admin = await anAdmin(app)

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await wait(20)
}

async function readsOf({ url }: TestApp) {
  const text = await (await fetch(`${url}/metrics`)).text()
  const count = (server: string) =>
    Number(new RegExp(`altocert_reads_total\\{server="${server}"\\} (\\d+)`).exec(text)![1])
  return { primary: count('primary'), replica: count('replica') }
}

/** The number of reads that each server answered meanwhile. */
async function countReads(one: TestApp, read: () => Promise<unknown>) {
  const before = await readsOf(one)
  await read()
  const after = await readsOf(one)
  return { primary: after.primary - before.primary, replica: after.replica - before.replica }
}

const inUse = ({ services }: TestApp) => services.replica!.state() === 'ok'
const allInUse = () => until(() => inUse(app) && inUse(other))
const setPrice = async (id: string, price: number) =>
  expect((await admin.browser.patch(`/api/courses/${id}`, { price: price.toFixed(2) })).status).toBe(200)
async function guestPrice({ url }: TestApp, slug: string): Promise<number> {
  const page = (await (await fetch(`${url}/course/${slug}`)).json()) as { course: { priceCents: number } }
  return page.course.priceCents
}

/** A busy machine may let the replica look away for a moment, so one of several reads will do. */
async function untilReplicaAnswers(one: TestApp, read: () => Promise<unknown>): Promise<void> {
  await until(async () => {
    await allInUse()
    const { primary, replica } = await countReads(one, read)
    expect(primary + replica).toBe(1)
    return replica === 1
  })
}

test('guests see a changed price at once while the replica lags, and their pages come from it once it has the change', async () => {
  const course = await aCourse(app.services.database.db, { priceCents: 1000 })
  let price = 10
  const fromReplica = () =>
    untilReplicaAnswers(app, async () => {
      price += 1
      await setPrice(course.id, price)
      await allInUse()
      expect(await guestPrice(app, course.slug)).toBe(price * 100)
    })
  await fromReplica()

  await database.pauseReplay()
  const lagging = await countReads(app, async () => {
    await setPrice(course.id, 99)
    expect(await guestPrice(app, course.slug)).toBe(9900)
  })
  expect(lagging).toEqual({ primary: 1, replica: 0 })
  await until(async () => (await guestPrice(other, course.slug)) === 9900)

  await database.resumeReplay()
  await fromReplica()
})

test('no guest page is older than a change that was answered, however soon it is asked for', async () => {
  const course = await aCourse(app.services.database.db, { priceCents: 1000 })
  for (let price = 20; price < 50; price += 1) {
    await setPrice(course.id, price)
    expect(await guestPrice(app, course.slug)).toBe(price * 100)
    await until(async () => (await guestPrice(other, course.slug)) === price * 100)
  }
})

test('an admin sees what they have written at once in a list, in every process, while the replica lags', async () => {
  const { id, email } = await aStudent(app)
  const listed = async ({ url }: TestApp) => {
    const headers = { cookie: admin.browser.cookies }
    const page = (await (await fetch(`${url}/admin/users?search=${email}`, { headers })).json()) as { users: object[] }
    return page.users[0]
  }
  await allInUse()
  const before = await listed(other)
  await database.pauseReplay()
  expect((await admin.browser.put(`/api/profiles/${id}/lock`, { reason: 'A test' })).status).toBe(200)
  const here = await listed(app)
  const there = await listed(other)
  await database.resumeReplay()
  expect(here).not.toEqual(before)
  expect(there).toEqual(here)
})

test('lists, figures and exports of admins come from the replica', async () => {
  const course = await aCourse(app.services.database.db, {})
  const exam = await anExam(app.services.database.db, course.id)
  const reader = await anAdmin(other)
  const paths = [
    '/api/admin/courses',
    '/api/admin/course-choices?search=Course',
    '/api/analytics/days.csv',
    '/api/analytics/courses.csv',
    `/api/exams/${exam.id}/statistics.csv`,
    `/api/exports?course=${course.id}&format=json`,
    `/api/exports/losses?course=${course.id}&format=json`,
    '/api/courses',
    `/api/test_questions?course_id=${course.id}`,
  ]
  for (const path of paths)
    await untilReplicaAnswers(other, async () => expect(await reader.browser.get(path)).toMatchObject({ status: 200 }))
})

test('a replica that is frozen changes no reply, and none waits for it longer than about a second', async () => {
  await allInUse()
  const listed = () => admin.browser.get('/api/admin/courses')
  const expected = await listed()
  const underWay = app.services.replica!.read(0, async (db) => {
    const { rows } = await sql<{ copy: boolean }>`select pg_is_in_recovery() as copy,
      pg_sleep(case when pg_is_in_recovery() then 25 else 0 end)`.execute(db)
    return rows[0]!.copy
  })
  database.freezeReplica()
  const startedAt = performance.now()
  const waits: number[] = []
  while (performance.now() - startedAt < 2500) {
    const askedAt = performance.now()
    expect((await listed()).body).toEqual(expected.body)
    waits.push(performance.now() - askedAt)
  }
  expect(await underWay).toBe(false)
  expect(app.services.replica!.state()).toBe('away')
  // Without the watch it would be 35 seconds; a busy machine needs some of its own.
  expect(Math.max(...waits)).toBeLessThan(3000)
  const ready = await fetch(`${app.url}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ok', replica: 'away' }])
  database.thawReplica()
  await untilReplicaAnswers(app, listed)
})

test('a replica that is stopped changes no reply, and is used again when it is back', async () => {
  await allInUse()
  const listed = () => admin.browser.get('/api/admin/courses')
  const expected = await listed()
  await database.stopReplica()
  for (let asked = 0; asked < 20; asked += 1) expect((await listed()).body).toEqual(expected.body)
  await database.startReplica()
  await untilReplicaAnswers(app, listed)
})

test('only reads name the replica', () => {
  const named = app.application.endpoints.filter(({ reads }) => reads === 'replica')
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('without a replica no cookie is set and no read is counted', async () => {
  const alone = await startApp({ LOG_LEVEL: 'fatal' }, dataOfPages)
  const { browser } = await anAdmin(alone)
  const course = await aCourse(alone.services.database.db, {})
  await browser.patch(`/api/courses/${course.id}`, { price: '5.00' })
  expect(browser.cookies).not.toContain('altocert_written')
  expect(admin.browser.cookies).toContain('altocert_written')
  expect(await (await fetch(`${alone.url}/metrics`)).text()).not.toContain('altocert_reads_total')
  expect(await (await fetch(`${alone.url}/readyz`)).json()).not.toHaveProperty('replica')
})
