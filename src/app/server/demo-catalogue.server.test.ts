import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { anAdmin, aStudent } from '../../../tests/support/users.ts'

const app = await startApp()
const { db } = app.services.database
const course = await aCourse(db, { title: 'AWS Certified Tester', priceCents: 1999 })
const exam = await anExam(db, course.id, { isFreeTrial: false })

test('a guest sees the courses with their prices and never a question', async () => {
  const reply = await app.visitor().get('/api/courses')
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    courses: [
      { id: course.id, title: 'AWS Certified Tester', price: 19.99, total_practice_exams: 1, total_questions: 4 },
    ],
    next: null,
  })
  expect(JSON.stringify(reply.body)).not.toContain('Question number')
})

test('guests see a changed price and free trial at once, and both are audited', async () => {
  const admin = await anAdmin(app)
  expect((await admin.browser.patch(`/api/courses/${course.id}`, { price: '24.50' })).status).toBe(200)
  expect((await admin.browser.patch(`/api/test_questions/${exam.id}`, { is_free_trial: true })).status).toBe(200)
  expect((await app.visitor().get('/api/courses')).body).toMatchObject({ courses: [{ price: 24.5 }] })
  expect((await app.visitor().get(`/api/test_questions?course_id=${course.id}`)).body).toMatchObject({
    exams: [{ is_free_trial: true }],
  })
  const entries = await db
    .selectFrom('audit_log')
    .where('actor_id', '=', admin.id)
    .select(['action', 'before', 'after'])
    .orderBy('id')
    .execute()
  expect(entries).toMatchObject([
    { action: 'course.update', before: { price: '19.99' }, after: { price: '24.50' } },
    { action: 'exam.free-trial', before: { is_free_trial: false }, after: { is_free_trial: true } },
  ])
})

test('an invalid price is refused with its field and sentence', async () => {
  const admin = await anAdmin(app)
  const reply = await admin.browser.patch(`/api/courses/${course.id}`, { price: '10000' })
  expect(reply.status).toBe(400)
  expect(reply.body).toMatchObject({
    error: { fields: [{ field: 'price', message: 'Price cannot exceed $9,999.99' }] },
  })
})

test('only admins may change a course, and an unknown or malformed id is a 404', async () => {
  const student = await aStudent(app)
  expect((await app.visitor().patch(`/api/courses/${course.id}`, { price: '1' })).status).toBe(401)
  expect((await student.browser.patch(`/api/courses/${course.id}`, { price: '1' })).status).toBe(403)
  const admin = await anAdmin(app)
  expect((await admin.browser.patch('/api/courses/not-a-uuid', { price: '1' })).status).toBe(404)
  expect((await admin.browser.patch('/api/courses/00000000-0000-4000-8000-000000000000', { price: '1' })).status).toBe(
    404,
  )
})

test('a write from another site, a body that is too large and a body that is not JSON are refused', async () => {
  const admin = await anAdmin(app)
  const path = `/api/courses/${course.id}`
  expect((await admin.browser.call('PATCH', path, { price: '1' }, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await admin.browser.call('PATCH', path, { price: 'x'.repeat(300_000) })).status).toBe(413)
  expect((await admin.browser.call('PATCH', path, '{')).status).toBe(400)
})
