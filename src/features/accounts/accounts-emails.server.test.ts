import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess, PASSWORD } from '../../../tests/support/users.ts'
import { aCourse } from '../../../tests/support/build-course.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { findHolder } from '../access/access-queries.server.ts'
import type { CourseId, UserId } from '../../lib/ids.ts'

const app = await startApp()
const { mail } = app.services
const { db } = app.services.database
let number = 0
const anAddress = () => `mailed-${(number += 1)}@example.com`
const signUp = (email: string, name = 'Some One') =>
  app.visitor().post('/api/auth/sign-up', { name, email, password: PASSWORD })
const tokenIn = (text: string) => /[?&]token=([\w-]+)/.exec(text)?.[1] ?? ''

/** The emails to an address, sent or waiting, oldest first. */
const mailsTo = (email: string) => mail.listStored(db, email)
/** The tokens of all emails that arrived at an address, when there are `count`. */
async function tokensOf(email: string, count: number): Promise<string[]> {
  for (;;) {
    const reply = await fetch(`${app.url}/demo/outbox`, { headers: { accept: 'application/json' } })
    const mails = ((await reply.json()) as { to: string; text: string }[]).filter(({ to }) => to.includes(email))
    if (mails.length >= count) return mails.map(({ text }) => tokenIn(text))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const idOf = async (email: string) =>
  (await db.selectFrom('users').where('email', '=', email).select('id').executeTakeFirstOrThrow()).id as UserId

test('no email to an unproven address repeats the name that a stranger typed', async () => {
  const email = anAddress()
  const name = 'Your parcel waits'
  await signUp(email, name)
  await app.visitor().post('/api/auth/forgot-password', { email })
  await tokensOf(email, 2)
  const admin = await anAdmin(app)
  expect((await admin.browser.post(`/api/profiles/${await idOf(email)}/send-reset`)).status).toBe(200)
  await tokensOf(email, 3)
  const { id: courseId } = await aCourse(db)
  expect(await findHolder(db, { userId: await idOf(email), courseId: courseId as CourseId })).toMatchObject({
    name: null,
  })
  const reply = await fetch(`${app.url}/demo/outbox`, { headers: { accept: 'application/json' } })
  const mails = ((await reply.json()) as { to: string; text: string; html: string }[]).filter((one) =>
    one.to.includes(email),
  )
  expect(mails).toHaveLength(3)
  for (const { text, html } of mails) {
    expect(text).toMatch(/^Hello,\n/)
    expect(text + html).not.toContain('parcel')
  }
  const path = `/api/profiles/${await idOf(email)}/deletion`
  expect((await admin.browser.post(path, { email, reason: 'Spam' })).status).toBe(200)
  await expect.poll(async () => (await app.mailTo(email)).subject, { timeout: 60_000 }).toContain('is deleted')
  expect((await app.mailTo(email)).text).toMatch(/^Hello,\n/)
})

test('a verified address is greeted by name', async () => {
  const owner = await aStudent(app)
  await app.visitor().post('/api/auth/forgot-password', { email: owner.email })
  expect((await app.mailTo(owner.email)).text).toMatch(/^Hello Test Person,\n/)
  const { id: courseId } = await aCourse(db)
  await giveAccess(app, owner, courseId)
  expect(await findHolder(db, { userId: owner.id, courseId })).toMatchObject({ name: 'Test Person' })
})

test('an address gets five emails of a kind within an hour; the reply is always the same', async () => {
  const email = anAddress()
  await signUp(email)
  const ask = (visitor: Visitor, path: string) => visitor.post(`/api/auth/${path}`, { email })
  const replies = []
  for (let call = 0; call < 8; call += 1) replies.push(await ask(app.visitor(), 'send-verification'))
  const unknown = await app.visitor().post('/api/auth/send-verification', { email: anAddress() })
  for (const { status, body } of replies)
    expect({ status, body }).toEqual({ status: unknown.status, body: unknown.body })
  expect(await mailsTo(email)).toHaveLength(5)
  await Promise.all(Array.from({ length: 8 }, () => ask(app.visitor(), 'forgot-password')))
  expect(await mailsTo(email)).toHaveLength(10)
  const admin = await anAdmin(app)
  expect(await admin.browser.post(`/api/profiles/${await idOf(email)}/send-reset`)).toMatchObject({
    status: 429,
    body: { error: { code: 'mail.too-many', message: expect.stringContaining('within the last hour') } },
  })
  app.clock.forward(HOUR_MS)
  expect((await ask(app.visitor(), 'send-verification')).status).toBe(200)
  expect(await mailsTo(email)).toHaveLength(11)
})

test('a repeated request does not kill the link that is on its way', async () => {
  const email = anAddress()
  await signUp(email)
  await app.visitor().post('/api/auth/send-verification', { email })
  await app.visitor().post('/api/auth/forgot-password', { email })
  const all = await tokensOf(email, 3)
  expect(new Set(all).size).toBe(3)
  const statuses: number[] = []
  for (const token of all)
    statuses.push((await app.visitor().post('/api/auth/verify-email', { token, password: PASSWORD })).status)
  // One link of two works, then both are used up; the link for a password is none of them.
  expect(statuses.toSorted()).toEqual([200, 400, 400])
})

test('the first link for a password works after a second was asked for, and then neither does', async () => {
  const owner = await aStudent(app)
  const ask = () => app.visitor().post('/api/auth/forgot-password', { email: owner.email })
  await ask()
  const [first = ''] = await tokensOf(owner.email, 1)
  await ask()
  const second = (await tokensOf(owner.email, 2)).find((token) => token !== first)
  const use = (token?: string) => app.visitor().post('/api/auth/reset-password', { token, password: 'New-Horse-88!' })
  expect((await use(first)).status).toBe(200)
  expect((await use(second)).status).toBe(400)
  expect((await use(first)).status).toBe(400)
})

test('both links for a password at once set one password, and neither call breaks', async () => {
  const owner = await aStudent(app)
  for (let call = 0; call < 3; call += 1) await app.visitor().post('/api/auth/forgot-password', { email: owner.email })
  const tokens = await tokensOf(owner.email, 3)
  const replies = await Promise.all(
    tokens.map((token) => app.visitor().post('/api/auth/reset-password', { token, password: 'New-Horse-88!' })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
})
