import pg from 'pg'
import { expect, test } from 'vitest'
import { toFailure } from './failure-reply.server.ts'

const refusal = (code: string) => Object.assign(new pg.DatabaseError('could not extend file', 0, 'error'), { code })

test.each([
  ['57P03', 'a database that is starting'],
  ['53100', 'a full disk'],
  ['53300', 'too many connections'],
])('%s, %s, is answered 503, so that callers try again', (code) => {
  expect(toFailure(refusal(code))).toMatchObject({ status: 503, facts: { retryAfterSeconds: 5 } })
})

test('a refusal that will not pass is answered 500', () => {
  expect(toFailure(refusal('22P02')).status).toBe(500)
})
