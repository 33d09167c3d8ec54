import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/support/test-database.ts'
import { withMigrationLock } from './migration-lock.server.ts'

const { pool, url } = await aDatabase()
const never = () => expect.unreachable('the database is available')

test('only one process sets up the database at a time, and the next one waits', async () => {
  const order: string[] = []
  let second: Promise<void> | undefined
  await withMigrationLock(url, { onUnavailable: never }, async () => {
    await new Promise<void>((waits) => {
      second = withMigrationLock(url, { onUnavailable: never, onWait: waits }, async () => void order.push('second'))
    })
    await pool.query('select 1')
    order.push('first')
  })
  await second
  expect(order).toEqual(['first', 'second'])
})

test('work that fails, or loses its connection, releases the lock', async () => {
  const failing = withMigrationLock(url, { onUnavailable: never }, () => Promise.reject(new Error('no room')))
  await expect(failing).rejects.toThrow('no room')
  await withMigrationLock(url, { onUnavailable: never }, async () => {
    await pool.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = $1::oid",
      [
        (await pool.query<{ oid: string }>('select oid from pg_database where datname = current_database()')).rows[0]
          ?.oid,
      ],
    )
    expect(await withMigrationLock(url, { onUnavailable: never }, () => Promise.resolve('mine'))).toBe('mine')
  })
})
