import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { admin, aNewcomer, type BrowserUser } from './shared-users.ts'
import { anOwnServer } from './own-server.ts'
import { expect, expectGoodPage, mailTo, registerAndVerify, test, visit } from './e2e-test.ts'

const STEP_MS = 30_000

/** The next code that was not used yet; waits for it when it must. */
function codesOf(key: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
  let last = 0
  return async () => {
    // One step ahead is accepted, so the second code needs no wait.
    const step = Math.max(Math.floor(Date.now() / STEP_MS), last + 1)
    // No code is accepted twice, so a third one within a step exists only when the clock reaches it.
    await expect.poll(() => Date.now() / STEP_MS, { timeout: STEP_MS + 5000 }).toBeGreaterThanOrEqual(step - 1)
    last = step
    return totp.generate({ timestamp: step * STEP_MS })
  }
}

async function givePassword(page: Page, user: BrowserUser) {
  await page.context().clearCookies()
  await visit(page, '/login')
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
}

async function sendCode(page: Page, label: 'Code from your app' | 'Recovery code', code: string) {
  await page.getByLabel(label).fill(code)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
}

const isSignedIn = (page: Page) => expect(page).not.toHaveURL(/\/login/)

/** A device with a fingerprint reader, of Chromium's own making. */
async function withDevice(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('an authenticator app is set up, asked for at sign-in, and recovery codes work once', async ({
  page,
  problems,
}) => {
  problems.allow(/400 /)
  const user = aNewcomer()
  await registerAndVerify(page, user)
  await visit(page, '/account')
  await page.getByRole('button', { name: 'Set up an app' }).click()
  await expect(page.getByText(/^Scan this picture/)).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Set up an app' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  await expectGoodPage(page)
  const nextCode = codesOf((await page.locator('main code').textContent()) ?? '')
  await page.getByLabel('Code from your app').fill('000000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('This code is not right.')).toBeVisible()
  await expect(page.getByLabel('Code from your app')).toBeFocused()
  await page.getByLabel('Code from your app').fill(await nextCode())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Keep these codes in a safe place.')).toBeVisible()
  const codes = await page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  const heading = page.getByRole('heading', { name: 'Recovery codes' })
  await expect(heading).toBeFocused()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await expect(page.getByText('10 of 10 recovery codes are left.')).toBeVisible()
  await expect(heading).toBeFocused()
  await mailTo(user.email, /authenticator app was set up/)

  await givePassword(page, user)
  await expect(page.getByLabel('Code from your app')).toBeFocused()
  await expectGoodPage(page)
  const code = await nextCode()
  await sendCode(page, 'Code from your app', code)
  await isSignedIn(page)

  await givePassword(page, user)
  await sendCode(page, 'Code from your app', code)
  await expect(page.getByText('This code was used already.')).toBeVisible()
  await expect(page.getByLabel('Code from your app')).toBeFocused()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await sendCode(page, 'Recovery code', codes[0] ?? '')
  await isSignedIn(page)

  await givePassword(page, user)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await sendCode(page, 'Recovery code', codes[0] ?? '')
  await expect(page.getByText('This recovery code is not right, or it was used already.')).toBeVisible()
  await page.getByRole('button', { name: 'Use another account' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
})

test('a passkey is added, signs in alone, is renamed and removed', async ({ page, problems }) => {
  problems.allow(/400 /)
  const user = aNewcomer()
  const scripts: string[] = []
  page.on('response', (reply) => void (reply.url().endsWith('.js') && scripts.push(reply.url())))
  await withDevice(page)
  await registerAndVerify(page, user)
  await visit(page, '/account')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const loaded = scripts.length
  await page.getByLabel('Name of the passkey').fill('Laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()
  const row = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
  await expect(row).toContainText('Laptop')
  expect(scripts.length, 'the code for WebAuthn is loaded on demand').toBeGreaterThan(loaded)
  await expectGoodPage(page)
  await mailTo(user.email, /passkey was added/)

  await page.context().clearCookies()
  await visit(page, '/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await isSignedIn(page)

  await visit(page, '/account')
  await page.getByRole('button', { name: 'Rename Laptop' }).click()
  await page.getByLabel('Name of the passkey').fill('Old laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Remove Old laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No passkey.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Passkeys', exact: true })).toBeFocused()

  await page.context().clearCookies()
  await visit(page, '/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('This passkey is not known here.')).toBeVisible()
})

test('an admin sets up what is required, and confirms a coupon that keeps what was typed', async ({
  page,
  problems,
}) => {
  problems.allow(/403 /)
  const server = await anOwnServer({ environment: { ADMIN_SECOND_FACTOR: 'required' } })
  try {
    await withDevice(page)
    await visit(page, `${server.url}/login`)
    await page.getByLabel('Email address').fill(admin.email)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
    await isSignedIn(page)
    await page.goto(`${server.url}/admin/pricing`)
    await expect(page.getByText('Admins need a second factor here.')).toBeVisible()
    await expectGoodPage(page)

    await visit(page, `${server.url}/account`)
    await server.sql("update sessions set confirmed_at = now() - interval '1 hour'")
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name of the passkey').fill('Key')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Please confirm that it is you' })
    await expect(confirmation.getByLabel('Your password')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(confirmation.getByText('Please enter your password')).toBeVisible()
    await expect(confirmation.getByLabel('Your password')).toBeFocused()
    await expectGoodPage(page)
    await confirmation.getByLabel('Your password').fill(admin.password)
    await confirmation.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Key')

    await visit(page, `${server.url}/admin/pricing`)
    await server.sql("update sessions set confirmed_at = now() - interval '1 hour'")
    await page.getByRole('button', { name: 'New coupon' }).click()
    const form = page.getByRole('dialog', { name: 'New coupon' })
    await form.getByLabel('Code').fill('SPRING')
    await form.getByLabel('Percent', { exact: true }).fill('10')
    await form.getByRole('button', { name: 'Create coupon' }).click()
    await confirmation.getByRole('button', { name: 'Cancel' }).click()
    await expect(form.getByText('Please confirm that it is you.')).toBeVisible()
    await expect(form.getByLabel('Code')).toHaveValue('SPRING')
    await form.getByRole('button', { name: 'Create coupon' }).click()
    await confirmation.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(form).toBeHidden()
    await expect(page.getByRole('switch', { name: 'Active: SPRING' })).toBeChecked()
  } finally {
    // An open page would miss the server's live updates.
    await page.goto('about:blank')
    await server.stop()
  }
})

const ALL_SIGNED_IN_AN_HOUR_AGO = "update sessions set confirmed_at = now() - interval '1 hour'"
const TITLE = 'Please confirm that it is you'

test('an admin confirms before a download of personal data; a cancelled one leaves nothing', async ({ page }) => {
  const server = await anOwnServer()
  try {
    await visit(page, `${server.url}/login`)
    await page.getByLabel('Email address').fill(admin.email)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
    await isSignedIn(page)
    await visit(page, `${server.url}/admin/manage-users`)
    await page.getByRole('table').getByRole('link').first().click()
    const button = page.getByRole('button', { name: 'Download as JSON' })
    await expect(button).toBeVisible()
    await server.sql(ALL_SIGNED_IN_AN_HOUR_AGO)
    await button.click()
    const confirmation = page.getByRole('dialog', { name: TITLE })
    await confirmation.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('The file was not downloaded.')).toBeVisible()
    await expect(button).toBeFocused()

    await button.click()
    const download = page.waitForEvent('download')
    await confirmation.getByLabel('Your password').fill(admin.password)
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/^altocert-data-.*\.json$/)
    await expect(confirmation).toBeHidden()
  } finally {
    await page.goto('about:blank')
    await server.stop()
  }
})

test('whoever has Google only confirms in a second tab, and the first one goes on', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(/403 /)
  const server = await anOwnServer()
  try {
    const giveGoogle = async (shown: Page, email: string) => {
      await shown.getByLabel('Name', { exact: true }).fill('Gina Google')
      await shown.getByLabel('Email address').fill(email)
      await shown.getByRole('button', { name: 'Continue' }).click()
    }
    const { email } = aNewcomer()
    await visit(page, `${server.url}/login?redirect=/account`)
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await giveGoogle(page, email)
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
    await server.sql(ALL_SIGNED_IN_AN_HOUR_AGO)
    await visit(page, `${server.url}/account`)
    await page.getByRole('button', { name: 'Set up an app' }).click()
    const confirmation = page.getByRole('dialog', { name: TITLE })
    const confirmAs = async (address: string) => {
      const opened = context.waitForEvent('page')
      await confirmation.getByRole('link', { name: 'Confirm with Google' }).click()
      const tab = await opened
      await giveGoogle(tab, address)
      return tab
    }
    const other = await confirmAs(aNewcomer().email)
    await expect(other.getByRole('heading', { name: 'Not confirmed' })).toBeVisible()
    await expect(confirmation.getByText('This page goes on by itself.')).toBeVisible()
    const own = await confirmAs(email)
    await expect(own.getByRole('heading', { name: 'Confirmed', exact: true })).toBeVisible()
    await expectGoodPage(own)
    await expect(confirmation).toBeHidden()
    await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  } finally {
    for (const shown of context.pages()) await shown.goto('about:blank')
    await server.stop()
  }
})
