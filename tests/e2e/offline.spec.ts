import { anOwnBrowser } from './own-browser.ts'
import { aNewcomer, admin, type BrowserUser } from './shared-users.ts'
import { storedPractice } from './stored-practice.ts'
import { expect, expectGoodPage, registerAndVerify, signIn, test, visit } from './e2e-test.ts'
import type { BrowserContext, Page } from '@playwright/test'

test.use({ serviceWorkers: 'allow' })

/** What the browser itself prints where there is no network. */
const LOST =
  /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|Failed to load resource|EventSource|The page's stream/

/** The worker has taken the page over, and has what was looked at so far. */
async function untilKept(page: Page, path: string) {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(isKept, path), { message: `${path} is kept` }).toBe(true)
}

async function isKept(path: string): Promise<boolean> {
  // The owner's cache has an entry '/' too.
  const names = (await caches.keys()).filter((name) => /^pages-(guest|own)-(?!who$)/.test(name))
  const replies = await Promise.all(names.map((cacheName) => caches.match(path, { cacheName, ignoreVary: true })))
  return replies.some((reply) => reply !== undefined)
}

/** The worker answers when it has done what it was told, and what the pages told it before. */
async function untilWorkerIsDone(page: Page, path: string) {
  await page.evaluate(async (shown) => {
    const { user } = (await (await fetch('/api/auth/session')).json()) as { user: { id: string } }
    const { active } = await navigator.serviceWorker.ready
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', resolve)
      port1.start()
      active?.postMessage({ kind: 'seen', path: shown, user: user.id }, [port2])
    })
  }, path)
}

const listCaches = (page: Page) => page.evaluate(() => caches.keys())

async function goOffline(context: BrowserContext, isOffline = true) {
  await context.setOffline(isOffline)
}

test('the shop installs as an app: a manifest with our icons, and a worker under a policy of its own', async ({
  request,
}) => {
  const manifest = (await (await request.get('/manifest.webmanifest')).json()) as {
    name: string
    display: string
    icons: { src: string; sizes: string; purpose: string }[]
  }
  expect(manifest).toMatchObject({ name: 'Altocert', display: 'standalone' })
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src } of manifest.icons) expect((await request.get(src)).headers()['content-type']).toBe('image/png')
  const worker = await request.get('/service-worker.js')
  expect(worker.headers()).toMatchObject({ 'cache-control': 'no-cache' })
  expect(worker.headers()['content-security-policy']).toContain("connect-src 'self'")
})

test('a guest opens offline what they saw before, and is told what they never saw', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(LOST)
  // First visit: home by its address, a course by a click.
  await visit(page, '/')
  await untilKept(page, '/')
  const link = page.getByRole('main').getByRole('article').first().getByRole('link').first()
  await link.click()
  await expect(page).toHaveURL(/\/course\//)
  const course = new URL(page.url()).pathname
  // The address changes a moment before the page.
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Pass Your AWS Certification - Guaranteed!')
  const title = await page.getByRole('heading', { level: 1 }).textContent()
  await untilKept(page, course)

  // Return visit: the worker is there from the first byte on.
  await visit(page, '/')
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

  await goOffline(context)
  await visit(page, '/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pass Your AWS Certification - Guaranteed!')
  await expect(page.getByText('No internet connection.')).toBeVisible()
  await visit(page, course)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '')

  await page.goto('/verify-email')
  await expect(page.getByText('Signing in and the links in our emails need the network.')).toBeVisible()
  await page.goto('/no-page-of-ours')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are offline')
  await expect(page.getByText('has not been opened on this device before')).toBeVisible()
  await expect(page.getByRole('link', { name: title ?? '' })).toBeVisible()
  await expectGoodPage(page)

  // The missed page opens by itself once the network is back.
  await goOffline(context, false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found')
  // So does one that was missed for another reason than the network.
  await page.goto('/offline?from=/login')
  await expect(page).toHaveURL(/\/login$/)
})

test('paying and the admin area say that they need the network', async ({ page, context, problems }) => {
  problems.allow(LOST)
  await signIn(page, admin)
  await visit(page, '/admin')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await visit(page, '/')
  await untilKept(page, '/')
  await goOffline(context)
  await page.goto('/admin/orders')
  await expect(page.getByText('The admin area needs the network')).toBeVisible()
  await page.goto('/payment-success?session_id=cs_test_1')
  await expect(page.getByText('Paying needs the network.')).toBeVisible()
  await visit(page, '/')
  await page
    .getByRole('main')
    .getByRole('button', { name: /add to cart/i })
    .first()
    .click()
  await page.getByRole('button', { name: /Open cart/ }).click()
  await expect(page.getByRole('dialog').getByText('Paying needs the network; your cart stays as it is.')).toBeVisible()
})

test('signing out leaves nothing of the person in the browser', async ({ page, context, problems }) => {
  problems.allow(LOST)
  const user = aNewcomer()
  await registerAndVerify(page, user)
  await visit(page, '/my-courses')
  await untilKept(page, '/my-courses')
  const findUser = () =>
    page.evaluate(async (email) => {
      const found: string[] = []
      for (const name of await caches.keys()) {
        const cache = await caches.open(name)
        for (const request of await cache.keys())
          if ((await (await cache.match(request, { ignoreVary: true }))?.text())?.includes(email) === true)
            found.push(`${name} ${request.url}`)
      }
      return found
    }, user.email)
  expect(await findUser()).not.toEqual([])

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  expect(await findUser()).toEqual([])
  expect((await listCaches(page)).filter((name) => name.startsWith('pages-own-'))).toEqual([])
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  expect(stored).not.toContain(user.email)
  const rows = await page.evaluate(async () => {
    const kept: unknown[] = []
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name ?? '')
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('not opened')))
      })
      for (const store of database.objectStoreNames)
        kept.push(
          ...(await new Promise<unknown[]>((resolve) => {
            const request = database.transaction(store).objectStore(store).getAll()
            request.addEventListener('success', () => resolve(request.result as unknown[]))
          })),
        )
      database.close()
    }
    return JSON.stringify(kept)
  })
  expect(rows).not.toContain('my-courses')
  expect(rows).not.toContain(user.email)

  await goOffline(context)
  await page.goto('/my-courses')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are offline')
})

/** Somebody new buys a course and puts its first exam on the device. Ends on the exam's page. */
async function keepPurchasedExam(page: Page, user: BrowserUser) {
  const context = page.context()
  await registerAndVerify(page, user)
  await visit(page, '/course/aws-certified-cloud-practitioner')
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByRole('button', { name: /Open cart/ }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('dialog', { name: 'Your cart' }).getByRole('button', { name: 'Checkout' }).click()
  const hosted = await opened
  await hosted.getByLabel('Card number').fill('4242 4242 4242 4242')
  await hosted.getByLabel('Expiry').fill('12/39')
  await hosted.getByLabel('CVC').fill('123')
  await hosted.getByLabel('Name on card').fill(user.name)
  await hosted.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(hosted.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await hosted.close()

  await visit(page, '/my-courses')
  await page.getByRole('link', { name: 'Practice Exam 1', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Offline practice' })).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByRole('button', { name: 'Keep for offline practice' }).click()
  await expect(page.getByText(/^On this device until /)).toBeVisible()
}

/** One question is answered and the practice finished, without a network. */
async function practiseOffline(page: Page, look: () => Promise<void> = () => Promise.resolve()) {
  await page.context().setOffline(true)
  await page.getByRole('link', { name: /^Practice offline: / }).click()
  await expect(page.getByText(/^Question 1 of \d+$/)).toBeVisible()
  await look()
  const choices = page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))
  await choices.first().check()
  await page.getByRole('button', { name: 'Check answer' }).click()
  await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()
  await look()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByText('Your result is on this device.')).toBeVisible()
  await look()
}

/** Where the network is slow, the worker shows the list as it was before: it is opened until the result is there. */
async function expectOneAttempt(page: Page) {
  await expect
    .poll(
      async () => {
        await visit(page, '/my-courses')
        return page.getByText('1 attempt, best').count()
      },
      { timeout: 30_000 },
    )
    .toBe(1)
}

test('practice goes on where it was after a reload and after its tab was closed, and is sent once', async ({
  page,
  context,
  problems,
}) => {
  test.setTimeout(180_000)
  problems.allow(LOST)
  await keepPurchasedExam(page, aNewcomer())
  await context.setOffline(true)
  await page.getByRole('link', { name: /^Practice offline: / }).click()
  await expect(page.getByText(/^Question 1 of \d+$/)).toBeVisible()
  const choicesOf = (shown: Page) =>
    shown.getByRole('group').getByRole('radio').or(shown.getByRole('group').getByRole('checkbox'))
  const verdict = page.getByText(/^(Right|Not right)$/)
  await choicesOf(page).first().check()
  await page.getByRole('button', { name: 'Check answer' }).click()
  await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()
  const said = await verdict.textContent()
  await expect.poll(() => storedPractice(page)).toMatchObject({ checked: 1 })
  // A checked question comes back checked.
  await page.reload()
  await expect(page.getByText(/^Question 1 of \d+$/)).toBeVisible()
  await expect(verdict).toHaveText(said ?? '')
  await expect(choicesOf(page).first()).toBeChecked()
  await expect(choicesOf(page).first()).toBeDisabled()
  await page.getByRole('button', { name: 'Next question' }).click()
  await expect(page.getByText(/^Question 2 of \d+$/)).toBeVisible()
  const stem = await page.getByRole('group').locator('legend').textContent()
  await choicesOf(page).nth(1).check()
  await page.getByRole('button', { name: 'Strike out answer C' }).click()
  await expect.poll(() => storedPractice(page)).toMatchObject({ answered: 2, struck: 1 })
  const address = page.url()
  await page.reload()
  await expect(page.getByText(/^Question 2 of \d+$/)).toBeVisible()
  await expect(choicesOf(page).nth(1)).toBeChecked()
  await expect(page.getByRole('button', { name: 'Strike out answer C' })).toHaveAttribute('aria-pressed', 'true')

  await page.close()
  const [first, second] = [await context.newPage(), await context.newPage()]
  for (const tab of [first, second]) {
    await tab.goto(address)
    await expect(tab.getByText(/^Question 2 of \d+$/)).toBeVisible()
    await expect(tab.getByRole('group').locator('legend')).toHaveText(stem ?? '')
    await expect(choicesOf(tab).nth(1)).toBeChecked()
  }
  await first.getByRole('button', { name: 'Check answer' }).click()
  await expect(first.getByRole('heading', { name: 'Explanation' })).toBeVisible()
  await first.getByRole('button', { name: 'Finish' }).click()
  await expect(first.getByText('Your result is on this device.')).toBeVisible()
  // What was finished in one tab is over in the other.
  await expect(second.getByText('Your result is on this device.')).toBeVisible()

  await context.setOffline(false)
  await expect(first.getByText('Your result is with your other attempts now.')).toBeVisible()
  await first.getByRole('link', { name: 'See the review' }).click()
  await expect(first).toHaveURL(/\/exam-review\//)
  const review = await first.request.get(`/api/attempts/${new URL(first.url()).pathname.split('/')[2]}/review`)
  expect((await review.json()) as object).toMatchObject({ result: { answeredCount: 2 } })
  await expectOneAttempt(first)
})

test('a practice that the server refuses is named with its reason on the exam, and stays on the device', async ({
  page,
  context,
  problems,
}) => {
  test.setTimeout(180_000)
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource|EventSource|The page's stream/)
  await keepPurchasedExam(page, aNewcomer())
  // The practice comes with the signature of somebody else.
  await context.route('**/api/offline-attempts', async (route) => {
    const attempt = route.request().postDataJSON() as object
    await route.continue({ postData: { ...attempt, signature: 'not-ours' } })
  })
  const exam = page.url()
  await practiseOffline(page)
  await context.setOffline(false)
  const reason = page.getByText(/^This practice does not count: we did not give you this exam/)
  await expect(reason).toBeVisible()
  await visit(page, exam)
  await expect(
    page.getByText(/could not be added to your attempts. It stays on this device until you sign out.$/),
  ).toBeVisible()
  await expect(reason).toBeVisible()
  await expectGoodPage(page)
})

test('a review whose access has ended is dropped from the device', async ({ page, context, problems }) => {
  test.setTimeout(180_000)
  problems.allow(LOST)
  await keepPurchasedExam(page, aNewcomer())
  await practiseOffline(page)
  await context.setOffline(false)
  await page.getByRole('link', { name: 'See the review' }).click()
  await expect(page).toHaveURL(/\/exam-review\//)
  const review = new URL(page.url()).pathname
  await untilKept(page, review)
  await untilWorkerIsDone(page, review)
  // Without the network: the page tells the worker late that it is shown, and a copy that has ended would be fetched anew.
  await goOffline(context)
  // The stored copy as it is after access has ended: the worker's clock cannot be moved.
  await page.evaluate(async (path) => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      const reply = await cache.match(path, { ignoreVary: true })
      if (reply === undefined) continue
      const headers = new Headers(reply.headers)
      if (!headers.has('x-altocert-until')) throw new Error('the review has no end')
      headers.set('x-altocert-until', new Date(0).toISOString())
      await cache.put(path, new Response(await reply.blob(), { headers }))
    }
  }, review)

  await page.goto(review)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are offline')
  // This page would open the review again once the network is back, and the server still gives it.
  const next = await context.newPage()
  await page.close()
  await goOffline(context, false)
  await visit(next, '/my-courses')
  await expect
    .poll(() => next.evaluate(async (path) => (await caches.match(path, { ignoreVary: true })) === undefined, review))
    .toBe(true)
})

test('what was answered goes with the person who answered it: an exam that is removed leaves it as a result', async ({
  page,
  context,
  problems,
}) => {
  test.setTimeout(180_000)
  problems.allow(LOST)
  await keepPurchasedExam(page, aNewcomer())
  await context.setOffline(true)
  await page.getByRole('link', { name: /^Practice offline: / }).click()
  await page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox')).first().check()
  await page.getByRole('button', { name: 'Check answer' }).click()
  await expect(page.getByRole('heading', { name: 'Explanation' })).toBeVisible()
  await context.setOffline(false)
  await page.goBack()
  await page.getByRole('button', { name: 'Remove from this device' }).click()
  await expect(page.getByRole('button', { name: 'Keep for offline practice' })).toBeVisible()
  await expectOneAttempt(page)
})

test('a result that was practised offline outlives the browser: closed, started again, it comes back', async () => {
  test.setTimeout(180_000)
  const own = await anOwnBrowser()
  try {
    const before = await (await own.open()).newPage()
    await keepPurchasedExam(before, aNewcomer())
    await practiseOffline(before)
    await own.close()

    const after = await (await own.open()).newPage()
    await visit(after, '/')
    await expectOneAttempt(after)
  } finally {
    await own.remove()
  }
})

test('a push message becomes a notification of its page, and one that cannot be read a plain sentence', async () => {
  // The headless shell has no notifications.
  const browser = await anOwnBrowser()
  try {
    const context = await browser.open()
    const page = await context.newPage()
    await page.goto('/')
    const { origin } = new URL(page.url())
    await context.grantPermissions(['notifications'], { origin })
    const devtools = await context.newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
        if (first !== undefined) resolve(first.registrationId)
      }),
    )
    await devtools.send('ServiceWorker.enable')
    await page.evaluate(() => navigator.serviceWorker.ready)
    const registrationId = await registered
    // `getNotifications` forgets them where the desktop has no service that shows notifications.
    const shown: unknown[][] = []
    devtools.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent: event }) => {
      const { Title, Body } = Object.fromEntries(event.eventMetadata.map(({ key, value }) => [key, value]))
      if (event.eventName === 'Notification displayed') shown.push([Title, Body, event.instanceId])
    })
    await devtools.send('BackgroundService.startObserving', { service: 'notifications' })
    await devtools.send('BackgroundService.setRecording', { service: 'notifications', shouldRecord: true })
    const message = { title: 'Today: 3 cards', body: 'Cloud: 3 cards.', url: '/course/a/plan' }
    for (const data of [JSON.stringify(message), 'no JSON'])
      await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    await expect
      .poll(() => shown.toSorted())
      .toEqual([
        ['Time to study', 'Your plan has something for today.', '/'],
        ['Today: 3 cards', 'Cloud: 3 cards.', '/course/a/plan'],
      ])
  } finally {
    await browser.remove()
  }
})

test('a purchased exam is practised offline, and its result comes back later', async ({ page, context, problems }) => {
  test.setTimeout(180_000)
  problems.allow(LOST)
  await keepPurchasedExam(page, aNewcomer())
  await expectGoodPage(page)
  await practiseOffline(page, () => expectGoodPage(page))

  await context.setOffline(false)
  await expect(page.getByText('Your result is with your other attempts now.')).toBeVisible()
  await page.getByRole('link', { name: 'See the review' }).click()
  await expect(page).toHaveURL(/\/exam-review\//)

  await visit(page, '/my-courses')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  const left = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('altocert-packs')
      request.addEventListener('success', () => resolve(request.result))
    })
    return Promise.all(
      [...database.objectStoreNames].map(
        (name) =>
          new Promise<number>((resolve) => {
            const request = database.transaction(name).objectStore(name).count()
            request.addEventListener('success', () => resolve(request.result))
          }),
      ),
    )
  })
  expect(left).toEqual([0, 0])
})

test('a sign-out asks before a result of offline practice is lost that did not reach the server', async ({
  page,
  context,
  problems,
}) => {
  test.setTimeout(180_000)
  problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET|Failed to load resource|could not be sent/)
  await keepPurchasedExam(page, aNewcomer())
  await practiseOffline(page)
  // A network that loses this call and no other.
  await context.route('**/api/offline-attempts', (route) => route.abort('connectionreset'))
  await context.setOffline(false)
  await visit(page, '/my-courses')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out with unsent changes?' })
  await expect(question).toContainText('1 of your results of offline practice has not reached the server.')
  await expectGoodPage(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()

  await context.unroute('**/api/offline-attempts')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  await expect(question).toBeHidden()
})

test('somebody takes their data along and deletes their account', async ({ page }) => {
  const user = aNewcomer('Dora Departing')
  await registerAndVerify(page, user)
  await visit(page, '/my-courses')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as JSON' }).click()
  expect((await download).suggestedFilename()).toMatch(/^altocert-data-[\d-]+\.json$/)
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Delete account' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Delete your account')
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('Please enter your password')).toBeVisible()
  await page.getByLabel('Your password').fill(user.password)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('Account deleted', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBeLessThanOrEqual(2)
})
