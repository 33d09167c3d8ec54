// npm run screenshots: the screens as they are now, in screenshots/. With --readme only the picture of README.md, in docs/.
import { mkdir } from 'node:fs/promises'
import { chromium, type Browser, type Page } from '@playwright/test'
import { admin } from '../tests/e2e/people.ts'
import startServer from '../tests/e2e/start-server.ts'
import { chromiumArguments, findChromium } from '../tests/support/chromium.ts'

const widths = [375, 820, 1440]
const themes = ['light', 'dark'] as const

/** By file name: how one gets there. */
const guestScreens: Record<string, (page: Page) => Promise<unknown>> = {
  home: (page) => page.goto('/'),
  course: (page) => page.goto('/').then(() => openFirstCourse(page)),
  exam: async (page) => {
    await page.goto('/')
    await openFirstCourse(page)
    const exam = page.getByRole('link', { name: /^Try For Free: / }).first()
    await page.goto((await exam.getAttribute('href')) ?? '')
    await page.getByText(/^Question 1 of/).waitFor()
  },
  login: (page) => page.goto('/login'),
  register: (page) => page.goto('/register'),
  'not-found': (page) => page.goto('/no-such-page'),
}
const adminScreens: Record<string, (page: Page) => Promise<unknown>> = {
  'my-courses': (page) => page.goto('/my-courses'),
  dashboard: (page) => page.goto('/admin'),
  'course-management': (page) => page.goto('/admin/course-management'),
}

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
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.screenshot({ path: 'docs/screenshot.png' })
}

async function pictureAll(browser: Browser) {
  await mkdir('screenshots', { recursive: true })
  for (const width of widths)
    for (const theme of themes) {
      const guest = await newPage(browser, width, theme)
      await pictureEach(guest, guestScreens, `${width}-${theme}`)
      const signedIn = await newPage(browser, width, theme)
      await signIn(signedIn)
      await pictureEach(signedIn, adminScreens, `${width}-${theme}`)
    }
}

async function pictureEach(page: Page, screens: typeof guestScreens, suffix: string) {
  for (const [name, open] of Object.entries(screens)) {
    await open(page)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: `screenshots/${name}-${suffix}.png`, fullPage: true })
  }
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

async function openFirstCourse(page: Page) {
  await page.getByRole('main').getByRole('article').first().getByRole('heading').getByRole('link').click()
  await page.getByRole('heading', { name: 'Exams', exact: true }).waitFor()
}

async function signIn(page: Page) {
  await page.goto('/login', { waitUntil: 'networkidle' })
  await page.getByLabel('Email address').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
}

await run()
