import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { expect, test } from '@playwright/test'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { PASSWORD } from '../support/users.ts'
import { dataFolder, launch, untilReady, type ServerProcess } from './server-process.ts'

let folder: Awaited<ReturnType<typeof dataFolder>>
let server: ServerProcess

test.beforeEach(async () => {
  test.slow()
  folder = await dataFolder()
  server = launch(folder.path, await freePort(), {
    WEB_CONCURRENCY: '2',
    ADMIN_EMAIL: 'admin@altocert.test',
    ADMIN_PASSWORD: PASSWORD,
    DEMO_CATALOGUE: 'off',
    LIMITS: 'stream=3',
    LOG_LEVEL: 'info',
  })
  await untilReady(server, 120_000)
})
test.afterEach(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  // Also one that was just starting hears that it is to end.
  expect(server.printed()).not.toContain('a worker did not end')
  await folder.remove()
})

async function workers(): Promise<number[]> {
  const pid = server.child.pid!
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number)
  const names = await Promise.all(children.map((child) => readFile(`/proc/${child}/comm`, 'utf8').catch(() => '')))
  return children.filter((_, at) => names[at]?.startsWith('node'))
}

/** A request on a connection of the agent: its status, or what went wrong. */
function get(agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const asked = request(`${server.url}/api/courses`, { agent, family: 4 }, (reply) => {
      reply.resume()
      reply.once('end', () => resolve(reply.statusCode ?? 0))
      reply.once('error', (error) => resolve(error.message))
    })
    asked.once('error', (error) => resolve(error.message))
    asked.end()
  })
}

async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`, { headers: { connection: 'close' } })).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1),
  )
}
const REPLIES = 'altocert_requests_total{status="2xx"}'

test('two workers answer on one port, and whichever is asked tells the metrics of both', async () => {
  const before = await figure(REPLIES)
  const pids = await workers()
  expect(pids).toHaveLength(2)
  const cpuOf = async (pid: number) =>
    Number((await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')[11])
  const spent = await Promise.all(pids.map(cpuOf))
  // Connections are handed out in turns.
  const agent = new Agent({ keepAlive: false })
  for (let number = 0; number < 200; number += 1) expect(await get(agent)).toBe(200)
  // The first reading is counted in the second.
  expect(await figure(REPLIES)).toBe(before + 201)
  expect(await figure(REPLIES)).toBe(before + 202)
  for (const [at, pid] of pids.entries()) expect(await cpuOf(pid), `worker ${at}`).toBeGreaterThan(spent[at]!)
})

test('told to restart, every worker is replaced and no request is dropped, and told to stop, it ends with 0', async () => {
  const old = await workers()
  const replies: (number | string)[] = []
  const over = new AbortController()
  const agents = [
    new Agent({ keepAlive: true, maxSockets: 1 }),
    new Agent({ keepAlive: false }),
    new Agent({ keepAlive: true }),
  ]
  const asking = Promise.all(
    agents.map(async (agent) => {
      while (!over.signal.aborted) replies.push(await get(agent))
    }),
  )
  server.child.kill('SIGHUP')
  await expect.poll(() => server.printed(), { timeout: 120_000 }).toContain('"msg":"restarted the workers"')
  over.abort()
  await asking
  expect(replies.length).toBeGreaterThan(100)
  expect(replies.filter((reply) => reply !== 200)).toEqual([])
  const now = await workers()
  expect(now).toHaveLength(2)
  expect(now.filter((pid) => old.includes(pid))).toEqual([])
  // What ended workers have counted is still counted.
  expect(await figure(REPLIES)).toBeGreaterThanOrEqual(replies.length)

  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
})

test('a worker that dies is replaced, and the log says so', async () => {
  const [victim, other] = await workers()
  process.kill(victim!, 'SIGKILL')
  await expect.poll(() => server.printed()).toContain(`"worker":${victim},"code":null,"signal":"SIGKILL"`)
  expect(server.printed()).toContain('a worker died and is replaced')
  await expect.poll(workers, { timeout: 30_000 }).toHaveLength(2)
  expect(await workers()).toContain(other)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

for (const [which, at] of [
  ['whose successor starts', 0],
  ['whose turn comes later', 1],
] as const)
  test(`a worker ${which} and which dies during a restart is replaced once`, async () => {
    const old = await workers()
    server.child.kill('SIGHUP')
    await expect.poll(workers, { intervals: [20] }).toHaveLength(3)
    process.kill(old[at]!, 'SIGKILL')
    await expect.poll(() => server.printed(), { timeout: 120_000 }).toContain('"msg":"restarted the workers"')
    await expect.poll(workers).toHaveLength(2)
    expect((await workers()).filter((pid) => old.includes(pid))).toEqual([])
  })

test('a restart whose first new worker dies leaves as many workers as before, even when an old one died meanwhile', async () => {
  const old = await workers()
  server.child.kill('SIGHUP')
  await expect.poll(workers, { intervals: [20] }).toHaveLength(3)
  const successor = (await workers()).find((pid) => !old.includes(pid))!
  for (const pid of [old[0]!, successor]) process.kill(pid, 'SIGKILL')
  await expect.poll(() => server.printed()).toContain('a new worker did not start, so the others are not restarted')
  await expect.poll(() => server.printed()).toContain(`"worker":${old[0]},`)
  await expect.poll(workers).toHaveLength(2)
  expect(await workers()).toContain(old[1])
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

test('of a user, all workers together keep as many streams open as the limit says, the newest ones', async () => {
  const signedIn = await fetch(`${server.url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@altocert.test', password: PASSWORD }),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const ended: number[] = []
  for (let number = 0; number < 5; number += 1) {
    await new Promise<void>((resolve) => {
      request(`${server.url}/api/realtime`, { headers: { cookie }, agent: false, family: 4 }, (reply) => {
        reply.on('end', () => ended.push(number))
        reply.on('error', () => undefined)
        reply.once('data', () => {
          reply.resume()
          resolve()
        })
      }).end()
    })
  }
  await expect.poll(() => ended.toSorted()).toEqual([0, 1])
  expect(await figure('altocert_realtime_listeners')).toBe(3)
})
