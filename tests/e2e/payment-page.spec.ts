import type { Page } from '@playwright/test'
import { aNewcomer, type BrowserUser } from './shared-users.ts'
import { expect, expectGoodPage, registerAndVerify, test, visit } from './e2e-test.ts'

const course = {
  slug: 'aws-certified-machine-learning-engineer-associate',
  title: 'AWS Certified Machine Learning Engineer - Associate',
}
const success = (page: Page) => page.getByRole('heading', { level: 1, name: 'Payment Successful!' })

/** Pays for courses by the calls that cart and gateway make; gives the id of the payment. The pages have their own journey. */
async function buy(page: Page, slugs: readonly string[] = [course.slug]): Promise<string> {
  const { origin } = new URL(page.url())
  const idOf = async (slug: string) =>
    ((await (await page.request.get(`/api/courses/${slug}`)).json()) as { id: string }).id
  const ids = await Promise.all(slugs.map(idOf))
  const data = { cartItems: ids.map((id) => ({ id, quantity: 1 })) }
  const reply = await page.request.post('/api/functions/create-cart-payment', { headers: { origin }, data })
  const { url } = (await reply.json()) as { url: string }
  const card = { card_number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123', name: 'Nora Newcomer' }
  const paid = await page.request.post(url, { form: { method: 'card', email: '', ...card }, maxRedirects: 0 })
  expect(paid.status(), await paid.text()).toBe(303)
  return new URL(url).pathname.split('/').at(-1) ?? ''
}

async function aBuyer(page: Page): Promise<BrowserUser> {
  const buyer = aNewcomer()
  await registerAndVerify(page, buyer)
  return buyer
}

test('a paid payment is celebrated once; a reload and the back button show it again and leave a new cart alone', async ({
  page,
}) => {
  await aBuyer(page)
  await visit(page, `/payment-success?session_id=${await buy(page)}&cart=true`)
  await expect(success(page)).toBeVisible()
  const celebrated = page.getByText('Your course access has been activated for 30 days.', { exact: true })
  await expect(celebrated).toBeVisible()

  // What is put into the cart afterwards has not been paid for.
  await page.getByRole('link', { name: 'Open Course' }).click()
  await expect(page.getByRole('heading', { level: 1, name: course.title })).toBeFocused()
  await page.getByRole('button', { name: 'Extend' }).click()
  await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
  for (const come of [() => page.goBack(), () => page.reload()]) {
    await come()
    await expect(success(page)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
  }
  await expect(celebrated).toBeHidden()
})

test('a payment for several courses says that all are open', async ({ page }) => {
  await aBuyer(page)
  const sessionId = await buy(page, [course.slug, 'aws-certified-developer-associate'])
  await visit(page, `/payment-success?session_id=${sessionId}&cart=true`)
  await expect(
    page.getByText('Your course access has been activated for 30 days for all purchased courses.'),
  ).toBeVisible()
})

test('a payment is shown to whoever made it: guests sign in and come back, strangers learn nothing, and no payment is said', async ({
  page,
  browser,
  problems,
}) => {
  problems.allow(/status of 40[0-9]/)
  const buyer = await aBuyer(page)
  const address = `/payment-success?session_id=${await buy(page)}`

  const guest = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await visit(guest, '/payment-success')
  await expect(guest.getByRole('heading', { level: 1, name: 'No payment to show' })).toBeVisible()
  await expectGoodPage(guest)
  await visit(guest, address)
  await expect(guest.getByRole('heading', { level: 1, name: 'Sign in to see your payment' })).toBeVisible()
  await guest.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
  await guest.getByLabel('Email address').fill(buyer.email)
  await guest.getByLabel('Password', { exact: true }).fill(buyer.password)
  await guest.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(success(guest)).toBeVisible()
  await expect(guest).toHaveURL(address)
  await guest.context().close()

  const stranger = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await aBuyer(stranger)
  await visit(stranger, address)
  await expect(stranger.getByText('There was an issue verifying your payment. Please contact support.')).toBeVisible()
  await expect(stranger.getByText(course.title)).toHaveCount(0)
  await expectGoodPage(stranger)
  await stranger.context().close()
})

test('what is no longer sold and what has another price is said before paying, and taken out or put right', async ({
  page,
  problems,
}) => {
  problems.allow(/status of 409/)
  await aBuyer(page)
  await visit(page, `/course/${course.slug}`)
  await page.evaluate(async (slug) => {
    const { id, title } = (await (await fetch(`/api/courses/${slug}`)).json()) as { id: string; title: string }
    const gone = { id: crypto.randomUUID(), title: 'Gone', name: 'Gone', price: 9.99, quantity: 1 }
    localStorage.setItem('cart', JSON.stringify([{ id, title, name: title, price: 1.99, quantity: 2 }, gone]))
  }, course.slug)
  await visit(page, '/')
  await page.getByRole('button', { name: 'Open cart, 3 items' }).click()
  const drawer = page.getByRole('dialog', { name: 'Your cart' })
  await drawer.getByRole('button', { name: 'Checkout' }).click()
  await expect(drawer.getByText('Your cart has changed')).toBeVisible()
  await expect(drawer.getByText('Gone is no longer sold and was taken out.')).toBeVisible()
  await expect(drawer.getByText(/now costs \$29\.99\.$/)).toBeVisible()
  await expect(drawer.getByText('2 items')).toBeVisible()
  await expect(drawer.getByText('$59.98').first()).toBeVisible()
  const opened = page.context().waitForEvent('page')
  await drawer.getByRole('button', { name: 'Checkout' }).click()
  await expect((await opened).getByRole('button', { name: /^Pay \$/ })).toBeVisible()
})
