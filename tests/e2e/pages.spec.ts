import type { Page } from '@playwright/test'
import { COURSE, DRILLED, looks, SAMPLER, type Facts } from './pages.ts'
import { admin, aNewcomer } from './shared-users.ts'
import { expect, expectGoodPage, expectNoOverflow, registerAndVerify, signIn, test, visit } from './e2e-test.ts'

test('a guest sees every public page right, and is asked to sign in for the others', async ({ page, problems }) => {
  test.setTimeout(240_000)
  problems.allow(/status of 404/)
  for (const [route, { who, path, by }] of Object.entries(looks)) {
    if (who === 'anyone') await lookAt(page, route, String(path), by)
    else if (typeof path === 'string') {
      const reply = await page.request.get(path, { maxRedirects: 0 })
      expect(reply.headers()['location'], route).toBe(`/login?redirect=${encodeURIComponent(path)}`)
    }
  }
})

test('a student sees their own pages right, and nothing of the admin area', async ({ page, problems }) => {
  test.setTimeout(240_000)
  problems.allow(/status of 404/)
  await registerAndVerify(page, aNewcomer())
  for (const [route, { who, path, by }] of Object.entries(looks)) {
    if (typeof path !== 'string') continue
    if (who === 'signed-in') await lookAt(page, route, path, by)
    if (who === 'admin')
      expect((await page.request.get(path, { maxRedirects: 0 })).headers()['location'], route).toMatch(/^\/($|\?)/)
  }
})

test('an admin sees every page of the admin area right', async ({ page }) => {
  test.setTimeout(480_000)
  await signIn(page, admin)
  const facts = await settle(page)
  for (const [route, { who, path, by }] of Object.entries(looks)) {
    const isOwn = who === 'signed-in' && typeof path !== 'string'
    if (who === 'admin' || isOwn) await lookAt(page, route, typeof path === 'string' ? path : path(facts), by)
  }
})

/** One heading, a title, nothing that sticks out; all that axe sees, where no journey looks at it. */
async function lookAt(page: Page, route: string, path: string, by: string | undefined) {
  await test.step(`${route} ${by === undefined ? '' : `(${by}.spec.ts)`}`, async () => {
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    expect(await page.title()).not.toBe('')
    if (by === undefined) await expectGoodPage(page)
    else await expectNoOverflow(page)
  })
}

/** What the addresses of the pages need: an exam with a draft, an attempt, a drill and an order. */
async function settle(page: Page): Promise<Facts> {
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
