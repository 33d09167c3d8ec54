import type { Browser, BrowserContext, Page } from '@playwright/test'
import { admin } from './shared-users.ts'
import { anOwnBrowser, type OwnBrowser } from './own-browser.ts'
import { storedPractice } from './stored-practice.ts'
import { expect, expectGoodPage, signIn, test, untilHydrated, visit } from './e2e-test.ts'

/*
 * What happens to somebody who takes an exam, at each step of it, and where they end: a table of steps and disturbances. All tests
 * share one user and one course that no other test takes.
 */

const course = '/course/aws-certified-machine-learning-engineer-associate'
const exam = `${course}/exam/mla-practice-exam-1`
const kept = `${course}/exam/mla-practice-exam-2`
const keptPractice = '/offline/practice?exam=mla-practice-exam-2'

const options = (page: Page) =>
  page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))
const startLink = (page: Page) => page.getByRole('button', { name: 'Start exam: Practice' }).or(resumeLink(page))
const resumeLink = (page: Page) => page.getByRole('link', { name: 'Resume exam: Practice' })
const takenOver = (page: Page) => page.getByText('This exam was taken over elsewhere')
const finishDialog = (page: Page) => page.getByRole('dialog', { name: 'Finish exam' })
const resultShown = (page: Page) => page.getByRole('heading', { name: 'Every question' })

async function expectAnswered(page: Page) {
  await expect(page.getByText(/^Question 1 of \d+$/)).toBeVisible()
  await expect(options(page).first()).toBeChecked()
  await expect(page.getByText('All answers saved')).toBeVisible()
}

/** The attempt that the step before left open is submitted, so that each begins with a new one. */
async function endOpenAttempt(page: Page) {
  const headers = { origin: process.env['E2E_URL']! }
  const post = (path: string, data: object) => page.request.post(path, { headers, data })
  const started = await post('/api/attempts', { examSlug: 'mla-practice-exam-1', mode: 'practice', writer: 'cleaner' })
  const { id } = (await started.json()) as { id: string }
  await post(`/api/attempts/${id}/writer`, { writer: 'cleaner' })
  expect((await post(`/api/attempts/${id}/finish`, { writer: 'cleaner', answers: {} })).status()).toBe(200)
}

type Step = 'the start page' | 'a running exam' | 'the finish dialog' | 'the review'

/** Goes to a step as a learner does, so that the browser's history is theirs. */
async function reach(page: Page, step: Step) {
  await endOpenAttempt(page)
  await visit(page, course)
  await visit(page, exam)
  if (step === 'the start page') return
  await startLink(page).click()
  await options(page).first().check()
  await expectAnswered(page)
  if (step === 'a running exam') return
  await page.getByRole('button', { name: 'Finish exam' }).click()
  await expect(finishDialog(page)).toBeVisible()
  if (step === 'the finish dialog') return
  await submit(page)
}

async function submit(page: Page) {
  await finishDialog(page).getByRole('button', { name: 'Submit answers' }).click()
  await expect(page).toHaveURL(/\/exam-review\//)
  await expect(resultShown(page)).toBeVisible()
}

/** The tab dies as the system kills one: no event reaches the page. */
async function kill(page: Page) {
  const died = page.waitForEvent('crash')
  const debuggerOfTab = await page.context().newCDPSession(page)
  void debuggerOfTab.send('Page.crash').catch(() => undefined)
  await died
  await page.close()
}

async function endSession(context: BrowserContext) {
  await context.clearCookies()
}

async function signInAt(page: Page) {
  await expect(page).toHaveURL(/\/login/)
  await untilHydrated(page)
  await page.getByLabel('Email address').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).not.toHaveURL(/\/login/)
}

/** In another tab, as the notice of the exam offers. */
async function signInAside(page: Page) {
  const aside = await page.context().newPage()
  await signIn(aside, admin)
  await aside.close()
}

async function anotherTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await visit(tab, page.url())
  return tab
}

type Disturbance =
  'back' | 'forward' | 'reload' | 'a second tab' | 'a killed tab' | 'a lost network' | 'an ended session'

/** Each disturbs a page at its step and says where the learner ends. */
const table: Record<Step, Record<Disturbance, (page: Page) => Promise<void>>> = {
  'the start page': {
    back: async (page) => {
      await page.goBack()
      await expect(page).toHaveURL(new RegExp(`${course}$`))
    },
    forward: async (page) => {
      await page.goBack()
      await page.goForward()
      await expect(startLink(page)).toBeVisible()
    },
    reload: async (page) => {
      await page.reload()
      await expect(startLink(page)).toBeVisible()
    },
    'a second tab': async (page) => {
      const second = await anotherTab(page)
      await startLink(second).click()
      await expect(second.getByText(/^Question 1 of/)).toBeVisible()
      await second.close()
      // The first resumes what the second began, without a word about the tab that is closed.
      await startLink(page).click()
      await expect(page.getByText(/^Question 1 of/)).toBeVisible()
    },
    'a killed tab': async (page) => {
      const [context, address] = [page.context(), page.url()]
      await kill(page)
      const next = await context.newPage()
      await visit(next, address)
      await expect(startLink(next)).toBeVisible()
    },
    'a lost network': async (page) => {
      // The scripts of the exam page are there before the network goes.
      await expect(page.locator('link[rel=modulepreload][href*="exam-page"]').first()).toBeAttached()
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      await startLink(page).click()
      await expect(page.getByText(/No internet connection/).first()).toBeVisible()
      await page.context().setOffline(false)
      // The exam comes by itself where its page had not been loaded, else at a press.
      const question = page.getByText(/^Question 1 of/)
      const again = page.getByRole('button', { name: 'Try Again' })
      await expect(async () => {
        // The button may go while it is pressed.
        if (await again.isVisible()) await again.click({ timeout: 1000 })
        await expect(question).toBeVisible({ timeout: 2000 })
      }).toPass({ timeout: 30_000 })
    },
    'an ended session': async (page) => {
      await endSession(page.context())
      await startLink(page).click()
      await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
      await signInAt(page)
      // In practice, not beside it.
      await expect(page).toHaveURL(new RegExp(`${exam}/practice$`))
      await expect(page.getByText(/^Question 1 of/)).toBeVisible()
    },
  },
  'a running exam': {
    back: async (page) => {
      await page.goBack()
      await expect(resumeLink(page)).toBeVisible()
      await expect(page.getByText(/^1 of \d+ answered$/)).toBeVisible()
    },
    forward: async (page) => {
      await page.goBack()
      await expect(resumeLink(page)).toBeVisible()
      await page.goForward()
      await expectAnswered(page)
    },
    reload: async (page) => {
      await page.reload()
      await expectAnswered(page)
    },
    'a second tab': async (page) => {
      const second = await anotherTab(page)
      await second.getByRole('button', { name: 'Take over here' }).click()
      await expectAnswered(second)
      await expect(takenOver(page)).toBeVisible()
    },
    'a killed tab': async (page) => {
      const [context, address] = [page.context(), page.url()]
      await kill(page)
      const next = await context.newPage()
      await visit(next, address)
      await expectAnswered(next)
    },
    'a lost network': async (page) => {
      await page.context().setOffline(true)
      await page.getByRole('button', { name: 'Flag', exact: true }).click()
      await expect(page.getByText('Offline: answers are kept on this device')).toBeVisible()
      await page.context().setOffline(false)
      await expectAnswered(page)
      await page.reload()
      await expect(page.getByRole('button', { name: 'Flag', exact: true })).toHaveAttribute('aria-pressed', 'true')
    },
    'an ended session': async (page) => {
      await endSession(page.context())
      await page.getByRole('button', { name: 'Flag', exact: true }).click()
      await expect(page.getByText('Your session has ended. Your answers are kept on this device.')).toBeVisible()
      await signInAside(page)
      await page.getByRole('button', { name: 'I have signed in' }).click()
      await expectAnswered(page)
    },
  },
  'the finish dialog': {
    back: async (page) => {
      await page.goBack()
      await expect(resumeLink(page)).toBeVisible()
      await expect(finishDialog(page)).toBeHidden()
    },
    forward: async (page) => {
      await page.goBack()
      await expect(resumeLink(page)).toBeVisible()
      await page.goForward()
      await expectAnswered(page)
      await expect(finishDialog(page)).toBeHidden()
    },
    reload: async (page) => {
      await page.reload()
      await expectAnswered(page)
      await expect(finishDialog(page)).toBeHidden()
    },
    'a second tab': async (page) => {
      const second = await anotherTab(page)
      await second.getByRole('button', { name: 'Take over here' }).click()
      await expectAnswered(second)
      await expect(takenOver(page)).toBeVisible()
      await expect(finishDialog(page)).toBeHidden()
      await second.getByRole('button', { name: 'Finish exam' }).click()
      await submit(second)
      // The first hears of the end when it is looked at again, and leads to the result.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await page.getByRole('button', { name: 'See the result' }).click()
      await expect(resultShown(page)).toBeVisible()
    },
    'a killed tab': async (page) => {
      const [context, address] = [page.context(), page.url()]
      await kill(page)
      const next = await context.newPage()
      await visit(next, address)
      await expectAnswered(next)
    },
    'a lost network': async (page) => {
      await page.context().setOffline(true)
      await finishDialog(page).getByRole('button', { name: 'Submit answers' }).click()
      await expect(page.getByText('Your answers could not be submitted')).toBeVisible()
      await page.context().setOffline(false)
      await submit(page)
    },
    'an ended session': async (page) => {
      await endSession(page.context())
      await finishDialog(page).getByRole('button', { name: 'Submit answers' }).click()
      await expect(page.getByText('Your answers could not be submitted')).toBeVisible()
      await signInAside(page)
      await submit(page)
    },
  },
  'the review': {
    back: async (page) => {
      await page.goBack()
      // Not the exam that is over.
      await expect(page).toHaveURL(new RegExp(`${exam}$`))
      await expect(page.getByRole('button', { name: 'Start exam: Practice' })).toBeVisible()
    },
    forward: async (page) => {
      await page.goBack()
      await expect(page).toHaveURL(new RegExp(`${exam}$`))
      await page.goForward()
      await expect(resultShown(page)).toBeVisible()
    },
    reload: async (page) => {
      await page.reload()
      await expect(resultShown(page)).toBeVisible()
    },
    'a second tab': async (page) => {
      const second = await anotherTab(page)
      for (const tab of [page, second]) await expect(resultShown(tab)).toBeVisible()
    },
    'a killed tab': async (page) => {
      const [context, address] = [page.context(), page.url()]
      await kill(page)
      const next = await context.newPage()
      await visit(next, address)
      await expect(resultShown(next)).toBeVisible()
    },
    'a lost network': async (page) => {
      await page.context().setOffline(true)
      await expect(page.getByText(/No internet connection/).first()).toBeVisible()
      await expect(resultShown(page)).toBeVisible()
      await page.context().setOffline(false)
      await expect(page.getByText(/No internet connection/)).toBeHidden()
    },
    'an ended session': async (page) => {
      const address = page.url()
      await endSession(page.context())
      await page.reload()
      await signInAt(page)
      await expect(page).toHaveURL(address)
      await expect(resultShown(page)).toBeVisible()
    },
  },
}

const aContext = (browser: Browser) =>
  browser.newContext({ baseURL: process.env['E2E_URL']!, reducedMotion: 'reduce', serviceWorkers: 'block' })

test.describe('taking an exam', () => {
  let context: BrowserContext
  test.beforeAll(async ({ browser }) => {
    context = await aContext(browser)
    await signIn(await context.newPage(), admin)
  })
  test.afterAll(() => context.close())

  for (const [step, disturbances] of Object.entries(table))
    for (const [disturbance, disturb] of Object.entries(disturbances))
      test(`at ${step}: ${disturbance}`, async () => {
        const page = await context.newPage()
        try {
          await reach(page, step as Step)
          await disturb(page)
        } finally {
          await context.setOffline(false)
          for (const tab of context.pages()) await tab.close()
        }
      })
})

test('an exam that is taken over in another browser says so there by itself, and takes no more answers', async ({
  browser,
}) => {
  const [first, second] = [await aContext(browser), await aContext(browser)]
  const [laptop, phone] = [await first.newPage(), await second.newPage()]
  for (const page of [laptop, phone]) await signIn(page, admin)
  const stream = laptop.waitForResponse(/\/api\/realtime/)
  await reach(laptop, 'a running exam')
  await stream
  await visit(phone, `${exam}/practice`)
  await phone.getByRole('button', { name: 'Take over here' }).click()
  // How soon is measured where nothing else runs: by realtime.server.test and the bench.
  await expect(takenOver(laptop)).toBeVisible()
  await expect(options(laptop).nth(1)).toBeDisabled()
  await expectAnswered(phone)
  for (const context of [first, second]) await context.close()
})

/** What a learner does without a network, in a browser of their own that is closed and started again. */
test.describe('offline practice', () => {
  let own: OwnBrowser
  let context: BrowserContext

  test.beforeAll(async () => {
    own = await anOwnBrowser()
    context = await own.open()
    const page = await context.newPage()
    await signIn(page, admin)
    await visit(page, kept)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.getByRole('button', { name: 'Keep for offline practice' }).click()
    await expect(page.getByText(/^On this device until /)).toBeVisible()
    // Its data came before the worker did.
    await expect.poll(() => page.evaluate(async (path) => (await caches.match(path)) !== undefined, kept)).toBe(true)
  })
  test.afterAll(() => own.remove())
  test.beforeEach(() => context.setOffline(true))

  async function practise(page: Page, path = keptPractice) {
    await page.goto(path)
    await expect(page.getByText(/^Question \d+ of \d+$/)).toBeVisible()
  }
  const check = (page: Page) => page.getByRole('button', { name: 'Check answer' }).click()
  const explanation = (page: Page) => page.getByRole('heading', { name: 'Explanation' })

  /** The results on the device that the server has not acknowledged. */
  const countResults = (page: Page) =>
    page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('altocert-packs')
        request.addEventListener('success', () => resolve(request.result))
      })
      const count = await new Promise<number>((resolve) => {
        const request = database.transaction('results').objectStore('results').count()
        request.addEventListener('success', () => resolve(request.result))
      })
      database.close()
      return count
    })

  test('what is answered is there after back, forward, reload, a killed tab and a restart of the browser', async () => {
    let page = await context.newPage()
    await page.goto(kept)
    await page.getByRole('link', { name: /^Practice offline: / }).click()
    await options(page).first().check()
    await expect.poll(() => storedPractice(page)).toMatchObject({ answered: 1 })
    await page.reload()
    await expect(options(page).first()).toBeChecked()
    await check(page)
    await expect(explanation(page)).toBeVisible()
    await expect.poll(() => storedPractice(page)).toMatchObject({ checked: 1 })
    await page.reload()
    await expect(explanation(page)).toBeVisible()
    await page.getByRole('button', { name: 'Next question' }).click()
    await expect(page.getByText(/^Question 2 of/)).toBeVisible()
    await options(page).nth(1).check()
    await expect.poll(() => storedPractice(page)).toMatchObject({ answered: 2 })

    await page.goBack()
    await expect(page.getByRole('link', { name: /^Continue, 2 of \d+ answered: / })).toBeVisible()
    await page.goForward()
    await expect(page.getByText(/^Question 2 of/)).toBeVisible()
    await expect(options(page).nth(1)).toBeChecked()

    await kill(page)
    page = await context.newPage()
    await practise(page)
    await expect(page.getByText(/^Question 2 of/)).toBeVisible()
    await expect(options(page).nth(1)).toBeChecked()

    await own.close()
    context = await own.open()
    await context.setOffline(true)
    page = await context.newPage()
    await practise(page)
    await expect(page.getByText(/^Question 2 of/)).toBeVisible()
    await expect(options(page).nth(1)).toBeChecked()
    await page.close()
  })

  test('two tabs are one: what is answered, checked, passed over and finished in one is so in the other', async () => {
    const [first, second] = [await context.newPage(), await context.newPage()]
    for (const tab of [first, second]) await practise(tab)
    await options(first).nth(2).check()
    await expect(options(second).nth(2)).toBeChecked()
    await options(second).nth(0).check()
    await expect(options(first).nth(0)).toBeChecked()
    await check(first)
    await expect(explanation(second)).toBeVisible()
    await second.getByRole('button', { name: 'Next question' }).click()
    await expect(first.getByText(/^Question 3 of/)).toBeVisible()
    for (const tab of [first, second]) await tab.close()
  })

  test('the exams on the device say how far their practice is, and each can be started over', async () => {
    const page = await context.newPage()
    await page.goto('/offline/practice')
    const going = page.getByRole('link', { name: /^Continue, 2 of \d+ answered: Practice Exam 2$/ })
    await expect(going).toBeVisible()
    await expectGoodPage(page)
    await page.getByRole('button', { name: 'Start over' }).click()
    const question = page.getByRole('dialog', { name: 'Start over?' })
    await expect(question).toContainText('What you have checked so far, 2 questions, goes to your attempts')
    await question.getByRole('button', { name: 'Keep it' }).click()
    await expect(going).toBeVisible()
    await page.getByRole('button', { name: 'Start over' }).click()
    await question.getByRole('button', { name: 'Start over' }).click()
    await expect(page.getByText(/^Question 1 of/)).toBeVisible()
    await expect(options(page).first()).not.toBeChecked()
    // The page that stands for those that were never seen names them, too.
    await page.goto('/offline')
    await expect(page.getByRole('link', { name: 'Practice offline: Practice Exam 2' })).toBeVisible()
    await page.close()
  })

  test('a result arrives once, although the session ends, its first reply is lost and the browser is started again', async () => {
    const reviews = (page: Page) => page.getByRole('link', { name: /^Review of / })
    const page = await context.newPage()
    // What the tests before left behind arrives first.
    await context.setOffline(false)
    await visit(page, kept)
    await expect.poll(() => countResults(page)).toBe(0)
    await visit(page, kept)
    const before = await reviews(page).count()
    await context.setOffline(true)

    await practise(page)
    await options(page).first().check()
    await check(page)
    const second = await context.newPage()
    await practise(second)
    await page.getByRole('button', { name: 'Finish' }).click()
    for (const tab of [page, second]) await expect(tab.getByText('Your result is on this device.')).toBeVisible()
    await page.reload()
    await expect(page.getByText(/^Question 1 of/)).toBeVisible()

    const cookies = await context.cookies()
    await endSession(context)
    await context.setOffline(false)
    await expect(second.getByText('Sign in, and it is sent.')).toBeVisible()
    await expect(second.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await context.setOffline(true)
    await context.addCookies(cookies)
    let arrivals = 0
    await context.route('**/api/offline-attempts', async (route) => {
      expect((await route.fetch()).status()).toBe(200)
      arrivals += 1
      await route.abort('connectionreset')
    })
    await context.setOffline(false)
    await expect.poll(() => arrivals).toBeGreaterThan(0)
    await expect(second.getByText('Your result is on this device.')).toBeVisible()

    // The page tries again, and nothing of that may be under way when the browser goes.
    await context.setOffline(true)
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await own.close()
    context = await own.open()
    const after = await context.newPage()
    const sent = after.waitForResponse('**/api/offline-attempts')
    await visit(after, '/my-courses')
    expect((await sent).status()).toBe(200)
    await visit(after, kept)
    await expect(reviews(after)).toHaveCount(before + 1)
  })
})
