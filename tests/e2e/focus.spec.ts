import type { Page } from '@playwright/test'
import { anOwnServer } from './own-server.ts'
import { COURSE, looks, SAMPLER } from './pages.ts'
import { admin, aNewcomer } from './shared-users.ts'
import { settle } from './settled-shop.ts'
import { expect, registerAndVerify, signIn, test, visit } from './e2e-test.ts'

/** Actions that leave the page, cannot be taken back, or open something of the browser's own. */
const LEFT_OUT =
  /^(sign in|sign up|continue|sign out|go home|create account|reload|print|export|download|report bug|choose file|checkout|pay|use a passkey|sign in with|add a passkey|publish|discard|delete|withdraw|start|resume|begin|finish|submit|buy|save|upload|send|import|store|restore|run|grant|refund|end|suspend|make|lock|reset|redeem|end session|refresh|check now|retake|drill|practice|take)/i

/** Presses each action of the page by keyboard; what opened is closed with Escape. Returns the actions that lost the focus. */
async function pressEach(page: Page, path: string): Promise<string[]> {
  const lost: string[] = []
  await visit(page, path)
  const { pathname } = new URL(page.url())
  const kinds = (await page.evaluate(listActions)).filter((kind) => !LEFT_OUT.test(kind))
  for (const kind of kinds) {
    if (!(await page.evaluate(focusAction, kind))) continue
    await page.keyboard.press('Enter')
    await page.evaluate(untilAtRest)
    if (await page.evaluate(isLost)) lost.push(`${path}: ${kind}`)
    if ((await page.locator('dialog[open]').count()) > 0) {
      await page.keyboard.press('Escape')
      await page.evaluate(untilAtRest)
      if (await page.evaluate(isLost)) lost.push(`${path}: ${kind}, closed`)
    }
    if (new URL(page.url()).pathname !== pathname) await visit(page, path)
  }
  return lost
}

/** The actions of the page by name. The same action in many rows, such as 'Edit: a title', is listed once. */
function listActions(): string[] {
  const actions = document.querySelectorAll<HTMLElement>('#main button, #main summary')
  const names = [...actions].map((one) => one.getAttribute('aria-label') ?? one.textContent ?? '')
  return [...new Set(names.map((name) => name.replace(/[:,].*$|\d+/g, '').trim()))]
}

/** Focuses the first action of this kind; false if there is none, or it cannot be used now. */
function focusAction(kind: string): boolean {
  const actions = [...document.querySelectorAll<HTMLElement>('#main button, #main summary')]
  const action = actions.find((one) => {
    const name = (one.getAttribute('aria-label') ?? one.textContent ?? '').replace(/[:,].*$|\d+/g, '').trim()
    return name === kind && one.checkVisibility() && !one.matches(':disabled, [aria-disabled=true]')
  })
  action?.focus()
  return action !== undefined && document.activeElement === action
}

/** Waits until no call is under way and nothing has been drawn for a moment. */
function untilAtRest(): Promise<void> {
  return new Promise((resolve) => {
    const end = Date.now() + 3000
    let timer = window.setTimeout(check, 120)
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      timer = window.setTimeout(check, Date.now() < end ? 120 : 0)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    function check() {
      if (document.querySelector('[aria-busy=true]') !== null && Date.now() < end) {
        timer = window.setTimeout(check, 100)
        return
      }
      observer.disconnect()
      resolve()
    }
  })
}

const isLost = () => document.activeElement === document.body || document.activeElement === null

test('no action of a public page loses the focus', async ({ page, problems }) => {
  test.setTimeout(240_000)
  problems.allow(/status of 4/)
  const lost: string[] = []
  for (const { who, path } of Object.values(looks))
    if (who === 'anyone' && typeof path === 'string') lost.push(...(await pressEach(page, path)))
  expect(lost).toEqual([])
})

test('no action of a learner loses the focus', async ({ page, problems }) => {
  test.setTimeout(240_000)
  problems.allow(/status of 4/)
  await registerAndVerify(page, aNewcomer())
  const lost: string[] = []
  for (const { who, path } of Object.values(looks))
    if (who === 'signed-in' && typeof path === 'string') lost.push(...(await pressEach(page, path)))
  expect(lost).toEqual([])
})

test('no action of an admin loses the focus', async ({ browser }) => {
  test.setTimeout(240_000)
  // A shop of its own: what is pressed here withdraws free trials and moves exams.
  const shop = await anOwnServer({ environment: { DEMO_CATALOGUE: '', LIMITS: 'search=1000,export=500,import=500' } })
  const context = await browser.newContext({ baseURL: shop.url, reducedMotion: 'reduce', serviceWorkers: 'block' })
  const page = await context.newPage()
  await signIn(page, admin)
  const facts = await settle(page)
  const lost: string[] = []
  for (const { who, path } of Object.values(looks))
    if (who === 'admin' || (who === 'signed-in' && typeof path !== 'string'))
      lost.push(...(await pressEach(page, typeof path === 'string' ? path : path(facts))))
  await context.close()
  await shop.stop()
  expect(lost).toEqual([])
})

test('a dropped order leaves the focus on the heading of My Courses, and never on the page alone meanwhile', async ({
  page,
  context,
}) => {
  await registerAndVerify(page, aNewcomer())
  const { courses } = (await (await page.request.get('/api/courses')).json()) as { courses: { id: string }[] }
  const { id } = courses[0]!
  const reply = await page.request.post('/api/functions/create-cart-payment', {
    headers: { origin: new URL(page.url()).origin },
    data: { cartItems: [{ id, quantity: 1 }] },
  })
  expect(reply.ok()).toBe(true)
  await visit(page, '/my-courses')
  await page.getByRole('main').getByRole('link', { name: 'View order' }).click()
  await expect(page.getByRole('heading', { name: 'Waiting for your payment', level: 1 })).toBeFocused()
  // On a slow device the page is drawn a while before its effects run.
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 8 })
  await page.getByRole('button', { name: /^Drop this order/ }).focus()
  await page.evaluate(watchFocus)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'My Courses', level: 1 })).toBeFocused()
  await expect(page.locator('html')).not.toHaveAttribute('data-focus-lost')
})

/** Marks the document when a frame is drawn while nothing has the focus. */
function watchFocus(): void {
  const look = () => {
    if (document.activeElement === document.body) document.documentElement.setAttribute('data-focus-lost', '')
    requestAnimationFrame(look)
  }
  look()
}

test('after Check answer the focus is on Next, and on the explanation at the last question', async ({ page }) => {
  await visit(page, `/course/${COURSE}/exam/${SAMPLER}/preview`)
  const group = page.getByRole('group')
  await group.getByRole('radio').or(group.getByRole('checkbox')).first().check()
  await page.getByRole('button', { name: 'Check answer' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /explanation/i })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
})

test('a line removed from the cart leaves the focus in the cart, and closing the cart gives it back', async ({
  page,
}) => {
  await visit(page, '/')
  const add = page.getByRole('main').getByRole('button', { name: /^Add to Cart: / })
  for (const index of [0, 1]) await add.nth(index).click()
  await page.getByRole('button', { name: 'Open cart, 2 items' }).focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Your cart' })
  const lines = drawer.getByRole('listitem')
  await expect(lines).toHaveCount(2)
  await lines
    .first()
    .getByRole('button', { name: /^Remove/ })
    .focus()
  await page.keyboard.press('Enter')
  await expect(lines).toHaveCount(1)
  await expect(drawer.locator(':focus')).toHaveCount(1)
  await lines
    .first()
    .getByRole('button', { name: /^Remove/ })
    .focus()
  await page.keyboard.press('Enter')
  await expect(lines).toHaveCount(0)
  await expect(drawer.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Open cart/ })).toBeFocused()
})

test('a refused form puts the focus on its first field with a problem, else on the message', async ({
  page,
  problems,
}) => {
  problems.allow(/status of 4/)
  await visit(page, '/login')
  const submit = page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })
  await submit.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Email address')).toBeFocused()
  await page.getByLabel('Email address').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Wrong-Horse-7!')
  await submit.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password' })).toBeFocused()
})
