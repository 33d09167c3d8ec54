import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { httpsShop, SHOP } from '../../../tests/support/https-shop.ts'
import { sendRaw } from '../../../tests/support/sent-by-visitors.ts'
import { startApp, type TestApp } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, PASSWORD } from '../../../tests/support/users.ts'
import { createAccount } from '../../features/accounts/accounts-commands.server.ts'
import { hashPassword } from '../../features/accounts/argon2-gateway.server.ts'
import { sessionCookieValue } from '../../features/accounts/sessions/session-cookie-queries.server.ts'
import { openSession } from '../../features/accounts/sessions/sessions-commands.server.ts'
import { readEnv } from '../../platform/env.server.ts'
import { pageLoader, requireAdminForPage } from '../../platform/http/page-loader.server.ts'
import { sign } from '../../platform/http/signed-cookie.server.ts'
import { createLog } from '../../platform/log.server.ts'
import { fail } from '../../platform/request-failures.ts'
import type { RenderPage } from './guest-pages.server.ts'
import { openServices } from './services.server.ts'

const noCourse = pageLoader(() => Promise.reject(fail('request.not-found')))
const adminsOnly = pageLoader(({ context, url }) => Promise.resolve(requireAdminForPage(context, url)))
const page: RenderPage = async (request, context) => {
  const { pathname } = new URL(request.url)
  if (pathname === '/throws') throw new Error('out of order')
  const loader = { '/course/none': noCourse, '/admin': adminsOnly }[pathname]
  if (loader !== undefined)
    return loader({ context, params: {}, request } as never).then(
      () => new Response('a page'),
      (refused: unknown) => (refused instanceof Response ? refused : new Response('no page', { status: 404 })),
    )
  if (pathname === '/moved') return Promise.resolve(new Response(null, { status: 302, headers: { location: '/' } }))
  const headers = { 'content-type': 'text/html', 'cache-control': 'private, max-age=60' }
  return Promise.resolve(new Response('<p>a page', { headers }))
}
const file = (request: Request) =>
  new URL(request.url).pathname === '/assets/a.js'
    ? new Response('1', { headers: { 'content-type': 'text/javascript' } })
    : null

const demo = await startApp({ LOG_LEVEL: 'fatal' }, page, file)
const live = await startApp({ ...httpsShop, TRUSTED_PROXIES: '127.0.0.1' }, page, file)
const host = new URL(SHOP).host
/** A request as the proxy before the https shop sends it. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRaw(`${live.url}${path}`, { host, ...headers }, method)

/** A session of the https shop, as the value of its cookie. */
async function aSession(): Promise<string> {
  const { db } = live.services.database
  const email = `${randomUUID()}@example.com`
  const userId = await createAccount(db, {
    name: 'A',
    email,
    passwordHash: await hashPassword(PASSWORD),
    isVerified: true,
  })
  const token = await openSession(db, { userId, now: live.clock.now(), networkAddress: '', userAgent: null })
  return encodeURIComponent(sessionCookieValue(token, live.services.secret))
}

/** The lines that the app logs during `act`. */
async function logged(
  app: TestApp,
  act: () => Promise<unknown>,
): Promise<{ level: string; [field: string]: unknown }[]> {
  const lines: { level: string; [field: string]: unknown }[] = []
  const record = (level: string) => (fields: object) => void lines.push({ level, ...fields })
  const log = { info: record('info'), warn: record('warn'), error: record('error'), debug: record('debug') }
  const spy = vi.spyOn(app.services.log, 'child').mockReturnValue(log as never)
  try {
    await act()
    return lines
  } finally {
    spy.mockRestore()
  }
}

const BASE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': expect.stringMatching(/^(strict-origin-when-cross-origin|same-origin)$/) as string,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'x-frame-options': 'DENY',
}
const HSTS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

test('every kind of reply has the base headers: file, call, page, redirect, refusal, breakdown', async () => {
  const session = `__Host-altocert.session_token=${await aSession()}`
  const own = { origin: SHOP, 'content-type': 'application/json' }
  const replies: Record<string, [number, Promise<{ status: number; headers: Record<string, unknown> }>]> = {
    'a file': [200, ask('/assets/a.js')],
    'a call': [200, ask('/api/courses')],
    'a call without a body': [200, ask('/api/courses', {}, 'HEAD')],
    'a refused call': [401, ask(`/api/offline-exams/an-exam`)],
    'an unknown call': [404, ask('/api/nothing')],
    'a write of another site': [403, ask('/api/auth/sign-out', { origin: 'https://evil.example' }, 'POST')],
    'a write': [200, ask('/api/auth/sign-out', own, 'POST')],
    'a body that is no JSON': [400, ask('/api/auth/sign-in', { ...own, 'content-length': '0' }, 'POST')],
    'an address with NUL': [404, ask('/a%00b')],
    'a guest’s page': [200, ask('/')],
    'a user’s page': [200, ask('/', { cookie: session })],
    'a user’s data': [200, ask('/my-courses.data', { cookie: session })],
    'a page that redirects': [302, ask('/moved')],
    'a redirect': [302, ask('/home')],
    'a page that breaks down': [500, ask('/throws')],
    'the start of a sign-in that fails': [303, ask('/api/auth/google')],
    'a probe': [200, ask('/healthz')],
    'robots.txt': [200, ask('/robots.txt')],
    'security.txt': [200, ask('/.well-known/security.txt')],
    'another method': [404, ask('/', { origin: SHOP }, 'DELETE')],
  }
  for (const [kind, [status, reply]] of Object.entries(replies)) {
    const { headers, ...rest } = await reply
    expect({ kind, status: rest.status, headers }).toMatchObject({ kind, status, headers: { ...BASE, ...HSTS } })
    expect([kind, headers['content-security-policy']]).toEqual([kind, expect.stringContaining("'none'")])
  }
  const cached = await ask('/')
  expect(cached).toMatchObject({ status: 200, headers: { ...BASE, ...HSTS, etag: expect.any(String) as string } })
  const known = await ask('/', { 'if-none-match': String(cached.headers['etag']) })
  expect(known).toMatchObject({ status: 304, headers: { ...BASE, ...HSTS } })
})

test('streams and the pages of the emulators have the base headers', async () => {
  const aborted = new AbortController()
  const stream = await fetch(`${demo.url}/api/realtime`, { signal: aborted.signal })
  const emulators = [
    '/demo/outbox',
    '/demo/gateway',
    '/demo/google/.well-known/openid-configuration',
    '/demo/google/auth',
  ]
  const replies = [stream, ...(await Promise.all(emulators.map((path) => fetch(`${demo.url}${path}`))))]
  for (const reply of replies) {
    const headers = Object.fromEntries(reply.headers)
    expect({ url: reply.url, headers }).toMatchObject({ url: reply.url, headers: BASE })
    expect(headers['content-security-policy']).toContain("'none'")
  }
  aborted.abort()
})

test('HSTS covers subdomains unless the operator says otherwise, and is not sent at http', async () => {
  const without = await startApp({ ...httpsShop, HSTS_SUBDOMAINS: 'off' }, page)
  const { headers } = await sendRaw(`${without.url}/`, { host })
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
  expect((await sendRaw(`${demo.url}/`)).headers['strict-transport-security']).toBeUndefined()
})

test('on https every cookie of ours has the prefix __Host-, so that no other subdomain can set it', async () => {
  const { db } = live.services.database
  const email = `${randomUUID()}@example.com`
  await createAccount(db, { name: 'A', email, passwordHash: await hashPassword(PASSWORD), isVerified: true })
  const own = { origin: SHOP }
  const cookies = async (path: string, body: object) =>
    (await live.visitor().post(path, body, own)).headers.getSetCookie()
  const name = 'Ana'
  const all = [
    ...(await cookies('/api/auth/sign-in', { email, password: PASSWORD })),
    ...(await cookies('/api/auth/sign-up', { email: `new-${email}`, password: PASSWORD, name })),
    ...(await cookies('/api/auth/sign-out', {})),
  ]
  expect(all.map((cookie) => cookie.split('=')[0]).toSorted()).toEqual([
    '__Host-altocert.session_token',
    '__Host-altocert.session_token',
    '__Host-altocert_device',
    '__Host-altocert_signup',
  ])
  for (const cookie of all) {
    expect(cookie).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
    expect(cookie).not.toContain('Domain')
  }
})

test('a session and a guest with a cookie of the former name go on, and the cookie is replaced once', async () => {
  const session = await aSession()
  const guest = encodeURIComponent(sign(randomUUID(), 'guest', live.services.secret))
  const old = `__Secure-altocert.session_token=${session}; altocert_guest=${guest}`
  const first = await ask('/api/auth/session', { cookie: old })
  expect(JSON.parse(first.body)).toMatchObject({ user: { name: 'A' } })
  expect(first.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Secure-altocert\.session_token=; Path=\/; Max-Age=0;.*; Secure$/),
    `__Host-altocert.session_token=${session}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure`,
    expect.stringMatching(/^altocert_guest=; Path=\/; Max-Age=0;.*; Secure$/),
    `__Host-altocert_guest=${guest}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure`,
  ])
  const replaced = `__Host-altocert.session_token=${session}; __Host-altocert_guest=${guest}`
  const next = await ask('/api/auth/session', { cookie: replaced })
  expect(JSON.parse(next.body)).toMatchObject({ user: { name: 'A' } })
  expect(next.headers['set-cookie']).toBeUndefined()
  // What another subdomain sets under the former name does not count beside ours.
  const other = `__Secure-altocert.session_token=${await aSession()}`
  const tossed = await ask('/api/auth/session', { cookie: `${other}; __Host-altocert.session_token=ended.x` })
  expect(JSON.parse(tossed.body)).toMatchObject({ user: null })
  // At http the names have no prefix, as before.
  const { browser } = await aStudent(demo)
  expect(browser.cookies).toMatch(/^altocert\.session_token=.*; altocert_device=/)
})

test('a start with a connection to another machine that is not encrypted warns and names the variable', async () => {
  const log = createLog('silent')
  const warn = vi.spyOn(log, 'warn')
  const { url } = demo.services.database
  const env = readEnv({ ...httpsShop, APP_URL: 'http://shop.example.com', DATABASE_URL: url })
  await (await openServices(env, log)).close()
  expect(warn.mock.calls).toEqual([[{ variable: 'APP_URL' }, expect.stringContaining('not encrypted')]])
})

test('no cache of the browser stores a page or the data of a signed-in user', async () => {
  const { browser } = await aStudent(demo)
  for (const path of ['/', '/my-courses', '/my-courses.data', '/_root.data', '/course/a'])
    expect([path, (await browser.get(path)).headers.get('cache-control')]).toEqual([path, 'no-store'])
  expect((await demo.visitor().get('/course/a')).headers.get('cache-control')).toBe('private, no-cache')
})

test('a sign-out clears the cache of the browser, and nothing else', async () => {
  const { browser } = await aStudent(demo)
  expect((await browser.post('/api/auth/sign-out')).headers.get('clear-site-data')).toBe('"cache"')
})

test('another site cannot press the switches of the emulators', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (path: string, headers: Record<string, string>, body: string) =>
    fetch(`${demo.url}${path}`, { method: 'POST', headers: { ...form, ...headers }, body, redirect: 'manual' })
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:1' },
  ]
  for (const headers of foreign)
    for (const path of ['/demo/gateway/switches', '/demo/gateway/deliver', '/demo/gateway/settle', '/demo/pay/x'])
      expect([headers, path, (await post(path, headers, 'mail=refuses&api=down')).status]).toEqual([headers, path, 403])
  expect((await demo.visitor().get('/demo/gateway/switches')).body).toMatchObject({ mail: 'accepts', api: 'normal' })
  // Its own pages, and scripts, which send no Origin.
  const own: Record<string, string>[] = [{ origin: demo.url }, {}]
  for (const headers of own)
    expect((await post('/demo/gateway/switches', headers, 'mail=refuses')).status).toBeLessThan(400)
  await post('/demo/gateway/switches', { origin: demo.url }, 'mail=accepts')
})

test('a client that leaves in the middle of a body is no error of ours', async () => {
  const admin = await anAdmin(demo)
  const { port } = new URL(demo.url)
  const leave = (path: string, type: string) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1')
      const head = [
        `POST ${path} HTTP/1.1`,
        `Host: localhost:${port}`,
        `Origin: ${demo.url}`,
        `Cookie: ${admin.browser.cookies}`,
      ]
      socket.write(`${[...head, `Content-Type: ${type}`, 'Content-Length: 100000'].join('\r\n')}\r\n\r\n{"email":`)
      setTimeout(() => socket.destroy(), 200)
      socket.on('close', () => resolve())
    })
  const lines = await logged(demo, async () => {
    await Promise.all([
      leave('/api/auth/sign-in', 'application/json'),
      leave('/api/imports?name=a.json', 'application/octet-stream'),
    ])
    await wait(300)
  })
  expect(lines.filter(({ level }) => level !== 'info' && level !== 'debug')).toEqual([])
  expect(lines.filter(({ path }) => path === '/api/auth/sign-in' || path === '/api/imports')).toMatchObject([
    { status: 400 },
    { status: 400 },
  ])
})

test('a refused request is logged with the code of the failure and the network address, and no other request', async () => {
  const { id, browser } = await aStudent(demo)
  const guest = demo.visitor()
  const lines = await logged(demo, async () => {
    await guest.get('/api/courses')
    await guest.get('/api/admin/courses')
    await browser.get('/api/admin/courses')
    await guest.post('/api/auth/sign-in', { email: 1 })
    await guest.post('/api/auth/sign-out', {}, { origin: 'https://evil.example' })
    await guest.get('/course/none')
    await browser.get('/admin')
    await guest.get('/api/nothing')
  })
  const refused = (path: string, status: number, code: string | undefined, user?: string) =>
    expect.objectContaining({ path, status, code, user, networkAddress: '127.0.0.1' }) as unknown
  const [allowed, ...others] = lines.filter(({ level, path }) => level === 'info' && path !== undefined)
  expect(allowed).not.toHaveProperty('networkAddress')
  expect(others).toEqual([
    refused('/api/admin/courses', 401, 'session.required'),
    refused('/api/admin/courses', 403, 'role.required', id),
    refused('/api/auth/sign-in', 400, 'request.invalid'),
    refused('/api/auth/sign-out', 403, 'request.foreign-origin'),
    refused('/course/none', 404, 'request.not-found'),
    refused('/admin', 302, 'role.required', id),
    refused('/api/nothing', 404, undefined),
  ])
})

test('the code of a seat is in no line of the log', async () => {
  const lines = await logged(demo, async () => {
    for (const path of ['/redeem/ABCD-EFGH-2345', '/Redeem/ABCD-EFGH-2345/', '/redeem/ABCD-EFGH-2345.data'])
      await demo.visitor().get(path)
    const report = { errorId: '1', message: 'x', stack: '', path: '/redeem/ABCD-EFGH-2345', authCodes: [] }
    expect((await demo.visitor().post('/api/bug-reports', report)).status).toBe(200)
  })
  expect(JSON.stringify(lines)).not.toContain('2345')
  expect(lines).toMatchObject([
    { path: '/redeem/…', status: 200 },
    { path: '/Redeem/…/', status: 200 },
    { path: '/redeem/…', status: 200 },
    { bugReport: { path: '/redeem/…' } },
    { path: '/api/bug-reports' },
  ])
})

test('authentication is logged with account and network address, and without a secret', async () => {
  const admin = await anAdmin(demo)
  const student = await aStudent(demo)
  const newcomer = `new-${randomUUID()}@example.com`
  const wrong = 'Wrong-Horse-7!'
  const secrets = [PASSWORD, wrong]
  const lines = await logged(demo, async () => {
    const browser = demo.visitor()
    await browser.post('/api/auth/sign-up', { name: 'Ana', email: newcomer, password: PASSWORD })
    const token = /token=([\w.-]+)/.exec((await demo.mailTo(newcomer)).text)?.[1] ?? ''
    await browser.post('/api/auth/verify-email', { token })
    await browser.post('/api/auth/sign-out')
    for (let times = 0; times < 6; times += 1)
      await browser.post('/api/auth/sign-in', { email: newcomer, password: wrong })
    await browser.post('/api/auth/forgot-password', { email: student.email })
    const reset = /token=([\w.-]+)/.exec((await demo.mailTo(student.email)).text)?.[1] ?? ''
    await browser.post('/api/auth/reset-password', { token: reset, password: PASSWORD })
    await admin.browser.call('PUT', `/api/profiles/${student.id}/role`, { role: 'admin' })
    await admin.browser.call('PUT', `/api/profiles/${student.id}/role`, { role: 'student' })
    await admin.browser.call('PUT', `/api/profiles/${student.id}/lock`, { reason: 'Sold answers' })
    await admin.browser.call('DELETE', `/api/profiles/${student.id}/lock`)
    await admin.browser.call('DELETE', `/api/profiles/${student.id}/sessions`)
    secrets.push(token, reset)
  })
  for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret)
  const events = lines.filter(({ event }) => event !== undefined)
  const ana = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
  const of = (event: string, account: string, more: object = {}) => ({
    event,
    account,
    networkAddress: '127.0.0.1',
    ...more,
  })
  const byAdmin = { actor: admin.id }
  expect(events).toMatchObject([
    of('sign-up', ana),
    of('verified', ana),
    of('sign-in', ana),
    of('sign-out', ana),
    ...[1, 2, 3, 4].map(() => of('sign-in-failed', newcomer)),
    ...[5, 6].map(() => of('sign-in-locked', newcomer)),
    of('reset-sent', student.id),
    of('password-reset', student.id),
    of('role-changed', student.id, { ...byAdmin, by: 'admin' }),
    of('role-changed', student.id, { ...byAdmin, by: 'student' }),
    of('user-locked', student.id, byAdmin),
    of('user-unlocked', student.id, byAdmin),
    of('sessions-ended', student.id, byAdmin),
  ])
})

test('security.txt says where to report, until when, and where it belongs', async () => {
  const { body, headers } = await ask('/.well-known/security.txt')
  expect(headers['content-type']).toMatch(/^text\/plain/)
  const fields = Object.fromEntries(
    body
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  )
  expect(fields).toMatchObject({
    Contact: 'mailto:hello@shop.example.com',
    'Preferred-Languages': 'en',
    Canonical: 'https://shop.example.com/.well-known/security.txt',
  })
  const days = (Date.parse(String(fields['Expires'])) - live.clock.now().getTime()) / 86_400_000
  expect(days).toBeGreaterThan(170)
  expect(days).toBeLessThan(365)
  const other = await startApp({ SECURITY_CONTACT: 'https://example.com/report' })
  expect((await other.visitor().get('/.well-known/security.txt')).body).toMatch(
    /^Contact: https:\/\/example.com\/report\n/,
  )
})
