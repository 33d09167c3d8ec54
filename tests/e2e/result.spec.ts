import { admin } from './shared-users.ts'
import { expect, expectGoodPage, signIn, test, visit } from './e2e-test.ts'

const slug = 'aws-certified-data-engineer-associate'

test('the promise of the hero leads to its rule, a learner says how the exam went, and an admin sees it', async ({
  page,
  problems,
}) => {
  test.setTimeout(240_000)
  // What is missing or contradicts itself is said by the server.
  problems.allow(/400 \(Bad Request\).*\/result/)
  await visit(page, '/')
  await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Guaranteed!' }).click()
  await expect(page).toHaveURL(/\/pledge$/)
  await expect(page.getByText('In the 30 days before the exam, you finish 2 timed exams.')).toBeVisible()
  await expectGoodPage(page)

  await signIn(page, admin)
  // The exam is today: the result can be told from the day of the exam on.
  const examDate = new Date().toISOString().slice(0, 10)
  const headers = { origin: new URL(page.url()).origin }
  const plan = { examDate, timeZone: 'UTC', minutesADay: 30 }
  await page.request.delete(`/api/results/${slug}/${examDate}`, { headers })
  expect((await page.request.put(`/api/plans/${slug}`, { headers, data: plan })).status()).toBe(200)
  await visit(page, `/course/${slug}/result`)
  const conditions = page.getByRole('region', { name: 'The pledge: what you meet so far' })
  await expect(conditions.getByText('On that day there is no access by a purchase.')).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Choose whether you passed.')).toBeVisible()
  await page.getByRole('radio', { name: 'I did not pass' }).check()
  await page.getByLabel('Score (optional)').fill('900')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('or more the exam is passed.')).toBeVisible()
  await page.getByLabel('Score (optional)').fill('640')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved. Thank you.')).toBeVisible()
  await expect(page.getByText('Score: 640.')).toBeVisible()
  await expect(conditions.getByText('You said so.')).toBeVisible()
  await expectGoodPage(page)

  await visit(page, '/admin/results')
  await expect(page.getByText('of 1 reported result.')).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Show the chart to everybody' })).not.toBeChecked()
  await expectGoodPage(page)

  await visit(page, `/course/${slug}/result`)
  await page.getByRole('button', { name: /^Delete this result/ }).click()
  await expect(page.getByText('The result is deleted.')).toBeVisible()
  await page.request.delete(`/api/plans/${slug}`, { headers })
})
