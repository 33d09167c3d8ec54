import type { Page } from '@playwright/test'
import { aNewcomer, type BrowserUser } from './shared-users.ts'
import {
  expect,
  expectGoodPage,
  expectNoOverflowAnywhere,
  linkIn,
  mailTo,
  registerAndVerify,
  test,
  visit,
} from './e2e-test.ts'

const course = { slug: 'aws-certified-cloud-practitioner', title: 'AWS Certified Cloud Practitioner' }
const missing = (page: Page) => page.getByText(/^Scripts are off or failed, so there is no cart\./)

/** Registers somebody with scripts; the tests of this file go on without. */
async function aBuyer(page: Page): Promise<BrowserUser> {
  const buyer = aNewcomer()
  await registerAndVerify(page, buyer)
  return buyer
}

async function fillSignIn(page: Page, { email, password }: Pick<BrowserUser, 'email' | 'password'>) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
}

test('without scripts a guest finds a course, signs in, buys it, and comes to the start of its exam', async ({
  page: withScripts,
  browser,
  problems,
}) => {
  problems.allow(/status of 401/)
  const buyer = await aBuyer(withScripts)
  const page = await browser.newPage({ javaScriptEnabled: false })

  await page.goto('/')
  await expect(missing(page)).toBeVisible()
  await expect(page.getByRole('button', { name: /Add to Cart/ })).toHaveCount(0)
  await page.getByRole('searchbox').fill('practitioner')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('main').getByRole('link', { name: course.title, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: course.title })).toBeVisible()

  // A guest signs in first, and comes back.
  await expect(page.getByText('The cart needs scripts, so this buys one course at a time.')).toBeVisible()
  await page.getByRole('button', { name: 'Buy this course' }).click()
  await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(`/course/${course.slug}`)}`)
  await fillSignIn(page, { email: buyer.email, password: 'Wrong-Horse-7!' })
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
  await expect(page.getByText('4 attempt(s) remaining before account lockout.')).toBeVisible()
  await expect(page.getByLabel('Email address')).toHaveValue(buyer.email)
  await fillSignIn(page, buyer)
  await expect(page).toHaveURL(`/course/${course.slug}`)

  await page.getByRole('button', { name: 'Buy this course' }).click()
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Expiry').fill('12/39')
  await page.getByLabel('CVC').fill('123')
  await page.getByLabel('Name on card').fill(buyer.name)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to My Courses' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Courses' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: course.title }).first().click()
  await page
    .getByRole('link', { name: /^Start exam: / })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/exam\//)

  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
  await page.close()
})

test('without scripts somebody registers, verifies the address, and chooses a new password', async ({
  browser,
  problems,
}) => {
  problems.allow(/status of 40[0-9]/)
  const user = aNewcomer()
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto('/login')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Full Name').fill(user.name)
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByLabel('Confirm Password').fill('Another-Horse-7!')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Passwords do not match').first()).toBeVisible()
  await expect(page.getByLabel('Full Name')).toHaveValue(user.name)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByLabel('Confirm Password').fill(user.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText(`We sent a link to ${user.email}.`)).toBeVisible()

  await page.goto('/login')
  await fillSignIn(page, user)
  await expect(page.getByText('Please verify your email address before signing in')).toBeVisible()
  await page.goto(linkIn(await mailTo(user.email, /verify/i)))
  await page.getByRole('button', { name: 'Verify this address' }).click()
  await expect(page).toHaveURL('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click()

  await page.goto('/forgot-password')
  await page.getByLabel('Email address').fill(user.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByText(/an email with a link is on its way/)).toBeVisible()
  await page.goto(linkIn(await mailTo(user.email, /password/i)))
  await page.getByLabel('New password').fill('password')
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page.getByText('Password must contain at least one uppercase letter').first()).toBeVisible()
  await page.getByLabel('New password').fill('Battery-Staple-8!')
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page.getByText('Your password is changed. Please sign in with the new one.')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
  await fillSignIn(page, { email: user.email, password: 'Battery-Staple-8!' })
  await expect(page).toHaveURL('/')
  await page.close()
})

test('without scripts an order that waits can be paid, or dropped', async ({ page: withScripts, browser }) => {
  const buyer = await aBuyer(withScripts)
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`/login?redirect=/course/${course.slug}`)
  await fillSignIn(page, buyer)
  for (const end of ['drop', 'pay'] as const) {
    await page.goto(`/course/${course.slug}`)
    await page.getByRole('button', { name: 'Buy this course' }).click()
    await expect(page.getByLabel('Card number')).toBeVisible()
    await page.goto('/my-courses')
    await page.getByRole('button', { name: end === 'pay' ? /^Pay now/ : /^Drop/ }).click()
    if (end === 'pay') await expect(page.getByLabel('Card number')).toBeVisible()
    else {
      await expect(page).toHaveURL('/my-courses')
      await expect(page.getByRole('button', { name: /^Drop/ })).toHaveCount(0)
    }
  }
  await page.close()
})

test('without scripts a user changes name, address and password, signs other devices out, and deletes the account', async ({
  page: withScripts,
  browser,
  problems,
}) => {
  test.setTimeout(120_000)
  problems.allow(/status of 40[0-9]/)
  const user = await aBuyer(withScripts)
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto('/login?redirect=/account')
  await fillSignIn(page, user)
  const press = (name: string) => page.getByRole('main').getByRole('button', { name }).click()
  const formOf = (button: string) => page.locator('form', { has: page.getByRole('button', { name: button }) })
  // No button is left that only a script answers.
  await expect(page.locator('main button[type=button]:visible')).toHaveCount(0)
  await expect(page.getByText('Changing this needs scripts')).toBeVisible()
  await expectNoOverflowAnywhere(page)

  await page.getByLabel('Full Name').fill('')
  await press('Change name')
  await expect(formOf('Change name').getByLabel('Full Name')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Full Name').fill('Renata Renamed')
  await press('Change name')
  await expect(page.getByText('Renata Renamed').first()).toBeVisible()

  await press('Sign out everywhere else')
  await expect(page.getByText('Every other device is signed out.')).toBeVisible()
  await expect(page.getByText('You are signed in on this device only.')).toBeVisible()

  const moved = aNewcomer().email
  const address = formOf('Send link to the new address')
  await address.getByLabel('New email address').fill(moved)
  await address.getByLabel('Current password').fill('Wrong-Horse-7!')
  await press('Send link to the new address')
  await expect(address.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true')
  await expect(address.getByLabel('New email address')).toHaveValue(moved)
  await address.getByLabel('Current password').fill(user.password)
  await press('Send link to the new address')
  await expect(page.getByText('A link is on its way to the new address.')).toBeVisible()
  await page.goto(linkIn(await mailTo(moved, /confirm/i)))
  await press('Confirm this address')
  await expect(page.getByText(`Your email address is now ${moved}.`)).toBeVisible()

  await page.goto('/account')
  const password = formOf('Change password')
  await password.getByLabel('Current password').fill(user.password)
  await password.getByLabel('New password').fill('password')
  await press('Change password')
  await expect(page.getByText('Password must contain at least one uppercase letter').first()).toBeVisible()
  await password.getByLabel('Current password').fill(user.password)
  await password.getByLabel('New password').fill('Battery-Staple-8!')
  await press('Change password')
  await expect(page.getByText('Your password is changed.')).toBeVisible()

  await page.goto('/delete-account')
  await page.getByLabel('Your password').fill('Wrong-Horse-7!')
  await press('Delete my account')
  await expect(page.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Your password').fill('Battery-Staple-8!')
  await press('Delete my account')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
  await page.close()
})

test('for somebody who saves data nothing is fetched ahead, and everything works', async ({ browser }) => {
  const expectWorkers = async (saveData: boolean, count: number) => {
    const context = await browser.newContext({ serviceWorkers: 'allow', reducedMotion: 'reduce' })
    await context.addInitScript((value) => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: value } })
    }, saveData)
    const page = await context.newPage()
    await page.clock.install()
    await visit(page, '/')
    await page.getByRole('main').getByRole('link', { name: course.title, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: course.title })).toBeVisible()
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
    // The worker, which fetches the shop ahead, is registered some seconds after the page is loaded.
    await page.clock.runFor(10_000)
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
      .toBe(count)
    await context.close()
  }
  await expectWorkers(true, 0)
  await expectWorkers(false, 1)
})

test('a page whose scripts do not load works like one without, and says so', async ({ page, problems }) => {
  problems.allow(/ERR_FAILED|Failed to fetch/)
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
  for (const path of ['/', `/course/${course.slug}`, '/login']) {
    await page.goto(path)
    await expect(missing(page)).toBeVisible()
    await expect(page.getByText('Loading application...')).toBeHidden()
    // No button is left that only a script answers.
    await expect(page.locator('button[type=button]:visible')).toHaveCount(0)
    await expectGoodPage(page)
  }
  await page.unroute(/\/assets\/.*\.js$/)
  await page.getByRole('link', { name: 'Reload' }).click()
  await expect(missing(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
})
