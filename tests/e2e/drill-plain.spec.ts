import type { Page } from '@playwright/test'
import { admin } from './shared-users.ts'
import { expect, expectNoOverflowAnywhere, signIn, test, untilHydrated, visit } from './e2e-test.ts'

/** No other journey of the admin drills this course. */
const slug = 'aws-certified-advanced-networking-specialty'

const options = (page: Page) => page.getByRole('group').getByRole('radio')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const flag = (page: Page, pressed: boolean) => page.getByRole('button', { name: 'Flag', exact: true, pressed })
const explanation = (page: Page) => page.getByRole('heading', { name: 'Explanation' })
const position = (page: Page, n: number) => page.getByRole('heading', { name: `Question ${n} of 3` })

/** A drill of three questions that take one answer. */
async function startDrill(page: Page) {
  await page.goto(`/course/${slug}/drill`)
  await page.getByRole('checkbox', { name: /^With one right answer/ }).check()
  await page.getByLabel('How many questions').fill('3')
  await page.getByRole('button', { name: /^(Start drill|End the open drill and start)$/ }).click()
  await expect(position(page, 1)).toBeVisible()
}

test('without scripts a drill is answered question by question, flagged, left and resumed, ended, and what was missed reviewed', async ({
  page: withScripts,
  browser,
  problems,
}) => {
  test.setTimeout(120_000)
  problems.allow(/status of 400/)
  await signIn(withScripts, admin)
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await withScripts.context().storageState(),
  })
  const page = await context.newPage()
  await startDrill(page)
  await expectNoOverflowAnywhere(page)
  await press(page, 'Check answer')
  await expect(page.getByRole('alert')).toHaveText('Answer the question first, then check it.')

  // A flag is stored; the answer that is not checked yet stays chosen.
  await options(page).nth(1).check()
  await flag(page, false).click()
  await expect(flag(page, true)).toBeVisible()
  await expect(options(page).nth(1)).toBeChecked()
  const older = await context.newPage()
  await older.goto(page.url())
  await options(older).nth(0).check()
  await press(page, 'Check answer')
  await expect(explanation(page)).toBeVisible()
  await expect(options(page).nth(1)).toBeDisabled()
  await expect(flag(page, true)).toBeVisible()
  await expectNoOverflowAnywhere(page)
  // The answer that came first counts, not that of an older page.
  await press(older, 'Check answer')
  await expect(explanation(older)).toBeVisible()
  await expect(options(older).nth(1)).toBeChecked()

  await press(page, 'Next')
  await expect(position(page, 2)).toBeVisible()
  await page.getByRole('link', { name: 'Leave the drill' }).click()
  await expect(page.getByText(/^1 of 3 answered, since/)).toBeVisible()
  await page.getByRole('link', { name: 'Resume drill' }).click()
  for (const number of [2, 3]) {
    await expect(position(page, number)).toBeVisible()
    await options(page).first().check()
    await press(page, 'Check answer')
    // The last one is shown too, although the drill has ended with it.
    await expect(explanation(page)).toBeVisible()
    await press(page, number === 3 ? 'See the result' : 'Next')
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Your drill' })).toBeVisible()
  await expect(page.getByText(/^\d of 3 right$/)).toBeVisible()

  // The flagged question came back as a card, whether it was right or not.
  await press(page, 'Review what is due')
  await expect(page.getByRole('heading', { name: /^Question 1 of \d+$/ })).toBeVisible()
  await press(page, 'End drill')
  await expect(page.getByText('You ended this drill before answering anything.')).toBeVisible()
  await context.close()
})

test('a drill that was begun without scripts goes on with them, from the question that is shown up to the result', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  await signIn(page, admin)
  const plain = await browser.newPage({ javaScriptEnabled: false, storageState: await page.context().storageState() })
  await startDrill(plain)
  await options(plain).first().check()
  await press(plain, 'Check answer')
  await expect(explanation(plain)).toBeVisible()
  const shown = plain.url()
  await plain.close()

  await visit(page, shown)
  await untilHydrated(page)
  await expect(explanation(page)).toBeVisible()
  await press(page, 'Next')
  for (const number of [2, 3]) {
    await expect(position(page, number)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Check answer' })).toBeDisabled()
    await options(page).first().check()
    await press(page, 'Check answer')
    await expect(explanation(page)).toBeVisible()
    await press(page, number === 3 ? 'See the result' : 'Next')
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Your drill' })).toBeVisible()
  await expect(page).not.toHaveURL(/\?at=/)
})
