import type { Page } from '@playwright/test'
import { aNewcomer } from './people.ts'
import { expect, registerAndVerify, test, visit } from './support.ts'

/** What a visitor does in the shop; nothing of it may need the storage. */
async function goShopping(page: Page) {
  await visit(page, '/')
  await page.getByRole('button', { name: 'Add to Cart: AWS Certified Cloud Practitioner', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  await page.getByRole('button', { name: 'Open cart, 1 item' }).click()
  const drawer = page.getByRole('dialog', { name: 'Your cart' })
  await expect(drawer.getByText('$31.98')).toBeVisible()
  await drawer.getByRole('button', { name: 'One more: AWS Certified Cloud Practitioner' }).click()
  await expect(page.getByText('2 items').first()).toBeVisible()
  await drawer.getByRole('button', { name: 'Close', exact: true }).click()
  await registerAndVerify(page, aNewcomer())
  await visit(page, '/my-courses')
  await expect(page.getByRole('heading', { level: 1, name: 'My Courses' })).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
}

test('with a storage that is blocked the shop works', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        configurable: true,
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
  })
  await goShopping(page)
})

test('with a storage that is full the shop works', async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
  await goShopping(page)
})

test("with another version's data in the storage the shop works, and what fits is kept", async ({ page }) => {
  await page.addInitScript(() => {
    if (localStorage.getItem('seeded') !== null) return
    for (const key of ['courses', 'exams', 'theme', 'coupon', 'payments_seen', 'sign_in_lock', 'cart'])
      localStorage.setItem(key, JSON.stringify({ version: 99, items: [{ id: 7, price: 'free' }] }))
    localStorage.setItem('rate_limit_a@example.com_login', '{"never": true}')
    localStorage.setItem('seeded', 'once')
  })
  await goShopping(page)
  expect(await page.evaluate(() => localStorage.getItem('seeded'))).toBe('once')
})
