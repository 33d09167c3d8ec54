import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { noteStart, requestsBeforeStart } from '../support/page-start.ts'
import { scriptsOf, weighHelloPage } from '../support/script-weight.ts'
import { expect, registerAndVerify, signIn, test, untilHydrated } from './e2e-test.ts'
import { admin, aNewcomer } from './shared-users.ts'

const baseURL = process.env['E2E_URL'] ?? ''
/** Of the whole page, until it answers. */
const MOST_REQUESTS = 12
/** Against a page of the same framework that says hello. */
const MOST_SCRIPT = 1.15

test('a first visit makes at most 12 requests before the page is usable', async ({ browser }) => {
  const course = /href="(\/course\/[^"?/]+)"/.exec(await (await fetch(baseURL)).text())?.[1] ?? ''
  for (const path of ['/', course, '/login']) await expectFewRequests(browser, path)
})

test('a first visit of a review makes at most 12 requests before it is usable', async ({ page, browser }) => {
  await registerAndVerify(page, aNewcomer())
  const headers = { origin: baseURL }
  const started = await page.request.post('/api/attempts', {
    headers,
    data: { examSlug: 'dea-free-sampler', mode: 'preview', writer: 'w' },
  })
  const { id } = (await started.json()) as { id: string }
  const finished = await page.request.post(`/api/attempts/${id}/finish`, { headers, data: { writer: 'w' } })
  expect(finished.ok()).toBe(true)
  await expectFewRequests(browser, `/exam-review/${id}`, await page.context().storageState())
})

async function expectFewRequests(browser: Browser, path: string, storageState?: StorageState) {
  const context = await browser.newContext(storageState === undefined ? {} : { storageState })
  const page = await context.newPage()
  await noteStart(page)
  await page.goto(`${baseURL}${path}`)
  const requests = await requestsBeforeStart(page)
  await context.close()
  expect(requests.length, `${path}: ${requests.join(' ')}`).toBeLessThanOrEqual(MOST_REQUESTS)
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

test('the scripts of home are little more than those of a page that says hello', async () => {
  const hello = weighHelloPage()
  const home = await scriptsOf(baseURL)
  expect(home.bytes / hello.bytes, `${home.bytes} against ${hello.bytes} bytes`).toBeLessThanOrEqual(MOST_SCRIPT)
})

test('what a guest loads names no page and no address of the admin area', async () => {
  const folder = 'build/client/assets'
  const whole = readdirSync(folder).find((name) => /^manifest-.+\.js$/.test(name)) ?? ''
  const modules = [
    ...readFileSync(join(folder, whole), 'utf8').matchAll(/"id":"(?:layout\/admin|admin\/)[^}]*?"module":"([^"]+)"/g),
  ]
  expect(modules.length).toBeGreaterThan(5)
  const { files } = await scriptsOf(baseURL)
  expect(files.some((path) => path.endsWith(`shop-${whole}`))).toBe(true)
  for (const path of files) {
    const code = await (await fetch(`${baseURL}${path}`)).text()
    expect(code, path).not.toContain('/admin/')
    expect(
      modules.filter(([, module = '']) => code.includes(module)),
      path,
    ).toEqual([])
  }
})

test('no style sheet stands before the text of a page, and the whole sheet follows, also without scripts', async ({
  browser,
}) => {
  const html = await (await fetch(baseURL)).text()
  expect(html.slice(0, html.indexOf('</main>'))).not.toContain('rel="stylesheet"')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const sheet = page.waitForResponse(/\/assets\/tokens-.+\.css$/)
  await page.goto(baseURL)
  expect((await sheet).status()).toBe(200)
  await expect(page.getByRole('banner')).toHaveCSS('position', 'sticky')
  await context.close()
})

test('before its first paint a page runs two short scripts, and requests none', async ({ page }) => {
  for (const path of ['/', '/login']) {
    const html = await (await fetch(`${baseURL}${path}`)).text()
    const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, code = '']) => code.length)
    expect(scripts).toHaveLength(2)
    expect(scripts.reduce((sum, length) => sum + length)).toBeLessThan(1500)
    expect(html.matchAll(/<script[^>]* (?:src|type="module")|<link rel="(?:modulepreload|preload)"/g).next().done).toBe(
      true,
    )
    await page.goto(`${baseURL}${path}`)
    await page.waitForFunction(() => 'started' in document.documentElement.dataset)
    const [paintedAt, requestedAt] = await page.evaluate(() => [
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      Math.min(
        ...performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith('.js'))
          .map(({ startTime }) => startTime),
      ),
    ])
    expect(requestedAt).toBeGreaterThan(paintedAt ?? 0)
  }
})

/** How far the pages of this tab were scrolled when they went away, as the router keeps it. */
const placesKept = (page: Page) =>
  page.evaluate(() =>
    Object.values(JSON.parse(sessionStorage.getItem('react-router-scroll-positions') ?? '{}') as object),
  )

test('a page that is loaded anew stands where it was, before its files have come', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(baseURL)
  await page.waitForFunction(() => 'started' in document.documentElement.dataset)
  await page.evaluate(() => scrollTo(0, 600))
  // Again: the page that went away knew where it was without having been scrolled.
  await page.reload()
  await page.waitForFunction(() => 'started' in document.documentElement.dataset)
  await untilHydrated(page)
  expect(await placesKept(page)).toEqual([600])
  await page.route('**/assets/*.js', () => {})
  await page.reload({ waitUntil: 'commit' })
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600)
  await context.close()
})

test('an admin who was in the shop gets into the admin area by its links', async ({ page }) => {
  await signIn(page, admin)
  await expect(page).toHaveURL(/\/$/)
  await page.getByRole('banner').getByRole('link', { name: 'Admin Dashboard' }).click()
  await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Orders', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Orders')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Orders')
  await page.goBack()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
