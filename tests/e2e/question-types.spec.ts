import type { Locator, Page } from '@playwright/test'
import { endAttemptOfLastTry } from './second-try.ts'
import { admin } from './shared-users.ts'
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
 * axe looks at each type, in light and dark, and at the review of all.
 */

const exam = '/course/aws-certified-ai-practitioner/exam/aif-question-types'

type Journey = {
  /** How the question begins. */
  readonly stem: RegExp
  /** By dragging, where the type has it. */
  byMouse(page: Page): Promise<void>
  /** With single taps. */
  byTouch(page: Page): Promise<void>
  byKeys(page: Page): Promise<void>
  /** The place of each part that tells the answer. */
  expectAnswered(page: Page): Promise<void>
}

const question = (page: Page) => page.getByRole('group').first()
const item = (page: Page, text: string): Locator =>
  question(page)
    .getByRole('listitem')
    .filter({ hasText: text })
    .filter({ has: page.getByRole('combobox') })

const STEPS = ['Split the memos', 'Store the embeddings', 'Turn the question', 'Add the retrieved chunks'] as const

const journeys: Record<string, Journey> = {
  choice: {
    stem: /^A museum lists/,
    async byMouse(page) {
      for (const text of CHOSEN) await question(page).getByText(text).click()
    },
    async byTouch(page) {
      for (const text of CHOSEN) await question(page).getByText(text).tap()
    },
    async byKeys(page) {
      for (const text of CHOSEN) {
        await tabTo(page, page.getByRole('checkbox', { name: text }))
        await page.keyboard.press('Space')
      }
    },
    async expectAnswered(page) {
      for (const text of CHOSEN) await expect(page.getByRole('checkbox', { name: text })).toBeChecked()
      await expect(question(page).locator('input:checked')).toHaveCount(CHOSEN.length)
    },
  },
  ordering: {
    stem: /^A law firm wants/,
    async byMouse(page) {
      // The last step is dragged, the others come by their arrows and numbers.
      for (const step of STEPS.slice(0, 2))
        await item(page, step)
          .getByRole('button', { name: /^Move [A-F] up$/ })
          .click()
      await item(page, STEPS[3]).getByRole('combobox').selectOption('3')
      await drag(page, item(page, STEPS[2]), item(page, STEPS[3]))
    },
    async byTouch(page) {
      await item(page, STEPS[0])
        .getByRole('button', { name: /^Move [A-F] up$/ })
        .tap()
      for (const [place, step] of STEPS.entries())
        await item(page, step)
          .getByRole('combobox')
          .selectOption(String(place + 1))
    },
    async byKeys(page) {
      for (const step of STEPS) {
        const letter = await letterOf(item(page, step))
        await page.keyboard.press(letter)
      }
    },
    async expectAnswered(page) {
      for (const [place, step] of STEPS.entries())
        await expect(item(page, step).getByRole('combobox')).toHaveValue(String(place + 1))
      await expect(item(page, 'Update the weights').getByRole('combobox')).toHaveValue('')
    },
  },
  matching: {
    stem: /^A publisher compares models/,
    async byMouse(page) {
      const [first, ...others] = MATCHES
      await drag(page, option(page, first.option), item(page, first.prompt))
      for (const { prompt, option } of others) await chooseOption(item(page, prompt), option)
    },
    async byTouch(page) {
      for (const { prompt, option } of MATCHES) await chooseOption(item(page, prompt), option)
    },
    async byKeys(page) {
      for (const { prompt, option } of MATCHES) {
        await tabTo(page, item(page, prompt).getByRole('combobox'))
        const label = await optionLabel(item(page, prompt), option)
        await page.keyboard.type(label.slice(0, 3))
      }
    },
    async expectAnswered(page) {
      for (const { prompt, option } of MATCHES)
        await expect(item(page, prompt).locator('option:checked')).toContainText(option)
    },
  },
  'drop-down': {
    stem: /^A shop for camping gear/,
    async byMouse(page) {
      for (const [gap, choice] of GAPS) await question(page).getByLabel(gap).selectOption(choice)
    },
    async byTouch(page) {
      for (const [gap, choice] of GAPS) await question(page).getByLabel(gap).selectOption(choice)
    },
    async byKeys(page) {
      for (const [gap, choice] of GAPS) {
        await tabTo(page, question(page).getByLabel(gap))
        await page.keyboard.type(choice)
      }
    },
    async expectAnswered(page) {
      for (const [gap, choice] of GAPS)
        await expect(question(page).getByLabel(gap).locator('option:checked')).toHaveText(choice)
    },
  },
  'hot-spot': {
    stem: /^A clinic tests a model/,
    async byMouse(page) {
      const picture = question(page).getByRole('img')
      const box = await picture.boundingBox()
      if (box === null) throw new Error('no picture')
      await page.mouse.click(box.x + (MISSED.x / 400) * box.width, box.y + (MISSED.y / 300) * box.height)
    },
    async byTouch(page) {
      await question(page).getByText(MISSED.name).tap()
    },
    async byKeys(page) {
      await tabTo(page, question(page).getByRole('radio').first())
      const radio = page.getByRole('radio', { name: MISSED.name })
      for (let turn = 0; turn < 4 && !(await radio.isChecked()); turn++) await page.keyboard.press('ArrowDown')
    },
    async expectAnswered(page) {
      await expect(page.getByRole('radio', { name: MISSED.name })).toBeChecked()
    },
  },
  numerical: written(/^A shop sends 2,000 requests/, '10,0 USD'),
  'short-answer': written(/^A bank keeps its documents/, 'amazon  bedrock'),
}

/** A question with a text field. The answer is kept as it is typed. */
function written(stem: RegExp, text: string): Journey {
  const field = (page: Page) => question(page).getByRole('textbox', { name: 'Your answer' })
  return {
    stem,
    async byMouse(page) {
      await field(page).click()
      await page.keyboard.type(text)
    },
    async byTouch(page) {
      await field(page).tap()
      await page.keyboard.type(text)
    },
    async byKeys(page) {
      await tabTo(page, field(page))
      await page.keyboard.type(text)
    },
    async expectAnswered(page) {
      await expect(field(page)).toHaveValue(text)
    },
  }
}

/** The right options of a choice. */
const CHOSEN = ['Write a summary of each tour', 'Translate the tour', 'Draft answers to questions'] as const

/** The prompts with their right options. */
const MATCHES = [
  { prompt: 'Translating blurbs', option: 'BLEU' },
  { prompt: 'Summarizing novels', option: 'ROUGE' },
  { prompt: 'Forecasting how many', option: 'Root mean square error' },
  { prompt: 'Finding the few manuscripts', option: 'F1 score' },
] as const

/** The row of an option; prompts name the options too, in their lists. */
const option = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: 'Options' }).getByRole('listitem').filter({ hasText: text })

async function optionLabel(prompt: Locator, text: string): Promise<string> {
  return (await prompt.locator('option', { hasText: text }).textContent()) ?? ''
}

/** Lists name an option by its letter and its text. */
async function chooseOption(prompt: Locator, text: string): Promise<void> {
  await prompt.getByRole('combobox').selectOption(await optionLabel(prompt, text))
}

/** The gaps with their right choices. */
const GAPS = [
  ['Gap 1', 'user'],
  ['Gap 2', 'temperature'],
  ['Gap 3', 'maxTokens'],
] as const

/** The cell of the picture that is right, in its pixels and in words. */
const MISSED = { x: 320, y: 70, name: /and the model says healthy: 14/ }

/** Presses on the handle of one item and lets go over another. */
async function drag(page: Page, from: Locator, to: Locator) {
  const handle = await from.locator('[aria-hidden="true"]').first().boundingBox()
  const target = await to.boundingBox()
  if (handle === null || target === null) throw new Error('nothing to drag')
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
  await page.mouse.down()
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 5 })
  await page.mouse.up()
}

/** The digit by which a key names an item: letters may mean something else. */
async function letterOf(row: Locator): Promise<string> {
  const label = (await row.getByRole('combobox').getAttribute('aria-label')) ?? ''
  return String((label.at(-1) ?? 'A').charCodeAt(0) - 64)
}

/** Presses Tab until the control has the focus, and sees that the focus shows. */
async function tabTo(page: Page, control: Locator) {
  for (let presses = 0; presses < 120; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) {
      expect(await control.evaluate((element) => element.matches(':focus-visible'))).toBe(true)
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`no way by Tab to ${String(control)}`)
}

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
  await page.getByRole('button', { name: 'Finish exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
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

const CASE_STUDY = 'Case study: An insurer has its letters read'

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
