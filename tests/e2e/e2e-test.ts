import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test as base, type Locator, type Page, type Response } from '@playwright/test'
import type { AxeResults, RunOnly } from 'axe-core'
import type { BrowserUser } from './shared-users.ts'

/** What a test knows it provokes, such as the browser's line about a 404. */
type Problems = { readonly found: string[]; allow(pattern: RegExp): void }

/**
 * A test in a browser against the built server. It fails when the page prints an error, throws, or gets a 5xx from us, unless
 * the test said beforehand that it provokes this: `problems.allow(/404/)`.
 */
export const test = base.extend<{ problems: Problems }>({
  problems: [
    async ({ context }, use) => {
      const found: string[] = []
      const allowed: RegExp[] = []
      context.on('console', (message) => {
        if (message.type() === 'error') found.push(`${message.text()} (${message.location().url})`)
      })
      context.on('weberror', (error) => found.push(String(error.error())))
      context.on('response', (response) => {
        if (response.status() >= 500 && response.url().startsWith(serverUrl()))
          found.push(`${response.status()} ${response.request().method()} ${response.url()}`)
      })
      await use({ found, allow: (pattern) => void allowed.push(pattern) })
      expect(found.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))).toEqual([])
    },
    { auto: true },
  ],
})

export { expect } from '@playwright/test'

/** Opens a page and waits until it answers: before React has taken it over, buttons do nothing. */
export async function visit(page: Page, path: string): Promise<Response | null> {
  const reply = await page.goto(path)
  await untilHydrated(page)
  return reply
}

/** React tells nobody when it has taken a page over; its root knows. */
export async function untilHydrated(page: Page) {
  await page.waitForFunction(() => {
    const roots = document as unknown as Record<string, { stateNode: { current: { memoizedState: unknown } } }>
    const root = roots[Object.keys(roots).find((name) => name.startsWith('__reactContainer$')) ?? '']
    const state = root?.stateNode.current.memoizedState as { isDehydrated: boolean } | null | undefined
    // Forms that load per type of question are hydrated after the page around them. Those that load when they are seen are
    // disabled until then.
    const controls = [...document.querySelectorAll('main input:enabled, main textarea:enabled')]
    const areTaken = controls.every((control) => Object.keys(control).some((name) => name.startsWith('__reactProps$')))
    return state?.isDehydrated === false && areTaken
  })
}

/** Types a part of a title into a chooser and picks what fits. */
export async function choose(within: Page | Locator, label: string, typed: string, option: RegExp) {
  await within.getByRole('combobox', { name: label, exact: true }).fill(typed)
  await within.getByRole('option', { name: option }).click()
}

/** The widths at which every page has to be right. */
export const widths = [375, 820, 1440] as const

/**
 * At each width, in light and dark: nothing sticks out sideways, and axe finds nothing. Nothing sticks out at 320 px or
 * at a zoom of 200% either.
 */
export async function expectGoodPage(page: Page) {
  const before = page.viewportSize()
  await expectNoOverflowAnywhere(page, [])
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoOverflow(page)
    await expectNoAxeViolationsInEitherTheme(page)
  }
  if (before !== null) await page.setViewportSize(before)
}

export async function expectNoAxeViolationsInEitherTheme(page: Page) {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoAxeViolations(page)
  // Only colours change with the theme.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoAxeViolations(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] })
  await page.emulateMedia({ colorScheme: null })
}

/** The narrowest window of WCAG 1.4.10, and what a window of 1280 px leaves when it is zoomed to 200% (1.4.4). */
const zoomedWidths = [320, 640]

export async function expectNoOverflowAnywhere(page: Page, others: readonly number[] = widths) {
  const before = page.viewportSize()
  for (const width of [...zoomedWidths, ...others]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoOverflow(page)
  }
  if (before !== null) await page.setViewportSize(before)
}

export async function expectNoOverflow(page: Page) {
  const { content, window, widest } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => scrollWidth > clientWidth && element.getBoundingClientRect().right > clientWidth + 1,
    )
    return {
      content: scrollWidth,
      window: clientWidth,
      widest: wide.slice(-3).map((element) => element.outerHTML.slice(0, 160)),
    }
  })
  const problem = `the page at ${page.url()} is wider than its window of ${window} px: ${widest.join(' … ')}`
  expect.soft(content, problem).toBeLessThanOrEqual(window)
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const wcag: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

export async function expectNoAxeViolations(page: Page, rules = wcag) {
  const found = await findAxeViolations(page, rules)
  const { width } = page.viewportSize() ?? { width: 0 }
  expect(found, `axe at ${page.url()}, ${width} px wide`).toEqual([])
}

/** What goes against WCAG 2.2, levels A and AA, as far as a machine sees it. */
export async function findAxeViolations(page: Page, rules = wcag): Promise<string[]> {
  // The content security policy forbids foreign script elements; what the debugger evaluates is not one.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(async (runOnly) => {
    // What a header that stays happens to cover in the middle of a page is no fault of the page.
    window.scrollTo({ top: 0, behavior: 'instant' })
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    const { violations } = await axe.run({
      runOnly,
      resultTypes: ['violations'],
      selectors: false,
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  }, rules)
}

export type Mail = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string }

/** The newest mail to an address whose subject fits; waits until it has arrived. */
export async function mailTo(address: string, subject: RegExp = /./): Promise<Mail> {
  let mail: Mail | undefined
  await expect
    .poll(
      async () => {
        const reply = await fetch(`${serverUrl()}/demo/outbox`, { headers: { accept: 'application/json' } })
        const mails = (await reply.json()) as Mail[]
        mail = mails.find((one) => one.to.includes(address) && subject.test(one.subject))
        return mail !== undefined
      },
      { message: `a mail to ${address}`, timeout: 60_000 },
    )
    .toBe(true)
  return mail!
}

/** The first link of a mail to our own site. */
export function linkIn(mail: Mail): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((one) => one.startsWith(serverUrl()))
  if (link === undefined) throw new Error(`no link of ours in: ${mail.text}`)
  return link
}

/** Fills in the form to sign up, and submits it. */
export async function signUp(page: Page, user: BrowserUser) {
  await visit(page, '/register')
  await page.getByLabel('Full Name').fill(user.name)
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByLabel('Confirm Password').fill(user.password)
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** Registers through the form and follows the link of the mail. Ends on the page that the link leads to. */
export async function registerAndVerify(page: Page, user: BrowserUser) {
  await signUp(page, user)
  await expect(page).toHaveURL(/\/login/)
  await visit(page, linkIn(await mailTo(user.email, /verify/i)))
  await expect(page.getByText('Your email address is verified.').first()).toBeVisible()
}

/** Signs in through the form; ends on the page that sign-in leads to. */
export async function signIn(page: Page, user: BrowserUser) {
  await visit(page, '/login')
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).not.toHaveURL(/\/login/)
}

function serverUrl(): string {
  const url = process.env['E2E_URL']
  if (url === undefined) throw new Error('E2E_URL is not set: start-server.ts sets it')
  return url
}
