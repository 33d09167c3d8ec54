import type { Page } from '@playwright/test'
import { aNewcomer, type BrowserUser } from './shared-users.ts'
import { expect, expectGoodPage, registerAndVerify, test } from './e2e-test.ts'

const course = { slug: 'aws-certified-cloud-practitioner', title: 'AWS Certified Cloud Practitioner' }
const missing = (page: Page) => page.getByText(/^Scripts are off or could not be loaded\./)

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
  await page.getByRole('link', { name: 'Load the page again' }).click()
  await expect(missing(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
})
