import type { Locator, Page } from '@playwright/test'
import { expect, test, untilHydrated, visit } from './e2e-test.ts'
import { CASE_STUDY, caseStudyJourneys, journeys, question } from './type-journeys.ts'

/*
 * What a screen reader says of each type of question: the names, descriptions, roles and states of its controls, what is announced when
 * something changes, and the same once the answer is checked and in the review.
 */

const exam = '/course/aws-certified-ai-practitioner/exam/aif-question-types'

type Words = {
  /** Before and while it is answered. Ends with an answer. */
  whileAnswering(page: Page): Promise<void>
  /** Once it is checked: nothing can be changed, and each part says how it was answered. */
  onceChecked(page: Page): Promise<void>
  /** @param article the question in the review */
  inReview(article: Locator): Promise<void>
}

/** The controls of a part are named by what the learner sees beside them. */
const box = (page: Page, name: RegExp) => question(page).getByRole('checkbox', { name })
const radio = (page: Page, name: RegExp) => question(page).getByRole('radio', { name })
const row = (within: Locator, text: string) => within.getByRole('listitem').filter({ hasText: text })
const letterBeside = async (control: Locator) => ((await control.getAttribute('aria-label')) ?? '').at(-1) ?? ''

/** Strikes a part out and takes it back: a button whose state is told, and words beside the part. */
async function expectStrike(page: Page, name: RegExp, part: Locator) {
  const strike = question(page).getByRole('button', { name }).last()
  await expect(strike).toHaveAttribute('aria-pressed', 'false')
  await strike.click()
  await expect(strike).toHaveAttribute('aria-pressed', 'true')
  await expect(part.filter({ hasText: '(struck out)' })).toHaveCount(1)
  await strike.click()
  await expect(part.filter({ hasText: '(struck out)' })).toHaveCount(0)
}

const words: Record<string, Words> = {
  choice: {
    async whileAnswering(page) {
      await expect(question(page)).toHaveAccessibleDescription('Choose 3, 0 chosen')
      await expect(question(page).getByRole('checkbox')).toHaveCount(8)
      await expect(box(page, /^Sort the recordings by date$/)).not.toBeChecked()
      await expectStrike(page, /^Strike out answer [A-H]$/, question(page).locator('label'))
      for (const name of [/^Sort the/, /^Write a summary/, /^Translate the/]) await box(page, name).check()
      await expectHeard(page, /, 3 chosen/)
      await box(page, /^Draft answers/).check()
      await expectHeard(page, /, 4 chosen: more than are asked for/)
    },
    async onceChecked(page) {
      await expect(box(page, /^Sort the recordings by date Your answer$/)).toBeChecked()
      await expect(box(page, /^Draft answers .* Your answer, Right answer$/)).toBeDisabled()
      await expect(question(page).getByRole('button')).toHaveCount(0)
    },
    async inReview(article) {
      await expect(row(article, 'Sort the recordings')).toHaveText(/Your answer$/)
      await expect(row(article, 'Draft answers')).toHaveText(/Your answer, Right answer$/)
    },
  },
  ordering: {
    async whileAnswering(page) {
      const rest = question(page).getByRole('region', { name: 'Not placed yet' })
      await expect(question(page)).toHaveAccessibleDescription(
        'Select 4 of the 6 steps and put them into order, 0 placed',
      )
      await expect(rest.getByRole('combobox', { name: /^Place of [A-F]$/ })).toHaveCount(6)
      await expectStrike(page, /^Strike out [A-F]$/, question(page).getByRole('listitem'))
      const first = row(rest, 'Split the memos')
      const letter = await letterBeside(first.getByRole('combobox'))
      await first.getByRole('button', { name: `Move ${letter} up` }).click()
      await expectHeard(page, new RegExp(`^${letter}: place 1 of 4$`))
      const yours = question(page).getByRole('region', { name: 'Your order' })
      // The focus stays with the step, at the list of its places, because it cannot go up any more.
      await expect(yours.getByRole('combobox', { name: `Place of ${letter}` })).toBeFocused()
      await expect(yours.getByRole('button', { name: `Move ${letter} up` })).toBeDisabled()
      await row(question(page), 'Update the weights').getByRole('combobox').selectOption('2')
      await expect(question(page)).toHaveAccessibleDescription(/, 2 placed$/)
      await row(yours, 'Split the memos')
        .getByRole('button', { name: `Move ${letter} down` })
        .click()
      await expectHeard(page, new RegExp(`^${letter}: place 2 of 4$`))
      await row(yours, 'Split the memos').getByRole('combobox').selectOption('')
      await expectHeard(page, new RegExp(`^${letter}: taken out$`))
    },
    async onceChecked(page) {
      await expect(row(question(page), 'Update the weights')).toHaveText(/Stays out$/)
      await expect(row(question(page), 'Split the memos')).toHaveText(/Right place: 1$/)
      await expect(question(page).getByRole('button')).toHaveCount(0)
      for (const place of await question(page).getByRole('combobox').all()) await expect(place).toBeDisabled()
    },
    inReview: (article) =>
      expect(article).toMatchAriaSnapshot(`
        - heading "The right order" [level=4]
        - list:
          - listitem: /1 Split the memos .* You did not place it/
          - listitem: /2 Store the embeddings .* You did not place it/
          - listitem: /3 Turn the question .* You did not place it/
          - listitem: /4 Add the retrieved chunks .* You did not place it/
          - listitem
          - listitem
      `),
  },
  matching: {
    async whileAnswering(page) {
      await expect(question(page)).toHaveAccessibleDescription(
        'Match the 4 prompts with options; use each option once at most, 0 matched',
      )
      const options = question(page).getByRole('region', { name: 'Options' })
      await expect(options.getByRole('listitem')).toHaveText([/^AA\. /, /^BB\. /, /^CC\. /, /^DD\. /, /^EE\. /])
      const prompts = question(page).getByRole('region', { name: 'Prompts' })
      const list = (n: number) => prompts.getByRole('combobox', { name: new RegExp(`^Option for prompt ${n} \\w`) })
      await expect(list(1)).toHaveAccessibleName(/^Option for prompt 1 Translating blurbs, compared/)
      await expect(list(1).getByRole('option')).toHaveText([
        'Choose an option',
        /^A\. /,
        /^B\. /,
        /^C\. /,
        /^D\. /,
        /^E\. /,
      ])
      await expectStrike(page, /^Strike out option [A-E]$/, options.getByRole('listitem'))
      await list(1).selectOption({ index: 2 })
      await expectHeard(page, /^, 1 matched$/)
      await expect(row(options, 'B. ')).toHaveText(/Used for 1$/)
      // The list says its own value. That another prompt has lost its option is announced.
      await list(2).selectOption({ index: 2 })
      await expectHeard(page, /^Prompt 2: option B, which prompt 1 no longer has$/)
    },
    async onceChecked(page) {
      const prompts = question(page).getByRole('region', { name: 'Prompts' })
      await expect(row(prompts, 'Translating blurbs')).toContainText('You chose no option')
      await expect(row(prompts, 'Translating blurbs')).toHaveText(/Right option: [A-E]BLEU$/)
      for (const list of await prompts.getByRole('combobox').all()) await expect(list).toBeDisabled()
      await expect(question(page).getByRole('button')).toHaveCount(0)
    },
    async inReview(article) {
      await expect(article.getByRole('heading', { level: 4, name: 'Options' })).toBeVisible()
      await expect(article.getByRole('heading', { level: 4, name: 'Prompts' })).toBeVisible()
      await expect(row(article, 'Translating blurbs')).toHaveText(/You chose no optionRight option: [A-E]BLEU$/)
    },
  },
  'drop-down': {
    async whileAnswering(page) {
      await expect(question(page)).toHaveAccessibleName(/^Choose for each of the 3 gaps, 0 chosen$/)
      const list = question(page).getByRole('combobox', { name: 'Gap 1', exact: true })
      await expect(list.getByRole('option')).toHaveCount(4)
      await expect(list.getByRole('option').first()).toHaveText('Choose…')
      await list.selectOption('assistant')
      await expectHeard(page, /^, 1 chosen$/)
      // The gap of a table stands in its cell.
      await expect(question(page).getByRole('cell').getByRole('combobox', { name: 'Gap 3' })).toBeVisible()
    },
    async onceChecked(page) {
      await expect(question(page)).toContainText('Gap 1: Your answer: assistantRight answer: user')
      await expect(question(page)).toContainText('Gap 2: Your answer: no choiceRight answer: temperature')
      await expect(question(page).getByRole('combobox')).toHaveCount(0)
    },
    async inReview(article) {
      await expect(article).toContainText('Gap 1: Your answer: assistantRight answer: user')
      await expect(article.getByRole('list').filter({ hasText: 'customer' }).getByRole('listitem')).toHaveCount(3)
      await expect(row(article, 'assistant')).toHaveText(/Your answer$/)
    },
  },
  'hot-spot': {
    async whileAnswering(page) {
      await expect(question(page)).toHaveAccessibleDescription('Choose an area of the picture, or its name below')
      await expect(question(page).getByRole('img')).toHaveAccessibleName(
        /^A table of two rows and two columns\. Really ill/,
      )
      // What is drawn over the picture is for eyes and pointers; each area has its name in the list.
      await expect(question(page).getByRole('radio')).toHaveCount(4)
      await expectStrike(page, /^Strike out area [A-D]$/, question(page).locator('label'))
      await radio(page, /and the model says ill: 86$/).check()
    },
    async onceChecked(page) {
      await expect(radio(page, /says ill: 86 Your answer$/)).toBeChecked()
      await expect(radio(page, /says healthy: 14 Right answer$/)).toBeDisabled()
      await expect(question(page).getByRole('button')).toHaveCount(0)
    },
    async inReview(article) {
      await expect(article.getByRole('img', { name: /^A table of two rows/ })).toBeVisible()
      await expect(row(article, 'says ill: 86')).toHaveText(/Your answer$/)
      await expect(row(article, 'says healthy: 14')).toHaveText(/Right answer$/)
    },
  },
  numerical: {
    async whileAnswering(page) {
      const field = question(page).getByRole('textbox', { name: 'Your answer', exact: true })
      await expect(field).toHaveAccessibleDescription('in USD')
      await field.fill('about ten')
      await page.keyboard.press('Tab')
      await expectHeard(page, /^This is not read as a number in USD\./)
      await expect(field).toHaveAccessibleDescription(/^in USD This is not read as a number in USD\./)
      await field.fill('12,5')
      await page.keyboard.press('Tab')
      await expectHeard(page, /^Read as 12\.5\.$/)
    },
    async onceChecked(page) {
      const field = question(page).getByRole('textbox', { name: 'Your answer', exact: true })
      await expect(field).toHaveAttribute('readonly', '')
      await expect(field).toHaveValue('12,5')
      await expect(question(page)).toContainText(/Your answer.*Right answer10 USD$/)
    },
    inReview: (article) => expect(article).toContainText('12,5Your answerRight answer10 USD'),
  },
  'short-answer': {
    async whileAnswering(page) {
      const field = question(page).getByRole('textbox', { name: 'Your answer', exact: true })
      await expect(field).toHaveAccessibleDescription('')
      await field.fill('Amazon SageMaker')
    },
    async onceChecked(page) {
      await expect(question(page).getByRole('textbox', { name: 'Your answer' })).toHaveAttribute('readonly', '')
      await expect(question(page).getByRole('listitem')).toHaveText(['Amazon Bedrock', 'Bedrock', 'AWS Bedrock'])
      await expect(question(page)).toContainText('Accepted answers')
    },
    inReview: (article) => expect(article).toContainText('Amazon SageMakerYour answerAccepted answersAmazon Bedrock'),
  },
  'a case study': {
    async whileAnswering(page) {
      const scenario = page.getByRole('region', { name: CASE_STUDY })
      await expect(scenario.getByRole('tablist').getByRole('tab')).toHaveText([
        'Situation',
        'Requirements',
        'The planned flow',
        'Volume and prices',
      ])
      await expect(scenario.getByRole('tab', { name: 'Situation', selected: true })).toBeVisible()
      await scenario.getByRole('tab', { name: 'The planned flow' }).click()
      const panel = scenario.getByRole('tabpanel', { name: 'The planned flow' })
      await expect(panel.getByRole('img', { name: /^A letter arrives in a bucket/ })).toBeVisible()
      await expect(page.getByText('Question 1 of 3 of this case study')).toBeVisible()
      await radio(page, /^Amazon Comprehend$/).check()
    },
    async onceChecked(page) {
      await expect(radio(page, /^Amazon Comprehend Your answer$/)).toBeChecked()
      await expect(page.getByRole('region', { name: CASE_STUDY }).getByRole('tab')).toHaveCount(4)
    },
    async inReview(article) {
      await expect(row(article, 'Amazon Textract')).toHaveText(/Right answer$/)
    },
  },
}

const stems: Record<string, RegExp> = {
  ...Object.fromEntries(Object.entries(journeys).map(([type, { stem }]) => [type, stem])),
  'a case study': caseStudyJourneys['choice of a case study']!.stem,
}

test('of every type a screen reader says what is asked, what is chosen, what has changed and what was right', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 1300 })
  await visit(page, `${exam}/preview`)
  await expect(page.getByText('Question 1 of 11')).toBeVisible()
  await untilHydrated(page)
  await listen(page)
  const left = new Set(Object.keys(words))
  for (let number = 1; number <= 11; number++) {
    await expect(page.getByText(`Question ${number} of 11`)).toBeVisible()
    for (const type of left) {
      const stem = stems[type]!
      if (!(await question(page).getByText(stem).isVisible())) continue
      await test.step(type, async () => {
        // The text of a question with gaps stands below its legend.
        const name = type === 'drop-down' ? /^Choose for each/ : stem
        await expect(question(page)).toHaveAccessibleName(name)
        await words[type]!.whileAnswering(page)
        await page.getByRole('button', { name: 'Check answer' }).click()
        await expectHeard(page, /^Not right/)
        await expectHeard(page, /Explanation/)
        await words[type]!.onceChecked(page)
      })
      left.delete(type)
    }
    if (number < 11) await page.getByRole('button', { name: 'Next', exact: true }).click()
  }
  expect([...left]).toEqual([])

  await page.getByRole('button', { name: 'Finish exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(page.getByRole('heading', { name: 'Every question' })).toBeVisible()
  await expect(page.getByText(CASE_STUDY).first()).toBeVisible()
  for (const [type, { inReview }] of Object.entries(words))
    await test.step(`${type} in the review`, async () => {
      const article = page.getByRole('article').filter({ has: page.getByText(stems[type]!) })
      await expect(article.getByRole('heading', { level: 3, name: /^Question \d+$/ })).toBeVisible()
      await expect(article).toContainText(/Not right|Partly right/)
      await inReview(article)
    })
})

/** Notes the text of every live region that changes, as a screen reader would say it. */
async function listen(page: Page) {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    const live = '[aria-live="polite"], [aria-live="assertive"], [role="status"]:not([aria-live="off"]), [role="alert"]'
    new MutationObserver((changes) => {
      const changed = changes.map(({ target }) => (target instanceof Element ? target : target.parentElement))
      const regions = new Set(changed.flatMap((element) => element?.closest(live) ?? []))
      for (const region of regions) heard.push((region.textContent ?? '').trim())
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
}

/** That something was announced since the last time that this was asked. */
async function expectHeard(page: Page, said: RegExp) {
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
  await expect.poll(heard).toContainEqual(expect.stringMatching(said))
}
