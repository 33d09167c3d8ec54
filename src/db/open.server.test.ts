import { expect, inject, test, vi } from 'vitest'
import { openDatabase } from './open.server.ts'

test('a broken connection is reported once, and the next one works', async () => {
  const errors: Error[] = []
  const { pool, close } = openDatabase(inject('databaseServer'), {
    connections: 2,
    onError: (error) => errors.push(error),
  })
  const [used, other] = [await pool.connect(), await pool.connect()]
  const { rows } = await used.query<{ pid: number }>('select pg_backend_pid() as pid')
  await other.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0))
  await expect(used.query('select 1')).rejects.toThrow(/not queryable/)
  used.release()
  other.release()

  const idle = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const killer = openDatabase(inject('databaseServer'), { connections: 1 })
  const before = errors.length
  await killer.pool.query('select pg_terminate_backend($1)', [idle.rows[0]?.pid])
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(before))
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(errors.map((error) => 'code' in error && error.code)).toEqual(['57P01', '57P01'])
  await killer.close()
  await close()
})
