import type { Page } from '@playwright/test'
import { COURSE, DRILLED, SAMPLER, type Facts } from './pages.ts'
import { admin } from './shared-users.ts'
import { expect, visit } from './e2e-test.ts'

/** What the addresses of the pages need: an exam with a draft, an attempt, a drill and an order. */
export async function settle(page: Page): Promise<Facts> {
  const ask = async <Reply>(method: string, path: string, data?: object): Promise<Reply> => {
    const reply = await page.request.fetch(path, {
      method,
      headers: { origin: new URL(page.url()).origin },
      ...(data === undefined ? {} : { data }),
    })
    expect(reply.ok(), `${method} ${path}: ${await reply.text()}`).toBe(true)
    return (await reply.json()) as Reply
  }
  type Course = { id: string; slug: string; exams: { id: string; slug: string }[] }
  const { courses } = await ask<{ courses: Course[] }>('GET', '/api/admin/courses')
  const course = courses.find(({ slug }) => slug === COURSE)!
  const exam = course.exams.find(({ slug }) => slug === SAMPLER)!
  const attempt = await ask<{ id: string; questions: { id: string }[] }>('POST', '/api/attempts', {
    examSlug: SAMPLER,
    mode: 'preview',
    writer: 'w',
  })
  await ask('POST', `/api/attempts/${attempt.id}/finish`, { writer: 'w' })
  await ask('POST', `/api/exams/${exam.id}/draft`)
  const begun = await ask<{ id: string }>('POST', '/api/imports?name=look.json', {
    format: 'altocert-questions',
    version: 1,
    exams: [{ title: 'To look at', questions: [{ id: 'look-1', question: 'Which one?', answer_a: 'This one' }] }],
  })
  const stateOf = async () => (await ask<{ state: string }>('GET', `/api/imports/${begun.id}`)).state
  await expect.poll(stateOf, { timeout: 60_000 }).toBe('read')
  const drill = await ask<{ id: string }>('POST', '/api/drills', { courseSlug: DRILLED, filters: { count: 3 } })
  await ask('POST', '/api/functions/create-cart-payment', { cartItems: [{ id: course.id, quantity: 1 }] })
  const { user } = await ask<{ user: { id: string } }>('GET', '/api/auth/session')
  await visit(page, '/admin/orders')
  const order = await page.getByRole('main').getByRole('link', { name: admin.email }).first().getAttribute('href')
  return {
    courseId: course.id,
    examId: exam.id,
    importId: begun.id,
    questionId: attempt.questions[0]?.id ?? '',
    attemptId: attempt.id,
    drillId: drill.id,
    orderId: order?.split('/').at(-1) ?? '',
    userId: user.id,
  }
}
