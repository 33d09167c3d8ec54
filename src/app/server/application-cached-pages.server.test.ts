import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../tests/support/start-app.ts'
import { httpsShop } from '../../../tests/support/https-shop.ts'
import { aStudent } from '../../../tests/support/users.ts'
import { cookieNames, headerNames, sendRaw } from '../../../tests/support/sent-by-visitors.ts'
import {
  sessionCookieName,
  sessionCookieValue,
} from '../../features/accounts/sessions/session-cookie-queries.server.ts'
import { FORWARDED_HEADERS } from '../../platform/http/http.server.ts'
import { sign } from '../../platform/http/signed-cookie.server.ts'
import type { RenderPage } from './guest-pages.server.ts'

/** A page that repeats everything it knows about the visitor, in its body, headers and cookies. */
const revealingPage: RenderPage = (request, { request: context }) => {
  const { user, guestId, networkAddress } = context
  const wire = (one: Request) => ({ method: one.method, url: one.url, headers: [...one.headers] })
  const told = { asked: wire(request), known: wire(context.request), user, guestId, networkAddress }
  context.replyHeaders.append('set-cookie', `told=${encodeURIComponent(networkAddress)}`)
  return Promise.resolve(
    new Response(JSON.stringify(told), { headers: { 'content-type': 'text/html', 'set-cookie': 'page=1' } }),
  )
}

const demo = await startApp({ LOG_LEVEL: 'fatal' }, revealingPage)
// APP_URL is not a loopback address, so forwarded headers and every Host are accepted.
const live = await startApp({ ...httpsShop, TRUSTED_PROXIES: '127.0.0.1' }, revealingPage)

let count = 0
/** A path that was never requested. */
const newPath = () => `/course/a-course-${(count += 1)}`
const ownHost = (app: TestApp) => ({ host: new URL(app.services.env.appUrl).host })

/** The page for every guest, made from the address alone. */
function forEverybody(app: TestApp, path: string): string {
  const plain = { method: 'GET', url: `${app.services.env.appUrl}${path}`, headers: [] }
  return JSON.stringify({ asked: plain, known: plain, user: null, guestId: null, networkAddress: '' })
}

/** The replies to the next two guests, the second from the cache. */
async function nextGuests(app: TestApp, path: string, sent: unknown) {
  const next = await sendRaw(`${app.url}${path}`, ownHost(app))
  const { status, body, headers } = await sendRaw(`${app.url}${path}`, ownHost(app))
  const cookies = [next.headers['set-cookie'], headers['set-cookie']]
  return { sent, statuses: [next.status, status], bodies: [next.body, body], isCached: 'etag' in headers, cookies }
}

function sameForBoth(app: TestApp, path: string, sent: unknown) {
  const body = forEverybody(app, path)
  return { sent, statuses: [200, 200], bodies: [body, body], isCached: true, cookies: [undefined, undefined] }
}

/** Validly signed cookies without a session behind them. */
function signedCookies(app: TestApp): Record<string, string> {
  const { secret } = app.services
  return {
    'altocert.session_token': sessionCookieValue('ended', secret),
    '__Secure-altocert.session_token': sessionCookieValue('ended', secret),
    '__Host-altocert.session_token': sessionCookieValue('ended', secret),
    '__Host-altocert_guest': sign(randomUUID(), 'guest', secret),
    altocert_guest: sign(randomUUID(), 'guest', secret),
    altocert_device: sign(`${randomUUID()}:somebody`, 'device', secret),
    altocert_signup: sign(randomUUID(), 'sign-up', secret),
  }
}

test('the names of cookies and headers are found in the code', () => {
  expect(cookieNames).toEqual(
    expect.arrayContaining([
      'altocert.session_token',
      '__Secure-altocert.session_token',
      '__Host-altocert.session_token',
      '__Host-altocert_guest',
      'altocert_denied',
      'altocert_guest',
      'altocert_device',
      'altocert_signup',
      'altocert_closed',
      'demo_google',
    ]),
  )
  expect(headerNames).toEqual(
    expect.arrayContaining([
      ...FORWARDED_HEADERS,
      'authorization',
      'if-none-match',
      'last-event-id',
      'origin',
      'user-agent',
    ]),
  )
})

for (const [name, app] of [
  ['a demo at http', demo],
  ['a shop at https', live],
] as const) {
  // A session cookie bypasses the cache for reading, so such a request renders the page and could be cached.
  const session = `${sessionCookieName(app.services.env.appUrl)}=x`

  test(`no cookie of one visitor reaches the page of the next guest of ${name}`, async () => {
    const signed = signedCookies(app)
    const pairs = cookieNames.flatMap((cookie) =>
      ['1', ...(cookie in signed ? [encodeURIComponent(signed[cookie] ?? '')] : [])].map(
        (value) => `${cookie}=${value}`,
      ),
    )
    for (const cookie of [...pairs, ...pairs.map((pair) => `${session}; ${pair}`), pairs.join('; ')]) {
      const path = newPath()
      const own = await sendRaw(`${app.url}${path}`, { ...ownHost(app), cookie })
      expect([cookie, own.status, own.body]).toEqual([cookie, 200, forEverybody(app, path)])
      expect(await nextGuests(app, path, cookie)).toEqual(sameForBoth(app, path, cookie))
    }
  })

  test(`no header of one visitor reaches the page of the next guest of ${name}`, async () => {
    const all = Object.fromEntries(headerNames.map((header) => [header, '203.0.113.9']))
    const each = headerNames.map((header) => ({ [header]: '203.0.113.9' }))
    const sets: Record<string, string>[] = [...each, all, { host: 'evil.example' }, { host: '127.0.0.1:1' }]
    for (const headers of sets.flatMap((set) => [set, { ...set, cookie: session }])) {
      const path = newPath()
      await sendRaw(`${app.url}${path}`, { ...ownHost(app), ...headers })
      expect(await nextGuests(app, path, headers)).toEqual(sameForBoth(app, path, headers))
    }
  })
}

test('the page of a signed-in user is not served to the next guest', async () => {
  for (const role of ['student', 'admin'] as const) {
    const { id, browser } = await aStudent(demo, { role })
    const path = newPath()
    const own = await browser.get(path, { cookie: `${browser.cookies}; altocert_denied=1` })
    expect(own.body).toMatchObject({ user: { id } })
    expect(own.headers.get('cache-control')).toBe('no-store')
    expect(await nextGuests(demo, path, role)).toEqual(sameForBoth(demo, path, role))
  }
})

test('guests behind a proxy get the cached page, and a 304 for the one that they have', async () => {
  const path = newPath()
  const forwarded = { ...ownHost(live), 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
  const [first, second] = [
    await sendRaw(`${live.url}${path}`, forwarded),
    await sendRaw(`${live.url}${path}`, forwarded),
  ]
  expect([first.body, second.body]).toEqual([forEverybody(live, path), forEverybody(live, path)])
  const etag = String(second.headers['etag'])
  expect(etag).toMatch(/^"/)
  for (const known of [etag, `W/${etag}`])
    expect((await sendRaw(`${live.url}${path}`, { ...forwarded, 'if-none-match': known })).status).toBe(304)
  // Also where the request has to pass every check first: a session that has ended is a guest's.
  const cookie = `${sessionCookieName(live.services.env.appUrl)}=x`
  const ended = await sendRaw(`${live.url}${path}`, { ...forwarded, cookie, 'if-none-match': etag })
  expect([ended.status, ended.headers['x-frame-options']]).toEqual([304, 'DENY'])
})

test('the login page is cached, and a browser with a cookie that it reads gets one of its own', async () => {
  for (const path of ['/login', '/login?redirect=%2Fmy-courses', '/register', '/forgot-password', '/api/docs'])
    expect(await nextGuests(live, path, '')).toEqual(sameForBoth(live, path, ''))
  for (const cookie of ['__Host-altocert_closed=locked', 'altocert_second_step=x']) {
    const own = await sendRaw(`${live.url}/login`, { ...ownHost(live), cookie })
    expect([own.body.includes(cookie), own.headers['etag']]).toEqual([true, undefined])
  }
  expect(await nextGuests(live, '/login', '')).toEqual(sameForBoth(live, '/login', ''))
})

test('caches in front of the shop may keep guests pages only where the operator says so, and nothing else', async () => {
  const edge = await startApp({ ...httpsShop, EDGE_CACHE_SECONDS: '60' }, revealingPage)
  const released = async (app: TestApp, path: string, headers: Record<string, string> = {}) => {
    const reply = await sendRaw(`${app.url}${path}`, { ...ownHost(app), ...headers })
    expect(String(reply.headers['cache-control'])).not.toMatch(/public|s-maxage|stale/)
    return [reply.headers['x-accel-expires'], reply.headers['cdn-cache-control']]
  }
  const yes = ['60', 'public, max-age=60, stale-while-revalidate=60']
  const no = [undefined, undefined]
  // The first request of each renders the page, the second finds it.
  for (const path of ['/', '/login', '/course/a', '/', '/login', '/course/a']) {
    expect(await released(edge, path)).toEqual(yes)
    expect(await released(live, path)).toEqual(no)
  }
  for (const path of ['/_root.data', '/_root.data', '/?search=a', '/my-courses', '/api/courses', '/healthz'])
    expect([path, await released(edge, path)]).toEqual([path, no])
  expect(await released(edge, '/login', { cookie: 'altocert_closed=x' })).toEqual(no)
})
