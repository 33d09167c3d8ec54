import { expect, expectGoodPage, signIn, test, visit } from './e2e-test.ts'
import { admin } from './shared-users.ts'

test('an admin marks questions as verified and takes it back with the keyboard, and a second undo of another tab finds nothing', async ({
  page,
}) => {
  await signIn(page, admin)
  await visit(page, '/admin/freshness?reason=never')
  const title = page.getByRole('heading', { name: /to verify of/ })
  const before = (await title.textContent()) ?? ''
  const first = page.getByRole('checkbox', { name: /^Choose question/ }).first()
  const name = (await first.getAttribute('aria-label')) ?? ''
  await first.focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Mark as verified today' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 question marked as verified today.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name, exact: true })).toHaveCount(0)
  await expectGoodPage(page)

  const undone = page.waitForRequest(/\/undo$/)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 question has its former dates again.')).toBeVisible()
  await expect(title).toHaveText(before)
  await expect(page.getByRole('checkbox', { name, exact: true })).toBeVisible()
  const again = await page.request.post((await undone).url(), {
    data: { count: 1 },
    headers: { origin: new URL(page.url()).origin },
  })
  expect(await again.json()).toEqual({ restored: 0, kept: 1 })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 question has its former dates again.')).toBeHidden()
})
