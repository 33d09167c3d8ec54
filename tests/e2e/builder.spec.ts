import sharp from 'sharp'
import type { Page } from '@playwright/test'
import { anOwnServer } from './own-server.ts'
import { admin } from './shared-users.ts'
import { choose, expect, expectGoodPage, expectNoAxeViolations, signIn, test, visit } from './e2e-test.ts'

const editor = {
  stem: (page: Page) => page.getByLabel('Question', { exact: true }),
  answer: (page: Page, letter: string) => page.getByLabel(`Answer ${letter}`, { exact: true }),
  isRight: (page: Page, letter: string) => page.getByLabel(`Answer ${letter} is right`),
}

test('from an empty catalogue an admin builds a course by the keyboard and publishes it, and a guest sees it', async ({
  browser,
}) => {
  test.setTimeout(600_000)
  const shop = await anOwnServer()
  try {
    const context = await browser.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await signIn(page, admin)

    await test.step('begin', async () => {
      await page.goto('/course-builder')
      await expect(page).toHaveURL(/\/admin\/course-builder$/)
      await expect(page.getByText('No course is a draft at the moment.')).toBeVisible()
      await expectGoodPage(page)
      await page.getByRole('button', { name: 'Begin', exact: true }).click()
      await expect(page.getByText('Course title is required')).toBeVisible()
      await page.getByLabel('Title').fill('Certified Kite Pilot')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'Certified Kite Pilot' })).toBeVisible()
    })

    await test.step('facts, kept on the device and on the server as they are typed', async () => {
      await expect(page.getByLabel('Address in the shop')).toHaveValue('certified-kite-pilot')
      await page.getByLabel('Description').fill('Questions for people who fly kites.')
      await page.getByLabel('Price in dollars').fill('12.50')
      await page.getByLabel('Level').selectOption('associate')
      await page.getByLabel('Code').fill('CKP-01')
      await page.getByLabel("The provider's exam guide").fill('https://example.com/kites')
      await page.getByLabel('Minutes').fill('60')
      await page.getByLabel('Questions').fill('50')
      await page.getByLabel('Passing score').fill('700')
      await page.getByRole('button', { name: 'Add a domain' }).click()
      await page.getByLabel('Domain', { exact: true }).fill('Wind')
      await page.getByLabel('Percent', { exact: true }).fill('90')
      await expect(page.getByText('Now it is 90%.')).toBeVisible()
      await page.getByLabel('Percent', { exact: true }).fill('100')
      await expect(page.getByText('All changes are saved.')).toBeVisible()
      await expectGoodPage(page)
      await page.reload()
      await expect(page.getByLabel('Price in dollars')).toHaveValue('12.50')
      await expect(page.getByRole('region', { name: 'Card in the shop' }).getByText('$12.50')).toBeVisible()
      await page.getByRole('link', { name: 'Next: Exams' }).click()
    })

    await test.step('two exams, put in order by the keyboard', async () => {
      for (const title of ['Second flight', 'First flight']) {
        await page.getByRole('button', { name: 'Add an exam' }).click()
        await page.getByLabel('Exam title').fill(title)
        await page.keyboard.press('Enter')
        await expect(page.getByRole('link', { name: title })).toBeVisible()
      }
      await page.getByRole('button', { name: 'Move First flight', exact: true }).focus()
      await page.keyboard.press('ArrowUp')
      await expect(page.getByText('First flight: place 1 of 2')).toBeAttached()
      await expect(page.getByRole('button', { name: 'Move First flight', exact: true })).toBeFocused()
      await page.getByRole('switch', { name: 'Free trial: First flight' }).click()
      await expect(page.getByRole('switch', { name: 'Free trial: First flight' })).toBeChecked()
      await expectGoodPage(page)
      await page.getByRole('link', { name: 'Next: Questions' }).click()
    })

    await test.step('questions, by the keyboard', async () => {
      await page.getByRole('button', { name: 'Write questions: First flight' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'New question' })).toBeVisible()
      // Everything that is missing is named at once, and the first of it has the focus.
      await page.getByRole('button', { name: 'Save to the draft' }).click()
      await expect(page.getByText('Answer A has no text.').first()).toBeVisible()
      await expect(page.getByText('No answer is marked as right.')).toBeVisible()
      await expect(editor.stem(page)).toBeFocused()
      await expect(editor.stem(page)).toHaveAccessibleDescription(/The question has no text\./)
      await editor.stem(page).fill('Which wind lifts a kite?')
      await page.keyboard.press('Tab')
      await editor.answer(page, 'A').fill('A steady one')
      await editor.answer(page, 'B').fill('None')
      await page.keyboard.press('Alt+Digit1')
      await expect(editor.isRight(page, 'A')).toBeChecked()
      await page.keyboard.press('Alt+ArrowUp')
      await expect(editor.answer(page, 'A')).toHaveValue('None')
      await expect(editor.answer(page, 'A')).toBeFocused()
      await page.keyboard.press('Control+z')
      await expect(editor.answer(page, 'A')).toHaveValue('A steady one')
      await page.getByLabel('Explanation', { exact: true }).fill('Without wind there is no lift.')
      await page.getByLabel('Domain').fill('Wind')
      await page.getByLabel("The provider's page").fill('https://example.com/kites')
      await expectGoodPage(page)
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText('Saved in the draft').first()).toBeVisible()
      await expect(editor.stem(page)).toHaveValue('')

      await editor.stem(page).fill('Which knot?')
      await editor.answer(page, 'A').fill('A bowline')
      await editor.answer(page, 'B').fill('A bow')
      await editor.isRight(page, 'A').check()
      const image = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#3468c0' } })
        .png()
        .toBuffer()
      await page
        .getByLabel('Image for: Explanation')
        .setInputFiles({ name: 'bowline knot.png', mimeType: 'image/png', buffer: image })
      await expect(page.getByLabel('Explanation', { exact: true })).toHaveValue(
        /^!\[bowline knot\]\(\/pictures\/[0-9a-f]{64}\.webp\)$/,
      )
      await expect(
        page.getByRole('region', { name: 'Preview' }).getByRole('img', { name: 'bowline knot' }),
      ).toBeVisible()
      await page.getByLabel('Image for: Explanation').setInputFiles({
        name: 'x.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      })
      await expect(page.getByText('This file is not an accepted image.')).toBeVisible()
    })

    await test.step('what is typed when the network goes away is kept through a closed page', async () => {
      await page.context().setOffline(true)
      await page.keyboard.press('Control+s')
      await expect(page.getByText('is sent when the network is back')).toBeVisible()
      await page.close()
      await context.setOffline(false)
    })
    const later = await context.newPage()
    await test.step('and offered when one comes back', async () => {
      await visit(later, '/admin/course-builder')
      await later.getByRole('link', { name: 'Certified Kite Pilot' }).click()
      await later.getByRole('button', { name: 'Write questions: First flight' }).click()
      await expect(later.getByText('you typed something here that was not saved.')).toBeVisible()
      await later.getByRole('button', { name: 'Take it up again' }).click()
      await expect(editor.stem(later)).toHaveValue('Which knot?')
      await later.getByLabel('Domain').fill('Wind')
      // Leaving asks.
      await later.getByRole('link', { name: 'Back to the course builder' }).click()
      const question = later.getByRole('dialog', { name: 'Leave with unsaved changes?' })
      await expect(question).toBeVisible()
      await expectNoAxeViolations(later)
      await question.getByRole('button', { name: 'Stay' }).click()
      await later.getByRole('button', { name: 'Save to the draft' }).click()
      await expect(later.getByText('2 questions').first()).toBeVisible()
    })

    await test.step('looked over: an exam without questions is in the way', async () => {
      await later.getByRole('link', { name: 'Look over and publish' }).first().click()
      await expect(later.getByText('This exam has no questions. Write some, or remove it.')).toBeVisible()
      await expect(later.getByRole('button', { name: /^Publish/ })).toBeDisabled()
      await expectGoodPage(later)
    })

    await test.step('a question is moved there from the list, moved back by Undo, and moved again', async () => {
      await later.getByRole('link', { name: 'Questions', exact: true }).click()
      await later.getByRole('link', { name: 'All questions: First flight' }).click()
      await expect(later.getByText('Which knot?')).toBeVisible()
      await later.getByRole('button', { name: 'Move question 2', exact: true }).focus()
      await later.keyboard.press('ArrowUp')
      await expect(later.getByText('Question moved.')).toBeVisible()
      await later.getByRole('button', { name: 'Undo', exact: true }).click()
      await expect(later.getByText('Question moved.')).toHaveCount(0)
      const send = async () => {
        await later.getByLabel('Choose question 2', { exact: true }).check()
        await later.getByRole('button', { name: 'Move or copy…' }).click()
        const dialog = later.getByRole('dialog', { name: 'Move or copy 1 question' })
        await choose(dialog, 'Exam or course', 'second', /Second flight/)
        await dialog.getByRole('button', { name: 'Move there' }).click()
        await expect(later.getByText('1 question moved to Second flight.')).toBeVisible()
      }
      await send()
      // What was pressed is gone: the focus is where it can be undone.
      await expect(later.locator(':focus')).toContainText('1 question moved to Second flight.')
      await expectGoodPage(later)
      await later.getByRole('button', { name: 'Undo', exact: true }).click()
      await expect(later.getByText('Which knot?')).toBeVisible()
      await send()
    })

    await test.step('a case study is written by the keyboard, and two questions choose it', async () => {
      await later.getByRole('link', { name: 'Add a case study' }).press('Enter')
      await expect(later.getByRole('heading', { level: 1, name: 'New case study' })).toBeVisible()
      const field = (name: string) => later.getByLabel(name, { exact: true })
      await later.keyboard.press('Control+s')
      await expect(later.getByText('A tab needs a text.')).toBeVisible()
      await expect(field('Title')).toBeFocused()
      await expect(field('Title')).toHaveAccessibleDescription('A case study needs a title.')
      await later.keyboard.type('A kite shop')
      await field('Name of tab 1').fill('Exhibit')
      await field('Text of tab 1').fill(`| Wind | Kite |\n|---|---|\n| 5 m/s | Delta |\n\n${'A'.repeat(90)}`)
      await later.keyboard.press('Alt+KeyN')
      await expect(field('Name of tab 2')).toBeFocused()
      await later.keyboard.type('Situation')
      await field('Text of tab 2').fill('The shop **sells** kites. Which knot?')
      await later.keyboard.press('Alt+ArrowUp')
      await expect(field('Text of tab 1')).toBeFocused()
      await expect(field('Name of tab 1')).toHaveValue('Situation')
      // The preview is open at the tab that is edited.
      const preview = later.getByRole('region', { name: 'Preview' })
      await expect(preview.getByRole('tab', { name: 'Situation' })).toHaveAttribute('aria-selected', 'true')
      await expect(preview.getByText('sells')).toBeVisible()
      await later.getByRole('button', { name: 'Remove tab 1' }).press('Enter')
      await expect(later.getByRole('button', { name: 'Put it back' })).toBeFocused()
      await later.keyboard.press('Control+z')
      await expect(field('Name of tab 1')).toHaveValue('Situation')
      await field('Name of tab 2').focus()
      await expect(preview.getByRole('cell', { name: 'Delta' })).toBeVisible()
      await expectGoodPage(later)
      await later.keyboard.press('Enter')
      await expect(later.getByText('No question names it yet')).toBeVisible()
      await expect(later.getByText(/^The case study has fewer than two questions/)).toBeVisible()
      await expectGoodPage(later)

      const listed = later.getByRole('region', { name: 'Case studies' })
      await later.getByRole('link', { name: 'Edit question 1', exact: true }).click()
      await later.getByRole('combobox', { name: 'Case study' }).selectOption('A kite shop')
      await expect(preview.getByText('Case study: A kite shop')).toBeVisible()
      await expectGoodPage(later)
      await later.getByRole('button', { name: 'Save to the draft' }).click()
      await expect(listed.getByText('Question 1', { exact: true })).toBeVisible()
      await later.getByRole('link', { name: 'Add a question to the case study A kite shop' }).click()
      await expect(later.getByRole('combobox', { name: 'Case study' }).locator('option:checked')).toHaveText(
        'A kite shop',
      )
      await editor.stem(later).fill('Which kite flies at 5 m/s?')
      await editor.answer(later, 'A').fill('Delta')
      await editor.answer(later, 'B').fill('None')
      await editor.isRight(later, 'A').check()
      await later.getByLabel('Domain').fill('Wind')
      await later.getByRole('button', { name: 'Save to the draft' }).click()
      await expect(listed.getByText('Questions 1, 2', { exact: true })).toBeVisible()
      await expect(later.getByText(/^The case study has fewer than two questions/)).toHaveCount(0)
    })

    await test.step('words are replaced over the course', async () => {
      await later.getByRole('link', { name: 'Certified Kite Pilot' }).click()
      await later.getByRole('link', { name: 'Find and replace' }).click()
      await later.getByLabel('Find', { exact: true }).fill('knot?')
      await later.getByLabel('Replace with').fill('knot holds a line?')
      await later.keyboard.press('Enter')
      await expect(later.getByText('2 places in 1 question and 1 case study')).toBeVisible()
      await expectGoodPage(later)
      await later.getByRole('button', { name: 'Replace in 1 question and 1 case study' }).click()
      await expect(later.getByText('1 question and 1 case study changed in the drafts.')).toBeVisible()
    })

    await test.step('published, and a guest sees it', async () => {
      await visit(later, '/admin/course-builder')
      await later.getByRole('link', { name: 'Certified Kite Pilot' }).click()
      await later.getByRole('link', { name: 'Look over and publish' }).first().click()
      await later.getByRole('button', { name: /^Publish/ }).click()
      await expect(later.getByText('Certified Kite Pilot is on sale.')).toBeVisible()
      const guest = await (await browser.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })).newPage()
      await visit(guest, '/')
      await expect(guest.getByText('$12.50').first()).toBeVisible()
      await visit(guest, '/course/certified-kite-pilot?mode=preview')
      await guest.getByRole('link', { name: 'Try For Free: First flight' }).click()
      await expect(guest.getByText('Question 1 of 2 of this case study')).toBeVisible()
      const scenario = guest.getByRole('region', { name: 'Case study: A kite shop' })
      await expect(scenario.getByText('Which knot holds a line?')).toBeVisible()
      await scenario.getByRole('tab', { name: 'Exhibit' }).click()
      await expect(scenario.getByRole('cell', { name: 'Delta' })).toBeVisible()
      await guest.context().close()
    })
    await context.close()
  } finally {
    await shop.stop()
  }
})
