import { randomBytes } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { admin, aNewcomer, type BrowserUser } from './shared-users.ts'
import { expect, registerAndVerify, signIn, test, untilHydrated, visit } from './e2e-test.ts'

/**
 * Buying, disturbed: step x disturbance, and where each ends. One buyer for all; the tests of a step share its pages. A purchase
 * leaves the buyer with the course, which can be bought again.
 */
const course = { slug: 'aws-certified-ai-practitioner', title: 'AWS Certified AI Practitioner' }
const disturbances = ['back', 'forward', 'reload', 'second tab', 'killed tab', 'lost network', 'ended session'] as const
type Disturbance = (typeof disturbances)[number]

const buyer: BrowserUser = aNewcomer('Dana Disturbed')
const coupon = `CALM-${randomBytes(3).toString('hex').toUpperCase()}`

test.describe.configure({ mode: 'serial', timeout: 240_000 })

test.beforeAll(async ({ browser, baseURL }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await registerAndVerify(page, buyer)
  await context.clearCookies()
  await signIn(page, admin)
  const made = await page.request.post('/api/coupons', {
    data: { code: coupon, percent: 10, amount: null, firstDay: null, lastDay: null, useLimit: null, courseIds: null },
    headers: { origin: new URL(baseURL ?? '').origin },
  })
  expect(made.ok(), await made.text()).toBe(true)
  await context.close()
})

/** Does what the row says. Leaves the page that goes on. */
async function disturb(page: Page, what: Disturbance): Promise<Page> {
  const context = page.context()
  const address = page.url()
  if (what === 'back') await page.goBack()
  else if (what === 'forward') {
    await page.goBack()
    await page.goForward()
  } else if (what === 'reload') await page.reload()
  else if (what === 'lost network') {
    await context.setOffline(true)
    await page.reload().catch(() => undefined)
    await context.setOffline(false)
    await page.goto(address)
  } else if (what === 'ended session') {
    await context.clearCookies()
    await page.reload()
  } else {
    const other = await context.newPage()
    if (what === 'killed tab') await page.close()
    await other.goto(address)
    return other
  }
  return page
}

/** Put there by hand once, then restored as it was stored. */
let cart: string | null = null

async function fillCart(page: Page) {
  await page.evaluate((stored) => {
    localStorage.clear()
    if (stored !== null) localStorage.setItem('cart', stored)
  }, cart)
  await visit(page, `/course/${course.slug}`)
  if (cart === null) {
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
    cart = await page.evaluate(() => localStorage.getItem('cart'))
  }
  await openCart(page)
}

async function openCart(page: Page) {
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Open cart, 1 item' }).click()
  await expect(page.getByRole('dialog', { name: 'Your cart' })).toBeVisible()
}

async function applyCoupon(page: Page) {
  const drawer = page.getByRole('dialog', { name: 'Your cart' })
  await drawer.getByLabel('Coupon code').fill(coupon)
  await drawer.getByRole('button', { name: 'Apply' }).click()
  await expect(drawer.getByText(`${coupon}: 10% off`)).toBeVisible()
}

async function checkOut(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('dialog', { name: 'Your cart' }).getByRole('button', { name: 'Checkout' }).click()
  const hosted = await opened
  await expect(hosted.getByRole('button', { name: /^Pay \$/ })).toBeVisible()
  return hosted
}

async function pay(hosted: Page) {
  await hosted.getByLabel('Card number').fill('4242 4242 4242 4242')
  await hosted.getByLabel('Expiry').fill('12/39')
  await hosted.getByLabel('CVC').fill('123')
  await hosted.getByLabel('Name on card').fill(buyer.name)
  await hosted.getByRole('button', { name: /^Pay \$/ }).click()
}

/** Pays at the gateway without following it back; gives the address of the way back. */
async function payWithoutReturning(hosted: Page): Promise<string> {
  const card = { card_number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123', name: buyer.name }
  const form = { method: 'card', email: '', ...card }
  const paid = await hosted.request.post(hosted.url(), { form, maxRedirects: 0 })
  expect(paid.status()).toBe(303)
  return paid.headers()['location'] ?? ''
}

async function signInHere(page: Page) {
  await untilHydrated(page)
  await page.getByLabel('Email address').fill(buyer.email)
  await page.getByLabel('Password', { exact: true }).fill(buyer.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
}

const success = (page: Page) => expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()

async function eachDisturbance(context: BrowserContext, step: (page: Page, what: Disturbance) => Promise<void>) {
  const page = await context.newPage()
  await signIn(page, buyer)
  await page.close()
  for (const what of disturbances)
    await test.step(what, async () => {
      const fresh = await context.newPage()
      await visit(fresh, '/')
      await step(fresh, what)
      for (const one of context.pages()) await one.close()
    })
}

/** After the session ended the drawer asks to sign in, and comes back with the same cart. */
async function endsAtThePaymentPage(page: Page, what: Disturbance, price: string) {
  await openCart(page)
  if (what === 'ended session') {
    await page.getByRole('dialog', { name: 'Your cart' }).getByRole('link', { name: 'Sign In' }).click()
    await signInHere(page)
    await expect(page).not.toHaveURL(/\/login/)
    await openCart(page)
  }
  await expect(page.getByRole('dialog', { name: 'Your cart' }).getByText(price).first()).toBeVisible()
  const hosted = await checkOut(page)
  await expect(hosted.getByRole('button', { name: `Pay ${price}` })).toBeVisible()
}

test('the cart is open: it is as it was, and leads to the payment page', async ({ context, problems }) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 401/)
  await eachDisturbance(context, async (page, what) => {
    await fillCart(page)
    await endsAtThePaymentPage(await disturb(page, what), what, '$31.98')
  })
})

test('a coupon is applied: it is applied again by itself', async ({ context, problems }) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 401/)
  await eachDisturbance(context, async (page, what) => {
    await fillCart(page)
    await applyCoupon(page)
    await endsAtThePaymentPage(await disturb(page, what), what, '$29.78')
  })
})

test('on the payment page: it can still be paid, or left for the order that waits', async ({ context, problems }) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 401/)
  await eachDisturbance(context, async (page, what) => {
    await fillCart(page)
    const hosted = await checkOut(page)
    const address = hosted.url()
    const now = await disturb(hosted, what)
    // Nothing is behind the payment page in its tab.
    if (what === 'back' || what === 'forward') await now.goto(address)
    await expect(now.getByRole('button', { name: /^Pay \$/ })).toBeVisible()
    await now.getByRole('link', { name: 'Cancel and return' }).click()
    if (what === 'ended session') await signInHere(now)
    await expect(now.getByText('Nothing was paid')).toBeVisible()
    await expect(now.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
    await now.getByRole('button', { name: `Pay now: ${course.title}` }).click()
    await expect(now).toHaveURL(address)
  })
})

test('returning with a payment: it is shown once the way back is taken, and the course is there without it', async ({
  context,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 401/)
  await eachDisturbance(context, async (page, what) => {
    await fillCart(page)
    const hosted = await checkOut(page)
    const wayBack = await payWithoutReturning(hosted)
    if (what === 'killed tab') {
      await hosted.close()
      await expect(async () => {
        await visit(page, '/my-courses')
        await expect(page.getByText(/^Access until /).first()).toBeVisible({ timeout: 500 })
      }).toPass()
      return
    }
    if (what === 'ended session') {
      await context.clearCookies()
      await hosted.goto(wayBack)
      await hosted.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
      await signInHere(hosted)
    } else {
      await hosted.goto(wayBack)
      // A page that starts writes its place into the history, which takes back a step back that has just begun.
      await untilHydrated(hosted)
      const now = await disturb(hosted, what)
      // Behind the way back is the payment page, which says that it is paid.
      if (what === 'back') await now.goForward()
      await success(now)
    }
    await success(hosted)
    await expect(page.getByText('Your cart is empty')).toBeVisible()
  })
})

test('on the success page: it says the same again, and leaves a new cart alone', async ({ context, problems }) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 401/)
  await eachDisturbance(context, async (page, what) => {
    await fillCart(page)
    const hosted = await checkOut(page)
    await pay(hosted)
    await success(hosted)
    await expect(page.getByText('Your cart is empty')).toBeVisible()
    await visit(page, `/course/${course.slug}`)
    await page.getByRole('button', { name: 'Extend' }).click()
    await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
    const now = await disturb(hosted, what)
    if (what === 'back') await now.goForward()
    if (what === 'ended session') {
      await now.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
      await signInHere(now)
    }
    await success(now)
    await expect(now.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
  })
})
