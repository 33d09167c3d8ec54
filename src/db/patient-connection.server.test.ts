import { expect, inject, test } from 'vitest'
import { freePort } from '../app/server/free-port.server.ts'
import { connectPatiently, DatabaseAway } from './patient-connection.server.ts'

test('a database that does not come is said in one sentence, without the password', async () => {
  const port = await freePort()
  const told: unknown[] = []
  const waiting = connectPatiently(`postgres://shop:secret@127.0.0.1:${port}/altocert`, {
    patienceMs: 1000,
    onAway: (error) => told.push(error),
  })
  const error = await waiting.then(() => null).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DatabaseAway)
  expect((error as DatabaseAway).message).toBe(
    `The database "altocert" at 127.0.0.1:${port} did not answer for 1 seconds (connect ECONNREFUSED 127.0.0.1:${port}). See that PostgreSQL runs there and that DATABASE_URL names it.`,
  )
  expect(told).toHaveLength(1)
})

test('what the database itself refuses is not waited for', async () => {
  const url = new URL(inject('databaseServer'))
  url.pathname = '/not_there'
  const told: unknown[] = []
  await expect(connectPatiently(url.href, { onAway: (error) => told.push(error) })).rejects.toMatchObject({
    code: '3D000',
  })
  expect(told).toEqual([])
})
