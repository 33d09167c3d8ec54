import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/support/test-database.ts'
import { inTurn } from './turn.server.ts'

const { pool, url } = await aDatabase()
const never = () => expect.unreachable('the database is there')

test('who makes the database ready is alone with it, and the next one waits', async () => {
  const said: string[] = []
  let second: Promise<void> | undefined
  await inTurn(url, { onAway: never }, async () => {
    await new Promise<void>((waits) => {
      second = inTurn(url, { onAway: never, onWait: waits }, async () => void said.push('second'))
    })
    await pool.query('select 1')
    said.push('first')
  })
  await second
  expect(said).toEqual(['first', 'second'])
})

test('work that fails, or whose connection breaks, leaves the turn to the next one', async () => {
  const failing = inTurn(url, { onAway: never }, () => Promise.reject(new Error('no room')))
  await expect(failing).rejects.toThrow('no room')
  await inTurn(url, { onAway: never }, async () => {
    await pool.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = $1::oid",
      [
        (await pool.query<{ oid: string }>('select oid from pg_database where datname = current_database()')).rows[0]
          ?.oid,
      ],
    )
    expect(await inTurn(url, { onAway: never }, () => Promise.resolve('mine'))).toBe('mine')
  })
})
