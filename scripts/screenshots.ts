// npm run screenshots: the screens as they are now, in screenshots/. With --readme only the picture of README.md, in docs/.
import { mkdir } from 'node:fs/promises'
import { chromium, type Browser, type Page } from '@playwright/test'
import { admin } from '../tests/e2e/people.ts'
import startServer from '../tests/e2e/start-server.ts'
import { untilHydrated } from '../tests/e2e/support.ts'
import { chromiumArguments, findChromium } from '../tests/support/chromium.ts'

const widths = [375, 820, 1440]
const themes = ['light', 'dark'] as const

type Screens = Readonly<Record<string, (page: Page) => Promise<unknown>>>

const COURSE = 'aws-certified-cloud-practitioner'
const at = (path: string) => (page: Page) => page.goto(path)

/** By file name: how one gets there. */
const guestScreens: Screens = {
  home: at('/'),
  'home-level': at('/?level=associate'),
  'home-nothing-found': at('/?q=nothing+of+the+kind'),
  course: at(`/course/${COURSE}`),
  'course-preview': at(`/course/${COURSE}?mode=preview`),
  'exam-start': (page) => page.goto(`/course/${COURSE}?mode=preview`).then(() => follow(page, /\/exam\//, '/preview')),
  exam: async (page) => {
    await page.goto(`/course/${COURSE}?mode=preview`)
    await follow(page, /\/exam\/.*\/preview$/)
    await page.getByText(/^Question 1 of/).waitFor()
  },
  cart: async (page) => {
    await page.goto(`/course/${COURSE}`)
    await untilHydrated(page)
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByRole('button', { name: /^Open cart, / }).click()
    await page.getByRole('dialog', { name: 'Your cart' }).waitFor()
  },
  feedback: async (page) => {
    await page.goto('/login')
    await untilHydrated(page)
    await page.getByRole('button', { name: 'Feedback' }).click()
    await page.getByLabel('Your feedback').waitFor()
  },
  menu: async (page) => {
    await page.goto('/')
    await untilHydrated(page)
    const button = page.getByRole('button', { name: 'Open menu' })
    if (await button.isVisible()) await button.click()
  },
  login: at('/login'),
  register: at('/register'),
  'forgot-password': at('/forgot-password'),
  'reset-password': at('/reset-password?token=some'),
  'verify-email': at('/verify-email?token=too-old'),
  'payment-success-guest': at('/payment-success?session_id=cs_test_1'),
  'not-found': at('/no-such-page'),
  'api-docs': at('/api/docs'),
  offline: async (page) => {
    await page.goto('/')
    await untilHydrated(page)
    await page.context().setOffline(true)
    await page.getByText(/^No internet connection/).waitFor()
  },
}
/** Of the admin, who may also study. */
const signedInScreens: Screens = {
  'my-courses': at('/my-courses'),
  'delete-account': at('/delete-account'),
  drills: at(`/course/${COURSE}/drill`),
  'exam-review': (page) => page.goto('/my-courses').then(() => follow(page, /^\/exam-review\//)),
  'payment-success': at('/payment-success?session_id=cs_test_of_nobody'),
  redeem: at('/redeem/NO-SUCH-CODE'),
  dashboard: at('/admin'),
  'course-management': at('/admin/course-management'),
  'course-record': (page) => page.goto('/admin/course-management').then(() => follow(page, COURSE_RECORD)),
  'exam-record': async (page) => {
    await page.goto('/admin/course-management')
    await follow(page, COURSE_RECORD)
    await follow(page, /^\/admin\/exams\/[^/]+$/)
  },
  pricing: at('/admin/pricing'),
  orders: at('/admin/orders'),
  order: (page) => page.goto('/admin/orders').then(() => follow(page, /^\/admin\/orders\/./)),
  reports: at('/admin/reports'),
  work: at('/admin/work'),
  people: at('/admin/manage-users'),
}
const COURSE_RECORD = /^\/admin\/course-management\/[^/]{30,}$/

async function run() {
  const stop = await startServer()
  const executablePath = findChromium()
  const browser = await chromium.launch({
    args: chromiumArguments,
    ...(executablePath === null ? {} : { executablePath }),
  })
  try {
    if (process.argv.includes('--readme')) await pictureForReadme(browser)
    else await pictureAll(browser)
  } finally {
    await browser.close()
    await stop()
  }
}

async function pictureForReadme(browser: Browser) {
  const page = await newPage(browser, 1280, 'light')
  await page.goto('/')
  await untilHydrated(page)
  await page.screenshot({ path: 'docs/screenshot.png' })
}

async function pictureAll(browser: Browser) {
  await mkdir('screenshots', { recursive: true })
  let isLivedIn = false
  for (const width of widths)
    for (const theme of themes) {
      const guest = await newPage(browser, width, theme)
      await pictureEach(guest, guestScreens, `${width}-${theme}`)
      await guest.context().close()
      const signedIn = await newPage(browser, width, theme)
      await signIn(signedIn)
      if (!isLivedIn) await liveIn(signedIn)
      isLivedIn = true
      await pictureEach(signedIn, signedInScreens, `${width}-${theme}`)
      await signedIn.context().close()
    }
}

async function pictureEach(page: Page, screens: Screens, suffix: string) {
  for (const [name, open] of Object.entries(screens)) {
    await open(page)
    await untilHydrated(page)
    await page.screenshot({ path: `screenshots/${name}-${suffix}.png`, fullPage: true })
  }
}

/** A finished exam, an order and a word of feedback, so that the screens have something to show. */
async function liveIn(page: Page) {
  await page.evaluate(async (slug) => {
    const ask = async (method: string, path: string, body?: object) =>
      (
        await fetch(path, {
          method,
          ...(body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        })
      ).json()
    const { id } = (await ask('GET', `/api/courses/${slug}`)) as { id: string }
    const { exams } = (await ask('GET', `/api/test_questions?course_id=${id}`)) as { exams: { slug: string }[] }
    const attempt = (await ask('POST', '/api/attempts', { examSlug: exams[0]?.slug, mode: 'practice' })) as {
      id: string
    }
    await ask('POST', `/api/attempts/${attempt.id}/finish`, {})
    await ask('POST', '/api/functions/create-cart-payment', { cartItems: [{ id, quantity: 1 }] })
    await ask('POST', '/api/feedback', {
      id: crypto.randomUUID(),
      type: 'suggestion',
      message: 'More exams about networking, please.',
      context: '/',
    })
  }, COURSE)
}

/** Goes where the first link of this form leads. */
async function follow(page: Page, path: RegExp, without = '') {
  const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const found = links.find((link) => path.test(link))
  if (found === undefined) throw new Error(`no link to ${path} at ${page.url()}`)
  await page.goto(found.replace(without, ''))
}

async function newPage(browser: Browser, width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({
    baseURL: process.env['E2E_URL'] ?? '',
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  return context.newPage()
}

async function signIn(page: Page) {
  await page.goto('/login')
  await untilHydrated(page)
  await page.getByLabel('Email address').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
}

await run()
