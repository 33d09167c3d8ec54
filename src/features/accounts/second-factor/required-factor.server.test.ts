import { expect, test } from 'vitest'
import { SoftPasskey } from '../../../../tests/support/soft-passkey.ts'
import { startApp, type Reply } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent, PASSWORD } from '../../../../tests/support/users.ts'

const app = await startApp({ ADMIN_SECOND_FACTOR: 'required' })
const codeOf = ({ body }: Reply) => (body as { error?: { code: string } }).error?.code

test('an admin without a second factor signs in, but every admin call asks to set one up first', async () => {
  const admin = await anAdmin(app)
  const calls = app.application.endpoints.filter(({ who }) => who === 'admin')
  expect(calls.length).toBeGreaterThan(50)
  for (const { method, path } of calls) {
    const address = path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')
    const reply = await admin.browser.call(method, address, method === 'GET' ? undefined : {})
    expect([reply.status, codeOf(reply)], `${method} ${path}`).toEqual([403, 'second-factor.required'])
  }
  expect((await admin.browser.get('/api/courses?scope=all')).status).toBe(403)
})

test('a passkey counts: with it the admin calls open, and the password alone no longer signs in', async () => {
  const admin = await anAdmin(app)
  const passkey = new SoftPasskey(app.url)
  const options = await admin.browser.post('/api/auth/passkeys/options')
  const body = { name: 'Key', passkey: passkey.create(options.body as never) }
  expect((await admin.browser.post('/api/auth/passkeys', body)).status).toBe(200)
  expect((await admin.browser.get('/api/courses?scope=all')).status).toBe(200)

  const browser = app.visitor()
  const reply = await browser.post('/api/auth/sign-in', { email: admin.email, password: PASSWORD })
  expect(reply.body).toEqual({ user: null, secondStep: { code: false, passkey: true } })
  expect((await browser.get('/api/courses?scope=all')).status).toBe(403)
  const step = await browser.post('/api/auth/second-step/options')
  const finished = await browser.post('/api/auth/second-step', { passkey: passkey.get(step.body as never) })
  expect(finished.status).toBe(200)
  expect((await browser.get('/api/courses?scope=all')).status).toBe(200)
})

test('learners may choose', async () => {
  const student = await aStudent(app)
  expect((await student.browser.get('/api/auth/session')).body).toMatchObject({ user: { email: student.email } })
})
