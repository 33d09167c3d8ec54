import type { Page } from '@playwright/test'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { admin } from './shared-users.ts'
import { dataFolder, launch, untilReady } from './server-process.ts'
import { expect, expectGoodPage, signIn, test, untilHydrated, visit } from './e2e-test.ts'

const course = 'AWS Certified Cloud Practitioner'
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** A fault of the browser, as no call of ours could make it: from now on this method throws. */
const breakMethod = (
  page: Page,
  method: 'URLSearchParams.get' | 'String.padStart' | 'String.normalize',
  message: string,
) =>
  page.evaluate(
    ([name, text]) => {
      const [type = '', method = ''] = name!.split('.')
      const prototype = (window as unknown as Record<string, { prototype: Record<string, unknown> }>)[type]!.prototype
      const whole = prototype[method]
      prototype[method] = () => {
        throw new Error(text)
      }
      Object.assign(window, { correct: () => Object.assign(prototype, { [method]: whole }) })
    },
    [method, message],
  )
/** The course page asks for its mode whenever it is drawn; a step inside it draws it again. */
async function breakCoursePage(page: Page, message: string) {
  await visit(page, '/course/aws-certified-cloud-practitioner')
  await breakMethod(page, 'URLSearchParams.get', message)
  await page.getByRole('link', { name: 'Skip to main content' }).press('Enter')
}
const correct = (page: Page) => page.evaluate(() => void (window as unknown as { correct(): void }).correct())

test('a page that breaks says so with an id, reports it to the server, and comes back when it is tried again', async ({
  page,
  problems,
}) => {
  problems.allow(/It broke here/)
  await breakCoursePage(page, 'It broke here')
  await expect(heading(page)).toHaveText('Something went wrong')
  await expect(page.getByText(/^Error id: [0-9a-f]{8}$/)).toBeVisible()
  await expect(page).toHaveTitle('Something went wrong')
  await expectGoodPage(page)
  const reply = page.waitForResponse(/\/api\/bug-reports$/)
  await page.getByRole('button', { name: 'Report Bug' }).click()
  expect((await reply).status()).toBe(200)
  await expect(page.getByText('The report is in our log, under this error id.')).toBeVisible()
  await correct(page)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(heading(page)).toHaveText(course)
})

test('what is about security has its own title, and Go Home leads home', async ({ page, problems }) => {
  problems.allow(/security policy/)
  await breakCoursePage(page, 'Refused by a security policy')
  await expect(heading(page)).toHaveText('Security Error')
  await page.getByRole('link', { name: 'Go Home' }).click()
  await expect(heading(page)).toHaveText('Pass Your AWS Certification - Guaranteed!')
})

test('a list that cannot be shown says so and is tried again', async ({ page, problems }) => {
  problems.allow(/It broke here/)
  await visit(page, '/')
  await page.getByRole('link', { name: course, exact: true }).click()
  await expect(heading(page)).toHaveText(course)
  // The search of the list needs it.
  await breakMethod(page, 'String.normalize', 'It broke here')
  await page.getByRole('banner').getByRole('link').first().click()
  await expect(page.getByText('Failed to load courses')).toBeVisible()
  await expectGoodPage(page)
  await correct(page)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('Courses loaded successfully!')).toBeVisible()
  await expect(page.getByText(/^Found \d+ course\(s\)$/)).toBeVisible()
  await expect(page.getByRole('link', { name: course, exact: true })).toBeVisible()
})

/** A proxy answers every request for a page's data: the server behind it is away. */
const awayFor = (page: Page, path: RegExp) =>
  page.route(path, (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'upstream is away' }))

test('a server that is away fails the list of courses only, and Try Again brings it back', async ({
  page,
  problems,
}) => {
  problems.allow(/503/)
  await visit(page, '/login')
  const data = /\/_root\.data/
  await awayFor(page, data)
  await page.getByRole('banner').getByRole('link').first().click()
  await expect(page.getByText('Failed to load courses')).toBeVisible()
  await expect(heading(page)).toHaveText('Pass Your AWS Certification - Guaranteed!')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'You are offline' })).toHaveCount(0)
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Try Again' }).focus()
  const refused = page.waitForResponse(data)
  await page.keyboard.press('Enter')
  await refused
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Try Again' })).toHaveAttribute('aria-busy', 'false')
  await page.unroute(data)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: course, exact: true })).toBeVisible()
})

test('a server that is away fails the list of an admin only: the menu, the heading and the session stay', async ({
  page,
  problems,
}) => {
  problems.allow(/503/)
  await signIn(page, admin)
  await visit(page, '/admin')
  for (const [path, name, things] of [
    ['/admin/course-management', 'Courses', 'courses'],
    ['/admin/orders', 'Orders', 'orders'],
    ['/admin/manage-users', 'Users', 'users'],
  ] as const) {
    const data = new RegExp(`${path}\\.data`)
    await awayFor(page, data)
    const menu = page.getByRole('navigation', { name: 'Admin' })
    await menu.getByRole('link', { name, exact: true }).click()
    await expect(page.getByText(`Failed to load ${things}`)).toBeVisible()
    await expect(heading(page)).toHaveText(name)
    await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('banner').getByRole('link', { name: 'My Courses' })).toBeVisible()
    await page.unroute(data)
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByText(`Failed to load ${things}`)).toBeHidden()
    await expect(heading(page)).toBeVisible()
  }
})

test('without a network a list that was never opened says that there is no network', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await signIn(page, admin)
  // Each page's script is there already; only the data is missing.
  await visit(page, '/admin/orders')
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Users', exact: true }).click()
  await expect(heading(page)).not.toHaveText('Orders')
  await context.setOffline(true)
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Orders', exact: true }).click()
  await expect(heading(page)).toHaveText('You are offline')
  await expect(page.getByText('Failed to load')).toHaveCount(0)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(heading(page)).toHaveText('Orders')
})

test('when even the frame of the page breaks, the Application Error page is there', async ({ page, problems }) => {
  problems.allow(/It broke here/)
  await visit(page, '/')
  // What search engines are told of a course holds its price, and stands in the frame.
  await breakMethod(page, 'String.padStart', 'It broke here')
  await page.getByRole('link', { name: course, exact: true }).click()
  await expect(page.getByRole('button', { name: 'Reload the page' })).toBeVisible()
  await expect(heading(page)).toHaveText('Application Error')
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(heading(page)).toHaveText(course)
})

test('without a network the shop says so until it is back, and what needs the network says what to do', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await signIn(page, admin)
  await visit(page, '/my-courses')
  await expect(heading(page)).toHaveText('My Courses')
  await page.getByRole('banner').getByRole('link').first().click()
  await expect(heading(page)).toHaveText('Pass Your AWS Certification - Guaranteed!')
  await context.setOffline(true)
  const notice = page.getByText('No internet connection. Please check your network and try again.')
  await expect(notice).toBeVisible()
  await expectGoodPage(page)
  // A part of the page that is loaded when it is wanted.
  await page.getByRole('button', { name: 'Open cart' }).click()
  await expect(page.getByText('Connection Error')).toBeVisible()
  await expect(page.getByText('Unable to connect to the server. Please try again.')).toBeVisible()
  // A page whose data does not come, and lies nowhere here.
  await page.getByRole('banner').getByRole('link', { name: 'My Courses' }).click()
  await expect(heading(page)).toHaveText('You are offline')
  await context.setOffline(false)
  await expect(notice).toBeHidden()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(heading(page)).toHaveText('My Courses')
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Open cart' }).click()
  await expect(page.getByRole('dialog', { name: 'Your cart' })).toBeVisible()
})

test('a start that throws shows the Application Error page with its details', async ({ page, problems }) => {
  problems.allow(/The start broke/)
  await page.addInitScript(() => {
    if (sessionStorage.getItem('mended') !== null) return
    sessionStorage.setItem('mended', 'at the next load')
    Object.defineProperty(window, '__reactRouterContext', {
      set() {},
      get() {
        throw new Error('The start broke')
      },
    })
  })
  await page.goto('/')
  await expect(heading(page)).toHaveText('Application Error')
  await page.getByText('Error details').click()
  await expect(page.getByText(/The start broke/)).toBeVisible()
  await expectGoodPage(page)
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(heading(page)).toHaveText('Pass Your AWS Certification - Guaranteed!')
})

test('toasts are read out by their kind, at most three are seen, and the mouse or the focus holds them', async ({
  page,
}) => {
  await page.clock.install()
  await visit(page, '/')
  const cards = page.getByRole('main').getByRole('button', { name: /^Add to Cart: / })
  const toasts = page.locator('[aria-live=polite]').getByText('Added to cart!')
  for (const index of [0, 1, 2, 3]) await cards.nth(index).click()
  await expect(toasts).toHaveCount(3)
  await page.clock.runFor(4000)
  await expect(toasts).toHaveCount(0)

  await cards.nth(0).click()
  const held = page.getByText('Updated quantity')
  await held.hover()
  await page.clock.runFor(20_000)
  await expect(held).toBeVisible()
  await page.getByRole('button', { name: 'Close this message' }).focus()
  await page.mouse.move(0, 0)
  await page.clock.runFor(20_000)
  await expect(held).toBeVisible()
  await page.getByRole('button', { name: 'Close this message' }).blur()
  await page.clock.runFor(4000)
  await expect(held).toBeHidden()
})

test('a page whose data does not arrive again stays as it is, with what is typed, and catches up', async ({
  browser,
}) => {
  // A server of its own, which is killed.
  const [folder, port] = [await dataFolder(), await freePort()]
  const start = async () => {
    const server = launch(folder.path, port, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
    await untilReady(server)
    return server
  }
  const first = await start()
  const context = await browser.newContext({ baseURL: first.url })
  const page = await context.newPage()
  await signIn(page, admin)
  await visit(page, '/admin/course-management')
  const price = page.getByLabel(`Price of ${course}`)
  await price.fill('61.7')

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('No internet connection.')).toBeVisible()
  await expect(price).toHaveValue('61.7')
  first.child.kill('SIGKILL')
  await first.ended
  await context.setOffline(false)
  await expect(page.getByText('The server does not answer right now.')).toBeVisible()
  await expectGoodPage(page)
  await expect(price).toHaveValue('61.7')

  const second = await start()
  await expect(page.getByText(/Found \d+ course\(s\)/)).toBeVisible({ timeout: 40_000 })
  await expect(page.getByText('The server does not answer right now.')).toBeHidden()
  await expect(price).toHaveValue('61.7')
  await context.close()
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  await folder.remove()
})
