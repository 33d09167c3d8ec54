import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { test, type StartServer } from './own-server-test.ts'
import { COURSE, DRILLED, looks, SAMPLER } from './pages.ts'
import { admin, aNewcomer } from './shared-users.ts'
import { settle } from './settled-shop.ts'
import { expect, registerAndVerify, signIn, visit } from './e2e-test.ts'

// The first three tests press everything on every screen.
test.describe.configure({ mode: 'parallel' })

/** Actions that leave the page, cannot be taken back, or open something of the browser's own. */
const LEFT_OUT =
  /^(sign in|sign up|continue|sign out|go home|create account|reload|print|export|download|report bug|choose file|checkout|pay|use a passkey|sign in with|add a passkey|publish|discard|delete|withdraw|start|resume|begin|finish|submit|buy|save|upload|send|import|store|restore|run|grant|refund|end|suspend|make|lock|reset|redeem|end session|refresh|check now|retake|drill|practice|take|turn off)/i

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

/** Follows each link of the page by keyboard, once for each kind of page that it leads to. Returns the links that lost the focus. */
async function followEach(page: Page, path: string, followed: Set<string>): Promise<string[]> {
  const lost: string[] = []
  await visit(page, path)
  const start = page.url()
  const from = routeOf(start)
  for (const { address, isInFrame } of await page.evaluate(listLinks)) {
    const kind = `${isInFrame ? 'frame' : from} > ${routeOf(address)}`
    if (followed.has(kind) || NO_PAGE.test(new URL(address).pathname)) continue
    followed.add(kind)
    if (page.url() !== start) await visit(page, path)
    if (!(await page.evaluate(focusLink, address))) continue
    await page.keyboard.press('Enter')
    if (address !== start) await page.waitForURL((url) => url.href !== start)
    // A page that the browser loads anew begins at its start, as everywhere.
    const isSameDocument = () => page.evaluate(() => 'isFollowed' in window)
    const isJudged = await page
      .evaluate(untilAtRest)
      .then(isSameDocument)
      .catch(() => false)
    if (isJudged && (await page.evaluate(isLost))) lost.push(`${path}: to ${address}`)
  }
  return lost
}

/** Addresses that are files or pages of emulators. */
const NO_PAGE = /^\/(api\/(?!docs)|demo\/)/

const routes = Object.keys(looks).map((route) => ({
  route,
  pattern: new RegExp(`^${route.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`),
}))

/** The route of an address, with the names of what its query says. */
function routeOf(address: string): string {
  const { pathname, searchParams, hash } = new URL(address)
  const found = routes.find(({ pattern }) => pattern.test(pathname))
  return [found?.route ?? pathname, ...new Set(searchParams.keys()), hash === '' ? '' : '#'].join(' ')
}

/** The links that lead to other pages of the site, by address. */
function listLinks(): { address: string; isInFrame: boolean }[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    (link) => link.origin === location.origin && link.target === '' && !link.hasAttribute('download'),
  )
  return links.map((link) => ({ address: link.href, isInFrame: link.closest('#main') === null }))
}

function focusLink(address: string): boolean {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
  const link = links.find((one) => one.href === address && one.checkVisibility())
  link?.focus()
  ;(window as { isFollowed?: true }).isFollowed = true
  return link !== undefined && document.activeElement === link
}

const isLost = () => document.activeElement === document.body || document.activeElement === null

test('no action and no link of a public page loses the focus', async ({ page, problems }) => {
  test.setTimeout(240_000)
  problems.allow(/status of 4/)
  const lost: string[] = []
  const followed = new Set<string>()
  for (const { who, path } of Object.values(looks))
    if (who === 'anyone' && typeof path === 'string')
      lost.push(...(await pressEach(page, path)), ...(await followEach(page, path, followed)))
  expect(lost).toEqual([])
})

test('no action and no link of a learner loses the focus', async ({ page, problems }) => {
  test.setTimeout(240_000)
  problems.allow(/status of 4/)
  await registerAndVerify(page, aNewcomer())
  const lost: string[] = []
  const followed = new Set<string>()
  for (const { who, path } of Object.values(looks))
    if (who === 'signed-in' && typeof path === 'string')
      lost.push(...(await pressEach(page, path)), ...(await followEach(page, path, followed)))
  expect(lost).toEqual([])
})

/** A shop of the test's own, and its admin: what is pressed there withdraws, moves and deletes. */
async function aSettledShop(startServer: StartServer) {
  const shop = await startServer({ environment: { DEMO_CATALOGUE: '', LIMITS: 'search=1000,export=500,import=500' } })
  const page = await shop.newPage()
  await signIn(page, admin)
  return { shop, page, facts: await settle(page) }
}

test('no action and no link of an admin loses the focus', async ({ startServer }) => {
  test.setTimeout(240_000)
  const { page, facts } = await aSettledShop(startServer)
  const lost: string[] = []
  const followed = new Set<string>()
  for (const { who, path: pathOf } of Object.values(looks)) {
    if (who !== 'admin' && (who !== 'signed-in' || typeof pathOf === 'string')) continue
    const path = typeof pathOf === 'string' ? pathOf : pathOf(facts)
    lost.push(...(await pressEach(page, path)), ...(await followEach(page, path, followed)))
  }
  expect(lost).toEqual([])
})

type Course = { readonly id: string; readonly slug: string; readonly title: string }

type Final = {
  readonly path: string
  /** What is ticked before. */
  readonly chosen?: readonly string[]
  /** The button that does it, or opens its dialog. */
  readonly opens: RegExp
  readonly confirms?: RegExp
  /** What is typed in the dialog; without one, on the page. */
  readonly typed?: Readonly<Record<string, string>>
}

/** Does by keyboard what cannot be undone. The button is gone afterwards; true if the focus went with it. */
async function losesFocus(page: Page, { path, chosen = [], opens, confirms, typed = {} }: Final): Promise<boolean> {
  await visit(page, path)
  for (const label of chosen) await page.getByLabel(label, { exact: true }).check()
  const fillIn = async (within: Locator) => {
    for (const [label, text] of Object.entries(typed)) await within.getByLabel(label, { exact: true }).fill(text)
  }
  if (confirms === undefined) await fillIn(page.getByRole('main'))
  const opener = page.getByRole('main').getByRole('button', { name: opens }).first()
  await opener.focus()
  await page.keyboard.press('Enter')
  if (confirms !== undefined) {
    const dialog = page.getByRole('dialog')
    await fillIn(dialog)
    await dialog.getByRole('button', { name: confirms }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
  }
  await expect(opener).toBeHidden()
  await page.evaluate(untilAtRest)
  return page.evaluate(isLost)
}

test('no action that cannot be undone loses the focus', async ({ startServer }) => {
  const { shop, page, facts } = await aSettledShop(startServer)
  const send = async (path: string, data: object) => {
    const reply = await page.request.post(path, { headers: { origin: shop.url }, data })
    expect(reply.ok(), `${path}: ${await reply.text()}`).toBe(true)
    return (await reply.json()) as { url: string }
  }
  const lost: string[] = []
  const check = async (final: Final, by = page) => {
    if (await losesFocus(by, final)) lost.push(`${final.path}: ${final.opens}`)
  }
  await check({ path: `/orders/${facts.orderId}`, opens: /^Drop this order/ })
  const { url } = await send('/api/functions/create-cart-payment', { cartItems: [{ id: facts.courseId, quantity: 1 }] })
  const card = {
    method: 'card',
    email: '',
    card_number: '4242 4242 4242 4242',
    expiry: '12/39',
    cvc: '123',
    name: 'Ada',
  }
  const paid = await page.request.post(url, { form: card, maxRedirects: 0 })
  await visit(page, paid.headers()['location'] ?? '')
  const order = `/admin${await page.getByRole('link', { name: 'View receipt' }).getAttribute('href')}`
  const { name, email, password } = aNewcomer()
  await send('/api/auth/sign-up', { name, email, password })
  await visit(page, `/admin/manage-users?search=${email}`)
  const user = await page.getByRole('main').getByRole('link', { name }).getAttribute('href')
  const { courses } = (await (await page.request.get('/api/admin/courses')).json()) as { courses: Course[] }
  const unowned = courses.filter(({ slug }) => slug !== COURSE && slug !== DRILLED)
  const reason = { 'Reason, for the audit log': 'Because' }
  const exam = `/admin/exams/${facts.examId}`
  await check({ path: order, opens: /^End access$/, confirms: /^End access$/ })
  await check({ path: order, opens: /^Refund$/, confirms: /^Refund / })
  const access = { courseId: facts.courseId, days: 9, reason: 'Because', key: randomUUID() }
  await send(`/api/profiles/${facts.userId}/access`, access)
  const finals: readonly Final[] = [
    { path: `/admin/manage-users/${facts.userId}`, opens: /^End access to/, confirms: /^End access$/, typed: reason },
    { path: user!, opens: /^Lock$/, confirms: /^Lock/, typed: { 'Reason, shown to them at sign-in': 'Because' } },
    {
      path: user!,
      opens: /^Delete account$/,
      confirms: /^Delete this account$/,
      typed: { ...reason, [`Type ${email} to confirm`]: email },
    },
    { path: `${exam}/questions/${facts.questionId}`, opens: /^Delete question/, confirms: /^Delete question$/ },
    { path: exam, chosen: ['Choose question 1', 'Choose question 2'], opens: /^Delete$/ },
    { path: exam, opens: /^Discard draft/, confirms: /^Discard the draft$/ },
    { path: `/admin/import/${facts.importId}`, opens: /^Delete this import/, confirms: /^Delete import$/ },
    { path: `/admin/course-management/${facts.courseId}`, opens: /^Remove Free Sampler$/, confirms: /^Remove exam$/ },
    { path: `/admin/course-management/${facts.courseId}`, opens: /^Withdraw from sale$/ },
    // Nobody owns these two, so they go for good: one from its page, one from the list.
    { path: `/admin/course-management/${unowned[0]?.id}`, opens: /^Delete…$/, confirms: /^Delete course$/ },
    {
      path: '/admin/course-management',
      opens: new RegExp(`^Delete: ${unowned[1]?.title}$`),
      confirms: /^Delete course$/,
    },
  ]
  for (const final of finals) await check(final)
  const learner = aNewcomer()
  await send('/api/auth/sign-up', learner)
  await shop.sql(`update users set email_verified = true where email = '${learner.email}'`)
  const own = await shop.newPage()
  await signIn(own, learner)
  await check(
    { path: '/delete-account', typed: { 'Your password': learner.password }, opens: /^Delete my account$/ },
    own,
  )
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

test('a form that is refused before the scripts for it have come gets the focus when they come', async ({ page }) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/late-[^/]+\.js$/, async (route) => {
    await released
    await route.continue()
  })
  await visit(page, '/login')
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).focus()
  await page.keyboard.press('Enter')
  const email = page.getByLabel('Email address')
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).not.toBeFocused()
  release()
  await expect(email).toBeFocused()
})
