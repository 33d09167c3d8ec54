import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { anAdmin, aStudent } from '../../../tests/support/users.ts'
import { listenTo, type RealtimeEvent } from '../../../tests/support/realtime-listener.ts'
import { updateCourse } from '../../features/catalogue/data-calls/data-calls-commands.server.ts'
import { cents } from '../../lib/money.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database
/** Another process on the same database. */
const other = await startApp({ DATABASE_URL: app.services.database.url, LOG_LEVEL: 'fatal' })
const course = await aCourse(db)
const exam = await anExam(db, course.id)
const admin = await anAdmin(app)

const price = (value: string, courseId: string = course.id) =>
  admin.browser.patch(`/api/courses/${courseId}`, { price: value })
const newest = async () =>
  (
    await db
      .selectFrom('catalogue_changes')
      .select((eb) => eb.fn.max('number').as('number'))
      .executeTakeFirstOrThrow()
  ).number

test('a change in one process reaches listeners of another within a second, without its content', async () => {
  const listener = await listenTo(other.url)
  await listener.until(({ event }) => event === 'gap')
  const isOfCourse = ({ change }: RealtimeEvent) => change?.id === course.id
  const waits: number[] = []
  for (const [before, value] of ['31.00', '32.00', '33.00'].entries()) {
    const startedAt = performance.now()
    expect((await price(value)).status).toBe(200)
    await listener.until(() => listener.received.filter(isOfCourse).length > before)
    waits.push(performance.now() - startedAt)
  }
  // A busy machine may stall in one of them.
  expect(Math.min(...waits)).toBeLessThan(1000)
  expect(listener.received.find(isOfCourse)?.change).toEqual({
    table: 'courses',
    op: 'update',
    id: course.id,
    course_id: course.id,
    row_version: expect.any(Number),
  })
  await admin.browser.patch(`/api/test_questions/${exam.id}`, { is_free_trial: true })
  const heard = await listener.until(({ change }) => change?.table === 'test_questions')
  expect(heard.change).toMatchObject({ id: exam.id, course_id: course.id, op: 'update' })
  expect(JSON.stringify(listener.received)).not.toMatch(/Question|SECRET|price/)
  listener.close()
})

test('changes to drafts reach admins only', async () => {
  const guest = await listenTo(other.url)
  const student = await listenTo(app.url, { headers: { cookie: (await aStudent(app)).browser.cookies } })
  const boss = await listenTo(app.url, { headers: { cookie: admin.browser.cookies } })
  const draft = await aCourse(db)
  await db.updateTable('courses').set({ status: 'draft' }).where('id', '=', draft.id).execute()
  const before = await newest()
  await db.updateTable('courses').set({ price: '5.00' }).where('id', '=', draft.id).execute()
  const hidden = await anExam(db, draft.id)
  await price('32.00')
  const isPrice = ({ id, change }: { id: number; change: { id: string } | null }) =>
    id > Number(before) && change?.id === course.id
  for (const listener of [guest, student]) {
    await listener.until(isPrice)
    expect(listener.received.filter(({ id }) => id > Number(before)).map(({ change }) => change?.id)).toEqual([
      course.id,
    ])
    // Its withdrawal is public: open pages must update.
    expect(listener.received.some(({ change }) => change?.id === draft.id)).toBe(true)
  }
  await boss.until(isPrice)
  expect(boss.received.filter(({ id }) => id > Number(before)).map(({ change }) => change?.id)).toEqual([
    draft.id,
    hidden.id,
    course.id,
  ])
  for (const listener of [guest, student, boss]) listener.close()
})

test('a listener gets exactly the changes after the one it has seen, or a gap event if they are no longer known', async () => {
  await price('33.00')
  const first = await listenTo(other.url, { seen: Number(await newest()) - 1 })
  const seen = (await first.until(({ event }) => event === 'change')).id
  first.close()
  await price('33.01')
  await price('33.02')
  const back = await listenTo(other.url, { headers: { 'last-event-id': String(seen) } })
  await back.until(({ id }) => id === seen + 2)
  expect(back.received.map(({ event, id }) => [event, id])).toEqual([
    ['change', seen + 1],
    ['change', seen + 2],
  ])
  for (const lost of [{}, { seen: 0 }, { seen: seen + 100_000 }]) {
    const listener = await listenTo(other.url, lost)
    expect(await listener.until(() => true)).toMatchObject({ event: 'gap', id: seen + 2 })
    listener.close()
  }
  back.close()
})

test('a notification that is not understood is ignored, and changes go on', async () => {
  const listener = await listenTo(other.url, { seen: Number(await newest()) })
  for (const payload of ['not JSON', '{"user_id":"u","table":"of a later version","id":"1"}'])
    await sql`select pg_notify('own_changes', ${payload})`.execute(db)
  expect((await price('33.00')).status).toBe(200)
  await listener.until(({ change }) => change?.id === course.id)
  expect(listener.received.map(({ event }) => event)).toEqual(['change'])
  listener.close()
})

test('a change while the database connection is down is delivered after it returns', async () => {
  const listener = await listenTo(other.url)
  await listener.until(({ event }) => event === 'gap')
  const database = new URL(app.services.database.url).pathname.slice(1)
  const cut = () =>
    sql<{ cut: boolean }>`select pg_terminate_backend(pid) as cut from pg_stat_activity
      where datname = ${database} and usename = current_user and query like '%catalogue_changes%' and pid <> pg_backend_pid()`.execute(
      db,
    )
  expect((await cut()).rows.length).toBeGreaterThanOrEqual(2)
  const changed = ['41.00', '41.01', '41.02']
  for (const value of changed) await price(value)
  const last = Number(await newest())
  await listener.until(({ id }) => id === last)
  const ids = listener.received.filter(({ event, id }) => event === 'change' && id > last - changed.length)
  expect(ids.map(({ id }) => id)).toEqual([last - 2, last - 1, last])
  listener.close()
})

test('changes are numbered in commit order, whatever the order of the starts', async () => {
  const [early, late] = [await aCourse(db), await aCourse(db)]
  const before = Number(await newest())
  const listener = await listenTo(other.url, { seen: before })
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('courses').set({ price: '1.00' }).where('id', '=', early.id).execute()
    // The second transaction commits first.
    await updateCourse(db, {
      courseId: late.id,
      fields: { price: cents(200) },
      actorId: admin.id,
      requireConfirmation: () => {},
      now: new Date(),
    })
    await listener.until(({ change }) => change?.id === late.id)
  })
  await listener.until(({ change }) => change?.id === early.id)
  expect(listener.received.filter(({ id }) => id > before).map(({ change }) => change?.id)).toEqual([late.id, early.id])
  listener.close()
})

test('another site, another host and one listener too many get no stream', async () => {
  expect((await listenTo(app.url, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  expect((await listenTo(app.url, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  expect((await listenTo(app.url, { headers: { host: 'evil.example' } })).status).toBe(421)
  expect((await listenTo(app.url, { headers: { 'x-forwarded-for': '10.0.0.1' } })).status).toBe(421)
  const { status, headers, close } = await listenTo(app.url, { headers: { 'sec-fetch-site': 'same-origin' } })
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-content-type-options': 'nosniff',
  })
  close()
})

test('streams end when the process shuts down', async () => {
  const stopping = await startApp({ DATABASE_URL: app.services.database.url })
  const listener = await listenTo(stopping.url)
  stopping.application.beginShutdown()
  await listener.ended
  expect((await listenTo(stopping.url)).status).toBe(503)
})
