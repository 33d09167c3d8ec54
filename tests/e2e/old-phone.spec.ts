import type { Browser, Page, Route } from '@playwright/test'
import { expect, expectNoAxeViolations, expectNoOverflow, registerAndVerify, test, untilHydrated } from './e2e-test.ts'
import { aNewcomer } from './shared-users.ts'

const course = { slug: 'aws-certified-cloud-practitioner', title: 'AWS Certified Cloud Practitioner' }
const missing = (page: Page) => page.getByText(/^Scripts are off or failed, so there is no cart\./)
/** Data and documents of another page, scripts of another route, and what fetches them ahead. */
const OTHER_PAGES = /\.data\b|\/(?:course|login|exam|my-courses|admin)[/?]|(?<!failure)-page-|service-worker|manifest/
const PHONE = { width: 375, height: 700 }

test('a browser that is too old for the scripts loads none of them, and works by links and forms', async ({
  page: withScripts,
  browser,
}) => {
  const buyer = aNewcomer()
  await registerAndVerify(withScripts, buyer)
  const page = await browser.newPage({ viewport: PHONE })
  const [errors, scripts]: [string[], string[]] = [[], []]
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())))
  // Chrome before 110, the last one of Android 6, and Safari before 16.
  await page.addInitScript(() => void Reflect.deleteProperty(Array.prototype, 'toSorted'))
  for (const path of ['/', `/course/${course.slug}`, '/login']) {
    await page.goto(path)
    await expect(missing(page)).toBeVisible()
    await expect(page.locator('button[type=button]:visible')).toHaveCount(0)
  }
  await signInAndBuy(page, buyer)
  expect({ errors, scripts }).toEqual({ errors: [], scripts: [] })
  await page.close()
})

test('a browser that knows neither modules nor layers of a style sheet shows every page readable, in its own look', async ({
  page: withScripts,
  browser,
}) => {
  const buyer = aNewcomer()
  await registerAndVerify(withScripts, buyer)
  const page = await browser.newPage({ viewport: PHONE, bypassCSP: true })
  // Chrome before 61. The sheet's layers are unknown to Chrome before 99 and Safari before 15.4.
  await page.addInitScript(() => void Reflect.deleteProperty(HTMLScriptElement.prototype, 'noModule'))
  await page.route(/./, asBeforeLayers)
  for (const path of ['/', `/course/${course.slug}`, '/login']) {
    await page.goto(path)
    await expect(missing(page)).toBeVisible()
    await expectNoAxeViolations(page, { type: 'rule', values: ['color-contrast'] })
    await expectNoOverflow(page)
    // The browser's own dark look; axe knows no colour of a page without a background.
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(255, 255, 255)')
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await signInAndBuy(page, buyer)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.close()
})

/** A reply as a browser reads it that drops every layer with all its rules. */
async function asBeforeLayers(route: Route) {
  const type = route.request().resourceType()
  if (type !== 'document' && type !== 'stylesheet') return route.continue()
  const response = await route.fetch({ maxRedirects: 0 })
  const text = await response.text()
  const body =
    type === 'stylesheet'
      ? withoutLayers(text)
      : text.replace(/(<style[^>]*>)(.*?)(<\/style>)/gs, (_whole, start: string, css: string, end: string) => {
          return start + withoutLayers(css) + end
        })
  return route.fulfill({ response, body })
}

function withoutLayers(css: string): string {
  let kept = ''
  for (let at = 0; at < css.length;) {
    const from = css.indexOf('@layer', at)
    if (from < 0) return kept + css.slice(at)
    kept += css.slice(at, from)
    at = from
    for (let depth = 0; at < css.length; at += 1) {
      if (css[at] === '{') depth += 1
      if (css[at] === '}') depth -= 1
      if ((css[at] === '}' || css[at] === ';') && depth === 0) break
    }
    at += 1
  }
  return kept
}

async function signInAndBuy(page: Page, { name, email, password }: ReturnType<typeof aNewcomer>) {
  await page.goto(`/login?redirect=/course/${course.slug}`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByRole('button', { name: 'Buy this course' }).click()
  const card = { 'Card number': '4242 4242 4242 4242', Expiry: '12/39', CVC: '123', 'Name on card': name }
  for (const [label, text] of Object.entries(card)) await page.getByLabel(label).fill(text)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible()
}

test('for somebody who saves data no page, picture or script is fetched before it is needed', async ({ browser }) => {
  const page = await openSaving(browser)
  await page.clock.install()
  for (const path of ['/', `/course/${course.slug}`]) {
    await page.goto(path)
    await untilHydrated(page)
    const asked: string[] = []
    const note = (request: { url(): string }) => asked.push(request.url())
    page.on('request', note)
    for (const link of await page.getByRole('main').getByRole('link').all()) {
      await link.hover()
      await link.focus()
    }
    // The worker that fetches the shop ahead for everybody else is registered some seconds after the page is loaded.
    await page.clock.runFor(30_000)
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
    // Parts of the page that have come into sight, and the page that shows failures, are no other page.
    expect(asked.filter((address) => OTHER_PAGES.test(address))).toEqual([])
    page.off('request', note)
  }
  await page.context().close()
})

async function openSaving(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: 'allow', viewport: PHONE })
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  return context.newPage()
}

test('with reduced motion nothing moves: no animation, no transition, no smooth scrolling', async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: PHONE })
  const page = await context.newPage()
  const moving = () =>
    page.evaluate(() => {
      const styles = [...document.querySelectorAll('*')].map((element) => ({
        element,
        style: getComputedStyle(element),
      }))
      const moves = styles.filter(
        ({ style }) =>
          style.animationName !== 'none' ||
          style.scrollBehavior === 'smooth' ||
          Number.parseFloat(style.transitionDuration) > 0,
      )
      return [...moves.map(({ element }) => element.outerHTML.slice(0, 80)), ...document.getAnimations().map(String)]
    })
  for (const path of ['/', `/course/${course.slug}`, '/login', '/exam/dea-free-sampler?mode=preview']) {
    await page.goto(path)
    await untilHydrated(page)
    expect(await moving(), path).toEqual([])
  }
  // The drawer slides in for everybody else.
  await page.goto(`/course/${course.slug}`)
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Add to Cart' }).first().click()
  await page.getByRole('button', { name: 'Open cart, 1 item' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await moving(), 'the cart').toEqual([])
  await context.close()
})
