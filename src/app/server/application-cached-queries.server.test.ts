import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion } from '../../../tests/support/build-course.ts'
import { anAdmin } from '../../../tests/support/users.ts'
import { listenTo } from '../../../tests/support/realtime-listener.ts'
import { getExamQuestions } from '../../features/catalogue/catalogue-queries.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal', METRICS_TOKEN: 'a-token-for-the-watchers' })
const { db } = app.services.database
const other = await startApp({ DATABASE_URL: app.services.database.url, LOG_LEVEL: 'fatal' })
const course = await aCourse(db, { priceCents: 1000 })
const admin = await anAdmin(app)

const priceAt = async (url: string) =>
  ((await (await fetch(`${url}/api/courses/${course.id}`)).json()) as { price: number }).price
const setPrice = (price: string) => admin.browser.patch(`/api/courses/${course.id}`, { price })

/** Polls like a visitor; resolves with how long the old price was served, in ms. */
async function untilPrice(url: string, price: number): Promise<number> {
  const startedAt = performance.now()
  while ((await priceAt(url)) !== price);
  return performance.now() - startedAt
}

test('a changed price shows at once in the process that changed it, and within a second in others', async () => {
  const waits: number[] = []
  for (const price of [11.25, 12.25, 13.25]) {
    await priceAt(app.url)
    await priceAt(other.url)
    expect((await setPrice(price.toFixed(2))).status).toBe(200)
    expect(await priceAt(app.url)).toBe(price)
    waits.push(await untilPrice(other.url, price))
  }
  // A busy machine may stall in one of them.
  expect(Math.min(...waits)).toBeLessThan(1000)
})

test('a process that receives no changes serves nothing from its caches', async () => {
  await priceAt(other.url)
  const database = new URL(app.services.database.url).pathname.slice(1)
  // New connections are refused until the change is made, so the listener cannot reconnect.
  const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${database} and usename = current_user and query like '%catalogue_changes%' and pid <> pg_backend_pid()`
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('courses').set({ price: '14.00' }).where('id', '=', course.id).execute()
    await cut.execute(tx)
  })
  expect(await untilPrice(other.url, 14)).toBeLessThan(1000)
})

test('cached questions match the row, also inside a transaction and after a rollback', async () => {
  const exam = await anExam(db, course.id)
  const stems = async (from = db) => (await getExamQuestions(from, exam.id)).map(({ stem }) => stem)
  const before = await stems()
  expect(await stems()).toEqual(before)
  const stored = await db
    .selectFrom('test_questions')
    .where('id', '=', exam.id)
    .select('questions')
    .executeTakeFirstOrThrow()
  const rewrite = (tx: typeof db, text: string) =>
    sql`update test_questions set questions = ${JSON.stringify(stored.questions).replaceAll('Question number', text)}::jsonb where id = ${exam.id}`.execute(
      tx,
    )
  await expect(
    db.transaction().execute(async (tx) => {
      await rewrite(tx, 'Rolled back')
      expect((await stems(tx))[0]).toBe('Rolled back 1?')
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(await stems()).toEqual(before)
  await rewrite(db, 'Mended')
  expect((await stems())[0]).toBe('Mended 1?')
  expect(aQuestion(1).stem).toBe(before[0])
})

test('metrics are for requests from this machine or with the token', async () => {
  const listener = await listenTo(app.url)
  const reply = await fetch(`${app.url}/metrics`)
  expect(reply.status).toBe(200)
  const text = await reply.text()
  for (const kind of ['course', 'exam-data'])
    expect(text).toMatch(new RegExp(`^altocert_cache_requests_total\\{class="${kind}",found="yes"\\} [1-9]`, 'm'))
  expect(text).toMatch(/^altocert_requests_total\{status="2xx"\} [1-9]/m)
  expect(text).toMatch(/^altocert_realtime_listeners 1$/m)
  expect(text).toMatch(/^altocert_event_loop_delay_seconds\{quantile="0.99"\} \d/m)
  listener.close()
  expect((await fetch(`${app.url}/metrics`, { headers: { 'x-forwarded-for': '10.0.0.1' } })).status).not.toBe(200)
})
