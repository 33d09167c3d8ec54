import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { findAxeViolations, untilHydrated } from '../../tests/e2e/e2e-test.ts'
import { viewers, type Cookies, type DemoShop, type Viewer } from './lived-in-shop.ts'

export const widths = [375, 820, 1440] as const
export const themes = ['light', 'dark'] as const

/** A screen in one state: the viewer, the path, and the steps to reach the state. */
export type Screenshot = {
  readonly name: string
  readonly who: Viewer
  readonly path: string | ((lived: DemoShop) => string)
  readonly reach?: (page: Page, lived: DemoShop) => Promise<unknown>
  /** Runs before the page is opened. */
  readonly before?: (page: Page, lived: DemoShop) => Promise<unknown>
  /** In a browser without scripts. */
  readonly isScriptless?: true
  /** The viewport widths of this state; default: all. */
  readonly widths?: readonly number[]
}

/** The maximum height of a screenshot in pixels; taller pages repeat themselves below. */
const TALLEST = 4000
const WORKERS = 2

type Taken = { readonly screenshot: Screenshot; readonly files: readonly string[] }

/** Takes the screenshots and lists the problems. Each has its own browser context, so that they are independent. */
export async function takeScreenshots(
  browser: Browser,
  options: {
    screenshots: readonly Screenshot[]
    url: string
    lived: DemoShop
    cookies: Record<Viewer, Cookies>
    folder: string
  },
): Promise<{ taken: Taken[]; problems: string[] }> {
  const waiting = [...options.screenshots]
  const taken: Taken[] = []
  const problems: string[] = []
  const worker = async () => {
    for (let screenshot = waiting.shift(); screenshot !== undefined; screenshot = waiting.shift())
      try {
        const { files, faults } = await takeScreenshot(browser, screenshot, options)
        taken.push({ screenshot, files })
        problems.push(...faults)
      } catch (error) {
        problems.push(
          `NOT REACHED ${screenshot.who} ${screenshot.name}: ${error instanceof Error ? error.message : String(error)}`,
        )
      }
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
  return { taken, problems }
}

async function takeScreenshot(
  browser: Browser,
  screenshot: Screenshot,
  { url, lived, cookies, folder }: Parameters<typeof takeScreenshots>[1],
): Promise<{ files: string[]; faults: string[] }> {
  const shown = screenshot.widths ?? widths
  const context = await browser.newContext({
    baseURL: url,
    storageState: cookies[screenshot.who],
    viewport: { width: shown[0] ?? 375, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    javaScriptEnabled: screenshot.isScriptless !== true,
    timezoneId: 'UTC',
    locale: 'en-US',
  })
  const files: string[] = []
  const faults: string[] = []
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await screenshot.before?.(page, lived)
    await page.goto(typeof screenshot.path === 'string' ? screenshot.path : screenshot.path(lived))
    // The pages that `before` breaks never hydrate.
    if (screenshot.before === undefined && screenshot.isScriptless === undefined) await untilHydrated(page)
    await screenshot.reach?.(page, lived)
    for (const width of shown)
      for (const theme of themes) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: theme })
        const file = `${screenshot.who}-${screenshot.name}-${width}-${theme}.png`
        await capture(page, join(folder, file), width)
        files.push(file)
        for (const fault of await findFaults(page, width, screenshot)) faults.push(`${file}: ${fault}`)
      }
  } finally {
    await context.close()
  }
  return { files, faults }
}

/** Automatic checks of a screen: content wider than the window, and axe violations at the smallest and largest width. */
async function findFaults(page: Page, width: number, screenshot: Screenshot): Promise<string[]> {
  const shown = screenshot.widths ?? widths
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  const isEnd = width === shown[0] || width === shown.at(-1)
  // Axe waits by timers, which do not run without scripts.
  const isJudged = isEnd && screenshot.isScriptless === undefined
  return [...(wide > width ? [`${wide} px wide`] : []), ...(isJudged ? await findAxeViolations(page) : [])]
}

/** Captures the whole page in a window of its height, so that sticky footers are at the bottom. With an open dialog, only the window. */
async function capture(page: Page, path: string, width: number) {
  const { height, isCovered } = await page.evaluate(() => {
    scrollTo(0, 0)
    return {
      height: document.documentElement.scrollHeight,
      isCovered: document.querySelector('dialog[open]') !== null,
    }
  })
  if (!isCovered) await page.setViewportSize({ width, height: Math.min(Math.max(height, 900), TALLEST) })
  await page.screenshot({ path })
}

export async function emptyFolder(folder: string) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
}

/** Writes an HTML page with all screenshots, grouped by viewer. */
export async function writeAlbum(folder: string, taken: readonly Taken[], order: readonly Screenshot[]) {
  const inOrder = order.flatMap((screenshot) => taken.find((entry) => entry.screenshot === screenshot) ?? [])
  const parts = viewers.map((who) => {
    const own = inOrder.filter(({ screenshot }) => screenshot.who === who)
    const links = own.map(({ screenshot }) => `<a href="#${who}-${screenshot.name}">${screenshot.name}</a>`)
    const screens = own.map(
      ({ screenshot, files }) =>
        `<h3 id="${who}-${screenshot.name}">${screenshot.name}</h3><div>${files
          .map((file) => `<a href="${file}"><img loading="lazy" src="${file}" alt="${file}"></a>`)
          .join('')}</div>`,
    )
    return `<h2>${who}</h2><nav>${links.join(' ')}</nav>${screens.join('\n')}`
  })
  const style = `body{font:15px/1.5 system-ui;margin:24px;background:#eef1f6}h2{margin-top:48px;text-transform:capitalize}
h3{margin:32px 0 8px}div{display:flex;gap:12px;overflow-x:auto;align-items:flex-start}nav{display:flex;flex-wrap:wrap;gap:4px 12px}
img{height:420px;width:auto;max-width:640px;object-fit:cover;object-position:top;border:1px solid #c5cedd;background:#fff}`
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>${style}</style>
<h1>Screens</h1><p>Each at ${widths.join(', ')} px, in light and dark. Click one to enlarge it.</p>${parts.join('\n')}</html>\n`,
  )
}
