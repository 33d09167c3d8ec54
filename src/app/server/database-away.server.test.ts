import type { Endpoint } from '../../platform/http/endpoint.server.ts'
import { expect, test } from 'vitest'
import { aNetworkTo } from '../../../tests/support/database-network.ts'
import { aLearnerInAnExam, REQUEST_LIMIT_MS, timed, WELL_MS } from '../../../tests/support/learner-in-exam.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { aDatabase } from '../../../tests/support/test-database.ts'
import { refusedPage } from '../../platform/http/page-loader.server.ts'
import type { RenderPage } from './guest-pages.server.ts'

/** As the framework does, it answers a loader's failure with the failure's status. */
const countingPage: RenderPage = async (_request, { request: context }) => {
  const counted = await context.db
    .selectFrom('courses')
    .select((of) => of.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => refusedPage(context, error))
  if (!('count' in counted)) return new Response('a failure', { status: 503 })
  const { count } = counted
  return new Response(`<html><body><p id="away-line" class="x"></p><h1>${count} courses</h1></body></html>`, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}

/** A shop behind a network that fails on demand, with a learner in the middle of a timed exam. */
async function aShop() {
  const network = await aNetworkTo((await aDatabase()).url)
  const app = await startApp({ LOG_LEVEL: 'silent', DATABASE_URL: network.url }, countingPage)
  const { browser, save, open } = await aLearnerInAnExam(app)
  const all = () => Promise.all([save(), open(), browser.get('/my-courses')].map(timed))
  return { app, network, all, browser }
}

const AWAY = {
  error: {
    code: 'server.away',
    kind: 'network',
    message: 'We cannot reach our database right now, so please try again in a few seconds.',
    facts: { retryAfterSeconds: 5 },
    requestId: expect.any(String) as string,
  },
}

async function expectAway(all: () => Promise<Awaited<ReturnType<typeof timed>>[]>) {
  const replies = await all()
  expect(replies.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
    replies.map(() => [503, '5']),
  )
  expect(Math.max(...replies.map(({ ms }) => ms))).toBeLessThan(REQUEST_LIMIT_MS)
  expect(replies.map(({ body }) => body)).toEqual(replies.map(() => AWAY))
}

/** Everything works, and the process hears of changes. */
async function expectWell({ app, all }: Awaited<ReturnType<typeof aShop>>) {
  await expect.poll(async () => (await all()).map(({ status }) => status), { timeout: 60_000 }).toEqual([200, 200, 200])
  await expect
    .poll(
      async () => {
        app.clock.forward(10_000)
        return ((await (await fetch(`${app.url}/readyz`)).json()) as { database: string }).database
      },
      { timeout: 30_000 },
    )
    .toBe('ok')
}

const shops = await Promise.all([aShop(), aShop(), aShop()])

test('requests that the database does not answer end with 503 within ten seconds, and all is well when it does again', async () => {
  const [frozen, swallowed, refused] = shops
  await Promise.all(shops.map(expectWell))
  frozen.network.freeze()
  swallowed.network.swallow()
  refused.network.cut()
  await Promise.all([
    expectAway(frozen.all),
    expectAway(refused.all),
    // Its new connections work: what was lost is found before the limit, and a save that met it is stored after all.
    swallowed.all().then((replies) => {
      expect(replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
      expect(Math.max(...replies.map(({ ms }) => ms))).toBeLessThan(REQUEST_LIMIT_MS)
    }),
  ])
  const endedAt = performance.now()
  await expectWell(swallowed)
  expect(performance.now() - endedAt).toBeLessThan(WELL_MS)
  frozen.network.thaw()
  refused.network.restore()
  await Promise.all(shops.map(expectWell))
}, 180_000)

const openPage = async (url: string, cookie = '') => {
  const reply = await fetch(url, { headers: { accept: 'text/html,*/*;q=0.8', cookie } })
  return { status: reply.status, headers: reply.headers, html: await reply.text() }
}

test('guests get the last good pages while the database is away, with a line and no headers for caches, and all others a page that tries again', async () => {
  const { app, network, browser } = await aShop()
  const home = await openPage(`${app.url}/`)
  expect(home).toMatchObject({
    status: 200,
    html: expect.stringContaining('<p id="away-line" class="x"></p>') as string,
  })
  await openPage(`${app.url}/course/seen`)

  for (const [fail, mend] of [
    [network.cut, network.restore],
    [network.freeze, network.thaw],
  ] as const) {
    fail()
    await expect
      .poll(async () => (await openPage(`${app.url}/`)).html)
      .toContain('Prices are confirmed at checkout.</p>')
    const [last, seen] = [await openPage(`${app.url}/`), await openPage(`${app.url}/course/seen`)]
    expect([last.status, seen.status]).toEqual([200, 200])
    expect(seen.html).toContain('Prices are confirmed at checkout.</p>')
    expect(last.html.replace(/(?<=class="x">)[^<]+/, '')).toBe(home.html)
    expect(last.headers.get('cache-control')).toBe('private, no-store')
    expect(['etag', 'cdn-cache-control', 'x-accel-expires'].filter((name) => last.headers.has(name))).toEqual([])
    for (const away of await Promise.all([
      openPage(`${app.url}/course/never-seen`),
      openPage(`${app.url}/`, browser.cookies),
    ])) {
      expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
      expect(away.html).toContain('<h1>Back in a Moment</h1>')
      expect(away.html).toMatch(/<meta http-equiv="refresh" content="\d">/)
    }
    mend()
    await expect.poll(async () => (await openPage(`${app.url}/`)).html, { timeout: 30_000 }).toBe(home.html)
    await expect.poll(async () => (await openPage(`${app.url}/`)).headers.has('etag')).toBe(true)
    await openPage(`${app.url}/course/seen`)
  }
}, 120_000)

test('a form that is posted while the database is away is answered by a page that does not load again', async () => {
  const { network, browser } = await aShop()
  network.cut()
  const reply = await browser.call('POST', '/account', 'name=Ana', {
    accept: 'text/html',
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
  expect(reply.body).toContain('What you sent may not have been saved.')
  expect(reply.body).not.toContain('http-equiv="refresh"')
  network.restore()
  await expect.poll(async () => (await browser.get('/my-courses')).status).toBe(200)
})

test('pages are rendered as always when only the connection for changes is late', async () => {
  const { app } = await aShop()
  const home = await openPage(`${app.url}/`)
  const { pool } = app.services.database
  // The connection comes back by itself; until then nothing is cached.
  await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' or query like '%catalogue_changes%' and pid <> pg_backend_pid() and datname = current_database() and usename = current_user",
  )
  expect(await openPage(`${app.url}/`)).toMatchObject({ status: 200, html: home.html })
})

test('only files may take longer than a request waits for the database, and calls to a third party while it answers', async () => {
  const { app } = await aShop()
  const named = (isMeant: (endpoint: Endpoint) => boolean) =>
    app.application.endpoints
      .filter(isMeant)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted()
  expect(named(({ mayTakeLong }) => mayTakeLong === true)).toEqual([
    'GET /api/analytics/courses.csv',
    'GET /api/analytics/days.csv',
    'GET /api/cards',
    'GET /api/exports',
    'GET /api/exports/losses',
    'GET /api/offline-exams/:examSlug',
    'GET /api/profiles/:userId/data',
    'GET /api/profiles/me/data',
    'POST /api/imports',
    'POST /api/profiles/:userId/deletion',
    'POST /api/profiles/me/deletion',
  ])
  expect(named(({ asksOthers }) => asksOthers === true)).toEqual([
    'POST /api/functions/create-cart-payment',
    'POST /api/functions/repair-my-orders',
    'POST /api/functions/verify-payment',
    'POST /api/orders/:orderId/check',
    'POST /api/orders/:orderId/drop',
    'POST /api/orders/:orderId/pay',
    'POST /api/orders/:orderId/refund',
  ])
})
