import { addDays, dayIn, formatCalendarDay } from '../../src/lib/calendar-day.ts'
import { expect, expectGoodPage, signIn, test, visit } from './e2e-test.ts'
import { COURSE } from './pages.ts'
import { admin } from './shared-users.ts'

test('a date gives a plan with tasks that start, a date that cannot be is refused, and a moved one changes the plan', async ({
  page,
  problems,
}) => {
  test.setTimeout(180_000)
  problems.allow(/status of 400/)
  const today = dayIn(new Date(), 'UTC')
  await signIn(page, admin)
  await visit(page, `/course/${COURSE}/plan`)
  await page.getByLabel('Day of the exam').fill(addDays(today, 5))
  await page.getByLabel('Minutes a day').fill('1000')
  await page.getByLabel('Time zone').fill('UTC')
  await page.getByRole('checkbox', { name: 'Sun' }).check()
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await expect(page.getByText('Choose 5 to 600 minutes a day, in whole minutes.')).toBeVisible()
  await expect(page.getByLabel('Day of the exam')).toHaveValue(addDays(today, 5))
  await page.getByLabel('Minutes a day').fill('20')
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await expect(page.getByText('5 days to your exam')).toBeVisible()
  await expect(page.getByText('Not everything fits')).toBeVisible()
  await expectGoodPage(page)

  await page.getByLabel('Day of the exam').fill(addDays(today, 60))
  await page.getByLabel('Minutes a day').fill('135')
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await expect(page.getByText('60 days to your exam')).toBeVisible()
  await expect(page.getByText(`on ${formatCalendarDay(addDays(today, 60))}`)).toBeVisible()
  await expect(page.getByText('Not everything fits')).toBeHidden()
  await page.getByRole('button', { name: 'Make a calendar address' }).click()
  const address = await page.getByLabel('Secret address').inputValue()
  expect(await (await page.request.get(address)).text()).toMatch(/^BEGIN:VCALENDAR[^]*Exam: /)
  await expectGoodPage(page)

  await visit(page, `/course/${COURSE}/plan`)
  await page.getByRole('button', { name: 'Remove the date' }).click()
  await expect(page.getByRole('heading', { name: 'Set your exam date' })).toBeVisible()
})
