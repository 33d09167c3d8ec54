import type { Page } from '@playwright/test'
import { admin, aNewcomer, type BrowserUser } from './shared-users.ts'
import { expect, expectGoodPage, mailTo, registerAndVerify, signIn, test, untilHydrated, visit } from './e2e-test.ts'

const course = { slug: 'aws-certified-ai-practitioner', title: 'AWS Certified AI Practitioner' }
/** Its price changes here, so no other journey counts on it. */
const dear = { slug: 'aws-certified-security-specialty', title: 'AWS Certified Security - Specialty' }

async function fillCart(page: Page, wanted: { readonly slug: string } = course) {
  await visit(page, `/course/${wanted.slug}`)
  await page.getByRole('button', { name: /^(Add to Cart|Extend)$/ }).click()
  await expect(page.getByText('Course has been added to your cart')).toBeVisible()
  await page.getByRole('button', { name: /Open cart/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Your cart' })
  await expect(drawer.getByRole('button', { name: 'Checkout' })).toBeVisible()
  return drawer
}

/** The cart still holds what was not paid. */
async function openCart(page: Page) {
  await page.getByRole('button', { name: 'Open cart, 1 item' }).click()
  await expect(page.getByRole('dialog', { name: 'Your cart' })).toBeVisible()
}

/** Presses Checkout; the gateway's page opens in a tab of its own. */
async function checkOut(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('dialog', { name: 'Your cart' }).getByRole('button', { name: 'Checkout' }).click()
  const hosted = await opened
  await expect(hosted.getByRole('button', { name: /^Pay \$/ })).toBeVisible()
  return hosted
}

async function payByCard(hosted: Page, number = '4242 4242 4242 4242') {
  await hosted.getByLabel('Card number').fill(number)
  await hosted.getByLabel('Expiry').fill('12/39')
  await hosted.getByLabel('CVC').fill('123')
  await hosted.getByLabel('Name on card').fill('Nora Newcomer')
  await hosted.getByRole('button', { name: /^Pay \$/ }).click()
}

const sessionOf = (hosted: Page) => new URL(hosted.url()).pathname.split('/').at(-1) ?? ''

async function payByBankDebit(hosted: Page): Promise<string> {
  const sessionId = sessionOf(hosted)
  await hosted.getByRole('radio', { name: 'Bank debit' }).check()
  await hosted.getByRole('button', { name: /^Pay \$/ }).click()
  return sessionId
}

const order = async (page: Page, path: string, data: object) => {
  const reply = await page.request.post(`/demo/gateway/${path}`, {
    data,
    headers: { origin: new URL(test.info().project.use.baseURL ?? '').origin },
  })
  expect(reply.ok(), `${path}: ${await reply.text()}`).toBe(true)
}

async function aBuyer(page: Page): Promise<BrowserUser> {
  const buyer = aNewcomer()
  await registerAndVerify(page, buyer)
  return buyer
}

async function expectPaid(hosted: Page) {
  await expect(hosted).toHaveURL(/\/payment-success\?session_id=/)
  await expect(hosted.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
}

const owned = (page: Page) =>
  page
    .getByRole('listitem')
    .filter({ hasText: course.title })
    .getByText(/^Access until /)

/** The course is closed, but named, and can be bought again. */
async function expectReturned(page: Page) {
  const row = page.getByRole('listitem').filter({ hasText: course.title }).first()
  await expect(row.getByText(/^Access ended on .* Your results stay readable\.$/)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Buy again' })).toBeVisible()
  await expect(page.getByText('No course yet')).toHaveCount(0)
}

test.afterAll(async ({ request, baseURL }) => {
  const headers = { origin: new URL(baseURL ?? '').origin }
  await request.post('/demo/gateway/switches', { data: { bankDebit: 'settles' }, headers })
})

test('paid: the page says so once, the cart is empty, and the receipt is there and in the mail', async ({ page }) => {
  const buyer = await aBuyer(page)
  await fillCart(page)
  const hosted = await checkOut(page)
  await payByCard(hosted)
  await expectPaid(hosted)
  await expectGoodPage(hosted)
  await expect(page.getByText('Your cart is empty')).toBeVisible()

  await hosted.getByRole('link', { name: 'View receipt' }).click()
  await expect(hosted.getByRole('heading', { level: 1, name: 'Receipt' })).toBeVisible()
  const receipt = hosted.getByRole('main')
  await expect(receipt.getByText(buyer.email)).toBeVisible()
  await expect(receipt.getByText('$31.98')).toBeVisible()
  await expectGoodPage(hosted)
  await hosted.emulateMedia({ media: 'print' })
  await expect(hosted.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(hosted.getByRole('banner')).toBeHidden()
  await hosted.emulateMedia({ media: null })
  const mail = await mailTo(buyer.email, /receipt/)
  expect(mail.text).toContain('$31.98')
  expect(mail.text).toContain(new URL(hosted.url()).pathname)

  await visit(page, '/my-courses')
  await expect(owned(page)).toBeVisible()
})

test('declined for want of funds, then paid with another card', async ({ page }) => {
  await aBuyer(page)
  await fillCart(page)
  const hosted = await checkOut(page)
  await payByCard(hosted, '4000 0000 0000 9995')
  await expect(hosted.getByText('Your card has insufficient funds.')).toBeVisible()
  await visit(page, '/my-courses')
  await expect(page.getByText('No course yet')).toBeVisible()
  await payByCard(hosted)
  await expectPaid(hosted)
})

test('a card that asks for confirmation: refused at first, then confirmed', async ({ page }) => {
  await aBuyer(page)
  await fillCart(page)
  const hosted = await checkOut(page)
  await payByCard(hosted, '4000 0025 0000 3155')
  await expect(hosted.getByRole('heading', { name: 'Confirm your payment' })).toBeVisible()
  await expectGoodPage(hosted)
  await hosted.getByRole('button', { name: 'Fail authentication' }).click()
  await expect(hosted.getByText(/unable to authenticate your payment method/)).toBeVisible()
  await payByCard(hosted, '4000 0025 0000 3155')
  await hosted.getByRole('button', { name: 'Complete authentication' }).click()
  await expectPaid(hosted)
})

test('a bank debit: the page waits, and says so by itself when the money is there', async ({ page }) => {
  await order(page, 'switches', { bankDebit: 'waits' })
  await aBuyer(page)
  await fillCart(page)
  const hosted = await checkOut(page)
  const sessionId = await payByBankDebit(hosted)
  await expect(hosted.getByRole('heading', { name: 'Your payment is on its way' })).toBeVisible()
  await expectGoodPage(hosted)
  await visit(page, '/my-courses')
  await expect(page.getByText('No course yet')).toBeVisible()
  await order(page, 'settle', { sessionId, outcome: 'settles' })
  await expect(hosted.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible({ timeout: 30_000 })
  await visit(page, '/my-courses')
  await expect(owned(page)).toBeVisible()
})

test('a bank debit that fails: nothing was bought, the cart is as it was, and a card still pays', async ({ page }) => {
  await order(page, 'switches', { bankDebit: 'waits' })
  await aBuyer(page)
  await fillCart(page)
  const hosted = await checkOut(page)
  const sessionId = await payByBankDebit(hosted)
  await expect(hosted.getByRole('heading', { name: 'Your payment is on its way' })).toBeVisible()
  await order(page, 'settle', { sessionId, outcome: 'fails' })
  await expect(hosted.getByRole('heading', { name: 'The payment did not go through' })).toBeVisible({ timeout: 30_000 })
  await expectGoodPage(hosted)
  await hosted.close()
  const again = await checkOut(page)
  await payByCard(again)
  await expectPaid(again)
})

test('who closes the tab before returning has the course, by the webhook alone', async ({ page }) => {
  await aBuyer(page)
  await fillCart(page)
  const hosted = await checkOut(page)
  // The way back is never gone: the tab closes when the gateway shows it.
  const closed = hosted.waitForEvent('close')
  await hosted.route(/\/payment-success/, () => hosted.close())
  await Promise.allSettled([payByCard(hosted), closed])
  await expect(async () => {
    await visit(page, '/my-courses')
    await expect(owned(page)).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 20_000 })
})

test('a seat is redeemed by somebody else, once, and starts their 30 days', async ({ page, browser, problems }) => {
  problems.allow(/status of 409/)
  const buyer = await aBuyer(page)
  const drawer = await fillCart(page)
  await drawer.getByRole('button', { name: `One more: ${course.title}` }).click()
  await expect(drawer.getByText('30 days for you, and 1 seat to give away.')).toBeVisible()
  const hosted = await checkOut(page)
  await payByCard(hosted)
  await expectPaid(hosted)
  await expect(hosted.getByText(/one seat to give away/)).toBeVisible()
  const receipt = await mailTo(buyer.email, /receipt/)
  const link = /https?:\/\/\S+\/redeem\/\S+/.exec(receipt.text)?.[0] ?? ''
  expect(link).toMatch(/\/redeem\/(?:[2-9A-Z]{4}-){6}[2-9A-Z]{4}$/)

  const friend = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await aBuyer(friend)
  await visit(friend, link)
  await expect(friend.getByText(`This code opens ${course.title} for 30 days, starting now.`)).toBeVisible()
  await expectGoodPage(friend)
  await friend.getByRole('button', { name: /^Redeem for / }).click()
  await expect(friend.getByText(`${course.title} is open`)).toBeVisible()
  await expectGoodPage(friend)
  await friend.reload()
  await untilHydrated(friend)
  await expect(friend.getByText('You have redeemed this code already.')).toBeVisible()
  await expectGoodPage(friend)
  await visit(friend, '/my-courses')
  await expect(owned(friend)).toBeVisible()
  await friend.context().close()

  await visit(page, link)
  await expect(page.getByText(/This code has been used by somebody else/)).toBeVisible()
  await expectGoodPage(page)
})

test('a refund in part leaves the access; the rest ends it for the buyer and for whoever redeemed a seat', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  const buyer = await aBuyer(page)
  const drawer = await fillCart(page)
  for (const seats of ['1 seat', '2 seats']) {
    await drawer.getByRole('button', { name: `One more: ${course.title}` }).click()
    await expect(drawer.getByText(`30 days for you, and ${seats} to give away.`)).toBeVisible()
  }
  const hosted = await checkOut(page)
  await payByCard(hosted)
  await expectPaid(hosted)
  const receipt = await mailTo(buyer.email, /receipt/)
  const [used = '', unused = ''] = receipt.text.match(/https?:\/\/\S+\/redeem\/\S+/g) ?? []
  const friend = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await aBuyer(friend)
  await visit(friend, used)
  await friend.getByRole('button', { name: /^Redeem for / }).click()
  await expect(friend.getByText(`${course.title} is open`)).toBeVisible()

  const desk = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await signIn(desk, admin)
  await visit(desk, '/admin/orders')
  await desk.getByLabel('Email address or id').fill(buyer.email)
  await desk.getByRole('button', { name: 'Search' }).click()
  await desk.getByRole('main').getByRole('link', { name: buyer.email }).click()
  await expect(desk.getByRole('heading', { level: 1, name: /^Order / })).toBeVisible()
  const dialog = desk.getByRole('dialog', { name: 'Refund this order' })
  await desk.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByRole('radio', { name: 'An amount' }).check()
  await dialog.getByLabel('Amount in dollars').fill('10')
  await expectGoodPage(desk)
  await dialog.getByRole('button', { name: 'Refund $10.00' }).click()
  await expect(desk.getByText('Partly refunded').first()).toBeVisible()
  await visit(page, '/my-courses')
  await expect(owned(page)).toBeVisible()

  await desk.getByRole('button', { name: 'Refund', exact: true }).click()
  // Three at 19.99 with tax, without shipping, less the ten.
  await dialog.getByRole('button', { name: 'Refund $55.97' }).click()
  await expect(desk.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0)
  await expect(desk.getByText('not redeemed, no longer valid')).toBeVisible()
  await expectGoodPage(desk)
  await desk.context().close()
  for (const one of [page, friend]) {
    await visit(one, '/my-courses')
    await expectReturned(one)
  }
  await expectGoodPage(page)
  const told = await mailTo(buyer.email, /Your refund of \$55\.97/)
  expect(told.text).toContain(`${course.title}: your access ended on `)
  await visit(page, '/my-courses')
  await page.getByRole('button', { name: 'Buy again' }).click()
  await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
  await visit(friend, unused)
  await expect(friend.getByText(/This code is not valid any more/)).toBeVisible()
  await expectGoodPage(friend)
  await friend.context().close()
  await visit(page, new URL(/https?:\/\/\S+\/orders\/\S+/.exec(receipt.text)?.[0] ?? '').pathname)
  await expect(page.getByRole('main').getByText('Refunded').first()).toBeVisible()
  await expect(page.getByText('Not used, no longer valid')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy link' })).toHaveCount(0)
  await expectGoodPage(page)
})

test('a dispute closes the course; what the shop wins opens it again, and what it loses stays closed', async ({
  page,
}) => {
  for (const outcome of ['won', 'lost'] as const) {
    await aBuyer(page)
    await fillCart(page)
    const hosted = await checkOut(page)
    const sessionId = sessionOf(hosted)
    await payByCard(hosted, '4000 0000 0000 0259')
    await expect(hosted).toHaveURL(/\/payment-success/)
    await expect(async () => {
      await visit(hosted, `/payment-success?session_id=${sessionId}&cart=true`)
      await expect(hosted.getByRole('heading', { name: 'This payment was returned' })).toBeVisible({ timeout: 2000 })
    }).toPass({ timeout: 20_000 })
    if (outcome === 'won') await expectGoodPage(hosted)
    await visit(page, '/my-courses')
    await expectReturned(page)
    await order(page, 'dispute', { sessionId, outcome })
    await order(page, 'deliver', {})
    await visit(page, '/my-courses')
    if (outcome === 'won') await expect(owned(page)).toBeVisible()
    else await expectReturned(page)
    await hosted.close()
    // Another buyer at another browser. A payment that was returned before its page was read has left the cart as it was.
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
  }
})

const waiting = (page: Page) =>
  page.getByRole('region', { name: 'Orders' }).getByRole('listitem').filter({ hasText: 'Waiting for payment' })

test('a cancelled payment page leads to the order as it was, which is paid from there', async ({ page }) => {
  await aBuyer(page)
  const drawer = await fillCart(page)
  await drawer.getByRole('button', { name: `One more: ${course.title}` }).click()
  const hosted = await checkOut(page)
  await hosted.getByRole('link', { name: 'Cancel and return' }).click()
  await untilHydrated(hosted)
  await expect(hosted.getByRole('heading', { level: 1, name: 'Waiting for your payment' })).toBeVisible()
  await expect(hosted.getByText('Nothing was paid')).toBeVisible()
  await expect(hosted.getByText('2 × $19.99')).toBeVisible()
  await expect(hosted.getByText(/^It can be paid until /)).toBeVisible()
  await expect(hosted.getByRole('heading', { name: 'Receipt' })).toHaveCount(0)
  await expect(hosted.getByRole('button', { name: 'Open cart, 2 items' })).toBeVisible()
  await expectGoodPage(hosted)
  await hosted.getByRole('button', { name: `Pay now: ${course.title}` }).click()
  await payByCard(hosted)
  await expectPaid(hosted)
  await expect(page.getByText('Your cart is empty')).toBeVisible()
})

test('a waiting order in My Courses is dropped, paid, and goes away when it expires', async ({ page }) => {
  await page.clock.install()
  await aBuyer(page)
  await fillCart(page)
  await (await checkOut(page)).close()
  await visit(page, '/my-courses')
  await expect(waiting(page).getByText(/It can be paid until /)).toBeVisible()
  await expect(page.getByText('What you ordered opens here as soon as it is paid.')).toBeVisible()
  await expectGoodPage(page)
  await waiting(page)
    .getByRole('button', { name: `Drop this order: ${course.title}` })
    .click()
  await expect(page.getByText('Order dropped')).toBeVisible()
  await expect(waiting(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()

  await openCart(page)
  await (await checkOut(page)).close()
  await visit(page, '/my-courses')
  await waiting(page)
    .getByRole('button', { name: `Pay now: ${course.title}` })
    .click()
  await payByCard(page)
  await expectPaid(page)
  await page.getByRole('link', { name: 'Go to My Courses' }).click()

  // Two presses to a running timed exam.
  await page.getByRole('link', { name: 'Timed: Practice Exam 1' }).click()
  await page.getByRole('button', { name: 'Start exam', exact: true }).click()
  await expect(page.getByRole('timer', { name: 'Time remaining' })).toBeVisible()

  // Expires while the page is open, which notices by its own clock.
  await fillCart(page)
  const hosted = await checkOut(page)
  const sessionId = sessionOf(hosted)
  await hosted.close()
  await visit(page, '/my-courses')
  await expect(waiting(page)).toHaveCount(1)
  await order(page, 'expire', { sessionId })
  await order(page, 'deliver', {})
  await page.clock.fastForward('24:01:00')
  await expect(waiting(page)).toHaveCount(0)
})

test('a price that changed meanwhile is shown before anybody pays it, and then paid', async ({
  page,
  browser,
  problems,
}) => {
  problems.allow(/status of 409/)
  const forAdmin = await (await browser.newContext()).newPage()
  await signIn(forAdmin, admin)
  // As before, if this is a second try.
  const { id } = (await (await forAdmin.request.get(`/api/courses/${dear.slug}`)).json()) as { id: string }
  const headers = { origin: new URL(forAdmin.url()).origin }
  const restored = await forAdmin.request.patch(`/api/courses/${id}`, { data: { price: '34.99' }, headers })
  expect(restored.ok()).toBe(true)
  await aBuyer(page)
  const drawer = await fillCart(page, dear)
  await visit(forAdmin, '/admin/course-management')
  const price = forAdmin.getByLabel(`Price of ${dear.title}`)
  await price.fill('30.00')
  const saved = forAdmin.waitForResponse((reply) => reply.request().method() === 'PATCH' && reply.ok())
  await price.press('Enter')
  await saved
  await expect
    .poll(async () => {
      await visit(forAdmin, `/course/${dear.slug}`)
      return forAdmin.getByText('$30.00').count()
    })
    .toBeGreaterThan(0)
  await forAdmin.context().close()

  await drawer.getByRole('button', { name: 'Checkout' }).click()
  await expect(drawer.getByText('Your cart has changed')).toBeVisible()
  await expect(drawer.getByText(`${dear.title} now costs $30.00.`)).toBeVisible()
  await expect(drawer.getByText('$42.99')).toBeVisible()
  await expectGoodPage(page)
  const hosted = await checkOut(page)
  await expect(hosted.getByRole('button', { name: 'Pay $42.99' })).toBeVisible()
  await payByCard(hosted)
  await expectPaid(hosted)
})
