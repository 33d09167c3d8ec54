import type { Page } from '@playwright/test'
import { aNewcomer } from './shared-users.ts'
import { expect, linkIn, mailTo, test, untilHydrated, visit } from './e2e-test.ts'

const MANY = 120

/** Presses Tab until the focus is on what has this role and name, as somebody without a mouse does. */
async function tabTo(page: Page, role: Parameters<Page['getByRole']>[0], name: string | RegExp) {
  const wanted = page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name })
  for (let presses = 0; presses < MANY; presses += 1) {
    await page.keyboard.press('Tab')
    const isThere = await wanted.evaluateAll((found) => found.some((element) => element === document.activeElement))
    if (!isThere) continue
    // What has the focus has to be seen.
    expect(await page.evaluate(() => document.activeElement!.matches(':focus-visible'))).toBe(true)
    return
  }
  throw new Error(`no way by Tab to ${role} ${String(name)} at ${page.url()}`)
}

async function press(page: Page, role: Parameters<Page['getByRole']>[0], name: string | RegExp) {
  await tabTo(page, role, name)
  await page.keyboard.press('Enter')
}

test('trying, registering, the cart and paying go by the keyboard alone', async ({ page, context }) => {
  test.setTimeout(180_000)
  const user = aNewcomer('Kim Keyboard')
  const course = 'AWS Certified Cloud Practitioner'

  // Past the header at once, then into the free trial.
  await visit(page, '/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to main content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, 'link', `Try For Free: ${course}`)
  await expect(page.getByRole('heading', { level: 1, name: course })).toBeFocused()
  await press(page, 'link', 'Try For Free: Free Sampler')
  await expect(page.getByText('Question 1 of 20')).toBeVisible()
  await page.keyboard.press('Tab')
  for (let presses = 0; presses < MANY; presses += 1) {
    const type = await page.evaluate(() => document.activeElement?.getAttribute('type'))
    if (type === 'radio' || type === 'checkbox') break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Space')
  await expect(page.getByText('All answers saved')).toBeVisible()
  await press(page, 'button', 'Check answer')
  await expect(page.getByRole('heading', { name: /explanation/i })).toBeVisible()

  // An account.
  await visit(page, '/register')
  for (const [label, text] of [
    ['Full Name', user.name],
    ['Email address', user.email],
    ['Password', user.password],
    ['Confirm Password', user.password],
  ] as const) {
    const field = page.getByLabel(label, { exact: true })
    for (let presses = 0; presses < MANY && !(await isFocused(field)); presses += 1) await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login/)
  await visit(page, linkIn(await mailTo(user.email, /verify/i)))
  await expect(page.getByText('Your email address is verified.').first()).toBeVisible()

  // The cart holds the focus, Escape gives it back.
  await visit(page, '/')
  await press(page, 'button', `Add to Cart: ${course}`)
  await expect(page.getByText('Added to cart!')).toBeVisible()
  await page.keyboard.press('Home')
  await page.getByRole('link', { name: 'Skip to main content' }).focus()
  await press(page, 'button', 'Open cart, 1 item')
  const drawer = page.getByRole('dialog', { name: 'Your cart' })
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(drawer).toBeVisible()
  await openBeforeClosed(page)
  await expect(drawer).toBeVisible()
  await press(page, 'button', `One more: ${course}`)
  await expect(drawer.getByText('2 items')).toBeVisible()
  await press(page, 'button', `One less: ${course}`)
  await expect(drawer.getByText('1 item', { exact: true })).toBeVisible()

  // Paying, on the gateway's page.
  const opened = context.waitForEvent('page')
  await press(page, 'button', 'Checkout')
  const first = await opened
  await first.getByLabel('Card number').waitFor()
  // Back from the gateway's page without paying: the cart is as it was, and opens the same page again.
  await press(first, 'link', 'Cancel and return')
  await expect(first).toHaveURL((url) => url.origin === new URL(page.url()).origin && !url.pathname.includes('/pay/'))
  await untilHydrated(first)
  await expect(first.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
  await press(first, 'button', 'Open cart, 1 item')
  const again = context.waitForEvent('page')
  await press(first, 'button', 'Checkout')
  const hosted = await again
  await hosted.getByLabel('Card number').waitFor()
  for (const [label, text] of [
    ['Card number', '4242 4242 4242 4242'],
    ['Expiry', '12/34'],
    ['CVC', '123'],
    ['Name on card', user.name],
  ] as const) {
    const field = hosted.getByLabel(label)
    for (let presses = 0; presses < MANY && !(await isFocused(field)); presses += 1) await hosted.keyboard.press('Tab')
    await hosted.keyboard.type(text)
  }
  await press(hosted, 'button', 'Pay $31.98')
  await expect(hosted.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await expect(hosted.getByText('Your course access has been activated for 30 days.', { exact: true })).toBeVisible()
  await untilHydrated(hosted)
  const paid = new URL(hosted.url())
  await press(hosted, 'link', 'Go to My Courses')
  await expect(hosted.getByRole('heading', { level: 1, name: 'My Courses' })).toBeFocused()

  // The same payment, in a browser that has not celebrated it, by the address of a single course.
  const id = await hosted.evaluate(async () => {
    localStorage.clear()
    return ((await (await fetch('/api/courses/aws-certified-cloud-practitioner')).json()) as { id: string }).id
  })
  await visit(hosted, `/payment-success?session_id=${paid.searchParams.get('session_id')}&course_id=${id}`)
  await expect(hosted.getByText('Your course access has been activated for 30 days.', { exact: true })).toBeVisible()
  await press(hosted, 'link', 'Open Course')
  await expect(hosted.getByRole('heading', { level: 1, name: course })).toBeFocused()
})

/** Escape and Enter so fast that the drawer is opened again before the browser reports that it was closed. */
async function openBeforeClosed(page: Page) {
  await page.evaluate(async () => {
    const dialog = document.querySelector<HTMLDialogElement>('dialog[open]')!
    const reported = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }))
    dialog.requestClose()
    // Time for what follows from Escape at once, and none for the report, which is a task.
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve()
    if (!(document.activeElement instanceof HTMLButtonElement)) throw new Error('the focus was not given back')
    document.activeElement.click()
    await reported
  })
}

const isFocused = (field: ReturnType<Page['getByLabel']>) =>
  field.evaluate((element) => element === document.activeElement)
