import type { Page } from '@playwright/test'
import { expect, expectGoodPage, signIn, test, untilHydrated, visit } from './e2e-test.ts'
import { COURSE } from './pages.ts'
import { admin } from './shared-users.ts'

/** No other journey of the admin studies this course. */
const OWNED = 'aws-certified-machine-learning-engineer-associate'

/** Gives some answer to the question that is shown: of choices the first ones, of other types none, which 'I don't know' says. */
async function answer(page: Page) {
  const form = page.locator('#diagnostic-form')
  const options = form.getByRole('radio').or(form.getByRole('checkbox'))
  if ((await options.count()) === 0) return page.getByRole('button', { name: "I don't know" }).click()
  await options.first().check()
  return page.getByRole('button', { name: 'Next' }).click()
}

/** Answers from a question on; returns how many there were in all. */
async function answerFrom(page: Page, from: number): Promise<number> {
  const end = page.getByRole('heading', { level: 1, name: 'Where you stand' })
  for (let number = from; ; number++) {
    await expect(page.getByRole('heading', { name: new RegExp(`^Question ${number}\\b`) }).or(end)).toBeVisible()
    if (await end.isVisible()) return number - 1
    await answer(page)
  }
}

test('an owner takes a diagnostic up to the map, the estimate with its width and the plan', async ({
  page,
  problems,
}) => {
  test.setTimeout(180_000)
  await signIn(page, admin)
  await visit(page, `/course/${OWNED}/diagnostic`)
  await expect(page.getByText(/^12 to 20 questions, about \d+ minutes/)).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('heading', { name: 'Question 1, at most 20' })).toBeFocused()
  problems.allow(/status of 400/)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('alert')).toHaveText("Choose an answer, or press 'I don't know'.")
  await page.getByRole('button', { name: "I don't know" }).click()
  await expect(page.getByRole('heading', { name: 'Question 2, at most 20' })).toBeVisible()
  await page.reload()
  await untilHydrated(page)
  await expectGoodPage(page)

  const asked = await answerFrom(page, 2)
  expect(asked).toBeGreaterThanOrEqual(12)
  expect(asked).toBeLessThanOrEqual(20)
  await expect(page.getByText(/^The first range is \d+ points wide/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Domains' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What you missed' })).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Set exam date' }).click()
  await expect(page.getByRole('heading', { name: 'Set your exam date' })).toBeVisible()
})

test('a guest takes a short diagnostic from the course page without scripts, and is told what the course adds', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000)
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL === undefined ? {} : { baseURL }) })
  const page = await context.newPage()
  await page.goto(`/course/${COURSE}`)
  await page.getByRole('link', { name: /^Where do you stand\?/ }).click()
  await expect(page.getByText('8 questions, about 10 minutes.')).toBeVisible()
  await page.getByRole('button', { name: 'Start' }).click()
  expect(await answerFrom(page, 1)).toBe(8)
  await expect(page.getByRole('heading', { name: 'What the course adds' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Keep this result: create an account' })).toHaveAttribute(
    'href',
    `/register?redirect=${encodeURIComponent(`/course/${COURSE}/diagnostic`)}`,
  )
  await context.close()
})

test('a guest ends a short diagnostic early, by keyboard and after a confirmation, and is told that it cannot tell', async ({
  page,
}) => {
  await visit(page, `/course/${COURSE}/diagnostic`)
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('heading', { name: 'Question 1 of 8' })).toBeFocused()
  await expect(page.getByText("'I don't know' counts as missed, like a wrong answer.")).toBeVisible()
  await page.getByRole('button', { name: "I don't know" }).click()
  await expect(page.getByRole('heading', { name: 'Question 2 of 8' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'End and see the result' })).toBeHidden()
  await page.getByText('End now', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^It ends with 1 answered question;/)).toBeVisible()
  await expectGoodPage(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/this diagnostic cannot tell where you stand/)).toBeVisible()
  await expectGoodPage(page)
})
