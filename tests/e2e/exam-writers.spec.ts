import type { Browser, Page } from '@playwright/test'
import { endAttemptOfLastTry } from './second-try.ts'
import { admin } from './shared-users.ts'
import { expect, expectNoAxeViolations, expectNoOverflow, signIn, test, untilHydrated, visit } from './e2e-test.ts'

// One open attempt is there of an exam and mode, so that each test has its own.
const course = '/course/aws-certified-cloud-practitioner/exam'
const exam = `${course}/clf-practice-exam-2`
const other = `${course}/clf-practice-exam-1`
const answers = (page: Page) =>
  page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))
const saved = (page: Page) => page.getByText('All answers saved')
const elsewhere = (page: Page) => page.getByRole('heading', { name: 'This exam is open elsewhere' })
const takeOver = (page: Page) => page.getByRole('button', { name: 'Take over here' }).click()

/** A device of somebody who is signed in, with nothing of another device on it. */
async function aDevice(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: process.env['E2E_URL']!, reducedMotion: 'reduce' })).newPage()
  await signIn(page, admin)
  return page
}

/** What the exam page has left in the browser: queues of answers, and places in exams. */
const keptOnDevice = (page: Page) =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('altocert')
      request.addEventListener('success', () => resolve(request.result))
    })
    const queues = await new Promise<unknown[]>((resolve) => {
      const request = database.transaction('answer-queues').objectStore('answer-queues').getAll()
      request.addEventListener('success', () => resolve(request.result))
    })
    database.close()
    return [...queues, ...Object.keys(sessionStorage).filter((key) => key.startsWith('altocert.place'))]
  })

test('a second device says that the exam is open elsewhere, takes over with every answer, and gives it back', async ({
  browser,
}) => {
  const [laptop, phone] = [await aDevice(browser), await aDevice(browser)]
  // Without the stream, which tells at once; exam-disturbed.spec.ts has it.
  for (const page of [laptop, phone]) await page.route(/\/api\/realtime/, (route) => route.abort())
  await endAttemptOfLastTry(laptop, 'clf-practice-exam-2', 'practice')
  await visit(laptop, `${exam}/practice`)
  await answers(laptop).nth(0).check()
  await expect(saved(laptop)).toBeVisible()

  await phone.setViewportSize({ width: 320, height: 700 })
  await visit(phone, `${exam}/practice`)
  await expect(elsewhere(phone)).toBeVisible()
  await expectNoOverflow(phone)
  await expectNoAxeViolations(phone)
  await takeOver(phone)
  await expect(answers(phone).nth(0)).toBeChecked()
  await answers(phone).nth(1).check()
  await expect(saved(phone)).toBeVisible()

  // The first hears of it with its next save, and keeps what it had not sent to itself.
  await laptop.getByRole('button', { name: 'Next' }).click()
  await answers(laptop).nth(2).check()
  await expect(laptop.getByText('This exam was taken over elsewhere')).toBeVisible()
  await expect(answers(laptop).nth(2)).toBeDisabled()
  await expectNoAxeViolations(laptop)
  await laptop.getByRole('button', { name: 'Take it back' }).click()

  // Its answer to the second question comes along; the first one stays as the phone has it.
  await expect(laptop.getByText('Question 2 of')).toBeVisible()
  await expect(answers(laptop).nth(2)).toBeChecked()
  await expect(saved(laptop)).toBeVisible()
  await laptop.getByRole('button', { name: 'Previous' }).click()
  await expect(answers(laptop).nth(1)).toBeChecked()

  // A page that is looked at again finds out without a save.
  await phone.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(phone.getByText('This exam was taken over elsewhere')).toBeVisible()
  await laptop.getByRole('button', { name: 'Finish exam' }).click()
  await laptop.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(laptop).toHaveURL(/\/exam-review\//)
  await laptop.context().close()
  await phone.context().close()
})

test('a reload stays the writer, a second tab asks, and a tab that was closed hands over without a word', async ({
  browser,
}) => {
  const first = await aDevice(browser)
  await endAttemptOfLastTry(first, 'clf-practice-exam-2', 'timed')
  await visit(first, `${exam}/timed`)
  await first.getByRole('button', { name: 'Start exam', exact: true }).click()
  await answers(first).nth(0).check()
  await expect(saved(first)).toBeVisible()
  await first.reload()
  await untilHydrated(first)
  await expect(answers(first).nth(0)).toBeChecked()

  const second = await first.context().newPage()
  await visit(second, `${exam}/timed`)
  await expect(elsewhere(second)).toBeVisible()

  // Nobody is there any more who could mind.
  await first.close()
  await second.reload()
  await untilHydrated(second)
  await expect(answers(second).nth(0)).toBeChecked()
  await second.getByRole('button', { name: 'Finish exam' }).click()
  await second.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(second).toHaveURL(/\/exam-review\//)
  await second.context().close()
})

test('what was put down offline survives a crash of the tab and goes out from the next one', async ({
  browser,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const page = await aDevice(browser)
  const context = page.context()
  await endAttemptOfLastTry(page, 'clf-practice-exam-1', 'practice')
  await visit(page, `${other}/practice`)
  await expect(page.getByText('Question 1 of')).toBeVisible()
  await context.setOffline(true)
  await answers(page).nth(2).check()
  await expect(page.getByText('Offline: answers are kept on this device')).toBeVisible()
  await page.close()
  await context.setOffline(false)

  const next = await context.newPage()
  await visit(next, `${other}/practice`)
  await expect(answers(next).nth(2)).toBeChecked()
  await expect(saved(next)).toBeVisible()
  await next.getByRole('button', { name: 'Finish exam' }).click()
  await next.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(next).toHaveURL(/\/exam-review\//)
  await context.close()
})

test('signing out leaves nothing of an exam on the device but the answers that the server does not have', async ({
  browser,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const page = await aDevice(browser)
  await endAttemptOfLastTry(page, 'clf-practice-exam-1', 'timed')
  await visit(page, `${other}/timed`)
  await page.getByRole('button', { name: 'Start exam', exact: true }).click()
  await expect(page.getByText('Question 1 of')).toBeVisible()
  await page.context().setOffline(true)
  await answers(page).nth(1).check()
  await expect(page.getByText('Offline: answers are kept on this device')).toBeVisible()
  expect(await keptOnDevice(page)).not.toEqual([])
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Leave the exam' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  expect(await keptOnDevice(page)).toEqual([])
  await page.context().close()
})
