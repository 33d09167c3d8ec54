import { randomBytes } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { admin, aNewcomer } from './shared-users.ts'
import { expect, registerAndVerify, signIn, test, visit } from './e2e-test.ts'

// The sentences of docs/spec/copy.tsv that no journey meets on its way. tests/unit/copy-reach.test.ts looks for each key.

const course = 'AWS Certified Cloud Practitioner'
const coursePath = '/course/aws-certified-cloud-practitioner'
const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'Your cart' })

/** A network on which every answer takes its time. */
async function slowDown(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const speed = { offline: false, downloadThroughput: -1, uploadThroughput: -1 }
  await session.send('Network.emulateNetworkConditions', { ...speed, latency: 2500 })
  return () => session.send('Network.emulateNetworkConditions', { ...speed, latency: 0 })
}

/** Asks our API as the page would, and gives the sentences of its refusal. */
const refusal = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ([method, path, body]) => {
      const reply = await fetch(path, {
        method,
        ...(body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }),
      })
      const { error } = (await reply.json()) as { error: { message: string; fields?: { message: string }[] } }
      return [error.message, ...(error.fields ?? []).map(({ message }) => message)]
    },
    [method, path, body === undefined ? '' : JSON.stringify(body)] as const,
  )

test('home says what it sells, and what it waits for', async ({ page, context }) => {
  await visit(page, coursePath)
  const speedUp = await slowDown(context, page)
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.getByText('Loading courses...')).toBeVisible()
  await expect(page.getByText('Hundreds of Realistic Exam Questions')).toBeVisible()
  await expect(page.getByText('Pass your exams in days, not weeks')).toBeVisible()
  await expect(page.getByText('Try all our practice tests for free today.')).toBeVisible()
  for (const level of ['Foundational', 'Associate', 'Professional', 'Specialty'])
    await expect(page.getByRole('article').getByText(level, { exact: true }).first()).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click()
  await expect(page.getByText('Loading application...')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back')
  await speedUp()
})

test('the cart says each thing once, and the checkout why it does not go on', async ({ page, context, problems }) => {
  problems.allow(/40[01] |ERR_INTERNET_DISCONNECTED/)
  await registerAndVerify(page, aNewcomer())
  await visit(page, '/')
  await page.getByRole('button', { name: `Add to Cart: ${course}`, exact: true }).click()
  await expect(page.getByText(`${course} has been added to your cart.`)).toBeVisible()
  await page.getByRole('button', { name: `Add to Cart: ${course}`, exact: true }).click()
  await expect(page.getByText('Item quantity has been increased')).toBeVisible()
  await page.getByRole('button', { name: 'Open cart, 2 items' }).click()
  await drawerOf(page)
    .getByRole('button', { name: `Remove ${course}` })
    .click()
  await expect(page.getByText('Removed from cart')).toBeVisible()
  await expect(page.getByText('Course has been removed from your cart')).toBeVisible()
  await drawerOf(page).getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: `Add to Cart: ${course}`, exact: true }).click()
  await page.getByRole('button', { name: 'Open cart, 1 item' }).click()
  await drawerOf(page).getByRole('button', { name: 'Clear all' }).click()
  await expect(page.getByText('Cart cleared')).toBeVisible()
  await expect(page.getByText('All items have been removed from your cart')).toBeVisible()
  await drawerOf(page).getByRole('button', { name: 'Close', exact: true }).click()

  await page.getByRole('button', { name: `Add to Cart: ${course}`, exact: true }).click()
  await page.getByRole('button', { name: 'Open cart, 1 item' }).click()
  const checkout = drawerOf(page).getByRole('button', { name: 'Checkout' })
  await context.setOffline(true)
  await checkout.click()
  await expect(page.getByText('Checkout Failed')).toBeVisible()
  await context.setOffline(false)
  // The session ended meanwhile.
  await context.clearCookies()
  const speedUp = await slowDown(context, page)
  await checkout.click()
  await expect(drawerOf(page).getByRole('button', { name: 'Processing...' })).toBeDisabled()
  await speedUp()
  await expect(page.getByText('Authentication Required')).toBeVisible()
  await expect(page.getByText('Please sign in to proceed with checkout.')).toBeVisible()
  await expect(page).toHaveURL(/\/login\?redirect=%2F$/)
})

test('the account forms say what is missing, also when this browser has tried too often', async ({
  page,
  problems,
}) => {
  problems.allow(/40[03] /)
  await visit(page, '/register')
  await page.getByLabel('Full Name').focus()
  await page.getByLabel('Full Name').blur()
  await expect(page.getByText('Full name is required')).toBeVisible()
  await page.getByLabel('Email address').fill('not an address')
  await page.getByLabel('Email address').blur()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('ABC')
  await expect(page.getByText('One lowercase letter')).toBeVisible()

  // Left with something in it, the field says what it lacks first, and goes on saying it while one types.
  const password = page.getByLabel('Password', { exact: true })
  const lacks = [
    ['a', 'Password must be at least 8 characters long'],
    ['abcdefg1!', 'Password must contain at least one uppercase letter'],
    ['ABCDEFG1!', 'Password must contain at least one lowercase letter'],
    ['Abcdefgh!', 'Password must contain at least one number'],
    ['Abcdefgh1', 'Password must contain at least one special character'],
  ] as const
  await password.blur()
  for (const [typed, sentence] of lacks) {
    await password.fill(typed)
    await expect(password).toHaveAccessibleDescription(new RegExp(`^${sentence} `))
    await expect(page.getByText(sentence)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create account' })).toBeDisabled()
  }
  // Who passes the form by is told the same by the server, by the same code.
  const sent = await refusal(page, 'POST', '/api/auth/sign-up', { name: '  ', email: 'a b@c.d', password: '' })
  expect(sent).toEqual(
    expect.arrayContaining(['Full name is required', 'Please enter a valid email address', lacks[0][1]]),
  )

  const user = aNewcomer()
  await page.evaluate((email) => {
    for (const action of ['login', 'signup'])
      localStorage.setItem(`rate_limit_${email}_${action}`, JSON.stringify([1, 2, 3, 4, 5].map(() => Date.now())))
  }, user.email)
  await page.getByLabel('Full Name').fill(user.name)
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByLabel('Confirm Password').fill(user.password)
  const submit = page.getByRole('button', { name: 'Create account' })
  await submit.click()
  await expect(page.getByText('Too many signup attempts. Please try again later.')).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await submit.click()
  await expect(page.getByText('Account Created')).toBeVisible()

  await visit(page, '/login')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await page.evaluate((email) => {
    localStorage.setItem(`rate_limit_${email}_login`, JSON.stringify([1, 2, 3, 4, 5].map(() => Date.now())))
  }, user.email)
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  const enter = page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })
  await enter.click()
  await expect(page.getByText('Too many login attempts. Please try again later.')).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await enter.click()
  await expect(page.getByText('Please verify your email address before signing in')).toBeVisible()
})

test('a checkout that leads nowhere says why: no page to pay on, or a cart that is gone', async ({
  page,
  context,
  problems,
}) => {
  test.setTimeout(150_000)
  problems.allow(/502/)
  // The gateway opens a session for such an address, but has no page for it.
  const buyer = { ...aNewcomer(), email: `nora-${randomBytes(4).toString('hex')}+no-url@example.com` }
  await registerAndVerify(page, buyer)
  await visit(page, '/')
  await page.getByRole('button', { name: `Add to Cart: ${course}`, exact: true }).click()
  await page.getByRole('button', { name: 'Open cart, 1 item' }).click()
  const checkout = drawerOf(page).getByRole('button', { name: 'Checkout' })
  // A second press asks for another session, and comes to the same.
  for (const press of ['first', 'second']) {
    const reply = page.waitForResponse(/\/create-cart-payment$/)
    await checkout.click()
    expect((await reply).status(), press).toBe(502)
    await expect(checkout).toBeEnabled()
  }
  await expect(page.getByText('Checkout Failed')).toBeVisible()
  await expect(page.getByText('No checkout URL received')).toBeVisible()
  await expect(page.getByText('1 item', { exact: true })).toBeVisible()
  expect(context.pages()).toHaveLength(1)

  // The browser's data is cleared while the drawer stands open.
  await page.evaluate(() => localStorage.clear())
  await checkout.click()
  await expect(page.getByText('Cart Empty')).toBeVisible()
  await expect(page.getByText('Please add items to your cart before checkout.')).toBeVisible()
  await expect(drawerOf(page).getByText('Your cart is empty')).toBeVisible()
  expect(context.pages()).toHaveLength(1)
})

test('who is signed in is sent on, kept out of the admin area, and told when a payment is not theirs', async ({
  page,
  problems,
}) => {
  problems.allow(/40[0-9] /)
  const user = aNewcomer()
  await page.setViewportSize({ width: 375, height: 800 })
  await visit(page, '/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Sign Up' })).toBeVisible()
  await registerAndVerify(page, user)
  await visit(page, '/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByText(`Signed in as ${user.email}`)).toBeVisible()
  expect(await (await page.request.get('/login')).text()).toContain('Redirecting you...')
  await page.goto('/admin')
  await expect(page.getByText('Access Denied')).toBeVisible()
  await expect(page.getByText("You don't have permission to access this area.")).toBeVisible()
  expect(await (await page.request.get('/payment-success?session_id=cs_test_1')).text()).toContain(
    'Verifying your payment...',
  )
  await visit(page, '/payment-success?session_id=cs_test_of_nobody')
  await expect(page.getByText('Verification Error')).toBeVisible()
  await expect(page.getByText('There was an issue verifying your payment. Please contact support.')).toBeVisible()
  expect((await visit(page, '/course/no-such-course'))?.status()).toBe(404)
  await expect(page.getByRole('main').getByText('Course not found', { exact: true })).toBeVisible()
})

test('an admin whose session or role is gone is told by a toast with the title of its kind', async ({
  page,
  context,
  browser,
  problems,
}) => {
  problems.allow(/40[0-9] /)
  await signIn(page, admin)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Admin Dashboard' })).toBeVisible()
  await visit(page, '/admin/course-management')
  const title = { title: 'x'.repeat(200), price: 1 }
  expect(await refusal(page, 'POST', '/api/courses', title)).toContain('Course title must be less than 200 characters')
  const written = { title: 'a < b', price: -1, description: 'x'.repeat(2000) }
  expect(await refusal(page, 'POST', '/api/courses', written)).toEqual(
    expect.arrayContaining([
      'Course title contains invalid characters',
      'Price cannot be negative',
      'Course description must be less than 2000 characters',
    ]),
  )
  const nowhere = '00000000-0000-4000-8000-000000000000'
  expect(await refusal(page, 'POST', '/api/test_questions', { course_id: nowhere, test_name: 'Lost' })).toContain(
    `Cannot save exam: Course with ID ${nowhere} does not exist`,
  )

  await visit(page, '/admin/manage-users')
  await page.getByRole('main').getByRole('table').getByRole('link').first().click()
  await page.getByRole('combobox', { name: /^Extra time of/ }).selectOption({ index: 1 })
  const set = page.getByRole('button', { name: /^Set the extra time/ })
  const form = await context.newPage()
  await visit(form, '/admin/course-builder')
  await form.getByLabel('Title', { exact: true }).fill('Typed by an admin of before')
  await context.clearCookies()
  await set.click()
  await expect(page.getByText('Authentication Error')).toBeVisible()

  // Another account, of which this page has not heard.
  const student = await browser.newContext()
  await registerAndVerify(await student.newPage(), aNewcomer())
  await context.addCookies(await student.cookies())
  await student.close()
  await set.click()
  await expect(page.getByText('You do not have permission to perform this action.')).toBeVisible()

  // A form says it beside what was typed, which stays.
  await form.getByRole('button', { name: 'Begin' }).click()
  await expect(form.getByText('You do not have permission to perform this action', { exact: true })).toBeVisible()
  await expect(form.getByLabel('Title', { exact: true })).toHaveValue('Typed by an admin of before')
})
