import type { Browser, Page } from '@playwright/test'
import { endAttemptOfLastTry } from './second-try.ts'
import { admin } from './shared-users.ts'
import { expect, expectNoOverflowAnywhere, signIn, test, untilHydrated, visit } from './e2e-test.ts'

/*
 * Exams by plain forms: where no script runs, and before the scripts of a page have run. There is one open attempt of an exam and
 * mode, so that each test has its own.
 */

const course = '/course/aws-certified-cloudops-engineer-associate/exam'
const [sampler, first, second] = ['soa-free-sampler', 'soa-practice-exam-1', 'soa-practice-exam-2'].map(
  (slug) => `${course}/${slug}`,
)
const baseURL = process.env['E2E_URL']!

const options = (page: Page) =>
  page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const position = (page: Page, n: number) => page.getByRole('heading', { name: new RegExp(`^Question ${n} of `) })
const isFlagged = (page: Page) => page.getByRole('button', { name: 'Flag', exact: true, pressed: true })

/** A device on which no script runs; signed in where it is given the session of another page. */
async function withoutScripts(browser: Browser, from?: Page): Promise<Page> {
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false })
  if (from !== undefined) await context.addCookies(await from.context().cookies())
  return context.newPage()
}

/** Scripts of pages that are opened from now on wait until the returned function is called. */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await released
    await route.continue()
  })
  return async () => {
    release()
    await untilHydrated(page)
    await page.unroute('**/assets/*.js')
  }
}

test('without scripts, a guest starts a free trial, checks an answer, flags, moves, finishes and reads the review', async ({
  browser,
}) => {
  const page = await withoutScripts(browser)
  await page.goto(sampler!)
  await press(page, 'Start exam: Free trial')
  await expect(position(page, 1)).toBeVisible()
  await press(page, 'Check answer')
  await expect(page.getByText('Choose an answer first')).toBeVisible()
  await options(page).nth(1).check()
  await press(page, 'Check answer')
  await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()
  await expect(options(page).nth(1)).toBeChecked()
  await press(page, 'Next')
  await options(page).nth(0).check()
  await press(page, 'Flag')
  await expect(isFlagged(page)).toBeVisible()
  await expect(options(page).nth(0)).toBeChecked()
  await press(page, 'Previous')
  await expect(position(page, 1)).toBeVisible()
  await press(page, '2, answered, flagged')
  await expect(position(page, 2)).toBeVisible()
  // Another visit goes on where this one was.
  await page.goto(`${sampler}/preview`)
  await expect(position(page, 2)).toBeVisible()
  await expect(options(page).nth(0)).toBeChecked()
  await press(page, 'Finish exam')
  await expect(page.getByRole('heading', { name: 'Finish exam' })).toBeVisible()
  await press(page, 'Submit answers')
  await expect(page.getByRole('heading', { name: 'Your result' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Every question' })).toBeVisible()
  await page.context().close()
})

test('without scripts, a learner practices and takes a timed exam by the clock of the server', async ({
  page,
  browser,
}) => {
  await signIn(page, admin)
  for (const mode of ['practice', 'timed'] as const) await endAttemptOfLastTry(page, 'soa-practice-exam-1', mode)
  const plain = await withoutScripts(browser, page)
  await plain.goto(first!)
  await press(plain, 'Start exam: Practice')
  await options(plain).nth(2).check()
  await press(plain, 'Check answer')
  await expect(plain.getByRole('heading', { name: 'Explanation' })).toBeVisible()
  await press(plain, 'Finish exam')
  await press(plain, 'Submit answers')
  await expect(plain).toHaveURL(/\/exam-review\//)

  await plain.goto(first!)
  await plain.getByRole('link', { name: 'Start exam: Timed exam' }).click()
  await press(plain, 'Start exam')
  await expect(position(plain, 1)).toBeVisible()
  await expect(plain.getByRole('timer')).toHaveText(/^\d+:\d\d/)
  await expect(plain.getByText('left when this page was made')).toBeVisible()
  await expect(plain.getByRole('button', { name: 'Check answer' })).toHaveCount(0)
  await options(plain).nth(0).check()
  await press(plain, 'Next')
  await expect(position(plain, 2)).toBeVisible()
  await options(plain).nth(1).check()
  await press(plain, 'Unsure')
  await press(plain, 'Previous')
  await expect(options(plain).nth(0)).toBeChecked()
  await press(plain, 'Finish exam')
  await expect(plain.getByText('An unanswered question counts as wrong.')).toBeVisible()
  await press(plain, 'Back to the questions')
  await expect(options(plain).nth(0)).toBeChecked()
  await press(plain, 'Finish exam')
  await press(plain, 'Submit answers')
  await expect(plain).toHaveURL(/\/exam-review\//)
  await expect(plain.getByText('You were unsure')).toBeVisible()
  await plain.context().close()
})

test('a form that is older than the last change changes nothing and says so, and one that is sent twice counts once', async ({
  page,
  browser,
}) => {
  await signIn(page, admin)
  await endAttemptOfLastTry(page, 'soa-practice-exam-2', 'practice')
  const plain = await withoutScripts(browser, page)
  await plain.goto(second!)
  await press(plain, 'Start exam: Practice')
  const old = await plain.context().newPage()
  await old.goto(`${second}/practice`)
  const fieldsOf = (shown: Page, name: string) =>
    shown.locator(`input[type=hidden][name=${name}]`).getAttribute('value')
  const answer = await options(plain).nth(0).getAttribute('value')
  const form: Record<string, string> = { do: 'flag', answer: answer! }
  for (const name of ['attempt', 'question', 'writer', 'seq']) form[name] = (await fieldsOf(plain, name))!
  const post = () => plain.request.post(`${second}/practice`, { form, headers: { origin: baseURL } })
  for (const reply of [await post(), await post()]) {
    expect(reply.status()).toBe(200)
    expect(await reply.text()).not.toContain('older than your last change')
  }
  await options(old).nth(1).check()
  await press(old, 'Next')
  await expect(old.getByText('This page was older than your last change')).toBeVisible()
  await expect(position(old, 1)).toBeVisible()
  await expect(options(old).nth(0)).toBeChecked()
  await expect(isFlagged(old)).toBeVisible()
  await expectNoOverflowAnywhere(old)
  // Only our own pages may post.
  const foreign = await plain.request.post(`${second}/practice`, { form, headers: { origin: 'http://evil.example' } })
  expect(foreign.status()).toBe(403)
  // The forms of an exam that is over lead to its result.
  await press(old, 'Finish exam')
  await press(old, 'Submit answers')
  await press(plain, 'Next')
  await expect(plain).toHaveURL(/\/exam-review\//)
  await plain.context().close()
})

test('a device without scripts asks before it takes an exam over from another page, and keeps the answer', async ({
  page,
  browser,
}) => {
  await signIn(page, admin)
  await endAttemptOfLastTry(page, 'soa-practice-exam-2', 'timed')
  await visit(page, `${second}/timed`)
  await press(page, 'Start exam')
  await options(page).nth(0).check()
  await expect(page.getByText('All answers saved')).toBeVisible()
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false })
  const cookies = await page.context().cookies()
  await context.addCookies(cookies.filter(({ name }) => name !== 'altocert_exam'))
  const plain = await context.newPage()
  await plain.goto(`${second}/timed`)
  await options(plain).nth(1).check()
  await press(plain, 'Next')
  await expect(plain.getByText('This exam is open elsewhere')).toBeVisible()
  await expect(options(plain).nth(1)).toBeChecked()
  await press(plain, 'Take over here')
  await expect(options(plain).nth(1)).toBeChecked()
  await press(plain, 'Next')
  await expect(position(plain, 2)).toBeVisible()
  await expect(page.getByText('This exam was taken over elsewhere')).toBeVisible()
  await press(plain, 'Finish exam')
  await press(plain, 'Submit answers')
  await expect(plain).toHaveURL(/\/exam-review\//)
  await context.close()
})

test('only somebody who opens the address of an exam starts it, and finds the question in the HTML', async ({
  page,
}) => {
  const address = `${sampler}/preview`
  const opens = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const others = [
    {},
    { ...opens, 'sec-fetch-site': 'cross-site' },
    { ...opens, 'sec-fetch-dest': 'iframe' },
    { ...opens, 'sec-purpose': 'prefetch;prerender' },
  ]
  for (const headers of others) {
    const html = await (await page.request.get(address, { headers })).text()
    expect(html).toContain('Start exam')
    expect(html).not.toContain('Question 1 of')
  }
  const release = await holdScripts(page)
  await page.goto(address, { waitUntil: 'commit' })
  await expect(position(page, 1)).toBeVisible()
  await options(page).nth(1).check()
  await release()
  await expect(options(page).nth(1)).toBeChecked()
  await expect(page.getByText('All answers saved')).toBeVisible()
})

test('a followed link to an exam opens it while its page loads', async ({ page }) => {
  await visit(page, '/course/aws-certified-cloudops-engineer-associate')
  // The page's data is held back until the exam is asked for.
  const asked = page.waitForRequest('**/api/attempts')
  await page.route('**/preview.data*', async (route) => {
    await asked
    await route.continue()
  })
  await page.locator(`main a[href="${sampler}/preview"]`).first().click()
  await expect(position(page, 1)).toBeVisible()
})

test('the question is in the HTML of a start, a reload and a resume', async ({ page }) => {
  const stem = async () => (await page.locator('fieldset legend').first().innerText()).slice(0, 40)
  await visit(page, sampler!)
  await press(page, 'Start exam: Free trial')
  await expect(position(page, 1)).toBeVisible()
  await press(page, 'Next')
  await expect(position(page, 2)).toBeVisible()
  const shown = await stem()
  const release = await holdScripts(page)
  await page.reload({ waitUntil: 'commit' })
  await expect(position(page, 2)).toBeVisible()
  expect(await stem()).toBe(shown)
  await release()
  expect(await stem()).toBe(shown)
  await expect(page.getByText('All answers saved')).toBeVisible()
})

test('what is pressed before the scripts run is kept and sent: an option, then flag and next', async ({ page }) => {
  await visit(page, sampler!)
  await press(page, 'Start exam: Free trial')
  await expect(position(page, 1)).toBeVisible()
  const release = await holdScripts(page)
  await page.reload({ waitUntil: 'commit' })
  await options(page).nth(1).check()
  await release()
  await expect(options(page).nth(1)).toBeChecked()
  await expect(page.getByText('All answers saved')).toBeVisible()
  await page.reload()
  await untilHydrated(page)
  await expect(options(page).nth(1)).toBeChecked()

  const releaseAgain = await holdScripts(page)
  await page.reload({ waitUntil: 'commit' })
  await options(page).nth(0).check()
  await press(page, 'Flag')
  await expect(isFlagged(page)).toBeVisible()
  await press(page, 'Next')
  await expect(position(page, 2)).toBeVisible()
  await releaseAgain()
  // This page goes on as the writer, at the same question.
  await expect(position(page, 2)).toBeVisible()
  await options(page).nth(0).check()
  await expect(page.getByText('All answers saved')).toBeVisible()
  await page.reload()
  await untilHydrated(page)
  await expect(position(page, 2)).toBeVisible()
  await press(page, 'Previous')
  await expect(options(page).nth(0)).toBeChecked()
  await expect(isFlagged(page)).toBeVisible()
})

test('a start within the app costs one request and opens the first question', async ({ page }) => {
  await visit(page, sampler!)
  // The scripts of the exam page are there before the press.
  await expect(page.locator('link[rel=modulepreload][href*="exam-page"]').first()).toBeAttached()
  await page.waitForLoadState('networkidle')
  const requested: string[] = []
  page.on('request', (request) => requested.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await press(page, 'Start exam: Free trial')
  await expect(position(page, 1)).toBeVisible()
  expect(requested.filter((one) => !one.endsWith('/api/realtime'))).toEqual(['POST /api/attempts'])
})
