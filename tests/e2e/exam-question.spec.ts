import sharp from 'sharp'
import { endAttemptOfLastTry } from './second-try.ts'
import { admin } from './shared-users.ts'
import {
  expect,
  expectGoodPage,
  expectNoAxeViolations,
  expectNoOverflow,
  signIn,
  test,
  untilHydrated,
  visit,
} from './e2e-test.ts'

const exam = '/course/aws-certified-data-engineer-associate/exam/dea-practice-exam-1'

test('an exam is taken with the keyboard alone, and everything said about a question is there again', async ({
  page,
}) => {
  await signIn(page, admin)
  await endAttemptOfLastTry(page, 'dea-practice-exam-1', 'timed')
  await visit(page, `${exam}/timed`)
  await page.getByRole('button', { name: 'Start exam', exact: true }).press('Enter')
  await expect(page.getByText('Question 1 of')).toBeVisible()
  const choices = page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))
  const pressed = (name: string) => page.getByRole('button', { name, exact: true, pressed: true })
  const note = page.getByRole('textbox', { name: 'Your note' })

  await page.keyboard.press('b')
  await expect(choices.nth(1)).toBeChecked()
  await page.keyboard.press('Shift+Digit3')
  await page.keyboard.press('Shift+D')
  await page.keyboard.press('u')
  await page.keyboard.press('f')
  for (const name of ['Strike out answer C', 'Strike out answer D', 'Unsure', 'Flag'])
    await expect(pressed(name)).toBeVisible()
  await page.keyboard.press('n')
  await expect(note).toBeFocused()
  await page.keyboard.type('Ask about the first answer')
  await page.keyboard.press('Escape')
  await expect(note).not.toBeFocused()

  // The time is said when it is asked for, and can be out of sight.
  await page.keyboard.press('t')
  await expect(page.getByText(/minutes? left$/)).toBeAttached()
  await page.keyboard.press('h')
  await expect(page.getByRole('timer')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Show the clock' })).toBeVisible()
  await page.keyboard.press('h')
  await expect(page.getByRole('timer', { name: 'Time remaining' })).toBeVisible()

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('Question 2 of')).toBeVisible()
  await page.keyboard.press('s')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Question 1 of')).toBeVisible()
  await expect(page.getByText('All answers saved')).toBeVisible()
  // The place is kept a frame after its question is painted.
  await expect.poll(async () => decodeURIComponent(await page.evaluate(() => document.cookie))).toMatch(/\.0\./)

  await page.reload()
  await untilHydrated(page)
  await expect(choices.nth(1)).toBeChecked()
  for (const name of ['Strike out answer C', 'Strike out answer D', 'Unsure', 'Flag'])
    await expect(pressed(name)).toBeVisible()
  await expect(note).toHaveValue('Ask about the first answer')

  // A phone at its narrowest, and a desktop at 200%, which is half as wide.
  for (const width of [320, 640]) {
    await page.setViewportSize({ width, height: 700 })
    await expectNoOverflow(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectNoAxeViolations(page)
    }
  }

  await page.getByRole('button', { name: 'Finish exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(page).toHaveURL(/\/exam-review\//)
  await expect(page.getByText('Ask about the first answer')).toBeVisible()
  await expect(page.getByText('You were unsure')).toBeVisible()
})

test('Enter checks the answer that a key chose, and then leads on', async ({ page }) => {
  await visit(page, '/course/aws-certified-data-engineer-associate/exam/dea-free-sampler/preview')
  const choices = page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))
  await expect(page.getByText('Question 1 of')).toBeVisible()
  // Nothing is chosen yet.
  await page.keyboard.press('Enter')
  await page.keyboard.press('b')
  await expect(choices.nth(1)).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Question 2 of')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Explanation' })).toHaveCount(0)
})

test('the start page says what to expect, goes on with an open exam, and lists what was done before', async ({
  page,
}) => {
  await signIn(page, admin)
  await endAttemptOfLastTry(page, 'dea-practice-exam-1', 'practice')
  await visit(page, exam)
  for (const fact of ['Questions', 'Minutes', 'To pass'])
    await expect(page.getByText(fact, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Start exam: Practice' }).click()
  await expect(page.getByText('Question 1 of')).toBeVisible()
  await page.keyboard.press('1')
  await expect(page.getByText('All answers saved')).toBeVisible()
  await page.getByRole('link', { name: 'Leave the exam' }).click()
  await expect(page.getByText(/^1 of \d+ answered$/)).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Resume exam: Practice' }).click()
  await expect(
    page.getByRole('radio', { checked: true }).or(page.getByRole('checkbox', { checked: true })),
  ).toHaveCount(1)
  await page.getByRole('button', { name: 'Finish exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click()
  await expect(page).toHaveURL(/\/exam-review\//)
  await visit(page, exam)
  await expect(page.getByRole('heading', { name: 'Your attempts' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Review of .*, Practice$/ }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start exam: Practice' })).toBeVisible()
})

test('a drawing has the theme of the page, whatever that of the system, and is light on paper', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 900 })
  await visit(page, '/course/aws-certified-security-specialty/exam/scs-free-sampler/preview')
  await expect(page.getByText('Question 1 of')).toBeVisible()
  const asked = page.getByText("A software vendor's monitoring service")
  const next = page.getByRole('button', { name: 'Next', exact: true })
  while (!(await asked.isVisible())) await next.click()
  await page.getByRole('group').getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Check answer' }).click()
  const drawing = page.getByRole('img', { name: 'Two customers use one vendor.' })
  await drawing.scrollIntoViewIfNeeded()
  await drawing.evaluate((image: HTMLImageElement) => image.decode())
  const brightness = async () => {
    const { channels } = await sharp(await drawing.screenshot()).stats()
    return channels[0]?.mean
  }
  for (const [theme, system] of [
    ['light', 'dark'],
    ['dark', 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme: system })
    // As the switch of the site does.
    await page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme)
    if (theme === 'light') await expect.poll(brightness).toBeGreaterThan(200)
    else await expect.poll(brightness).toBeLessThan(80)
    await expectNoOverflow(page)
    await expectNoAxeViolations(page)
  }
  await page.emulateMedia({ media: 'print' })
  await expect.poll(brightness).toBeGreaterThan(200)
})
