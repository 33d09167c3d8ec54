import { pino } from 'pino'
import { expect, test } from 'vitest'
import { closeAll } from './close-all.server.ts'

test('what fails to close is logged and keeps nothing else open', async () => {
  const closed: string[] = []
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  await closeAll(
    [
      () => void closed.push('first'),
      () => Promise.reject(new Error('the mail is stuck')),
      () => {
        throw new Error('the clock is stuck')
      },
      async () => void closed.push('database'),
    ],
    log,
  )
  expect(closed).toEqual(['first', 'database'])
  expect(lines.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message)).toEqual([
    'the mail is stuck',
    'the clock is stuck',
  ])
})
