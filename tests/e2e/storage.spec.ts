import type { Page } from '@playwright/test'
import { aNewcomer } from './shared-users.ts'
import { expect, registerAndVerify, test, visit } from './e2e-test.ts'

/** What a visitor does in the shop; nothing of it may need the storage. */
async function goShopping(page: Page, user = aNewcomer()) {
  await visit(page, '/')
  await page.getByRole('button', { name: 'Add to Cart: AWS Certified Cloud Practitioner', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
  const background = () => page.getByRole('banner').evaluate((header) => getComputedStyle(header).backgroundColor)
  const before = await background()
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  await expect.poll(background).not.toBe(before)
  await page.getByRole('button', { name: 'Open cart, 1 item' }).click()
  const drawer = page.getByRole('dialog', { name: 'Your cart' })
  await expect(drawer.getByText('$31.98')).toBeVisible()
  await drawer.getByRole('button', { name: 'One more: AWS Certified Cloud Practitioner' }).click()
  await expect(page.getByText('2 items').first()).toBeVisible()
  await drawer.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('article').first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Exams', exact: true })).toBeVisible()
  await registerAndVerify(page, user)
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

test('with a storage that is full the shop works, and says nothing of it', async ({ page }) => {
  // Really full: not one more character goes in, under any key.
  await page.addInitScript(() => {
    for (const storage of [localStorage, sessionStorage])
      for (let size = 2 ** 23; size >= 1; size /= 2)
        try {
          storage.setItem(`filled_${size}`, 'x'.repeat(size))
        } catch {
          // The next is half as long.
        }
  })
  await visit(page, '/')
  const problem = await page.evaluate(() => {
    try {
      localStorage.setItem('cart', '[]')
      return 'there was room'
    } catch (error) {
      return (error as DOMException).name
    }
  })
  expect(problem).toBe('QuotaExceededError')
  await goShopping(page)
})

/** Every key that the shop reads, an address's own included. */
const keysOf = (email: string) => [
  'cart',
  'courses',
  'exams',
  'courses_unsaved',
  'theme',
  'coupon',
  'payments_seen',
  'migration_sign',
  `rate_limit_${email}_login`,
  `rate_limit_${email}_signup`,
]
const foreign = {
  'another version': JSON.stringify({ version: 99, items: [{ id: 7, price: 'free' }] }),
  'no JSON at all': '{"version":',
  'a list of something else': JSON.stringify([null, 7, 'x', { id: {} }, [[]]]),
  'nothing, as JSON': 'null',
  'a number that is none': '1e999',
  'a text': '"dark"',
}

for (const [what, text] of Object.entries(foreign))
  test(`with a storage that holds ${what} the shop works, and puts right what it needs`, async ({ page }) => {
    const user = aNewcomer()
    await page.addInitScript(
      ([keys, text]) => {
        if (localStorage.getItem('seeded') !== null) return
        for (const key of keys) localStorage.setItem(key, text)
        sessionStorage.setItem('sign_in_lock', text)
        localStorage.setItem('seeded', 'once')
      },
      [keysOf(user.email), text] as const,
    )
    await visit(page, '/')
    await expect(page.getByRole('button', { name: 'Open cart', exact: true })).toBeVisible()
    expect(await page.locator('html').getAttribute('data-theme')).toBeNull()
    const cards = page.getByRole('main').getByRole('article')
    await expect(cards.first()).toBeVisible()
    await page.getByRole('button', { name: 'Add to Cart: AWS Certified Cloud Practitioner', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
    const stored = (key: string) => page.evaluate((key) => localStorage.getItem(key) ?? '', key)
    expect(JSON.parse(await stored('cart'))).toMatchObject([{ title: 'AWS Certified Cloud Practitioner', quantity: 1 }])
    await expect.poll(() => stored('courses')).toContain('supabaseId')
    await cards.first().getByRole('link').first().click()
    await expect(page.getByRole('heading', { name: 'Exams', exact: true })).toBeVisible()
    await expect.poll(() => stored('exams')).toContain('courseId')
    await visit(page, '/login')
    await expect(page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled()
    await registerAndVerify(page, user)
    expect(JSON.parse(await stored(`rate_limit_${user.email}_signup`))).toHaveLength(1)
    await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('rate_limit_')))).toEqual(
      [],
    )
  })
