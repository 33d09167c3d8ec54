import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { admin } from './shared-users.ts'
import { expect, expectGoodPage, signIn, test, visit } from './e2e-test.ts'

// What an admin is told of a change that cannot be made. The rows are this file's own, and drafts, so that no list of
// another test changes.

type Row = { readonly id: string; readonly title: string }
type Exam = Row & { readonly course: Row }

const question = { question: 'Why?', answer_a: 'So', answer_b: 'Not', final_answer: 'A', explanation: 'E' }

/** As another admin at another place would: the page hears of it only when it has a network. */
async function elsewhere(page: Page, method: 'POST' | 'PATCH' | 'DELETE', path: string, data?: object) {
  const headers = { origin: new URL(page.url()).origin }
  const reply = await page.request.fetch(path, { method, headers, ...(data === undefined ? {} : { data }) })
  expect(reply.status(), await reply.text()).toBe(200)
  return (await reply.json()) as { id: string }
}

async function aCourse(page: Page): Promise<Row> {
  const title = `Refused ${randomBytes(4).toString('hex')}`
  return { title, ...(await elsewhere(page, 'POST', '/api/courses', { title, price: 5 })) }
}

async function anExam(page: Page): Promise<Exam> {
  const course = await aCourse(page)
  const exam = { course_id: course.id, test_name: 'Its exam', questions: [{ id: 'q1', ...question }] }
  return { course, title: 'Its exam', ...(await elsewhere(page, 'POST', '/api/test_questions', exam)) }
}

/** The toast; the list of what waits says it as well. */
const alertOf = (page: Page, text: string | RegExp) => page.locator('[aria-live=assertive]').getByText(text)
const isShown = (page: Page, course: Row) => page.getByRole('heading', { name: course.title, exact: true })
const untilSaved = (page: Page) => expect(page.getByText('All changes are saved.')).toBeVisible({ timeout: 20_000 })

/** Something is changed here while the page is without a network, and meanwhile elsewhere; then the page sends its change. */
async function meanwhile(page: Page, here: () => Promise<void>, there: () => Promise<unknown>) {
  await page.context().setOffline(true)
  await here()
  await there()
  await page.context().setOffline(false)
}

async function openForm(page: Page, button: string, heading: string) {
  await page.getByRole('button', { name: button, exact: true }).click()
  return page.getByRole('dialog', { name: heading, exact: true })
}

async function confirm(page: Page, button: string, word: string) {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: word }).click()
}

test('a deletion and a new exam are kept without a network, and said to be', async ({ page, problems }) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await signIn(page, admin)
  const [gone, kept] = [await aCourse(page), await aCourse(page)]
  await visit(page, '/admin/course-management')
  await page.context().setOffline(true)
  await confirm(page, `Delete: ${gone.title}`, 'Delete course')
  const form = await openForm(page, `Add exam: ${kept.title}`, `New exam in ${kept.title}`)
  await form.getByLabel('Exam title').fill('Made offline')
  await form.getByRole('button', { name: 'Save exam' }).click()
  await expect(page.getByText('Course deleted locally but may not sync to cloud storage')).toBeVisible()
  await expect(page.getByText('Exam added locally but may not sync to cloud storage')).toBeVisible()
  await expect(isShown(page, gone)).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(page.getByText('Course deleted successfully')).toBeVisible()
  await untilSaved(page)
  await expect(page.getByText('Made offline: 0 questions, 60 minutes')).toBeVisible()
})

test('what was changed or deleted elsewhere meanwhile is told by the name of what failed', async ({
  page,
  problems,
}) => {
  test.setTimeout(150_000)
  problems.allow(/status of 40[0-9]|ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await signIn(page, admin)
  const [bare, renamed, deleted] = [await aCourse(page), await aCourse(page), await aCourse(page)]
  const [tried, removed] = [await anExam(page), await anExam(page)]
  await visit(page, '/admin/course-management')

  await meanwhile(
    page,
    async () => {
      const form = await openForm(page, `Add exam: ${bare.title}`, `New exam in ${bare.title}`)
      await form.getByLabel('Exam title').fill('Too late')
      await form.getByRole('button', { name: 'Save exam' }).click()
    },
    () => elsewhere(page, 'DELETE', `/api/courses/${bare.id}`),
  )
  await expect(alertOf(page, 'Failed to add exam to course')).toBeVisible({ timeout: 20_000 })
  await expect(alertOf(page, `Cannot save exam: Course with ID ${bare.id} does not exist`)).toBeVisible()
  await expectGoodPage(page)

  await meanwhile(
    page,
    async () => {
      const form = await openForm(page, `Edit course: ${renamed.title}`, 'Edit course')
      await form.getByLabel('Title').fill(`${renamed.title} here`)
      await form.getByRole('button', { name: 'Save course' }).click()
    },
    () => elsewhere(page, 'PATCH', `/api/courses/${renamed.id}`, { title: `${renamed.title} there` }),
  )
  await expect(alertOf(page, 'Failed to update course')).toBeVisible({ timeout: 20_000 })

  await meanwhile(
    page,
    () => confirm(page, `Delete: ${deleted.title}`, 'Delete course'),
    () => elsewhere(page, 'PATCH', `/api/courses/${deleted.id}`, { price: 7 }),
  )
  await expect(alertOf(page, 'Failed to delete course')).toBeVisible({ timeout: 20_000 })
  await expect(isShown(page, deleted)).toBeVisible()

  await meanwhile(
    page,
    () => page.getByRole('switch', { name: `Free trial: ${tried.title}, ${tried.course.title}` }).click(),
    () => elsewhere(page, 'DELETE', `/api/test_questions/${tried.id}`),
  )
  await expect(alertOf(page, 'Failed to update exam')).toBeVisible({ timeout: 20_000 })

  await meanwhile(
    page,
    () => confirm(page, `Remove: ${removed.title}, ${removed.course.title}`, 'Remove exam'),
    () => elsewhere(page, 'PATCH', `/api/test_questions/${removed.id}`, { is_free_trial: true }),
  )
  await expect(alertOf(page, 'Failed to remove exam from course')).toBeVisible({ timeout: 20_000 })
  const choose = 'This was changed elsewhere in the meantime. Choose the version to keep.'
  await expect(alertOf(page, choose).last()).toBeVisible()
})

test('questions that the server refuses, and an exam that is gone, are told with the reason', async ({
  page,
  problems,
}) => {
  problems.allow(/status of 40[0-9]/)
  await signIn(page, admin)
  const [exam, gone] = [await anExam(page), await anExam(page)]
  await visit(page, '/admin/course-management')
  const form = await openForm(page, `Edit: ${exam.title}, ${exam.course.title}`, `Edit ${exam.title}`)
  const twice = JSON.stringify([1, 2].map(() => ({ id: 'q2', ...question })))
  await form.getByLabel('Replace all questions with this JSON (optional)').fill(twice)
  await form.getByRole('button', { name: 'Save exam' }).click()
  await expect(alertOf(page, /^Failed to replace exam questions: .*not valid/)).toBeVisible({ timeout: 20_000 })

  await visit(page, `/admin/exams/${gone.id}`)
  await elsewhere(page, 'DELETE', `/api/test_questions/${gone.id}`)
  await page.getByRole('button', { name: 'Edit the exam' }).click()
  await expect(alertOf(page, 'Exam not found')).toBeVisible()
})

test('a form of a course or an exam that has left the list meanwhile keeps what was typed, and names what is missing', async ({
  page,
}) => {
  test.setTimeout(150_000)
  await signIn(page, admin)
  const [course, exam] = [await aCourse(page), await anExam(page)]
  await visit(page, '/admin/course-management')
  const ofCourse = await openForm(page, `Edit course: ${course.title}`, 'Edit course')
  await elsewhere(page, 'DELETE', `/api/courses/${course.id}`)
  // The list hears of it behind the form.
  await expect(page.getByText(course.title, { exact: true })).toHaveCount(0, { timeout: 40_000 })
  await ofCourse.getByLabel('Title').fill('Typed for nothing?')
  await ofCourse.getByRole('button', { name: 'Save course' }).click()
  await expect(alertOf(page, 'Failed to update course')).toBeVisible()
  await expect(alertOf(page, `Course not found: ${course.id}`)).toBeVisible()
  await expect(ofCourse.getByLabel('Title')).toHaveValue('Typed for nothing?')
  await ofCourse.getByRole('button', { name: 'Cancel' }).click()

  const ofExam = await openForm(page, `Edit: ${exam.title}, ${exam.course.title}`, `Edit ${exam.title}`)
  await elsewhere(page, 'DELETE', `/api/test_questions/${exam.id}`)
  const switchOfExam = page.getByRole('switch', {
    name: `Free trial: ${exam.title}, ${exam.course.title}`,
    includeHidden: true,
  })
  await expect(switchOfExam).toHaveCount(0, { timeout: 40_000 })
  await ofExam.getByLabel('Minutes').fill('45')
  await ofExam.getByRole('button', { name: 'Save exam' }).click()
  await expect(alertOf(page, 'Failed to update exam')).toBeVisible()
  await expect(alertOf(page, `Exam not found: ${exam.id} in course ${exam.course.id}`)).toBeVisible()
  await expect(ofExam.getByLabel('Minutes')).toHaveValue('45')
})

test('where the device keeps nothing, a new course is said to have failed, and the form is as it was', async ({
  page,
}) => {
  await signIn(page, admin)
  // As in a browser that keeps sites from storing anything.
  await page.addInitScript(() =>
    Object.defineProperty(window, 'indexedDB', {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      },
    }),
  )
  await visit(page, '/admin/course-management')
  const form = await openForm(page, 'New course', 'New course')
  await form.getByLabel('Title').fill('No room for this one')
  await form.getByLabel('Price in dollars').fill('5')
  await form.getByRole('button', { name: 'Save course' }).click()
  await expect(alertOf(page, 'Failed to add course')).toBeVisible()
  await expect(form.getByLabel('Title')).toHaveValue('No room for this one')
  await expect(form.getByLabel('Price in dollars')).toHaveValue('5.00')
  await expectGoodPage(page)
})
