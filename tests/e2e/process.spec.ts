import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { admin } from './shared-users.ts'
import { dataFolder, launch as launchIn, untilReady, type ServerProcess } from './server-process.ts'

const running: ServerProcess[] = []
let folder: Awaited<ReturnType<typeof dataFolder>>

test.beforeEach(async () => {
  folder = await dataFolder()
})
test.afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM')
    await ended
  }
  await folder.remove()
})

const launch = (port: number, environment?: Record<string, string>) => launchIn(folder.path, port, environment)

async function start(environment: Record<string, string> = {}): Promise<ServerProcess> {
  const one = launch(await freePort(), { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, ...environment })
  running.push(one)
  await untilReady(one)
  return one
}

const post = (url: string, path: string, body: unknown, cookie = '') =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })

let visitors = 0
/** Each call comes from a loopback address of its own, because the server limits sign-ups per network address. */
async function signUp(url: string, email: string): Promise<number> {
  visitors += 1
  const call = request(`${url}/api/auth/sign-up`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    family: 4,
    localAddress: `127.1.${visitors >> 8}.${visitors & 255}`,
  })
  call.end(JSON.stringify({ name: 'Kept', email, password: 'Correct-Horse-7!' }))
  const [reply] = (await once(call, 'response')) as [IncomingMessage]
  reply.resume()
  return reply.statusCode ?? 0
}

/** The process that accepts the connections of the embedded database. */
async function databaseProcess(): Promise<number> {
  const [pid] = (await readFile(join(folder.path, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

const signInAsAdmin = (url: string) => signIn(url, admin)

async function signIn(url: string, { email, password }: { email: string; password: string }): Promise<string> {
  const reply = await post(url, '/api/auth/sign-in', { email, password })
  expect(reply.status).toBe(200)
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

test('killed with -9 and started again, it has every account that it acknowledged', async () => {
  const first = await start({ DEMO_CATALOGUE: 'off' })
  const acknowledged: string[] = []
  const over = new AbortController()
  const registering = Promise.all(
    Array.from({ length: 4 }, async (_, worker) => {
      for (let number = 0; !over.signal.aborted; number += 1) {
        const email = `kept-${worker}-${number}@example.com`
        const reply = await signUp(first.url, email).catch(() => null)
        if (reply === 200) acknowledged.push(email)
      }
    }),
  )
  await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(20)
  first.child.kill('SIGKILL')
  over.abort()
  await registering
  await first.ended
  const second = await start({ DEMO_CATALOGUE: 'off' })
  for (const email of acknowledged) expect(await signUp(second.url, email), email).toBe(409)
})

test('the database killed ten times under traffic, the same process serves on and has all that it acknowledged', async () => {
  test.slow()
  const server = await start({ DEMO_CATALOGUE: 'off', LOG_LEVEL: 'silent' })
  const { url } = server
  const cookie = await signInAsAdmin(url)
  const acknowledged: string[] = []
  const over = new AbortController()
  const traffic = [
    ...Array.from({ length: 4 }, (_, worker) => async (round: number) => {
      const email = `kept-${worker}-${round}@example.com`
      if ((await signUp(url, email)) === 200) acknowledged.push(email)
      // The next one waits until the database answers.
      else while (!over.signal.aborted && (await fetch(`${url}/api/courses`)).status !== 200);
    }),
    () => fetch(`${url}/`),
    () => fetch(`${url}/api/courses`),
    () => fetch(`${url}/admin`, { headers: { cookie } }),
    (round: number) => post(url, '/api/courses', { title: `Course ${round}`, price: '10.00' }, cookie),
  ]
  const passing = traffic.map(async (call) => {
    for (let round = 0; !over.signal.aborted; round += 1) await Promise.resolve(call(round)).catch(() => null)
  })
  const killed = new Set<number>()
  while (killed.size < 10) {
    const before = acknowledged.length
    await expect
      .poll(() => server.child.exitCode !== null || acknowledged.length > before + 3, {
        timeout: 30_000,
        intervals: [20],
      })
      .toBe(true)
    expect(server.child.exitCode, server.printed()).toBe(null)
    const pid = await databaseProcess()
    process.kill(pid, 'SIGKILL')
    killed.add(pid)
  }
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 30_000 }).toBe(200)
  over.abort()
  await Promise.all(passing)
  expect(server.child.exitCode).toBe(null)
  for (const email of acknowledged) expect(await signUp(url, email), email).toBe(409)
})

test('started before its database, it waits for it and then serves', async () => {
  const before = await startEmbedded({ dataDir: folder.path })
  const databaseUrl = before.url
  const pid = await databaseProcess()
  const stopped = before.stop()
  // Killed rather than stopped, so that its next start looks for the same port.
  process.kill(pid, 'SIGKILL')
  await stopped
  const server = launch(await freePort(), { DATABASE_URL: databaseUrl, DEMO_CATALOGUE: 'off' })
  running.push(server)
  await expect.poll(() => server.printed()).toContain('the database is unreachable')
  const database = await startEmbedded({ dataDir: folder.path })
  expect(database.url).toBe(databaseUrl)
  await untilReady(server)
  running.pop()
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  await database.stop()
})

test('four processes that start at once on an empty database lay out one catalogue and print one password, and all serve', async () => {
  test.slow()
  const database = await startEmbedded({ dataDir: folder.path })
  const four: ServerProcess[] = []
  for (let number = 0; number < 4; number += 1)
    four.push(launch(await freePort(), { DATABASE_URL: database.url, LOG_LEVEL: 'error' }))
  try {
    for (const server of four) await untilReady(server, 150_000)
    const printed = four.map((server) => server.printed()).join('')
    expect(printed.match(/Added the demo catalogue: 12 courses/g)).toHaveLength(1)
    const passwords = [...printed.matchAll(/^Admin: (\S+) {2}password: (\S+)/gm)]
    expect(passwords).toHaveLength(1)
    const [, email, password] = passwords[0]!
    for (const { url } of four) {
      const { courses } = (await (await fetch(`${url}/api/courses`)).json()) as { courses: { title: string }[] }
      expect(new Set(courses.map(({ title }) => title)).size).toBe(12)
      expect(courses).toHaveLength(12)
      const cookie = await signIn(url, { email: email!, password: password! })
      // They agree on what sessions are signed with, too.
      for (const other of four) {
        const reply = await fetch(`${other.url}/admin`, { headers: { cookie }, redirect: 'manual' })
        expect(reply.status, other.url).toBe(200)
      }
    }
  } finally {
    for (const { child } of four) child.kill('SIGTERM')
    await Promise.all(four.map(({ ended }) => ended))
    await database.stop()
  }
})

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  test(`told to stop by ${signal}, it finishes what it has begun, takes nothing new and ends with 0`, async () => {
    const server = await start({ DEMO_CATALOGUE: 'off' })
    await fetch(`${server.url}/demo/gateway/switches`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', origin: server.url },
      body: JSON.stringify({ api: 'slow', slowMs: 1200 }),
    })
    const begun = fetch(`${server.url}/readyz`)
    // The slow gateway is being asked once the request is inside.
    await expect.poll(async () => (await fetch(`${server.url}/healthz`)).status).toBe(200)
    server.child.kill(signal)
    expect((await (await begun).json()) as object).toMatchObject({ database: 'ok' })
    expect(await server.ended).toBe(0)
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  })

test('two processes share one folder, and a change through one is seen through the other', async () => {
  const [first, second] = [await start(), await start()]
  const cookie = await signInAsAdmin(first.url)
  const { courses } = (await (await fetch(`${second.url}/api/courses`)).json()) as {
    courses: { id: string; slug: string }[]
  }
  const course = courses[0]!
  const pageOf = async (url: string) => (await fetch(`${url}/course/${course.slug}`)).text()
  expect(await pageOf(second.url)).not.toContain('$77.77')
  const changed = await fetch(`${first.url}/api/courses/${course.id}`, {
    method: 'PATCH',
    headers: { origin: first.url, 'content-type': 'application/json', cookie },
    body: JSON.stringify({ price: '77.77' }),
  })
  expect(changed.status).toBe(200)
  // How soon is measured where nothing else runs: by realtime.server.test and the bench.
  await expect.poll(() => pageOf(second.url), { intervals: [100] }).toContain('$77.77')
  running.shift()?.child.kill('SIGTERM')
  await first.ended
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
})

test('at an address that is not loopback, missing real parts stop the start with a list', async () => {
  const server = launch(await freePort(), { APP_URL: 'https://shop.example.com' })
  expect(await server.ended).toBe(1)
  expect(server.printed()).toContain('STRIPE_SECRET_KEY')
  expect(server.printed()).toContain('SMTP_URL')
  expect(server.printed()).not.toContain('    at ')
})

test('a port that is taken is said in one sentence, and a password that was made is not lost', async () => {
  const server = await start({ DEMO_CATALOGUE: 'off' })
  const own = await dataFolder()
  // Whoever ends like this leaves its database running; so somebody is here to stop it.
  const database = await startEmbedded({ dataDir: own.path })
  const second = launchIn(own.path, Number(new URL(server.url).port))
  expect(await second.ended).toBe(1)
  await database.stop()
  await own.remove()
  expect(second.printed()).toMatch(/^Admin: \S+ {2}password: \S+/m)
  expect(second.printed()).toContain('is in use. Set PORT to another one.')
  expect(second.printed()).not.toContain('    at ')
})

test('it listens on the address that LISTEN_HOST names and on no other, and with emulators on loopback only', async () => {
  const server = await start({ DEMO_CATALOGUE: 'off', LISTEN_HOST: '127.0.0.2' })
  const at = (address: string) => server.url.replace('localhost', address)
  expect((await fetch(`${at('127.0.0.2')}/healthz`)).status).toBe(200)
  await expect(fetch(`${at('127.0.0.1')}/healthz`)).rejects.toThrow()
  const open = launch(await freePort(), { LISTEN_HOST: '0.0.0.0' })
  expect(await open.ended).toBe(1)
  expect(open.printed()).toContain(
    'LISTEN_HOST is 0.0.0.0, which other machines may reach, so emulators are not allowed.',
  )
})
