import type { Page } from '@playwright/test'
import { admin, aNewcomer } from './shared-users.ts'
import { expect, expectGoodPage, expectNoOverflow, registerAndVerify, signIn, test, visit } from './e2e-test.ts'

const course = { slug: 'aws-certified-cloud-practitioner', title: 'AWS Certified Cloud Practitioner' }
const trial = `/course/${course.slug}/exam/clf-free-sampler/preview`
const menu = (page: Page) => page.getByRole('dialog', { name: 'Menu' })
const isInside = (page: Page) => menu(page).evaluate((dialog) => dialog.contains(document.activeElement))

/** How many pixels of these two lie on each other. */
async function overlap(page: Page, one: ReturnType<Page['locator']>, other: ReturnType<Page['locator']>) {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  if (a === null || b === null) throw new Error(`not to be seen at ${page.url()}`)
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

test('the menu of a small screen holds the focus, and closes by Escape, a link, the way back and signing out', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await registerAndVerify(page, aNewcomer())
  await visit(page, `/course/${course.slug}`)
  await page.getByRole('banner').getByRole('link').first().click()
  // The address changes a moment before the page, which closes an open menu.
  await expect(page.getByRole('heading', { level: 1, name: /^Pass Your AWS/ })).toBeFocused()
  const button = page.getByRole('button', { name: 'Open menu' })
  await button.press('Enter')
  await expect(menu(page)).toBeVisible()
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press(presses < 8 ? 'Tab' : 'Shift+Tab')
    // Between the last and the first the browser itself may have it, never the page behind.
    const isBehind = await page.evaluate(
      () => document.activeElement !== document.body && document.activeElement?.closest('dialog') === null,
    )
    expect(isBehind, `after ${presses + 1} presses`).toBe(false)
  }
  await page.keyboard.press('Escape')
  await expect(menu(page)).toBeHidden()
  await expect(button).toBeFocused()

  await button.click()
  await expect.poll(() => isInside(page)).toBe(true)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: course.title })).toBeVisible()
  await expect(menu(page)).toBeHidden()

  await button.click()
  await menu(page).getByRole('link', { name: 'My Courses' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Courses' })).toBeFocused()
  await expect(menu(page)).toBeHidden()

  await button.click()
  await menu(page).getByRole('button', { name: 'Sign Out' }).click()
  await expect(menu(page)).toBeHidden()
  await expect(page).toHaveURL(/\/$/)
  await button.click()
  await expect(menu(page).getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('after each navigation the page has its own title, and its heading has the focus', async ({ page }) => {
  await visit(page, '/')
  const seen = new Set([await page.title()])
  const arrive = async (link: ReturnType<Page['locator']>, heading: string) => {
    await link.click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused()
    await expect.poll(() => page.title()).toContain(heading)
    expect(seen.has(await page.title())).toBe(false)
    seen.add(await page.title())
  }
  await arrive(page.getByRole('link', { name: course.title, exact: true }), course.title)
  await arrive(page.getByRole('banner').getByRole('link', { name: 'Sign In' }), 'Welcome back')
  await arrive(page.getByRole('main').getByRole('link', { name: 'Create an account' }), 'Create an account')
  await page.getByRole('banner').getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('who skips what is around an admin page is behind its menu', async ({ page }) => {
  await signIn(page, admin)
  await visit(page, '/admin/orders')
  const skip = page.getByRole('link', { name: 'Skip to main content' })
  await skip.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  const place = await page.evaluate(() => ({
    isInMain: document.activeElement?.closest('main') !== null,
    isInMenu: document.activeElement?.closest('nav') !== null,
  }))
  expect(place).toEqual({ isInMain: true, isInMenu: false })
})

test('feedback lies on nothing of a list, and in an exam it is a tool of the header whose keys are its own', async ({
  page,
}) => {
  for (const width of [820, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await visit(page, '/')
    const button = page.getByRole('button', { name: 'Feedback' })
    const cards = page.getByRole('main').getByRole('article')
    for (const card of await cards.all()) {
      await card.scrollIntoViewIfNeeded()
      expect(await overlap(page, button, card), `${width} px`).toBe(0)
    }
    expect(await overlap(page, button, page.getByRole('link', { name: 'Specialty', exact: true }))).toBe(0)
  }

  await page.setViewportSize({ width: 375, height: 700 })
  await visit(page, trial)
  await expect(page.getByText('Question 1 of 20')).toBeVisible()
  const button = page.getByRole('banner').getByRole('button', { name: 'Feedback' })
  for (const name of ['Finish exam', 'Check answer', 'Next', 'Flag'])
    expect(await overlap(page, button, page.getByRole('button', { name, exact: true }))).toBe(0)
  await button.focus()
  await page.keyboard.press('Enter')
  const text = page.getByLabel('Your feedback')
  await expect(text).toBeFocused()
  await expectGoodPage(page)
  await page.getByRole('radio', { name: 'Idea' }).focus()
  for (const key of ['ArrowRight', 'f', '1']) await page.keyboard.press(key)
  await expect(page.getByRole('radio', { name: 'Good' })).toBeChecked()
  await expect(page.getByText('Question 1 of 20')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Flag', exact: true })).toHaveAttribute('aria-pressed', 'false')
  await text.fill('The second answer has a typo.')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Thank you for your feedback!')).toBeVisible()
  await expect(button).toBeFocused()
})

test('feedback is in the header of a running drill', async ({ page }) => {
  await signIn(page, admin)
  await visit(page, '/course/aws-certified-data-engineer-associate/drill')
  await page.getByRole('button', { name: 'Start drill' }).click()
  await expect(page.getByText(/^Question \d of \d+$/)).toBeVisible()
  await page.setViewportSize({ width: 375, height: 800 })
  await page.getByRole('banner').getByRole('button', { name: 'Feedback' }).click()
  await expect(page.getByLabel('Your feedback')).toBeFocused()
  await expectNoOverflow(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'End drill' }).click()
})

test('what moves stands still for those who asked for less motion', async ({ browser }) => {
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    const page = await (await browser.newContext({ reducedMotion })).newPage()
    await visit(page, `/course/${course.slug}`)
    await page.getByRole('button', { name: 'Open cart' }).click()
    const drawer = page.getByRole('dialog', { name: 'Your cart' })
    await expect(drawer).toBeVisible()
    const moving = await drawer.evaluate((element) => getComputedStyle(element).animationName)
    expect(moving === 'none').toBe(reducedMotion === 'reduce')
    await page.context().close()
  }
})

test('on a phone the cart shows the newest toast only, and what it lists stays free', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await visit(page, `/course/${course.slug}`)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByRole('button', { name: 'Open cart, 1 item' }).click()
  const drawer = page.getByRole('dialog', { name: 'Your cart' })
  const more = drawer.getByRole('button', { name: `One more: ${course.title}` })
  await more.click()
  await expect(page.getByText('Item quantity has been increased')).toBeVisible()
  await expect(page.getByText('Course has been added to your cart')).toBeHidden()
  const toast = page.getByText('Item quantity has been increased')
  expect(await overlap(page, toast, more)).toBe(0)
  const fewer = drawer.getByRole('button', { name: `One less: ${course.title}` })
  await fewer.click()
  await fewer.click()
  await expect(drawer.getByText('Your cart is empty')).toBeVisible()
})

test('the lock of a sign-in counts down and opens the form by itself', async ({ page, problems }) => {
  problems.allow(/401 |423 /)
  await page.clock.install()
  await visit(page, '/login')
  const { email } = aNewcomer()
  const submit = page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })
  await page.getByLabel('Email address').fill(email)
  for (let attempts = 0; attempts < 5; attempts += 1) {
    await page.getByLabel('Password', { exact: true }).fill(`Wrong-Horse-${attempts}!`)
    await submit.click()
    await expect(
      page.getByText(attempts === 4 ? 'Account Temporarily Locked' : `${4 - attempts} attempt(s)`),
    ).toBeVisible()
  }
  await expect(submit).toBeDisabled()
  // Some seconds have passed since the lock began.
  await page.clock.fastForward('13:52')
  await expect(page.getByText(/^1:0\d left for /)).toBeVisible()
  await page.clock.fastForward('01:10')
  await expect(page.getByText('Account Temporarily Locked')).toBeHidden()
  await expect(submit).toBeEnabled()
})

test('a page of a signed-in user is stored in no cache', async ({ page }) => {
  await signIn(page, admin)
  for (const path of ['/', '/_root.data', '/admin', '/admin.data', '/no-such-page', '/no-such-page.data']) {
    const headers = (await page.request.get(path, { failOnStatusCode: false })).headers()
    expect(headers['cache-control'], path).toBe('no-store')
    expect(headers['vary'], path).toMatch(/Cookie/)
  }
})
