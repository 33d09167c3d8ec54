import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent } from '../../../tests/support/users.ts'
import { countWaitingFeedback, listFeedback } from './feedback-queries.server.ts'

const app = await startApp()
const { db } = app.services.database
const say = (more: object = {}, visitor = app.visitor()) =>
  visitor.post('/api/feedback', { id: randomUUID(), type: 'suggestion', message: 'More exams', context: '/', ...more })
const waiting = { state: 'waiting', after: null } as const

test('feedback is stored as typed, with its user if signed in, and once however often it is sent', async () => {
  const id = randomUUID()
  const student = await aStudent(app)
  const said = { id, type: 'negative', message: '  <b>1 < 2</b> 👍🏽 ', context: '/course/x' }
  expect((await say(said, student.browser)).status).toBe(200)
  expect((await say(said, student.browser)).status).toBe(200)
  const { feedback } = await listFeedback(db, waiting)
  expect(feedback.filter((one) => one.id === id)).toMatchObject([
    { type: 'negative', message: '<b>1 < 2</b> 👍🏽', context: '/course/x', who: student.email, isSettled: false },
  ])
})

test('an empty, blank or too long message is refused at its field with its sentence', async () => {
  const sentence = async (message: unknown) => {
    const { status, body } = await say({ message })
    return [status, (body as { error?: { fields: { field: string; message: string }[] } }).error?.fields]
  }
  const required = [400, [{ field: 'message', message: 'Please enter your feedback' }]]
  expect(await sentence('')).toEqual(required)
  expect(await sentence(' \n\u2003 ')).toEqual(required)
  expect(await sentence(undefined)).toEqual(required)
  expect(await sentence('x'.repeat(4001))).toEqual([400, [{ field: 'message', message: 'At most 4000 characters' }]])
  expect((await say({ message: `${'x'.repeat(4000)}  ` })).status).toBe(200)
  expect((await say({ type: 'angry' })).status).toBe(400)
})

test('an admin reads feedback page by page and marks it as done once; both are audited', async () => {
  const admin = await anAdmin(app)
  for (let number = 0; number < 5; number += 1) {
    app.clock.forward(1000)
    await say({ message: `Number ${number}` })
  }
  const first = await listFeedback(db, waiting, 2)
  expect(first.feedback.map(({ message }) => message)).toEqual(['Number 4', 'Number 3'])
  const [at = '', id = ''] = first.next!.split('~')
  const second = await listFeedback(db, { state: 'waiting', after: { at, id } }, 2)
  expect(second.feedback.map(({ message }) => message)).toEqual(['Number 2', 'Number 1'])
  const before = await countWaitingFeedback(db)
  const settle = () => admin.browser.post(`/api/feedback/${first.feedback[0]!.id}/settle`)
  expect((await settle()).status).toBe(200)
  expect((await settle()).status).toBe(200)
  expect(await countWaitingFeedback(db)).toBe(before - 1)
  const settled = await listFeedback(db, { state: 'settled', after: null })
  expect(settled.feedback.map(({ message }) => message)).toEqual(['Number 4'])
  const entries = await db
    .selectFrom('audit_log')
    .where('action', '=', 'feedback.settle')
    .select('subject_id')
    .execute()
  expect(entries).toEqual([{ subject_id: first.feedback[0]!.id }])
})
