import { randomBytes } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { admin } from './people.ts'
import { expect, expectGoodPage, signIn, test, visit } from './support.ts'

const aTitle = (of: string) => `${of} ${randomBytes(4).toString('hex')}`

async function anAdminAt(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signIn(page, admin)
  await visit(page, '/admin/course-management')
  return page
}

async function addCourse(page: Page, title: string) {
  await page.getByRole('button', { name: 'New course' }).click()
  const form = page.getByRole('dialog', { name: 'New course' })
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Price in dollars').fill('12.50')
  await form.getByRole('button', { name: 'Save course' }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
}

async function rename(page: Page, from: string, to: string) {
  await page.getByRole('button', { name: `Edit course: ${from}` }).click()
  const form = page.getByRole('dialog', { name: 'Edit course' })
  await form.getByLabel('Title').fill(to)
  await form.getByRole('button', { name: 'Save course' }).click()
  await expect(page.getByRole('heading', { name: to })).toBeVisible()
}

const untilSaved = (page: Page) => expect(page.getByText('All changes are saved.')).toBeVisible({ timeout: 20_000 })

/** The titles that the server has, whatever a page shows. */
async function titlesOf(page: Page): Promise<string[]> {
  const reply = await page.request.get('/api/admin/courses')
  return ((await reply.json()) as { courses: { title: string }[] }).courses.map(({ title }) => title)
}

test('what an admin changes without a network is kept through a closed page, and sent when the network is back', async ({
  browser,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const page = await anAdminAt(browser)
  const context = page.context()
  const title = aTitle('Kept')
  await addCourse(page, title)
  await untilSaved(page)
  expect(await titlesOf(page)).toContain(title)

  await context.setOffline(true)
  await rename(page, title, `${title} renamed`)
  const offlineTitle = aTitle('Offline')
  await addCourse(page, offlineTitle)
  await expect(page.getByText('Course updated locally but may not sync to cloud storage')).toBeVisible()
  await expect(page.getByText('Course saved locally but may not sync to cloud storage')).toBeVisible()
  await expect(page.getByText('2 changes on this device, not sent yet.')).toBeVisible()
  await expectGoodPage(page)
  await page.close()

  await context.setOffline(false)
  const later = await context.newPage()
  await visit(later, '/admin/course-management')
  await untilSaved(later)
  await expect(later.getByRole('heading', { name: `${title} renamed` })).toBeVisible()
  await expect.poll(() => titlesOf(later)).toEqual(expect.arrayContaining([`${title} renamed`, offlineTitle]))

  await later.getByRole('button', { name: `Delete: ${offlineTitle}` }).click()
  await expectGoodPage(later)
  await later.getByRole('dialog').getByRole('button', { name: 'Delete course' }).click()
  await expect(later.getByText('Course deleted successfully')).toBeVisible()
  await expect(later.getByRole('heading', { name: offlineTitle })).toHaveCount(0)
  await expect.poll(() => titlesOf(later)).not.toContain(offlineTitle)
  await context.close()
})

test('of two admins who change one course the second sees both versions and chooses', async ({ browser, problems }) => {
  problems.allow(/status of 409|ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const ada = await anAdminAt(browser)
  const title = aTitle('Contested')
  await addCourse(ada, title)
  await untilSaved(ada)
  const ben = await anAdminAt(browser)
  await ben.context().setOffline(true)
  await rename(ben, title, `${title} by Ben`)
  await rename(ada, title, `${title} by Ada`)
  await untilSaved(ada)

  await ben.context().setOffline(false)
  await expect(ben.getByText(`${title} by Ben: changed elsewhere meanwhile`)).toBeVisible({ timeout: 20_000 })
  await expect(ben.getByText(`Title: ${title} by Ada`)).toBeVisible()
  await expectGoodPage(ben)
  await ben.getByRole('button', { name: 'Keep mine' }).click()
  await untilSaved(ben)
  expect(await titlesOf(ben)).toContain(`${title} by Ben`)
  // What one admin does reaches the other's open page.
  await expect(ada.getByRole('heading', { name: `${title} by Ben` })).toBeVisible({ timeout: 20_000 })
  await ada.context().close()
  await ben.context().close()
})

test('the forms say what is wrong in the words of the shop, and an exam gets its questions as JSON', async ({
  browser,
}) => {
  const page = await anAdminAt(browser)
  await page.getByRole('button', { name: 'New course' }).click()
  const form = page.getByRole('dialog', { name: 'New course' })
  await form.getByLabel('Price in dollars').fill('10000')
  await form.getByRole('button', { name: 'Save course' }).click()
  await expect(form.getByText('Course title is required')).toBeVisible()
  await expect(form.getByText('Price cannot exceed $9,999.99')).toBeVisible()
  await expectGoodPage(page)
  await form.getByRole('button', { name: 'Cancel' }).click()

  const title = aTitle('With exam')
  await addCourse(page, title)
  await page.getByRole('button', { name: `Add exam: ${title}` }).click()
  const exam = page.getByRole('dialog', { name: `New exam in ${title}` })
  await exam.getByLabel('Exam title').fill('First exam')
  const question = { id: 'q1', question: 'Why?', answer_a: 'So', answer_b: 'Not', final_answer: 'A', explanation: 'E' }
  const questions = exam.getByLabel('Questions as JSON (optional)')
  await questions.fill(JSON.stringify([question, { ...question, id: 'q2', final_answer: 'F' }]))
  await exam.getByRole('button', { name: 'Save exam' }).click()
  await expect(exam.getByText(/^Question 2: /)).toBeVisible()
  await expectGoodPage(page)
  await questions.fill(JSON.stringify([question]))
  await exam.getByRole('button', { name: 'Save exam' }).click()
  await expect(page.getByText('First exam: 1 questions, 60 minutes')).toBeVisible()
  await untilSaved(page)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText(/^Found \d+ course\(s\) \(Admin view\)$/)).toBeVisible()
  await expect(page.getByText('First exam: 1 questions, 60 minutes')).toBeVisible()
  await page.context().close()
})
