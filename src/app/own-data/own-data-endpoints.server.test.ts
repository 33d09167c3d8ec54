import { selecting } from '../../../tests/support/answers.ts'
import { unzipSync, strFromU8 } from 'fflate'
import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { anAdmin, aStudent, giveAccess, PASSWORD, type SignedIn } from '../../../tests/support/users.ts'
import { csvCell } from './own-data-file.server.ts'
import { addDays, dayIn } from '../../lib/calendar-day.ts'

const app = await startApp()
const { db } = app.services.database
const { pool } = app.services.database
const admin = await anAdmin(app)
const course = await aCourse(db)
const exam = await anExam(db, course.id, { isFreeTrial: false })

type File = { format: string; version: number; data: Record<string, Record<string, unknown>[]> }
const exportOf = async ({ browser }: { browser: Visitor }) => (await browser.get('/api/profiles/me/data')).body as File

/** A learner with data of every kind. All their texts contain `word`, so that a search finds what is left. */
async function aBusyLearner(word: string): Promise<SignedIn & { open: string; finished: string }> {
  const user = await aStudent(app)
  const { browser } = user
  await giveAccess(app, user, course.id)
  const start = async (mode: string) =>
    ((await browser.post('/api/attempts', { examSlug: exam.slug, mode })).body as { id: string }).id
  const [finished, open] = [await start('practice'), await start('timed')]
  const [question] = exam.questions
  const answer = {
    answer: selecting(question!.options[0]!.id),
    seq: 1,
    writer: 'w',
    note: `${word}: =1+1, "quoted"\nnext`,
  }
  for (const id of [finished, open])
    expect((await browser.put(`/api/attempts/${id}/answers/${question!.id}`, answer)).status).toBe(200)
  await browser.post(`/api/attempts/${finished}/finish`, {})
  await browser.put(`/api/attempts/${finished}/reports/${question!.id}`, { reason: 'unclear', words: word })
  await browser.post('/api/drills', { courseSlug: course.slug, filters: {} })
  const examDate = addDays(dayIn(app.clock.now(), 'UTC'), 20)
  await browser.put(`/api/plans/${course.slug}`, { examDate, timeZone: 'UTC', minutesADay: 30 })
  await browser.post('/api/feedback', {
    id: crypto.randomUUID(),
    type: 'suggestion',
    message: `${word} says more`,
    context: '/',
  })
  await browser.post('/api/functions/create-cart-payment', { cartItems: [{ id: course.id, quantity: 2 }] })
  return { ...user, open, finished }
}

/** Rows of all tables, except those of the emulators, that contain one of the words. */
async function findEverywhere(words: readonly string[]): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'demo')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(
      `select one::text as row from ${name} as one where ${words.map((_, at) => `strpos(lower(one::text), lower($${at + 1})) > 0`).join(' or ')}`,
      [...words],
    )
    found.push(...rows.map(({ row }) => `${name}: ${row}`))
  }
  return found
}

test('the export contains all data of the user and none of another', async () => {
  const [mine, theirs] = [await aBusyLearner('Quokka'), await aBusyLearner('Wombat')]
  const file = await exportOf(mine)
  expect(file).toMatchObject({ format: 'altocert-own-data', version: 2 })
  const counts = Object.fromEntries(Object.entries(file.data).map(([name, rows]) => [name, rows.length]))
  expect(counts).toMatchObject({
    profile: 1,
    sign_in_methods: 1,
    sessions: 1,
    orders: 1,
    order_lines: 1,
    access_periods: 1,
    attempts: 2,
    answers: 2,
    question_reports: 1,
    drills: 1,
    study_plans: 1,
    feedback: 1,
  })
  const text = JSON.stringify(file)
  expect(text).toContain(mine.email)
  expect(text).toContain('Quokka')
  for (const word of ['Wombat', theirs.email, theirs.id, theirs.open, theirs.finished]) expect(text).not.toContain(word)
})

test('the export contains no password hash, token or answer key', async () => {
  const user = await aBusyLearner('Numbat')
  const text = JSON.stringify(await exportOf(user))
  const secrets = await pool.query<{ secret: string }>(
    `select password as secret from sign_in_methods where user_id = $1 union all select token_hash from sessions where user_id = $1`,
    [user.id],
  )
  for (const { secret } of secrets.rows) expect(text).not.toContain(secret)
  for (const { explanation } of exam.questions) expect(text).not.toContain(explanation)
  expect(text).not.toMatch(/isRight|is_right|final_answer|finalAnswer|explanation|right_answer/)
  const { attempts = [] } = (await exportOf(user)).data
  expect(attempts.map(({ id, result }) => [id, result === null]).sort()).toEqual(
    [
      [user.finished, false],
      [user.open, true],
    ].sort(),
  )
})

test('after access ends, the export still contains the attempts but no answer key', async () => {
  const user = await aBusyLearner('Bettong')
  await user.browser.get(`/api/offline-exams/${exam.slug}`)
  await pool.query(
    "update access_periods set starts_at = now() - interval '31 days', ends_at = now() - interval '1 day' where user_id = $1",
    [user.id],
  )
  const file = await exportOf(user)
  expect(file.data['issued_offline_exams']).toMatchObject([{ exam_id: exam.id }])
  expect(file.data['attempts']).toHaveLength(2)
  expect(JSON.stringify(file)).not.toMatch(/SECRET|isRight|is_right|final_answer|finalAnswer|explanation|right_answer/)
})

test('ten thousand answers are exported, each once', async () => {
  const user = await aStudent(app)
  await pool.query(
    `with made as (
       insert into attempts (exam_id, family_id, course_id, user_id, mode, state, seed, layout, scoring_policy, passing_score, started_at, finished_at)
       select $1, family_id, course_id, $2, 'practice', 'finished', 1, '[]', 'partial', 70, now(), now()
       from test_questions, generate_series(1, 20) where id = $1 returning id)
     insert into attempt_answers (attempt_id, question_id, seq, writer, saved_at)
     select made.id, 'q' || number, 1, 'w', now() from made, generate_series(1, 500) as number`,
    [exam.id, user.id],
  )
  const { answers = [], attempts = [] } = (await exportOf(user)).data
  expect(attempts).toHaveLength(20)
  expect(new Set(answers.map((row) => `${String(row['attempt_id'])} ${String(row['question_id'])}`)).size).toBe(10_000)
  expect(answers).toHaveLength(10_000)
})

test('the CSV files contain the same rows, and no cell is a formula', async () => {
  const user = await aBusyLearner('Bilby')
  const reply = await fetch(`${app.url}/api/profiles/me/data?format=csv`, {
    headers: { cookie: user.browser.cookies },
  })
  expect(reply.headers.get('content-type')).toBe('application/zip')
  const files = unzipSync(new Uint8Array(await reply.arrayBuffer()))
  expect(Object.keys(files)).toEqual(Object.keys((await exportOf(user)).data).map((name) => `${name}.csv`))
  const answers = strFromU8(files['answers.csv']!)
  expect(answers.startsWith('attempt_id,question_id,')).toBe(true)
  expect(answers).toContain('"Bilby: =1+1, ""quoted""\nnext"')
  expect(['=1', '+1', '-1+1', '@x', '\tx'].map(csvCell)).toEqual(["'=1", "'+1", "'-1+1", "'@x", "'\tx"])
  expect(['12', 'a,b', 'say "x"'].map(csvCell)).toEqual(['12', '"a,b"', '"say ""x"""'])
  expect(csvCell('-1.50')).toBe('-1.50')
})

test('a deleted account leaves only orders without a name', async () => {
  const user = await aBusyLearner('Thylacine')
  await pool.query("update profiles set full_name = 'Thea Thylacine' where id = $1", [user.id])
  await pool.query("update users set name = 'Thea Thylacine' where id = $1", [user.id])
  await db
    .insertInto('audit_log')
    .values({
      at: app.clock.now(),
      actor_id: admin.id,
      action: 'people.list',
      subject_table: 'profiles',
      subject_id: 'list',
      before: null,
      after: JSON.stringify({ search: user.email.slice(0, 12), users: 1 }),
    })
    .execute()
  await user.browser.get(`/api/offline-exams/${exam.slug}`)
  // At least account, profile, notes, feedback and audit log; queued emails come and go.
  expect((await findEverywhere([user.email, 'Thylacine'])).length).toBeGreaterThan(4)
  const deletion = await user.browser.post('/api/profiles/me/deletion', { password: PASSWORD })
  expect(deletion).toMatchObject({ status: 200, body: { done: true } })
  expect((await app.mailTo(user.email)).subject).toBe('Your Altocert account is deleted')
  await expect.poll(() => findEverywhere([user.email, user.email.slice(0, 12), 'Thylacine'])).toEqual([])

  expect((await pool.query('select from issued_offline_exams where user_id = $1', [user.id])).rows).toEqual([])
  const { rows } = await pool.query('select state, user_id from orders where user_id = $1', [user.id])
  expect(rows).toEqual([{ state: 'expired', user_id: user.id }])
  const audited = await db.selectFrom('audit_log').where('subject_id', '=', user.id).select('action').execute()
  expect(audited).toEqual([{ action: 'account.delete' }])
})

test('after the deletion, sessions and the password stop working, and the email address can be used again', async () => {
  const user = await aStudent(app)
  const other = app.visitor()
  await other.post('/api/auth/sign-in', { email: user.email, password: PASSWORD })
  expect((await user.browser.post('/api/profiles/me/deletion', { password: PASSWORD })).status).toBe(200)
  for (const browser of [user.browser, other])
    expect((await browser.get('/api/auth/session')).body).toEqual({ user: null })
  expect((await other.post('/api/auth/sign-in', { email: user.email, password: PASSWORD })).status).toBe(401)
  const again = { name: 'Somebody New', email: user.email, password: PASSWORD }
  expect((await app.visitor().post('/api/auth/sign-up', again)).status).toBe(200)
})

test('a wrong password deletes nothing, and the fifth one locks the account', async () => {
  const user = await aStudent(app)
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1)
    statuses.push((await user.browser.post('/api/profiles/me/deletion', { password: 'wrong' })).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 423])
  expect((await user.browser.get('/api/auth/session')).body).toMatchObject({ user: { id: user.id } })
})

test('an account without a password is deleted by its emailed link only', async () => {
  const [user, other] = [await aStudent(app), await aStudent(app)]
  await pool.query("update sign_in_methods set provider_id = 'google', password = null where user_id = any($1)", [
    [user.id, other.id],
  ])
  expect((await user.browser.post('/api/profiles/me/deletion', { password: PASSWORD })).status).toBe(400)
  await user.browser.post('/api/profiles/me/deletion-email')
  const { text } = await app.mailTo(user.email)
  const token = /token=([\w-]+)/.exec(text)?.[1]
  expect((await other.browser.post('/api/profiles/me/deletion', { token })).status).toBe(400)
  expect((await user.browser.post('/api/profiles/me/deletion', { token })).status).toBe(200)
  expect((await other.browser.get('/api/auth/session')).body).toMatchObject({ user: { id: other.id } })
})

test('the last admin cannot be deleted', async () => {
  const second = await anAdmin(app)
  expect((await second.browser.post('/api/profiles/me/deletion', { password: PASSWORD })).status).toBe(200)
  expect(await admin.browser.post('/api/profiles/me/deletion', { password: PASSWORD })).toMatchObject({
    status: 409,
    body: { error: { code: 'account.last-admin' } },
  })
})

test('concurrent deletions delete an account once, with one audit entry and no session left', async () => {
  const [admin, user] = [await anAdmin(app), await aStudent(app)]
  const { email } = user
  const asked = { email, reason: 'asked by letter' }
  const [visitor, password] = [app.visitor(), PASSWORD]
  const replies = await Promise.all([
    ...[1, 2, 3].map(() => admin.browser.post(`/api/profiles/${user.id}/deletion`, asked)),
    user.browser.post('/api/profiles/me/deletion', { password }),
    visitor.post('/api/auth/sign-in', { email, password }),
  ])
  expect(replies.slice(0, 4).filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  const lines = db.selectFrom('audit_log').where('action', '=', 'account.delete').where('subject_id', '=', user.id)
  expect(await lines.select('id').execute()).toHaveLength(1)
  expect(await db.selectFrom('sessions').where('user_id', '=', user.id).select('id').execute()).toEqual([])
})
