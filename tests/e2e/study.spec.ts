import type { Page } from '@playwright/test'
import { counted } from '../../src/lib/text.ts'
import { admin, aNewcomer } from './shared-users.ts'
import { expect, expectGoodPage, registerAndVerify, signIn, test, untilHydrated, visit } from './e2e-test.ts'

const slug = 'aws-certified-cloud-practitioner'
const answers = (page: Page) =>
  page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))

test('a drill says what fits, reveals after each answer, goes on after a reload, and ends with what to do next', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await signIn(page, admin)
  await visit(page, `/course/${slug}/drill`)
  await page.getByRole('checkbox', { name: /^Never seen/ }).check()
  await page.getByRole('checkbox', { name: /^Cloud Concepts/ }).check()
  await page.getByLabel('How many questions').fill('3')
  await expect(page.getByText(/^\d+ questions fit; the drill asks 3 of them, picked at random\.$/)).toBeVisible()
  await expectGoodPage(page)
  await page.getByLabel('How many questions').fill('0')
  await expect(page.getByText('A whole number of questions from 1 to 100')).toBeVisible()
  await page.getByLabel('How many questions').fill('3')
  await page.getByRole('button', { name: 'Start drill' }).click()

  await expect(page.getByText('Question 1 of 3')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check answer' })).toBeDisabled()
  await expectGoodPage(page)
  await answers(page).first().check()
  await page.getByRole('button', { name: 'Flag', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Flag', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Check answer' }).click()
  await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()
  await expectGoodPage(page)

  // The keyboard alone: the next button has the focus after each answer.
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Question 2 of 3')).toBeVisible()

  await page.reload()
  await untilHydrated(page)
  await expect(page.getByText('Question 2 of 3')).toBeVisible()
  await page.getByRole('link', { name: 'Leave the drill' }).click()
  await expect(page.getByText(/^1 of 3 answered, since/)).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Resume drill' }).click()
  for (const number of [2, 3]) {
    await expect(page.getByText(`Question ${number} of 3`)).toBeVisible()
    await answers(page).first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()
    await page.keyboard.press('Enter')
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Your drill' })).toBeVisible()
  await expect(page.getByText(/^\d of 3 right$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What to do next' })).toBeVisible()
  await expectGoodPage(page)
  await page.reload()
  await untilHydrated(page)
  await expect(page.getByText(/^\d of 3 right$/)).toBeVisible()
})

test('what was missed is due on My Courses, and a review of it empties the list', async ({ page }) => {
  test.setTimeout(240_000)
  await registerAndVerify(page, aNewcomer('Rita Repeater'))
  await buy(page)
  await visit(page, '/my-courses')
  await expect(page.getByText('Nothing due today')).toBeVisible()
  await expect(page.getByText('Not enough data yet')).toBeVisible()
  await page.getByRole('link', { name: /^Drill: / }).click()
  await expect(page.getByText('Not enough data')).toBeVisible()
  await page.getByLabel('How many questions').fill('8')
  await page.getByRole('button', { name: 'Start drill' }).click()
  const keys = new Set<string>()
  const missed = await answerAll(page, 8, keys)
  expect(missed).toBeGreaterThan(0)
  await expect(page.getByRole('button', { name: 'Review what is due' })).toBeVisible()
  await expectGoodPage(page)

  await visit(page, '/my-courses')
  await expectGoodPage(page)
  await page.getByRole('link', { name: new RegExp(`^${counted(missed, 'card')} due today`) }).click()
  await expect(page.getByRole('heading', { name: `${counted(missed, 'card')} due today` })).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Review what is due' }).click()
  expect(await answerAll(page, missed, keys)).toBe(0)
  await expect(page.getByText(`${missed} of ${missed} right`)).toBeVisible()
  await visit(page, '/my-courses')
  await expect(page.getByText('Nothing due today')).toBeVisible()
})

test('after an exam the readiness is estimated, with its interval and the words that it is an estimate', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await registerAndVerify(page, aNewcomer('Estelle Estimated'))
  await buy(page)
  await lockExam(page)
  await visit(page, `/course/${slug}/drill`)
  await expect(page.getByText(/^About \d+%$/)).toBeVisible()
  await expect(page.getByText(/^An estimate: on an exam like those of this course you would get between/)).toBeVisible()
  await page.getByText('How this is estimated').click()
  await expectGoodPage(page)
})

test('an owned course offers to study first and to extend second, on its page and on the home card', async ({
  page,
}) => {
  await registerAndVerify(page, aNewcomer('Olga Owner'))
  await buy(page)
  await visit(page, `/course/${slug}`)
  const panel = page.getByRole('complementary', { name: 'Buy this course' })
  const offered = panel.getByRole('link').or(panel.getByRole('button'))
  await expect(offered).toHaveText(['Study', 'New mock exam', 'The pledge and its rule', 'Extend'])
  await visit(page, '/')
  const card = page.getByRole('article').filter({ has: page.getByRole('button', { name: /^Extend: / }) })
  await expect(card).toHaveCount(1)
  const onCard = card.getByRole('link', { name: /^Study: / }).or(card.getByRole('button'))
  await expect(onCard).toHaveText(['Study', 'Extend'])
  await expectGoodPage(page)
  await card.getByRole('link', { name: /^Study: / }).click()
  await expect(page).toHaveURL(`/course/${slug}/drill`)
})

/** The first answer of every question of a timed exam, by the API: the exam page has its own journeys. */
async function lockExam(page: Page) {
  const status = await page.evaluate(async () => {
    const post = (path: string, body: object) =>
      fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const started = await post('/api/attempts', {
      examSlug: 'clf-practice-exam-1',
      mode: 'timed',
    })
    const attempt = (await started.json()) as { id: string; questions: { id: string; options: { id: string }[] }[] }
    const answers = attempt.questions.map(({ id, options }) => [
      id,
      { answer: { type: 'choice', optionIds: options.slice(0, 1).map((option) => option.id) }, seq: 1, writer: 'w' },
    ])
    return (await post(`/api/attempts/${attempt.id}/finish`, { answers: Object.fromEntries(answers) })).status
  })
  expect(status).toBe(200)
}

/** Pays for the course at the test gateway. */
async function buy(page: Page) {
  await visit(page, `/course/${slug}`)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByRole('button', { name: /Open cart/ }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('dialog', { name: 'Your cart' }).getByRole('button', { name: 'Checkout' }).click()
  const hosted = await opened
  await hosted.getByLabel('Card number').fill('4242 4242 4242 4242')
  await hosted.getByLabel('Expiry').fill('12/34')
  await hosted.getByLabel('CVC').fill('123')
  await hosted.getByLabel('Name on card').fill('Rita Repeater')
  await hosted.getByRole('button', { name: /^Pay / }).click()
  await expect(hosted.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await hosted.close()
}

/** Answers every question of a drill, right where its key was seen before; says how many were wrong. */
async function answerAll(page: Page, count: number, keys: Set<string>): Promise<number> {
  let wrong = 0
  for (let number = 1; number <= count; number++) {
    await expect(page.getByText(`Question ${number} of ${count}`)).toBeVisible()
    const ids = await answers(page).evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
    const known = ids.filter((id) => keys.has(id))
    for (const id of known.length === 0 ? ids.slice(0, 1) : known) await page.locator(`input[value="${id}"]`).check()
    await page.getByRole('button', { name: 'Check answer' }).click()
    await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()
    wrong += await page.getByText('Not right', { exact: true }).count()
    const rights = page.locator('label', { hasText: 'Right answer' }).locator('input')
    for (const id of await rights.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)))
      keys.add(id)
    await page.getByRole('button', { name: /^(Next|See the result)$/ }).click()
  }
  return wrong
}
