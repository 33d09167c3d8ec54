import type { Browser, Page } from '@playwright/test'
import { endAttemptOfLastTry } from './second-try.ts'
import { admin } from './shared-users.ts'
import { storedPractice } from './stored-practice.ts'
import { allJourneys, CASE_STUDY, caseStudyJourneys, journeys, question, tabTo, type Journey } from './type-journeys.ts'
import {
  expect,
  expectNoAxeViolations,
  expectNoAxeViolationsInEitherTheme,
  expectNoOverflow,
  expectNoOverflowAnywhere,
  signIn,
  test,
  untilHydrated,
  visit,
} from './e2e-test.ts'

/*
 * Each type of question is answered in a timed exam: by mouse, by keyboard alone, and on a telephone whose network is gone in the
 * middle. The demo exam holds every type. The journeys share its one timed attempt, so they come one after the other. In each journey
 * axe looks at each type, in light and dark, and at the review of all. After them come the modes that check each answer at once.
 */

const exam = '/course/aws-certified-ai-practitioner/exam/aif-question-types'

async function start(page: Page) {
  await endAttemptOfLastTry(page, 'aif-question-types', 'timed')
  await visit(page, `${exam}/timed`)
  await page.getByRole('button', { name: 'Start exam', exact: true }).click()
  await expect(page.getByText('Question 1 of 11')).toBeVisible()
  await untilHydrated(page)
}

/** Timed exams shuffle their questions. */
async function openQuestion(page: Page, stem: RegExp) {
  const next = page.getByRole('button', { name: 'Next', exact: true })
  const previous = page.getByRole('button', { name: 'Previous', exact: true })
  while (await previous.isEnabled()) await previous.click()
  while (!(await question(page).getByText(stem).isVisible())) await next.click()
}

async function finish(page: Page) {
  await submit(page)
  await expect(page).toHaveURL(/\/exam-review\//)
}

test.describe.configure({ mode: 'serial' })

test('every type is answered by mouse, and its review says what was right', async ({ page }) => {
  // High enough to drag from one end of a question to the other.
  await page.setViewportSize({ width: 1440, height: 1300 })
  await signIn(page, admin)
  await start(page)
  for (const { stem, byMouse, expectAnswered } of Object.values(journeys)) {
    await openQuestion(page, stem)
    await byMouse(page)
    await expectAnswered(page)
    await expectNoAxeViolationsInEitherTheme(page)
  }
  await expect(page.getByText('All answers saved')).toBeVisible()
  await page.reload()
  await untilHydrated(page)
  for (const { stem, expectAnswered } of Object.values(journeys)) {
    await openQuestion(page, stem)
    await expectAnswered(page)
  }
  await finish(page)
  await expectGoodReview(page)
})

test('every type is answered by keyboard alone, and the focus stays with the question', async ({ page }) => {
  await signIn(page, admin)
  await start(page)
  const next = page.getByRole('button', { name: 'Next', exact: true })
  const left = new Set(Object.values(journeys))
  for (let number = 1; left.size > 0; number++) {
    await expect(page.getByText(`Question ${number} of 11`)).toBeVisible()
    for (const journey of left) {
      if (!(await question(page).getByText(journey.stem).isVisible())) continue
      await journey.byKeys(page)
      await journey.expectAnswered(page)
      // With the focus where the keys left it.
      await expectNoAxeViolationsInEitherTheme(page)
      left.delete(journey)
    }
    if (left.size === 0) break
    await tabTo(page, next)
    await page.keyboard.press('Enter')
  }
  await expect(page.getByText('All answers saved')).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Finish exam' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/exam-review\//)
})

test('on a telephone whose network is cut in the middle every type is answered, kept and sent later', async ({
  browser,
}) => {
  const context = await browser.newContext({
    baseURL: process.env['E2E_URL']!,
    hasTouch: true,
    viewport: { width: 375, height: 800 },
  })
  const page = await context.newPage()
  await signIn(page, admin)
  await start(page)
  const steps = Object.values(journeys)
  for (const [place, { stem, byTouch, expectAnswered }] of steps.entries()) {
    await openQuestion(page, stem)
    await byTouch(page)
    if (place === 1) {
      await expect(page.getByText('All answers saved')).toBeVisible()
      await context.setOffline(true)
    }
    await expectAnswered(page)
    await expectNoOverflow(page)
    await expectNoOverflowAnywhere(page, [])
    await expectNoAxeViolationsInEitherTheme(page)
  }
  await expect(page.getByText('Offline: answers are kept on this device')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('All answers saved')).toBeVisible()
  await finish(page)
  await page.setViewportSize({ width: 320, height: 700 })
  await expectGoodReview(page)
  await context.close()
})

/** The review has every question on one page. */
async function expectGoodReview(page: Page) {
  for (const { stem } of Object.values(journeys)) await expect(page.getByText(stem).first()).toBeVisible()
  await expectNoAxeViolationsInEitherTheme(page)
  await expectNoOverflowAnywhere(page)
}

type Mode = {
  /** Ends at the first question. */
  start(page: Page): Promise<void>
  readonly isMistaken: boolean
  /** The button that goes on from a checked question. */
  readonly next: string
  /** A checked question is shown again after a reload, or the one after it. */
  readonly comesBack: boolean
  /** What was checked is stored. */
  untilStored?(page: Page, count: number): Promise<void>
  /** From the last checked question to the review, or to what stands in its place. */
  finish(page: Page): Promise<void>
  /** Without one the mode has no review of its questions. */
  readonly review: RegExp | null
}

const modes: Record<string, Mode> = {
  'a preview': {
    async start(page) {
      await visit(page, `${exam}/preview`)
    },
    isMistaken: false,
    next: 'Next',
    comesBack: true,
    finish: submit,
    review: /^Every question$/,
  },
  practice: {
    async start(page) {
      await signIn(page, admin)
      await endAttemptOfLastTry(page, 'aif-question-types', 'practice')
      await visit(page, `${exam}/practice`)
    },
    isMistaken: true,
    next: 'Next',
    comesBack: true,
    finish: submit,
    review: /^Every question$/,
  },
  // It asks what the practice before it has missed.
  'a drill': {
    async start(page) {
      await signIn(page, admin)
      await visit(page, '/course/aws-certified-ai-practitioner/drill')
      await page.getByRole('checkbox', { name: /^Missed/ }).check()
      await page.getByLabel('How many questions').fill('11')
      await page.getByRole('button', { name: 'Start drill' }).click()
    },
    isMistaken: false,
    next: 'Next',
    comesBack: false,
    async finish(page) {
      await page.getByRole('button', { name: 'See the result' }).click()
      await expect(page.getByText('11 of 11 right')).toBeVisible()
    },
    review: null,
  },
  'practice on the device': {
    async start(page) {
      await signIn(page, admin)
      await visit(page, exam)
      await page.evaluate(() => navigator.serviceWorker.ready)
      await page.getByRole('button', { name: 'Keep for offline practice' }).click()
      await expect(page.getByText(/^On this device until /)).toBeVisible()
      await page.context().setOffline(true)
      await page.getByRole('link', { name: /^Practice offline: / }).click()
    },
    isMistaken: true,
    next: 'Next question',
    comesBack: true,
    untilStored: (page, count) => expect.poll(() => storedPractice(page)).toMatchObject({ checked: count }),
    async finish(page) {
      await page.getByRole('button', { name: 'Finish' }).last().click()
      await expect(page.getByText('Your result is on this device.')).toBeVisible()
      await page.context().setOffline(false)
      await page.getByRole('link', { name: 'See the review' }).click()
    },
    review: /^Every question$/,
  },
}

for (const [name, mode] of Object.entries(modes))
  test(`in ${name} every type is answered, checked and told what was right, and comes back after a reload`, async ({
    browser,
  }) => {
    const page = await aPageWithWorker(browser)
    await mode.start(page)
    const total = Object.keys(allJourneys).length
    const tell = (journey: Journey) => (mode.isMistaken ? journey.expectMistakeTold : journey.expectRightTold)
    const left = new Set(Object.values(allJourneys))
    for (let number = 1; number <= total; number++) {
      await expect(page.getByText(`Question ${number} of ${total}`, { exact: true })).toBeVisible()
      const journey = await journeyShown(page)
      left.delete(journey)
      if (Object.values(caseStudyJourneys).includes(journey))
        await expect(page.getByRole('region', { name: CASE_STUDY })).toContainText('40,000 letters')
      await (mode.isMistaken ? journey.byMistake(page) : journey.byMouse(page))
      await page.getByRole('button', { name: 'Check answer' }).click()
      await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()
      await expect(page.getByText(mode.isMistaken ? 'Not right' : 'Right', { exact: true })).toBeVisible()
      await tell(journey)(question(page))
      if (number === 6) {
        await mode.untilStored?.(page, number)
        await page.reload()
        const back = mode.comesBack ? number : number + 1
        await expect(page.getByText(`Question ${back} of ${total}`, { exact: true })).toBeVisible()
        await untilHydrated(page)
        if (mode.comesBack) await tell(journey)(question(page))
        else continue
      }
      if (number < total) await page.getByRole('button', { name: mode.next, exact: true }).click()
    }
    expect(left.size).toBe(0)
    await mode.finish(page)
    if (mode.review !== null) {
      await expect(page.getByRole('heading', { name: mode.review })).toBeVisible()
      await expect(page.getByText(CASE_STUDY).first()).toBeVisible()
      for (const journey of Object.values(allJourneys))
        await tell(journey)(page.getByRole('article').filter({ has: page.getByText(journey.stem) }))
    }
    await page.context().close()
  })

/** High enough to drag from one end of a question to the other, and wide enough for a case study beside it. */
async function aPageWithWorker(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    baseURL: process.env['E2E_URL']!,
    serviceWorkers: 'allow',
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 1300 },
  })
  return context.newPage()
}

async function journeyShown(page: Page): Promise<Journey> {
  for (const journey of Object.values(allJourneys))
    if (await question(page).getByText(journey.stem).isVisible()) return journey
  throw new Error(`no journey for ${await question(page).textContent()}`)
}

async function submit(page: Page) {
  await page.getByRole('button', { name: 'Finish exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
}

test('a case study is beside its question on a wide screen and a button away on a narrow one, by keyboard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await visit(page, `${exam}/preview`)
  await expect(page.getByText('Question 1 of 11')).toBeVisible()
  for (let turn = 0; turn < 9; turn++) await page.keyboard.press('ArrowRight')
  await expect(page.getByText('Question 2 of 3 of this case study')).toBeVisible()
  await page.getByRole('tab', { name: 'Situation' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Requirements', selected: true })).toBeFocused()
  await expect(page.getByRole('tabpanel', { name: 'Requirements' })).toContainText('15 minutes')
  await page.keyboard.press('End')
  await expect(page.getByRole('tabpanel', { name: 'Volume and prices' })).toContainText('1,500 tokens')
  await expect(page.getByText('Question 10 of 11')).toBeVisible()
  await expectNoAxeViolations(page)

  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoOverflow(page)
  await page.getByRole('button', { name: CASE_STUDY }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: CASE_STUDY })
  await expect(dialog.getByRole('tabpanel', { name: 'Situation' })).toContainText('40,000 letters')
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: CASE_STUDY })).toBeFocused()
})

test('without scripts a case study unfolds with all its tabs', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: process.env['E2E_URL']!, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${exam}/preview`)
  if (await page.getByRole('button', { name: 'Start exam', exact: true }).isVisible())
    await page.getByRole('button', { name: 'Start exam', exact: true }).click()
  for (let turn = 0; turn < 8; turn++) await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page.getByText('Question 1 of 3 of this case study')).toBeVisible()
  await page.getByText(CASE_STUDY).click()
  for (const text of ['40,000 letters a month', '15 minutes', '1,500 tokens together'])
    await expect(page.getByText(text)).toBeVisible()
  await context.close()
})
