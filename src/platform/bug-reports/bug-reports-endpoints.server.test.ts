import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'

const app = await startApp()
const report = { errorId: '1a2b3c4d', message: 'x is not a function', stack: '', path: '/', authCodes: [] }

test('anybody can report a broken page, also twice, and an invalid report names its field', async () => {
  const visitor = app.visitor()
  expect((await visitor.post('/api/bug-reports', report)).status).toBe(200)
  expect((await visitor.post('/api/bug-reports', report)).status).toBe(200)
  for (const [field, value] of Object.entries({ errorId: '', message: 'x'.repeat(2001), path: 'x'.repeat(501) })) {
    const reply = await visitor.post('/api/bug-reports', { ...report, [field]: value })
    expect([reply.status, (reply.body as { error: { fields: unknown[] } }).error.fields]).toEqual([
      400,
      [expect.objectContaining({ field })],
    ])
  }
})

test('too many reports from one network are refused', async () => {
  const visitor = app.visitor()
  const statuses: number[] = []
  for (let count = 0; count < 40; count += 1) statuses.push((await visitor.post('/api/bug-reports', report)).status)
  expect(statuses.at(-1)).toBe(429)
})
