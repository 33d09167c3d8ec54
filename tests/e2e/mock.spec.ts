import { admin } from './shared-users.ts'
import { expect, expectGoodPage, signIn, test, untilHydrated, visit } from './e2e-test.ts'

/** No other journey of the admin studies this course. */
const slug = 'aws-certified-developer-associate'

test('a mock exam is drawn, answered, there again after a reload, submitted and reviewed; a custom exam is counted live', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await signIn(page, admin)
  await visit(page, `/course/${slug}/mock`)
  await expect(page.getByText(/come from practice exams that you have not finished/)).toBeVisible()
  await page.getByRole('checkbox', { name: /^Flagged when last seen/ }).check()
  await expect(page.getByText('No question fits.')).toBeVisible()
  await page.getByRole('checkbox', { name: /^Flagged when last seen/ }).uncheck()
  await page.getByLabel('Minutes').fill('0')
  await expect(page.getByText('A whole number from 1 to 480')).toBeVisible()
  await expectGoodPage(page)

  await page.getByRole('button', { name: 'Start mock exam' }).click()
  await expect(page).toHaveURL(new RegExp(`/course/${slug}/mock/[0-9a-f-]{36}$`))
  await untilHydrated(page)
  await expect(page.getByText('Question 1 of 65')).toBeVisible()
  const option = page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox')).first()
  // An exam may begin with a question of another type.
  for (let number = 2; !(await option.isVisible()); number++) {
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await expect(page.getByText(`Question ${number} of 65`)).toBeVisible()
  }
  await option.check()
  await expect(page.getByText('All answers saved')).toBeVisible()
  await page.reload()
  await untilHydrated(page)
  await expect(option).toBeChecked()

  await page.getByRole('link', { name: 'Leave the exam' }).click()
  await expect(page.getByText(/^Mock exam 1 is open: 1 of 65 answered\./)).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Resume: Mock exam 1' }).click()
  await expect(option).toBeChecked()
  await page.getByRole('button', { name: 'Finish exam' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Review: Mock exam 1' })).toBeVisible()
  await page.getByRole('link', { name: 'New exam' }).click()
  await expect(page.getByRole('heading', { name: 'Your results here' })).toBeVisible()
})
