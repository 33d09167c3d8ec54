import { admin } from './shared-users.ts'
import { expect, expectGoodPage, signIn, test, untilHydrated, visit } from './e2e-test.ts'

/** No other journey of the admin studies this course. */
const slug = 'aws-certified-developer-associate'

test('a mock exam is drawn, answered, there again after a reload, submitted and reviewed', async ({ page }) => {
  test.setTimeout(180_000)
  await signIn(page, admin)
  await visit(page, `/course/${slug}/mock`)
  await expect(page.getByText(/come from practice exams that you have not finished/)).toBeVisible()
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

test('the form of drills makes a custom exam of the same choice, with the keyboard alone', async ({ page }) => {
  await signIn(page, admin)
  await visit(page, `/course/${slug}/mock`)
  await page.getByRole('link', { name: 'Choose questions' }).click()
  const timed = page.getByRole('radio', { name: 'Timed, scored at its end' })
  await expect(timed).toBeChecked()
  await expect(page.getByLabel('Minutes')).toBeVisible()
  const flagged = page.getByRole('checkbox', { name: /^Flagged when last seen/ })
  await flagged.check()
  await expect(page.getByText('No question fits.')).toBeVisible()
  await flagged.uncheck()
  await page.getByLabel('Minutes').fill('0')
  await expect(page.getByText('A whole number of minutes from 1 to 480')).toBeVisible()
  await page.getByLabel('How many questions').fill('150')
  await expectGoodPage(page)

  // A drill has no minutes and asks fewer questions; what was typed stays.
  await timed.focus()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('radio', { name: 'See each answer at once' })).toBeChecked()
  await expect(page.getByLabel('Minutes')).toBeHidden()
  await expect(page.getByText('A whole number of questions from 1 to 100')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('A whole number of questions from 1 to 100')).toBeHidden()
  await expect(page.getByLabel('How many questions')).toHaveValue('150')
  await page.getByLabel('How many questions').fill('4')
  await page.getByLabel('Minutes').fill('9')
  await expect(page.getByText(/^\d+ questions fit; the exam asks 4 of them\.$/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/course/${slug}/mock/[0-9a-f-]{36}$`))
  await expect(page.getByText('Question 1 of 4')).toBeVisible()
})

test('without scripts the form shows the minutes of a custom exam, counts, and keeps what was typed', async ({
  page: withScripts,
  browser,
  problems,
}) => {
  problems.allow(/status of 400/)
  await signIn(withScripts, admin)
  const page = await browser.newPage({
    javaScriptEnabled: false,
    storageState: await withScripts.context().storageState(),
  })
  await page.goto(`/course/${slug}/drill`)
  await expect(page.getByLabel('Minutes')).toBeHidden()
  await page.getByRole('radio', { name: 'Timed, scored at its end' }).check()
  // A drill begins with what the form thinks most useful, which depends on the journeys before.
  await page.getByRole('checkbox', { name: /^(Missed|Never seen)/, checked: true }).uncheck()
  await page.getByLabel('Minutes').fill('500')
  await page.getByRole('button', { name: /^(Start custom exam|End the open exam and start)$/ }).click()
  await expect(page.getByText('A whole number of minutes from 1 to 480')).toBeVisible()
  await expect(page.getByLabel('Minutes')).toHaveValue('500')
  await page.getByLabel('Minutes').fill('8')
  await page.getByLabel('How many questions').fill('3')
  await page.getByRole('button', { name: 'Count' }).click()
  await expect(page.getByText(/^\d+ questions fit; the exam asks 3 of them\.$/)).toBeVisible()
  await page.getByRole('button', { name: /^(Start custom exam|End the open exam and start)$/ }).click()
  await expect(page.getByText('Question 1 of 3')).toBeVisible()
  await page.close()
})
