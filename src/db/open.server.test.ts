import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { sql } from 'kysely'
import { openDatabase, type Db } from './open.server.ts'
import { limitSilence } from './silent-connections.server.ts'

test('a broken connection is reported once, and the next one works', async () => {
  const errors: Error[] = []
  const { pool, close } = openDatabase(inject('databaseServer'), {
    connections: 2,
    onError: (error) => errors.push(error),
  })
  const [used, other] = [await pool.connect(), await pool.connect()]
  const { rows } = await used.query<{ pid: number }>('select pg_backend_pid() as pid')
  await other.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await expect.poll(() => errors.length).toBeGreaterThan(0)
  await expect(used.query('select 1')).rejects.toThrow(/not queryable/)
  used.release()
  other.release()

  const idle = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const killer = openDatabase(inject('databaseServer'), { connections: 1 })
  const before = errors.length
  await killer.pool.query('select pg_terminate_backend($1)', [idle.rows[0]?.pid])
  await expect.poll(() => errors.length).toBeGreaterThan(before)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(errors.map((error) => 'code' in error && error.code)).toEqual(['57P01', '57P01'])
  await killer.close()
  await close()
})

test('of two transactions that wait for each other, both succeed', async () => {
  const { db, close } = openDatabase(inject('databaseServer'))
  const lock = (tx: Db, key: number) => sql`select pg_advisory_xact_lock(6001, ${key})`.execute(tx)
  let runs = 0
  let release = () => {}
  const bothHoldOne = new Promise<void>((resolve) => (release = resolve))
  const cross = (own: 0 | 1) =>
    db.transaction().execute(async (tx) => {
      await lock(tx, own)
      runs += 1
      if (runs === 2) release()
      await bothHoldOne
      await lock(tx, 1 - own)
      return own
    })
  expect(await Promise.all([cross(0), cross(1)])).toEqual([0, 1])
  expect(runs).toBe(3)
  await close()
})

test('a transaction that fails otherwise is not run again', async () => {
  const { db, close } = openDatabase(inject('databaseServer'))
  let runs = 0
  const divide = db.transaction().execute(async (tx) => {
    runs += 1
    await sql`select 1 / 0`.execute(tx)
  })
  await expect(divide).rejects.toThrow(/division by zero/)
  expect(runs).toBe(1)
  await close()
})

/** A network that can swallow everything without closing a connection. */
async function aNetwork(to: URL): Promise<{ url: string; swallow(): void }> {
  const pairs: (readonly [Socket, Socket])[] = []
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    pairs.push([near, far])
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.on('close', () => far.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const [near] of pairs) near.destroy()
    server.close()
  })
  const url = new URL(to)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    swallow() {
      for (const [near, far] of pairs) {
        near.unpipe(far).resume()
        far.unpipe(near).resume()
      }
    },
  }
}

test('a connection that is silent with a query under way is destroyed, and an idle one is not', async () => {
  const network = await aNetwork(new URL(inject('databaseServer')))
  const { pool, close } = openDatabase(network.url, { connections: 1 })
  const client = await pool.connect()
  limitSilence(client, 100)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  network.swallow()
  await expect(client.query('select 2')).rejects.toThrow(/silent for 0\.1 seconds|terminated/)
  client.release()
  expect((await pool.query('select 3 as three')).rows).toEqual([{ three: 3 }])
  await close()
})

test('after a network lost all connections, those that it lost are ended within seconds with the sessions and locks they left', async () => {
  const network = await aNetwork(new URL(inject('databaseServer')))
  const { pool, close } = openDatabase(network.url, { connections: 5 })
  const others = openDatabase(inject('databaseServer'), { connections: 2 })
  const clients = await Promise.all([1, 2, 3, 4, 5].map(() => pool.connect()))
  const [holder, ...idle] = clients
  await holder!.query('select pg_advisory_lock(6002)')
  for (const client of idle) client.release()
  network.swallow()
  const startedAt = performance.now()
  await expect(holder!.query('select pg_advisory_unlock(6002)')).rejects.toThrow(/silent for \d seconds/)
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  holder!.release()
  // Nobody else waits for one of the connections that were idle.
  expect((await Promise.all(idle.map(() => pool.query('select 1 as one')))).map(({ rows }) => rows)).toEqual(
    idle.map(() => [{ one: 1 }]),
  )
  const isFree = async () =>
    (await others.pool.query<{ free: boolean }>('select pg_try_advisory_lock(6002) as free')).rows[0]?.free
  await expect.poll(isFree).toBe(true)
  await close()
  await others.close()
})

test('a query that takes long is not taken for lost', async () => {
  const { pool, close } = openDatabase(inject('databaseServer'), { connections: 2 })
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(9)')
  expect((await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid).toBe(rows[0]?.pid)
  await close()
})
