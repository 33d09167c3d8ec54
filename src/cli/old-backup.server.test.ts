import { asChoice } from '../../tests/support/choices.ts'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'
import { withDatabase } from '../../tests/support/database-server.ts'
import { startApp, type TestApp, type Visitor } from '../../tests/support/start-app.ts'
import { PASSWORD } from '../../tests/support/users.ts'
import { openDatabase } from '../db/open.server.ts'
import type { AttemptView } from '../features/attempts/attempts.schema.ts'
import { listOrders } from '../features/checkout/orders-queries.server.ts'
import { fromStored, toStored } from '../features/questions/types/content-registry.ts'
import type { UserId } from '../lib/ids.ts'
import { projectRoot } from '../platform/project-root.server.ts'
import { runAltocert } from './altocert.server.ts'

/** Made by the version before tables, columns and fields were renamed, with work of every kind under way. */
const backup = join(projectRoot, 'tests/fixtures/shop-before-renames.backup')
const before = {
  learner: 'person-0628da4574@example.com',
  learnerId: '343e5423-f5ea-4cd2-adac-a11a4125ae43',
  admin: 'person-42f15fc137@example.com',
  timedAttempt: 'e21ae27e-8a8a-481d-a0ad-f83707854d22',
  practiceAttempt: '9a8c8488-1a26-4cee-b198-1e2aa7ddb385',
  previewAttempt: '0502be48-c828-4b45-b2fd-185dda09831c',
  exam: '6154da30-5a6c-406d-adc1-d6cebfd2ff26',
  importId: '97c9b907-14d9-4a3d-8cd6-88b58ae40f06',
}

const name = 'shop_before_renames'
const root = openDatabase(inject('databaseServer'), { connections: 1 })
await root.pool.query(`drop database if exists ${name} with (force)`)
await root.pool.query(`create database ${name}`)
await root.close()
const url = withDatabase(inject('databaseServer'), name)
vi.stubEnv('DATABASE_URL', url)
const complained: string[] = []
const code = await runAltocert(['restore', backup], {
  print: () => undefined,
  printError: (text) => complained.push(text),
  progress: () => undefined,
})
vi.unstubAllEnvs()
await makeRecent()
const app: TestApp = await startApp({ DATABASE_URL: url })
const signIn = async (email: string): Promise<Visitor> => {
  const visitor = app.visitor()
  expect((await visitor.post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200)
  return visitor
}
const learner = await signIn(before.learner)
const admin = await signIn(before.admin)
const attemptOf = async (id: string) => (await learner.get(`/api/attempts/${id}`)).body as AttemptView

/** Moves the shop in time as if the backup had been made twelve hours ago: orders wait for a day, and access lasts for thirty. */
async function makeRecent() {
  const { pool, close } = openDatabase(url, { connections: 1 })
  await pool.query(`
    do $$
    declare
      age interval;
      stored record;
    begin
      select now() - interval '12 hours' - max(started_at) into age from attempts;
      for stored in
        select table_name, string_agg(format('%1$I = %1$I + %2$L::interval', column_name, age), ', ') as moved
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
          and data_type = 'timestamp with time zone'
        group by table_name
      loop
        execute format('alter table %I disable trigger user', stored.table_name);
        execute format('update %I set %s', stored.table_name, stored.moved);
        execute format('alter table %I enable trigger user', stored.table_name);
      end loop;
      -- The payment service of the demo, in Unix seconds.
      update demo.gateway_session set
        expires_at = expires_at + extract(epoch from age)::int,
        payment = jsonb_set(payment, '{expiresAt}', to_jsonb((payment ->> 'expiresAt')::int + extract(epoch from age)::int));
    end $$`)
  await close()
}

test('a backup of the version before the renames is restored and migrated', () => {
  expect([code, complained]).toEqual([0, []])
})

test('every question of exams, drafts and imports has its type and the fingerprint that it had', async () => {
  const { db } = app.services.database
  const { rows } = await sql<{ question: unknown }>`
    select jsonb_array_elements(questions) as question from test_questions
    union all select question from exam_draft_questions
    union all select question from import_questions where question is not null`.execute(db)
  expect(rows.length).toBeGreaterThan(10)
  for (const { question } of rows) expect(toStored(fromStored(question))).toEqual(question)
})

test('an exam that was under way goes on with its answers', async () => {
  const practice = await attemptOf(before.practiceAttempt)
  expect(practice).toMatchObject({ state: 'open', mode: 'practice' })
  expect(Object.values(practice.answers)).toMatchObject([{ seq: 1 }])
  const question = practice.questions[1]!
  const saved = await learner.put(`/api/attempts/${practice.id}/answers/${question.id}`, {
    // A page of the former build sends the answer as a list.
    selection: [asChoice(question).options[0]!.id],
    seq: 5,
    writer: 'w',
  })
  expect(saved.status).toBe(200)
  const finished = await learner.post(`/api/attempts/${practice.id}/finish`, { writer: 'w' })
  expect(finished.body).toMatchObject({ result: { answeredCount: 2 } })
})

test('a timed exam whose time ran out meanwhile is graded with what was answered, flags and notes included', async () => {
  expect(await attemptOf(before.timedAttempt)).toMatchObject({ state: 'finished' })
  const { body } = await learner.get(`/api/attempts/${before.timedAttempt}/review`)
  expect(body).toMatchObject({ finishedBy: 'deadline', result: { answeredCount: 2 } })
  const marked = (body as { questions: { note: string; isFlagged: boolean; confidence: string | null }[] }).questions
  expect(marked.filter(({ note }) => note !== '')).toMatchObject([
    { note: 'before', isFlagged: true, confidence: 'sure' },
  ])
})

test('an import that was read goes into the bank, and the draft that was begun is still there', async () => {
  expect((await admin.get(`/api/imports/${before.importId}`)).body).toMatchObject({ state: 'read', readCount: 3 })
  const stored = await admin.post(`/api/imports/${before.importId}/store`, {
    target: { kind: 'exam', examId: before.exam },
    withReview: true,
  })
  expect(stored.body).toMatchObject({ added: 2 })
  expect((await admin.get(`/api/exams/${before.exam}`)).body).toMatchObject({ draft: { fromVersion: 1 } })
})

test('a mail that waited is sent, and an order that waited for its payment is still listed', async () => {
  expect((await app.mailTo('waiting@example.com')).text).toContain('A mail from before.')
  const { db } = app.services.database
  expect(await listOrders(db, { userId: before.learnerId as UserId, limit: 10 })).toMatchObject([{ state: 'pending' }])
})
