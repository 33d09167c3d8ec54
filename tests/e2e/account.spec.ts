import type { Browser, Page } from '@playwright/test'
import { aNewcomer, type BrowserUser } from './shared-users.ts'
import {
  expect,
  expectGoodPage,
  linkIn,
  mailTo,
  registerAndVerify,
  signIn,
  signUp,
  test,
  untilHydrated,
  visit,
} from './e2e-test.ts'

/** Signs up through the form in a browser of its own, as on another device. */
async function signUpElsewhere(browser: Browser, user: BrowserUser) {
  const page = await (await browser.newContext()).newPage()
  await signUp(page, user)
  await expect(page).toHaveURL(/\/login/)
  await page.context().close()
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('a verification link in another browser asks for the password, and signs in with it', async ({
  page,
  browser,
  problems,
}) => {
  problems.allow(/40[13] /)
  const user = aNewcomer()
  await signUpElsewhere(browser, user)
  const link = linkIn(await mailTo(user.email, /verify/i))
  await visit(page, link)
  await expect(page.getByText(/You opened the link in another browser/)).toBeVisible()
  await expect(page.getByLabel('Email address')).toHaveValue(user.email)
  const submit = page.getByRole('button', { name: 'Verify and sign in' })
  await submit.click()
  await expect(page.getByText('Please enter your password')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('Wrong-Horse-7!')
  await submit.click()
  await expect(page.getByText(/4 attempt\(s\) remaining before account lockout/)).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await expectGoodPage(page)

  // The link may be opened again until the address is verified.
  await visit(page, link)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your email address is verified.').first()).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
})

test('whoever did not choose the password of a verification link chooses a new one', async ({
  page,
  browser,
  problems,
}) => {
  problems.allow(/40[03] /)
  const user = aNewcomer()
  await signUpElsewhere(browser, user)
  await visit(page, linkIn(await mailTo(user.email, /verify/i)))
  await page.getByRole('button', { name: 'Email me a link to choose a new one' }).click()
  await expect(page.getByText(new RegExp(`on its way to ${user.email}`))).toBeVisible()
  await visit(page, linkIn(await mailTo(user.email, /reset/i)))
  await page.getByLabel('New password').fill('P@ssw0rd')
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page.getByText('This password is among the most common ones. Choose another one.')).toBeVisible()
  await expect(page.getByText('✓ Password meets all security requirements')).toBeVisible()
  await page.getByLabel('New password').fill('Only-The-Owner-7!')
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, { ...user, password: 'Only-The-Owner-7!' })
})

test('the account page shows where its user is signed in, and ends a session elsewhere', async ({
  page,
  browser,
  problems,
}) => {
  problems.allow(/401 /)
  const user = aNewcomer()
  await registerAndVerify(page, user)
  const elsewhere = await (await browser.newContext()).newPage()
  const third = await (await browser.newContext()).newPage()
  await signIn(elsewhere, user)
  await visit(elsewhere, '/my-courses')
  await visit(page, '/')
  await page.getByRole('banner').getByRole('link', { name: 'Account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible()
  const rows = section(page, 'Where you are signed in').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('This device')
  await expect(rows.first()).toContainText('Chrome on Linux')
  await expectGoodPage(page)

  await rows
    .nth(1)
    .getByRole('button', { name: /^Sign out: Chrome on Linux/ })
    .click()
  await expect(rows).toHaveCount(1)
  await elsewhere.getByRole('banner').getByRole('link', { name: 'Account' }).click()
  await expect(elsewhere).toHaveURL(/\/login\?redirect=/)

  await signIn(elsewhere, user)
  await signIn(third, user)
  await page.reload()
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(rows).toHaveCount(1)
  await expect(page.getByText('You are signed in on this device only.')).toBeVisible()
  await visit(third, '/account')
  await expect(third).toHaveURL(/\/login\?redirect=/)
  await elsewhere.context().close()
  await third.context().close()
})

test('name and password are changed on the account page', async ({ page, problems }) => {
  problems.allow(/40[01] /)
  const user = aNewcomer()
  await registerAndVerify(page, user)
  await visit(page, '/account')
  const opener = page.getByRole('button', { name: 'Change name' })
  await opener.click()
  await expect(page.getByLabel('Full Name')).toBeFocused()
  await page.getByLabel('Full Name').fill('Nora Newname')
  await page.keyboard.press('Enter')
  await expect(section(page, 'Name')).toContainText('Nora Newname')
  await expect(opener).toBeFocused()

  await page.getByRole('button', { name: 'Change password' }).click()
  const submit = section(page, 'Password').getByRole('button', { name: 'Change password' })
  await page.getByLabel('Current password').fill('Wrong-Horse-7!')
  await page.getByLabel('New password').fill('Brand-New-Horse-8!')
  await submit.click()
  await expect(page.getByText('That is not your password. 4 attempt(s) remaining')).toBeVisible()
  await expectGoodPage(page)
  await page.getByLabel('Current password').fill(user.password)
  await page.getByLabel('New password').fill('P@ssw0rd')
  await submit.click()
  await expect(page.getByText('This password is among the most common ones. Choose another one.')).toBeVisible()
  await page.getByLabel('New password').fill('Brand-New-Horse-8!')
  await submit.click()
  await expect(page.getByText('Your password is changed. Every other device is signed out.')).toBeVisible()
  await mailTo(user.email, /^The password of your/)
  await page.context().clearCookies()
  await signIn(page, { ...user, password: 'Brand-New-Horse-8!' })
})

test('an address is changed by a link to the new one, and the old one is told', async ({ page, browser, problems }) => {
  problems.allow(/40[09] /)
  const [user, taken, moved] = [aNewcomer(), aNewcomer(), aNewcomer()]
  await signUpElsewhere(browser, taken)
  await registerAndVerify(page, user)
  await visit(page, '/account')
  await page.getByRole('button', { name: 'Change address' }).click()
  const submit = page.getByRole('button', { name: 'Send link to the new address' })
  await submit.click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await page.getByLabel('New email address').fill(taken.email)
  await page.getByLabel('Current password').fill(user.password)
  await submit.click()
  await expect(page.getByText('An account with this email already exists')).toBeVisible()
  await expectGoodPage(page)
  await page.getByLabel('New email address').fill(moved.email)
  await submit.click()
  await expect(page.getByText(new RegExp(`we sent to ${moved.email} has not been opened`))).toBeVisible()
  const link = linkIn(await mailTo(moved.email, /^Confirm this email address/))

  // In another browser the link asks for the sign-in first.
  const elsewhere = await (await browser.newContext()).newPage()
  await visit(elsewhere, link)
  await expect(elsewhere).toHaveURL(/\/login\?redirect=/)
  await elsewhere.context().close()

  await visit(page, link)
  await expect(page.getByText(`Your email address is now ${moved.email}.`)).toBeVisible()
  await expectGoodPage(page)
  await mailTo(user.email, /^The email address of your/)
  await page.getByRole('link', { name: 'Your account' }).click()
  await expect(section(page, 'Email address')).toContainText(moved.email)
  await visit(page, link)
  await expect(page.getByText(/This link has been used, is too old/)).toBeVisible()
})

test('whoever signs in with Google sets a password by email', async ({ page }) => {
  await visit(page, '/login?redirect=/account')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Gina Google')
  const { email } = aNewcomer()
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('To change the address, first set a password', { exact: false })).toBeVisible()
  // Before scripts run, the form's reply does not name the address.
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Email me a link to set a password' }).click()
  await expect(page.getByText(new RegExp(`on its way to ${email}`))).toBeVisible()
  await expectGoodPage(page)
  await mailTo(email, /reset/i)
})
