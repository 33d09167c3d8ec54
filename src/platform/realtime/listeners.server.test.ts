import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { listenTo } from '../../../tests/support/realtime-listener.ts'
import { Listeners, UNREAD_LIMIT_BYTES } from './listeners.server.ts'
import type { NumberedChange } from './realtime.schema.ts'

const COURSE = '00000000-0000-4000-8000-000000000001'
const aChange = (number: number, isPublic = true): NumberedChange => ({
  number,
  isPublic,
  change: { table: 'courses', op: 'update', id: COURSE, course_id: COURSE, row_version: number },
})

/** Listeners behind a real server; with the responses, to see how much is unread. */
async function serve({ beginsAfterEnd = false, ...options }: { heartbeatMs?: number; beginsAfterEnd?: boolean } = {}) {
  const listeners = new Listeners({
    remembered: 1000,
    perUser: 6,
    perNetwork: 300,
    findUser: async (user) => user,
    ...options,
  })
  const responses: ServerResponse[] = []
  const server = createServer((request, response) => {
    responses.push(response)
    const seen = new URL(request.url ?? '', 'http://x').searchParams.get('seen')
    const add = () =>
      listeners.add(response, { user: null, network: '', seen: seen === null ? null : Number(seen), headers: {} })
    if (beginsAfterEnd) response.once('close', add)
    else add()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    listeners.close()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { listeners, responses, port, url: `http://127.0.0.1:${port}` }
}

/** A socket that opens the stream and then reads nothing. */
function aDeafSocket(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /api/realtime HTTP/1.1\r\nHost: x\r\n\r\n')
      socket.pause()
      resolve(socket)
    })
    socket.on('error', () => undefined)
  })
}

const untilThere = async (isThere: () => boolean) => {
  while (!isThere()) await new Promise((resolve) => setImmediate(resolve))
}

test('a listener that does not read is dropped at the limit, and one that reads gets every change', async () => {
  const { listeners, responses, port, url } = await serve()
  const reader = await listenTo(url)
  const socket = await aDeafSocket(port)
  await untilThere(() => listeners.size === 2)
  const deaf = responses[1]!
  let number = 0
  let most = 0
  while (listeners.dropped === 0) {
    listeners.publish(Array.from({ length: 100 }, () => aChange((number += 1))))
    most = Math.max(most, deaf.writableLength)
    const last = number
    await reader.until(({ id }) => id === last)
  }
  expect(most).toBeLessThanOrEqual(UNREAD_LIMIT_BYTES)
  expect(deaf.destroyed).toBe(true)
  expect(listeners.size).toBe(1)
  expect(reader.received.filter(({ event }) => event === 'change').length).toBe(number)
  socket.destroy()
  reader.close()
})

test('a listener with anything unread at two heartbeats in a row is dropped', async () => {
  const { listeners, responses, port } = await serve({ heartbeatMs: 50 })
  const socket = await aDeafSocket(port)
  await untilThere(() => listeners.size === 1)
  let number = 0
  // Until the buffer of the kernel is full.
  while (responses[0]!.writableLength === 0) {
    listeners.publish(Array.from({ length: 50 }, () => aChange((number += 1))))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await untilThere(() => listeners.size === 0)
  expect(listeners.dropped).toBe(1)
  socket.destroy()
})

test('a change is serialized once for all listeners', async () => {
  const { listeners, url } = await serve()
  const all = await Promise.all(Array.from({ length: 20 }, () => listenTo(url)))
  let made = 0
  const change = {
    ...aChange(1).change,
    toJSON() {
      made += 1
      return aChange(1).change
    },
  }
  listeners.publish([{ number: 1, isPublic: true, change }])
  await Promise.all(all.map((listener) => listener.until(({ event }) => event === 'change')))
  // Once for admins and once for everybody else.
  expect(made).toBe(2)
  for (const one of all) one.close()
})

test('a listener that has seen the newest change gets later ones only', async () => {
  const { listeners, url } = await serve()
  listeners.publish([aChange(7), aChange(9, false)])
  const listener = await listenTo(url, { seen: 9 })
  const behind = await listenTo(url, { seen: 7 })
  listeners.publish([aChange(12)])
  for (const one of [listener, behind]) {
    await one.until(({ id }) => id === 12)
    expect(one.received).toHaveLength(1)
    one.close()
  }
})

test('when the newest changes were lost, every stream hears that anything may have changed, and so does one that saw a lost one', async () => {
  const { listeners, url } = await serve()
  listeners.publish([aChange(1), aChange(2), aChange(3)])
  const there = await listenTo(url, { seen: 3 })
  listeners.replace([aChange(1)])
  listeners.publish([aChange(5)])
  await there.until(({ id }) => id === 5)
  expect(there.received.map(({ event, id }) => [event, id])).toEqual([
    ['gap', 1],
    ['change', 5],
  ])
  const back = await listenTo(url, { seen: 3 })
  expect(await back.until(() => true)).toMatchObject({ event: 'gap', id: 5 })
  for (const one of [there, back]) one.close()
})

test('a client that left before its stream began takes no place', async () => {
  const { listeners, responses, url } = await serve({ beginsAfterEnd: true })
  const asking = get(url).on('error', () => undefined)
  await untilThere(() => responses.length === 1)
  asking.destroy()
  await once(responses[0]!, 'close')
  expect(listeners.size).toBe(0)
})
