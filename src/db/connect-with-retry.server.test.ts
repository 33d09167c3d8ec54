import { expect, inject, test } from 'vitest'
import { freePort } from '../app/server/free-port.server.ts'
import { connectWithRetry, DatabaseUnavailable } from './connect-with-retry.server.ts'

test('the error for an unreachable database is one sentence without the password', async () => {
  const port = await freePort()
  const errors: unknown[] = []
  const waiting = connectWithRetry(`postgres://shop:secret@127.0.0.1:${port}/altocert`, {
    timeoutMs: 1000,
    onUnavailable: (error) => errors.push(error),
  })
  const error = await waiting.then(() => null).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DatabaseUnavailable)
  expect((error as DatabaseUnavailable).message).toBe(
    `The database "altocert" at 127.0.0.1:${port} did not answer for 1 seconds (connect ECONNREFUSED 127.0.0.1:${port}). Check that PostgreSQL runs there and that DATABASE_URL is correct.`,
  )
  expect(errors).toHaveLength(1)
})

test('an error from the database itself is thrown without a retry', async () => {
  const url = new URL(inject('databaseServer'))
  url.pathname = '/not_there'
  const errors: unknown[] = []
  await expect(connectWithRetry(url.href, { onUnavailable: (error) => errors.push(error) })).rejects.toMatchObject({
    code: '3D000',
  })
  expect(errors).toEqual([])
})
