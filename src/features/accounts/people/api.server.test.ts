import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/app.ts'
import { aCourse, anExam } from '../../../../tests/support/catalogue.ts'
import { anAdmin, aStudent, giveAccess } from '../../../../tests/support/people.ts'
import { EXTRA_TIMES } from '../../../lib/extra-time.ts'
import { listPeople } from './read.server.ts'
import { PeopleWanted } from './schema.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)

const setExtraTime = (personId: string, body: unknown, by = admin) =>
  by.browser.put(`/api/profiles/${personId}/extra-time`, body)
const ask = (query: { search?: string; after?: string | null }) =>
  PeopleWanted.parse({ search: query.search ?? null, after: query.after ?? null })

test('an admin sets extra time, each change is in the audit log once, and the same again changes nothing', async () => {
  const learner = await aStudent(app)
  for (const extraTime of [...EXTRA_TIMES.slice(1), 'none', 'none'])
    expect((await setExtraTime(learner.id, { extraTime })).status).toBe(200)
  const lines = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', learner.id)
    .where('action', '=', 'profile.extra-time')
    .orderBy('id')
    .select(['actor_id', 'before', 'after'])
    .execute()
  expect(lines.map(({ before, after }) => [before, after])).toEqual(
    EXTRA_TIMES.map((extraTime, place) => [{ extraTime }, { extraTime: EXTRA_TIMES[place + 1] ?? 'none' }]),
  )
  expect(new Set(lines.map(({ actor_id: actor }) => actor))).toEqual(new Set([admin.id]))
})

test('an unknown extra time is refused with its field, and an unknown person is not found', async () => {
  const learner = await aStudent(app)
  for (const extraTime of ['x3', '', null, 1.5, ['x2']]) {
    const reply = await setExtraTime(learner.id, { extraTime })
    expect(reply).toMatchObject({ status: 400, body: { error: { fields: [{ field: 'extraTime' }] } } })
  }
  for (const nobody of ['00000000-0000-4000-8000-000000000000', 'nobody'])
    expect((await setExtraTime(nobody, { extraTime: 'x2' })).status).toBe(404)
  expect((await setExtraTime(learner.id, { extraTime: 'x2' }, learner)).status).toBe(403)
})

test('extra time counts for exams that begin from then on, and stays with an exam that has begun', async () => {
  const course = await aCourse(db)
  const [first, second] = [await anExam(db, course.id), await anExam(db, course.id)]
  const learner = await aStudent(app)
  await giveAccess(app, learner, course.id)
  const start = async (exam: { slug: string }) =>
    (await learner.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' })).body
  await start(first)
  await setExtraTime(learner.id, { extraTime: 'x1.25' })
  expect(await start(first)).toMatchObject({ extraTime: 'none' })
  expect(await start(second)).toMatchObject({ extraTime: 'x1.25', timeLimitMinutes: 30 })
})

test('people are found by a part of their name or address, and what looks like a pattern is text', async () => {
  const ivy = await aStudent(app)
  await db.updateTable('profiles').set({ full_name: 'Ivy 100%_Sure' }).where('id', '=', ivy.id).execute()
  for (const search of ['ivy 100%', '100%_s', ivy.email.slice(3, 14).toUpperCase(), ` ${ivy.email} `])
    expect((await listPeople(db, ask({ search }))).people.map(({ id }) => id)).toEqual([ivy.id])
  for (const search of ['Ivy%Sure', 'I_y', "'; drop table users; --", '\\'])
    expect((await listPeople(db, ask({ search }))).people).toEqual([])
})

test('the list goes on where a page ended, nobody twice and nobody left out, also of those who joined in one instant', async () => {
  for (let count = 0; count < 3; count++) await aStudent(app)
  const everybody = (await listPeople(db, ask({}), 1000)).people.map(({ id }) => id)
  await db.updateTable('users').set({ created_at: app.clock.now() }).where('id', 'in', everybody.slice(0, 3)).execute()
  const seen: string[] = []
  let after: string | null = null
  do {
    const page = await listPeople(db, ask({ after }), 2)
    seen.push(...page.people.map(({ id }) => id))
    after = page.next
  } while (after !== null)
  expect(seen.toSorted()).toEqual(everybody.toSorted())
})

test('an address that makes no sense asks for the first page', () => {
  for (const after of ['x', '~', 'yesterday~nobody', '2026-01-01T00:00:00.000Z~1'])
    expect(ask({ after })).toEqual({ search: '', after: null })
  expect(ask({ search: 'x'.repeat(201) }).search).toBe('')
  expect(ask({ search: 'x'.repeat(200) }).search).toHaveLength(200)
})
