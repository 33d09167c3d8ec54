import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../../tests/support/build-course.ts'
import { aDatabase } from '../../../../tests/support/test-database.ts'
import { anAdmin, aStudent, giveAccess, PASSWORD } from '../../../../tests/support/users.ts'
import { holdersNow } from '../../access/access-queries.server.ts'
import { createAccount } from '../accounts-commands.server.ts'
import { EXTRA_TIMES } from '../../../lib/extra-time.ts'
import { listUsers } from './users-queries.server.ts'
import { UserListFilter } from './users.schema.ts'
import { lockUser, setRole } from './users-commands.server.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)

const setExtraTime = (userId: string, body: unknown, by = admin) =>
  by.browser.put(`/api/profiles/${userId}/extra-time`, body)
const ask = (query: { search?: string; after?: string | null }) =>
  UserListFilter.parse({ search: query.search ?? null, only: null, after: query.after ?? null })

test('an admin sets extra time; the audit log has each change once, and repeating it changes nothing', async () => {
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

test('an unknown extra time is refused at its field, and an unknown user is not found', async () => {
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

test('users are found by the beginnings of words of their name and address, and pattern characters are plain text', async () => {
  const ivy = await aStudent(app)
  await db.updateTable('profiles').set({ full_name: "Ivy O'Brien-Ärger 3e5x" }).where('id', '=', ivy.id).execute()
  const [name = ''] = ivy.email.split('@')
  const hex = name.slice('person-'.length)
  for (const search of ['ivy', 'IV', "o'bri ivy", 'brien', 'ÄRG', '3e5', hex.toUpperCase(), ` ${ivy.email} `])
    expect((await listUsers(db, ask({ search }))).users.map(({ id }) => id)).toContain(ivy.id)
  expect((await listUsers(db, ask({ search: `ivy ${hex}` }))).users.map(({ id }) => id)).toEqual([ivy.id])
  for (const search of ['ivy nobody', "'; drop table users; --", '\\', '%', "':*"])
    expect((await listUsers(db, ask({ search }))).users.map(({ id }) => id)).not.toContain(ivy.id)
})

test('without such a match, users are found by any part of their name and address, page by page', async () => {
  const made = [await aStudent(app), await aStudent(app)]
  for (const [place, { id }] of made.entries())
    await db
      .updateTable('profiles')
      .set({ full_name: `Zuqqwert${place}zu 50%_off` })
      .where('id', '=', id)
      .execute()
  const ids = made.map(({ id }) => id).toReversed()
  const find = async (search: string) => (await listUsers(db, ask({ search }))).users.map(({ id }) => id)
  for (const search of ['qqwert', 'QWERT', 'wert 50%_', 'qqwert erson-']) expect(await find(search)).toEqual(ids)
  expect(await find('qqwert1')).toEqual([made[1]!.id])
  expect(await find('qqwert 50x')).toEqual([])
  expect(await find('qqwert%0')).toEqual([])
  const first = await listUsers(db, ask({ search: 'qqwert' }), { size: 1 })
  const second = await listUsers(db, ask({ search: 'qqwert', after: first.next }), { size: 1 })
  expect([...first.users, ...second.users].map(({ id }) => id)).toEqual(ids)
})

test('the list can show only admins, locked users, unverified users, or users with access', async () => {
  const [learner, locked] = [await aStudent(app), await aStudent(app)]
  const course = await aCourse(db)
  await giveAccess(app, learner, course.id)
  await admin.browser.put(`/api/profiles/${locked.id}/lock`, { reason: 'Spam.' })
  const newcomer = await createAccount(db, { name: 'New', email: 'newcomer@example.com', passwordHash: 'x' })
  const only = async (filter: string) =>
    (await listUsers(db, UserListFilter.parse({ search: null, only: filter, after: null }), { size: 1000 })).users
  expect((await only('admins')).map(({ id }) => id)).toEqual([admin.id])
  expect((await only('locked')).map(({ id }) => id)).toEqual([locked.id])
  expect((await only('unverified')).map(({ id }) => id)).toEqual([newcomer])
  const among = holdersNow(app.clock.now())
  const holders = (await listUsers(db, ask({}), { size: 1000, among })).users.map(({ id }) => id)
  expect(holders).toContain(learner.id)
  expect(holders).not.toContain(locked.id)
})

test('nobody changes their own role or locks themselves out', async () => {
  for (const [method, body] of [
    ['role', { role: 'student' }],
    ['lock', { reason: 'Me.' }],
  ] as const)
    expect((await admin.browser.put(`/api/profiles/${admin.id}/${method}`, body)).status).toBe(409)
  expect(
    (await admin.browser.post(`/api/profiles/${admin.id}/deletion`, { email: admin.email, reason: 'x' })).status,
  ).toBe(409)
})

test('when two admins demote or lock each other at the same time, one admin remains', async () => {
  for (const [path, body] of [
    ['role', { role: 'student' }],
    ['lock', { reason: 'You or me.' }],
  ] as const) {
    const [one, two] = [await anAdmin(app), await anAdmin(app)]
    const replies = await Promise.all([
      one.browser.put(`/api/profiles/${two.id}/${path}`, body),
      two.browser.put(`/api/profiles/${one.id}/${path}`, body),
    ])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { left } = await db
      .selectFrom('profiles')
      .innerJoin('users', 'users.id', 'profiles.id')
      .where('profiles.id', 'in', [one.id, two.id])
      .where('profiles.role', '=', 'admin')
      .where('users.locked_at', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('left'))
      .executeTakeFirstOrThrow()
    expect(left).toBe(1)
  }
})

test('the database refuses to remove the last admin who can sign in', async () => {
  const alone = await aDatabase()
  const id = await createAccount(alone.db, {
    name: 'Ada',
    email: 'ada@example.com',
    passwordHash: 'x',
    isVerified: true,
  })
  await alone.db.updateTable('profiles').set({ role: 'admin' }).where('id', '=', id).execute()
  const change = { userId: id, actorId: null, now: new Date() }
  await expect(setRole(alone.db, { ...change, role: 'student' })).rejects.toThrow('last admin')
  await expect(lockUser(alone.db, { ...change, reason: 'Out.' })).rejects.toThrow('last admin')
  await expect(alone.pool.query("update profiles set role = 'student'")).rejects.toThrow('the last admin stays')
  await expect(alone.pool.query("update users set locked_at = now(), locked_reason = 'x'")).rejects.toThrow(
    'the last admin stays',
  )
})

test('a locked user is signed out everywhere, sees the reason at sign-in, and can sign in after the unlock', async () => {
  const learner = await aStudent(app)
  const session = async () => (await learner.browser.get('/api/auth/session')).body
  expect(await session()).toMatchObject({ user: { id: learner.id } })
  expect((await admin.browser.put(`/api/profiles/${learner.id}/lock`, { reason: 'Shared account' })).status).toBe(200)
  expect(await session()).toEqual({ user: null })
  const signIn = () => app.visitor().post('/api/auth/sign-in', { email: learner.email, password: PASSWORD })
  expect(await signIn()).toMatchObject({
    status: 403,
    body: { error: { message: 'This account is locked. The reason given: Shared account' } },
  })
  const wrong = await app.visitor().post('/api/auth/sign-in', { email: learner.email, password: 'Wrong-Horse-7!' })
  expect(wrong.status).toBe(401)
  await admin.browser.call('DELETE', `/api/profiles/${learner.id}/lock`)
  expect((await signIn()).status).toBe(200)
  expect(await actionsAbout(learner.id)).toEqual(['user.lock', 'user.unlock'])
})

test('a sign-in at the moment of the lock ends as well', async () => {
  const learner = await aStudent(app)
  const attempts = [1, 2, 3].map(() =>
    app.visitor().post('/api/auth/sign-in', { email: learner.email, password: PASSWORD }),
  )
  await Promise.all([...attempts, admin.browser.put(`/api/profiles/${learner.id}/lock`, { reason: 'Now.' })])
  const { count } = await db
    .selectFrom('sessions')
    .where('user_id', '=', learner.id)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
})

test('a lock without a reason is refused at its field', async () => {
  const learner = await aStudent(app)
  for (const body of [{}, { reason: '' }, { reason: '   ' }, { reason: 'x'.repeat(501) }, { reason: 7 }])
    expect(await admin.browser.put(`/api/profiles/${learner.id}/lock`, body)).toMatchObject({
      status: 400,
      body: { error: { fields: [{ field: 'reason' }] } },
    })
})

test('an admin verifies an address, emails a link for a new password, and ends the sessions', async () => {
  const email = 'unverified@example.com'
  const id = await createAccount(db, { name: 'Una', email, passwordHash: 'x' })
  expect((await admin.browser.post(`/api/profiles/${id}/verify`)).status).toBe(200)
  expect((await admin.browser.post(`/api/profiles/${id}/verify`)).status).toBe(200)
  expect((await admin.browser.post(`/api/profiles/${id}/send-reset`)).status).toBe(200)
  const [, token = ''] = /token=([\w-]+)/.exec((await app.mailTo(email)).text) ?? []
  const visitor = app.visitor()
  expect((await visitor.post('/api/auth/reset-password', { token, password: PASSWORD })).status).toBe(200)
  expect((await visitor.post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200)
  expect((await admin.browser.call('DELETE', `/api/profiles/${id}/sessions`)).body).toEqual({ ended: 1 })
  expect((await visitor.get('/api/auth/session')).body).toEqual({ user: null })
  expect(await actionsAbout(id)).toEqual(['user.verify', 'user.send-reset', 'user.end-sessions'])
})

test("an admin exports a user's data and deletes the account; orders and the audit log remain", async () => {
  const learner = await aStudent(app)
  const file = await admin.browser.get(`/api/profiles/${learner.id}/data`)
  expect(file.body).toMatchObject({ format: 'altocert-own-data', data: { profile: [{ email: learner.email }] } })
  const remove = (email: string) =>
    admin.browser.post(`/api/profiles/${learner.id}/deletion`, { email, reason: `Asked by post: ${learner.email}` })
  expect(await remove('other@example.com')).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'email' }] } },
  })
  expect((await remove(learner.email.toUpperCase())).status).toBe(200)
  expect((await remove(learner.email)).status).toBe(404)
  expect((await learner.browser.get('/api/auth/session')).body).toEqual({ user: null })
  const lines = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', learner.id)
    .select(['action', 'after'])
    .execute()
  expect(lines.map(({ action }) => action)).toEqual(['person.export', 'account.delete'])
  expect(JSON.stringify(lines)).not.toContain(learner.email)
})

async function actionsAbout(userId: string): Promise<string[]> {
  const lines = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', userId)
    .where('action', 'like', 'user.%')
    .orderBy('id')
    .select('action')
    .execute()
  return lines.map(({ action }) => action)
}

test('pages of the list repeat and miss nobody, also among users who joined at the same time', async () => {
  for (let count = 0; count < 3; count++) await aStudent(app)
  const everybody = (await listUsers(db, ask({}), { size: 1000 })).users.map(({ id }) => id)
  await db.updateTable('users').set({ created_at: app.clock.now() }).where('id', 'in', everybody.slice(0, 3)).execute()
  const seen: string[] = []
  let after: string | null = null
  do {
    const page = await listUsers(db, ask({ after }), { size: 2 })
    seen.push(...page.users.map(({ id }) => id))
    after = page.next
  } while (after !== null)
  expect(seen.toSorted()).toEqual(everybody.toSorted())
})

test('invalid filters in the address show the first page', () => {
  for (const after of ['x', '~', 'yesterday~nobody', '2026-01-01T00:00:00.000Z~1'])
    expect(ask({ after })).toEqual({ search: '', only: null, after: null })
  expect(ask({ search: 'x'.repeat(201) }).search).toBe('')
  expect(ask({ search: 'x'.repeat(200) }).search).toHaveLength(200)
})
