import type { Locator, Page } from '@playwright/test'
import { expect } from './e2e-test.ts'

/*
 * How each question of the demo exam `aif-question-types` is answered in a browser, rightly or with one mistake, and what is said of it
 * once its answer key is shown.
 */

export type Journey = {
  /** How the question begins. */
  readonly stem: RegExp
  /** By dragging, where the type has it. */
  byMouse(page: Page): Promise<void>
  /** With single taps. */
  byTouch(page: Page): Promise<void>
  byKeys(page: Page): Promise<void>
  /** An answer of which one part is wrong, or the whole where there are no parts. */
  byMistake(page: Page): Promise<void>
  /** The place of each part that tells the answer. */
  expectAnswered(page: Page): Promise<void>
  /** @param within the form after the check, or the question in a review */
  expectRightTold(within: Locator): Promise<void>
  /** What was answered, which part of it was wrong, and what is right. */
  expectMistakeTold(within: Locator): Promise<void>
}

export const question = (page: Page) => page.getByRole('group').first()

const item = (page: Page, text: string): Locator =>
  question(page)
    .getByRole('listitem')
    .filter({ hasText: text })
    .filter({ has: page.getByRole('combobox') })

/** A part with what is said of it: an option of the form, or a row of a list. */
const part = (within: Locator, text: string): Locator => within.locator('label, li').filter({ hasText: text })

/** @param mistake a wrong option */
function choice(stem: RegExp, right: readonly string[], mistake: string): Journey {
  const box = (page: Page, name: string) => page.getByRole(right.length > 1 ? 'checkbox' : 'radio', { name })
  const wrong = [...right.slice(0, -1), mistake]
  const missed = right.at(-1) ?? ''
  return {
    stem,
    async byMouse(page) {
      for (const text of right) await question(page).getByText(text).click()
    },
    async byTouch(page) {
      for (const text of right) await question(page).getByText(text).tap()
    },
    async byKeys(page) {
      for (const text of right) {
        await tabTo(page, box(page, text))
        await page.keyboard.press('Space')
      }
    },
    async byMistake(page) {
      for (const text of wrong) await question(page).getByText(text).click()
    },
    async expectAnswered(page) {
      for (const text of right) await expect(box(page, text)).toBeChecked()
      await expect(question(page).locator('input:checked')).toHaveCount(right.length)
    },
    async expectRightTold(within) {
      for (const text of right) await expect(part(within, text)).toContainText('Your answer, Right answer')
    },
    async expectMistakeTold(within) {
      await expect(part(within, mistake)).toContainText('Your answer')
      await expect(part(within, mistake)).not.toContainText('Right answer')
      await expect(part(within, missed)).toContainText('Right answer')
      await expect(part(within, missed)).not.toContainText('Your answer')
    },
  }
}

/** @param steps in their right order, at least four @param out a step that stays out, if there is one */
function ordering(stem: RegExp, steps: readonly string[], out: string | null): Journey {
  const [first = '', second = ''] = steps
  const byArrow = async (page: Page, placed: readonly string[]) => {
    for (const step of placed)
      await item(page, step)
        .getByRole('button', { name: /^Move [A-H] up$/ })
        .click()
  }
  const byNumber = async (page: Page, order: readonly string[]) => {
    for (const [place, step] of order.entries())
      await item(page, step)
        .getByRole('combobox')
        .selectOption(String(place + 1))
  }
  return {
    stem,
    async byMouse(page) {
      // The third step is dragged, the others come by their arrows and numbers.
      await byArrow(page, [first, second])
      await item(page, steps[3] ?? '')
        .getByRole('combobox')
        .selectOption('3')
      await drag(page, item(page, steps[2] ?? ''), item(page, steps[3] ?? ''))
      await byArrow(page, steps.slice(4))
    },
    async byTouch(page) {
      await item(page, first)
        .getByRole('button', { name: /^Move [A-H] up$/ })
        .tap()
      await byNumber(page, steps)
    },
    async byKeys(page) {
      for (const step of steps) {
        const letter = await letterOf(item(page, step))
        await page.keyboard.press(letter)
      }
    },
    byMistake: (page) => byNumber(page, [second, first, ...steps.slice(2)]),
    async expectAnswered(page) {
      for (const [place, step] of steps.entries())
        await expect(item(page, step).getByRole('combobox')).toHaveValue(String(place + 1))
      if (out !== null) await expect(item(page, out).getByRole('combobox')).toHaveValue('')
    },
    // The form has the steps where the learner put them and tells their right places, a review the other way round.
    async expectRightTold(within) {
      for (const [place, step] of steps.entries())
        await expect(part(within, step)).toContainText(new RegExp(`(Right|Your) place: ${place + 1}$`))
    },
    async expectMistakeTold(within) {
      await expect(part(within, first)).toContainText(/Right place: 1$|Your place: 2$/)
      await expect(part(within, second)).toContainText(/Right place: 2$|Your place: 1$/)
    },
  }
}

type Match = { readonly prompt: string; readonly option: string }

function matching(stem: RegExp, matches: readonly [Match, Match, ...Match[]]): Journey {
  const [first, second, ...others] = matches
  const choose = async (page: Page, chosen: readonly Match[]) => {
    for (const { prompt, option } of chosen) await chooseOption(item(page, prompt), option)
  }
  return {
    stem,
    async byMouse(page) {
      await drag(page, optionRow(page, first.option), item(page, first.prompt))
      await choose(page, [second, ...others])
    },
    byTouch: (page) => choose(page, matches),
    async byKeys(page) {
      for (const { prompt, option } of matches) {
        await tabTo(page, item(page, prompt).getByRole('combobox'))
        const label = await optionLabel(item(page, prompt), option)
        await page.keyboard.type(label.slice(0, 3))
      }
    },
    byMistake: (page) =>
      choose(page, [
        { prompt: first.prompt, option: second.option },
        { prompt: second.prompt, option: first.option },
        ...others,
      ]),
    async expectAnswered(page) {
      for (const { prompt, option } of matches)
        await expect(item(page, prompt).locator('option:checked')).toContainText(option)
    },
    async expectRightTold(within) {
      for (const { prompt, option } of matches) {
        await expect(part(within, prompt)).toContainText('Your option, which is right: ')
        await expect(part(within, prompt)).toContainText(option)
      }
    },
    async expectMistakeTold(within) {
      const row = part(within, first.prompt)
      await expect(row).toContainText(new RegExp(`Your option: .*${second.option}.*Right option: .*${first.option}`))
    },
  }
}

/** @param gaps each gap with its right choice @param mistake a wrong choice for the first gap */
function dropDown(stem: RegExp, gaps: readonly (readonly [string, string])[], mistake: string): Journey {
  const choose = async (page: Page, choices: readonly (readonly [string, string])[]) => {
    for (const [gap, text] of choices) await question(page).getByLabel(gap).selectOption(text)
  }
  const right = (text: string) => `Your answer, right: ${text}`
  return {
    stem,
    byMouse: (page) => choose(page, gaps),
    byTouch: (page) => choose(page, gaps),
    async byKeys(page) {
      for (const [gap, text] of gaps) {
        await tabTo(page, question(page).getByLabel(gap))
        await page.keyboard.type(text)
      }
    },
    byMistake: (page) => choose(page, [[gaps[0]?.[0] ?? '', mistake], ...gaps.slice(1)]),
    async expectAnswered(page) {
      for (const [gap, text] of gaps)
        await expect(question(page).getByLabel(gap).locator('option:checked')).toHaveText(text)
    },
    async expectRightTold(within) {
      for (const [, text] of gaps) await expect(within).toContainText(right(text))
    },
    async expectMistakeTold(within) {
      await expect(within).toContainText(`Your answer: ${mistake}Right answer: ${gaps[0]?.[1]}`)
      for (const [, text] of gaps.slice(1)) await expect(within).toContainText(right(text))
    },
  }
}

/** @param spot the middle of the right area, in pixels of the picture, which is 400 px wide and 300 px high */
function hotSpot(stem: RegExp, spot: { x: number; y: number; name: string }, mistake: string): Journey {
  const radio = (page: Page) => page.getByRole('radio', { name: spot.name })
  return {
    stem,
    async byMouse(page) {
      const box = await question(page).getByRole('img').boundingBox()
      if (box === null) throw new Error('no picture')
      await page.mouse.click(box.x + (spot.x / 400) * box.width, box.y + (spot.y / 300) * box.height)
    },
    byTouch: (page) => question(page).getByText(spot.name).tap(),
    async byKeys(page) {
      await tabTo(page, question(page).getByRole('radio').first())
      for (let turn = 0; turn < 4 && !(await radio(page).isChecked()); turn++) await page.keyboard.press('ArrowDown')
    },
    byMistake: (page) => question(page).getByText(mistake).click(),
    expectAnswered: (page) => expect(radio(page)).toBeChecked(),
    expectRightTold: (within) => expect(part(within, spot.name)).toContainText('Your answer, Right answer'),
    async expectMistakeTold(within) {
      await expect(part(within, mistake)).toContainText('Your answer')
      await expect(part(within, mistake)).not.toContainText('Right answer')
      await expect(part(within, spot.name)).toContainText('Right answer')
    },
  }
}

/** A question with a text field. The answer is kept as it is typed. @param key the right answer as it is shown */
function written(stem: RegExp, text: string, key: string): Journey {
  const field = (page: Page) => question(page).getByRole('textbox', { name: 'Your answer' })
  const type = async (page: Page, typed: string) => {
    await field(page).click()
    await page.keyboard.type(typed)
  }
  return {
    stem,
    byMouse: (page) => type(page, text),
    async byTouch(page) {
      await field(page).tap()
      await page.keyboard.type(text)
    },
    async byKeys(page) {
      await tabTo(page, field(page))
      await page.keyboard.type(text)
    },
    byMistake: (page) => type(page, '999'),
    expectAnswered: (page) => expect(field(page)).toHaveValue(text),
    expectRightTold: (within) => expect(within).toContainText('Your answer, Right answer'),
    async expectMistakeTold(within) {
      await expect(within).not.toContainText('Your answer, Right answer')
      await expect(part(within, key)).toBeVisible()
      await expect(within).toContainText(/Right answer|Accepted answers/)
    },
  }
}

/** One question of each type. */
export const journeys: Record<string, Journey> = {
  choice: choice(
    /^A museum lists/,
    ['Write a summary of each tour', 'Translate the tour', 'Draft answers to questions'],
    'Sort the recordings by date',
  ),
  ordering: ordering(
    /^A law firm wants/,
    ['Split the memos', 'Store the embeddings', 'Turn the question', 'Add the retrieved chunks'],
    'Update the weights',
  ),
  matching: matching(/^A publisher compares models/, [
    { prompt: 'Translating blurbs', option: 'BLEU' },
    { prompt: 'Summarizing novels', option: 'ROUGE' },
    { prompt: 'Forecasting how many', option: 'Root mean square error' },
    { prompt: 'Finding the few manuscripts', option: 'F1 score' },
  ]),
  'drop-down': dropDown(
    /^A shop for camping gear/,
    [
      ['Gap 1', 'user'],
      ['Gap 2', 'temperature'],
      ['Gap 3', 'maxTokens'],
    ],
    'assistant',
  ),
  'hot-spot': hotSpot(
    /^A clinic tests a model/,
    { x: 320, y: 70, name: 'and the model says healthy: 14' },
    'and the model says ill: 86',
  ),
  numerical: written(/^A shop sends 2,000 requests/, '10,0 USD', '10 USD'),
  'short-answer': written(/^A bank keeps its documents/, 'amazon  bedrock', 'AWS Bedrock'),
}

export const CASE_STUDY = 'Case study: An insurer has its letters read'

/** The questions of the case study, in their order. */
export const caseStudyJourneys: Record<string, Journey> = {
  'choice of a case study': choice(/^Which AWS service fits the first step/, ['Amazon Textract'], 'Amazon Comprehend'),
  'number of a case study': written(/^What do the summaries of one month cost/, '18.4', '18.4 ± 0.05 USD'),
  'matching of a case study': matching(/^Match each requirement with the part/, [
    { prompt: 'A summary holds only', option: 'Contextual grounding check' },
    { prompt: 'No question about chances', option: 'Denied topics' },
    { prompt: 'Names and addresses', option: 'Sensitive information filters' },
  ]),
}

/** Every question of the exam. */
export const allJourneys: Record<string, Journey> = {
  ...journeys,
  ...caseStudyJourneys,
  'ordering of all steps': ordering(
    /^A chain of bakeries plans/,
    [
      'Name the business goal',
      'Frame the goal',
      'Collect, clean and label',
      'Train, tune',
      'Deploy the model',
      'Monitor',
    ],
    null,
  ),
}

/** The row of an option; prompts name the options too, in their lists. */
const optionRow = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: 'Options' }).getByRole('listitem').filter({ hasText: text })

async function optionLabel(prompt: Locator, text: string): Promise<string> {
  return (await prompt.locator('option', { hasText: text }).textContent()) ?? ''
}

/** Lists name an option by its letter and its text. */
async function chooseOption(prompt: Locator, text: string): Promise<void> {
  await prompt.getByRole('combobox').selectOption(await optionLabel(prompt, text))
}

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
export async function tabTo(page: Page, control: Locator) {
  for (let presses = 0; presses < 120; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) {
      expect(await control.evaluate((element) => element.matches(':focus-visible'))).toBe(true)
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`no way by Tab to ${String(control)}`)
}
