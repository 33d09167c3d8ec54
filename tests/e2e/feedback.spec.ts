import { admin } from './shared-users.ts'
import { expect, expectGoodPage, signIn, test, visit } from './e2e-test.ts'

test('feedback is written with the keyboard alone, survives a lost network, and an admin reads it', async ({
  page,
  browser,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|could not be sent/)
  await visit(page, '/')
  const button = page.getByRole('button', { name: 'Feedback' })
  await button.focus()
  await page.keyboard.press('Enter')
  const text = page.getByLabel('Your feedback')
  await expect(text).toBeFocused()
  await expect(page.getByRole('radio', { name: 'Idea' })).toBeChecked()
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  await page.keyboard.type('   ')
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  // Who goes on is told why it cannot be sent.
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByText('Please enter your feedback')).toBeVisible()
  await expect(text).toHaveAccessibleDescription('Please enter your feedback')
  await expectGoodPage(page)

  const words = `More exams, please ${Date.now()}`
  await text.fill(words)
  await page.getByRole('radio', { name: 'Good' }).check()
  await page.getByRole('radio', { name: 'Issue' }).check()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled()
  await expect(page.getByText('Failed to submit feedback. Please try again.')).toBeVisible()
  await expect(text).toHaveValue(words)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Thank you for your feedback!')).toBeVisible()
  await expect(text).toBeHidden()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(text).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(text).toBeHidden()

  const desk = await (await browser.newContext()).newPage()
  await signIn(desk, admin)
  await visit(desk, '/admin/feedback')
  const said = desk.getByRole('listitem').filter({ hasText: words })
  await expect(said).toContainText('Issue')
  await expectGoodPage(desk)
  await said.getByRole('button', { name: 'Mark as done' }).click()
  await expect(said).toBeHidden()
  await desk.getByRole('link', { name: 'Done' }).click()
  await expect(said).toBeVisible()
  await desk.context().close()
})
