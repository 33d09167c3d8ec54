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
  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  await expectGoodPage(page)
  const nextCode = codesOf((await page.locator('main code').textContent()) ?? '')
  await page.getByLabel('Code from your app').fill('000000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('This code is not right.')).toBeVisible()
  await page.getByLabel('Code from your app').fill(await nextCode())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Keep these codes in a safe place.')).toBeVisible()
  const codes = await page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await expect(page.getByText('10 of 10 recovery codes are left.')).toBeVisible()
  await mailTo(user.email, /authenticator app was set up/)

  await givePassword(page, user)
  await expectGoodPage(page)
  const code = await nextCode()
  await sendCode(page, 'Code from your app', code)
  await isSignedIn(page)

  await givePassword(page, user)
  await sendCode(page, 'Code from your app', code)
  await expect(page.getByText('This code was used already.')).toBeVisible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
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
    await expect(confirmation.getByLabel('Your password')).toBeVisible()
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
