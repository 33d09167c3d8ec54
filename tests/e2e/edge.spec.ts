import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../../src/db/open.server.ts'
import { hashPassword } from '../../src/features/accounts/argon2-gateway.server.ts'
import type { CourseId } from '../../src/lib/ids.ts'
import { makeLearner } from '../support/exam-takers.ts'
import { httpsShop, SHOP } from '../support/https-shop.ts'
import { PASSWORD } from '../support/users.ts'
import { findNginx } from '../support/find-nginx.ts'
import { sendRaw } from '../support/sent-by-visitors.ts'
import { startNginx } from './start-nginx.ts'
import { dataFolder, launch, untilReady } from './server-process.ts'

test.skip(
  findNginx() === null,
  'There is no nginx on this machine, so nothing was tried through it. Install nginx-light.',
)

/** Longer than the test: what the edge keeps, it shows until the end. */
const EDGE_SECONDS = 600
const HOST = new URL(SHOP).host
const closers: (() => Promise<unknown>)[] = []
test.afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

/** The payment provider, which records the amounts that it is asked for. */
async function aProvider(): Promise<{ url: string; amounts: number[] }> {
  const amounts: number[] = []
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const fields = new URLSearchParams(body)
      for (const [name, value] of fields)
        if (/^line_items\[0\].*\[unit_amount\]$/.test(name)) amounts.push(Number(value))
      const session = {
        id: `cs_test_${amounts.length}`,
        object: 'checkout.session',
        url: 'https://pay.example.com/',
        status: 'open',
        payment_status: 'unpaid',
        expires_at: Math.floor(Date.now() / 1000) + 3600,
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(session))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, amounts }
}

async function aShopBehindNginx() {
  const provider = await aProvider()
  const folder = await dataFolder()
  closers.push(() => folder.remove())
  // `makeLearner` signs with the secret of this file.
  await writeFile(join(folder.path, 'auth-secret'), httpsShop.AUTH_SECRET)
  const port = await freePort()
  const server = launch(folder.path, port, {
    ...httpsShop,
    STRIPE_API_BASE: provider.url,
    TRUSTED_PROXIES: '127.0.0.1',
    LISTEN_HOST: '127.0.0.1',
    EDGE_CACHE_SECONDS: String(EDGE_SECONDS),
  })
  closers.push(async () => {
    server.child.kill('SIGTERM')
    await server.ended
  })
  await untilReady({ ...server, url: SHOP })
  const nginx = await startNginx(port)
  closers.push(() => nginx.stop())
  const embedded = await startEmbedded({ dataDir: folder.path })
  const database = openDatabase(embedded.url, { connections: 2 })
  closers.push(
    () => embedded.stop(),
    () => database.close(),
  )
  const { db } = database
  const courses = await db.selectFrom('courses').select(['id', 'slug']).where('status', '=', 'published').execute()
  const aLearner = async (course = courses[0]!, passwordHash = '') => {
    const learner = await makeLearner(db, { dataDir: folder.path, courseId: course.id as CourseId, passwordHash })
    return { ...learner, cookie: `__Host-${learner.cookie.name}=${learner.cookie.value}` }
  }
  const get = (path: string, headers: Record<string, string> = {}) =>
    sendRaw(`${nginx.url}${path}`, { host: HOST, ...headers })
  const call = async (path: string, body: object, cookie = '', forwardedFor = '203.0.113.1') => {
    const headers = {
      host: HOST,
      origin: SHOP,
      'content-type': 'application/json',
      cookie,
      'x-forwarded-for': forwardedFor,
    }
    const reply = await fetch(`${nginx.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: reply.status, body: (await reply.json()) as unknown }
  }
  return { provider, db, courses, aLearner, get, call, direct: server.child, port }
}

const shop = aShopBehindNginx

test('nginx keeps the pages of guests, never one of a user or of a guest with a cookie of ours, and prices are right at checkout', async () => {
  const { provider, db, courses, aLearner, get, call, port } = await shop()
  const course = courses[0]!
  const paths = ['/', `/course/${course.slug}`, '/login', '/register', '/api/docs', '/login?redirect=%2Fmy-courses']
  const users = [await aLearner(), await aLearner(courses[1]!), await aLearner()]
  const [admin, ...students] = users
  await db.updateTable('profiles').set({ role: 'admin' }).where('id', '=', admin!.id).execute()
  const foreign = 'altocert_closed=deleted'

  // Users come first, then guests, then all in turn: whoever fills the cache must not matter.
  const seen = new Map<string, string>()
  for (let round = 0; round < 3; round += 1)
    for (const path of paths) {
      for (const { cookie, email } of users) {
        const reply = await get(path, { cookie })
        expect([path, reply.status, reply.headers['cache-control']]).toEqual([path, 200, 'no-store'])
        expect(reply.body.includes(email), path).toBe(true)
        for (const other of users) if (other.email !== email) expect(reply.body.includes(other.email), path).toBe(false)
      }
      for (const encoding of ['identity', 'gzip', 'br']) {
        const guest = await get(path, { 'accept-encoding': encoding })
        expect([path, guest.status, guest.headers['content-encoding']]).toEqual([
          path,
          200,
          encoding === 'identity' ? undefined : encoding,
        ])
        // What browsers and others on the way hear: ask each time.
        expect(guest.headers['cache-control']).toBe('private, no-cache')
        const before = seen.get(`${path} ${encoding}`)
        if (before !== undefined) expect(guest.body === before, path).toBe(true)
        seen.set(`${path} ${encoding}`, guest.body)
        for (const { email, id } of users)
          expect(guest.body.includes(email) || guest.body.includes(id), path).toBe(false)
        const known = await get(path, { 'accept-encoding': encoding, 'if-none-match': String(guest.headers['etag']) })
        expect(known.status).toBe(304)
      }
    }
  expect((await get('/login', { cookie: foreign })).body).not.toBe(seen.get('/login identity'))

  // The catalogue changes: the edge still shows guests the old price, everybody else and the checkout have the new one.
  const old = await db.selectFrom('courses').select('price').where('id', '=', course.id).executeTakeFirstOrThrow()
  await db.updateTable('courses').set({ price: '77.77', was_price: null }).where('id', '=', course.id).execute()
  const path = `/course/${course.slug}`
  const isNew = (text: string) => text.includes('77.77')
  await expect
    .poll(async () => isNew((await sendRaw(`http://127.0.0.1:${port}${path}`, { host: HOST })).body))
    .toBe(true)
  expect(isNew((await get(path)).body)).toBe(false)
  expect(isNew((await get(path, { cookie: students[0]!.cookie })).body)).toBe(true)
  expect(isNew((await get(path, { cookie: 'altocert_guest=x' })).body)).toBe(true)
  expect((await get('/_root.data')).body).toContain('7777')
  expect(isNew((await get('/api/courses')).body)).toBe(true)

  const cart = (price: number) => ({ cartItems: [{ id: course.id, quantity: 1, price }] })
  const buyer = students[1]!.cookie
  const stale = await call('/api/functions/create-cart-payment', cart(Number(old.price)), buyer)
  expect([stale.status, JSON.stringify(stale.body).includes('77.77')]).toEqual([409, true])
  expect(provider.amounts).toEqual([])
  expect((await call('/api/functions/create-cart-payment', cart(77.77), buyer)).status).toBe(200)
  expect(provider.amounts).toEqual([7777])
})

test('the shop hears from nginx which address a visitor has', async () => {
  const { db, aLearner, call } = await shop()
  const learner = await aLearner(undefined, await hashPassword(PASSWORD))
  const address = '203.0.113.77'
  const reply = await call('/api/auth/sign-in', { email: learner.email, password: PASSWORD }, '', address)
  expect(reply.status).toBe(200)
  const sessions = await db.selectFrom('sessions').select('ip_address').where('user_id', '=', learner.id).execute()
  expect(sessions.map(({ ip_address }) => ip_address)).toContain(address)
})

test('where no process answers, nginx says so with 503, and a page tries again by itself', async () => {
  const nginx = await startNginx(await freePort())
  closers.push(nginx.stop)
  const page = await fetch(nginx.url)
  expect([page.status, page.headers.get('retry-after'), page.headers.get('cache-control')]).toEqual([
    503,
    '5',
    'no-store',
  ])
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await page.text()).toMatch(/Back in a Moment.*http-equiv="refresh"/)
  const posted = await fetch(`${nginx.url}/login`, { method: 'POST', body: 'a=b' })
  expect(posted.status).toBe(503)
  const text = await posted.text()
  expect(text).toContain('What you sent may not have been saved.')
  expect(text).not.toContain('refresh')
})
