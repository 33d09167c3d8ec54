import { aNewcomer } from './shared-users.ts'
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

test('registering says what is missing as it is typed, and refuses what is taken at its field', async ({
  page,
  browser,
  problems,
}) => {
  problems.allow(/409 \(Conflict\)/)
  const user = aNewcomer()
  await visit(page, '/register')
  const submit = page.getByRole('button', { name: 'Create account' })
  await expect(submit).toBeDisabled()
  await page.getByLabel('Full Name').fill(user.name)
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill('abc')
  for (const item of ['At least 8 characters', 'One uppercase letter', 'One number', 'One special character'])
    await expect(page.getByText(item)).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await expect(page.getByText('✓ Password meets all security requirements')).toBeVisible()
  await page.getByLabel('Confirm Password').fill('different')
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expect(submit).toBeDisabled()
  await page.getByLabel('Confirm Password').fill(user.password)
  await expect(page.getByText('✓ Passwords match')).toBeVisible()
  await expectGoodPage(page)
  await submit.click()
  await expect(page).toHaveURL(/\/login/)

  const again = await (await browser.newContext()).newPage()
  await signUp(again, user)
  await expect(again.getByText('An account with this email already exists')).toBeVisible()
  await expect(again.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true')
  await again.context().close()
})

test('five wrong passwords lock the form, also after a reload, and a mailed reset opens it', async ({
  page,
  problems,
}) => {
  problems.allow(/40[01] |423 /)
  const user = aNewcomer()
  await registerAndVerify(page, user)
  await page.context().clearCookies()
  await visit(page, '/login')
  const submit = page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })
  await page.getByLabel('Email address').fill(user.email)
  for (const left of [4, 3, 2, 1]) {
    await page.getByLabel('Password', { exact: true }).fill('Wrong-Horse-7!')
    await submit.click()
    await expect(page.getByText('Invalid email or password')).toBeVisible()
    await expect(page.getByText(`${left} attempt(s) remaining before account lockout.`)).toBeVisible()
  }
  await submit.click()
  await expect(page.getByText('Account Temporarily Locked')).toBeVisible()
  await expect(page.getByText('Account locked due to multiple failed attempts. Try again in 15 minutes.')).toBeVisible()
  await expect(submit).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeDisabled()
  await expectGoodPage(page)
  await page.reload()
  await expect(page.getByText('Account Temporarily Locked')).toBeVisible()
  await expect(page.getByText('Account locked. Try again in 15 minutes.')).toBeVisible()

  await visit(page, '/forgot-password')
  await expectGoodPage(page)
  await page.getByLabel('Email address').fill(user.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByText(/an email with a link is on its way/)).toBeVisible()
  await visit(page, linkIn(await mailTo(user.email, /reset/i)))
  await page.getByLabel('New password').fill('Brand-New-Horse-8!')
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, { ...user, password: 'Brand-New-Horse-8!' })
  await expect(page.getByRole('link', { name: 'My Courses' }).first()).toBeVisible()
})

test('an address that is not verified can have its mail sent again', async ({ page, problems }) => {
  problems.allow(/40[03] /)
  const user = aNewcomer()
  await signUp(page, user)
  await expect(page).toHaveURL(/\/login/)
  // The toast goes away, and this stays, also after a reload.
  await page.reload()
  await expect(page.getByText(`We sent a link to ${user.email}.`)).toBeVisible()
  await untilHydrated(page)
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Please verify your email address before signing in')).toBeVisible()
  await page.getByRole('button', { name: 'Send the verification email again' }).click()
  await expect(page.getByText('A new verification email is on its way.')).toBeVisible()
  await visit(page, '/verify-email?token=too-old')
  await expect(page.getByText(/This link is too old or not complete/)).toBeVisible()
  await expectGoodPage(page)
})

test('what is typed into a form before its scripts run stays when they do', async ({ page }) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Email address').fill('early@example.com')
  release()
  await untilHydrated(page)
  await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7!')
  await expect(page.getByLabel('Email address')).toHaveValue('early@example.com')
})

test('Google signs in and lands on the site; who cancels is told', async ({ page }) => {
  await visit(page, '/login?redirect=/my-courses')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Gina Google')
  await page.getByLabel('Email address').fill(aNewcomer().email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Courses' })).toBeVisible()
  await page.context().clearCookies()
  await visit(page, '/login')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page
    .getByRole('button', { name: 'Cancel' })
    .or(page.getByRole('link', { name: 'Cancel' }))
    .first()
    .click()
  await expect(page.getByText(/Signing in with Google did not work/)).toBeVisible()
})

test('an unreadable cart is ignored and logged, and the shop works', async ({ page }) => {
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.addInitScript(() => {
    if (sessionStorage.getItem('broken') === null) localStorage.setItem('cart', '{"not": "a cart"')
    sessionStorage.setItem('broken', 'once')
  })
  await visit(page, '/course/aws-certified-cloud-practitioner')
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
  expect(logged.some((line) => line.includes('The stored cart was ignored'))).toBe(true)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Open cart, 1 item' })).toBeVisible()
})
