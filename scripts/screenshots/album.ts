import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { findAxeViolations, untilHydrated } from '../../tests/e2e/e2e-test.ts'
import { viewers, type Cookies, type Lived, type Viewer } from './lived-in-shop.ts'

export const widths = [375, 820, 1440] as const
export const themes = ['light', 'dark'] as const

/** One screen in one state: who looks at it, where it is, and what to do there until it is as it shall be seen. */
export type Screenshot = {
  readonly name: string
  readonly who: Viewer
  readonly path: string | ((lived: Lived) => string)
  readonly reach?: (page: Page, lived: Lived) => Promise<unknown>
  /** What runs before the page is opened. */
  readonly before?: (page: Page, lived: Lived) => Promise<unknown>
  /** Where it looks like this only on some screens. */
  readonly widths?: readonly number[]
}

/** Taller pages are cut: what comes below repeats what is above. */
const TALLEST = 4000
const CAMERAS = 2

type Taken = { readonly screenshot: Screenshot; readonly files: readonly string[] }

/** Takes every picture, and says what could not be reached and what is wrong there. A picture has a browser of its own, so none hangs on another. */
export async function takeAll(
  browser: Browser,
  options: {
    screenshots: readonly Screenshot[]
    url: string
    lived: Lived
    cookies: Record<Viewer, Cookies>
    folder: string
  },
): Promise<{ taken: Taken[]; problems: string[] }> {
  const waiting = [...options.screenshots]
  const taken: Taken[] = []
  const problems: string[] = []
  const camera = async () => {
    for (let screenshot = waiting.shift(); screenshot !== undefined; screenshot = waiting.shift())
      try {
        const { files, faults } = await takeOne(browser, screenshot, options)
        taken.push({ screenshot, files })
        problems.push(...faults)
      } catch (error) {
        problems.push(
          `NOT REACHED ${screenshot.who} ${screenshot.name}: ${error instanceof Error ? error.message : String(error)}`,
        )
      }
  }
  await Promise.all(Array.from({ length: CAMERAS }, camera))
  return { taken, problems }
}

async function takeOne(
  browser: Browser,
  screenshot: Screenshot,
  { url, lived, cookies, folder }: Parameters<typeof takeAll>[1],
): Promise<{ files: string[]; faults: string[] }> {
  const shown = screenshot.widths ?? widths
  const context = await browser.newContext({
    baseURL: url,
    storageState: cookies[screenshot.who],
    viewport: { width: shown[0] ?? 375, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
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
    // Pages of the stand-ins and those that could not start have no React on them.
    if (screenshot.before === undefined) await untilHydrated(page)
    await screenshot.reach?.(page, lived)
    for (const width of shown)
      for (const theme of themes) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: theme })
        const file = `${screenshot.who}-${screenshot.name}-${width}-${theme}.png`
        await shoot(page, join(folder, file), width)
        files.push(file)
        for (const fault of await lookAt(page, width, shown)) faults.push(`${file}: ${fault}`)
      }
  } finally {
    await context.close()
  }
  return { files, faults }
}

/** What is wrong with a screen as far as a machine sees it: what is wider than the window, and what axe finds at both ends. */
async function lookAt(page: Page, width: number, shown: readonly number[]): Promise<string[]> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  const isEnd = width === shown[0] || width === shown.at(-1)
  return [...(wide > width ? [`${wide} px wide`] : []), ...(isEnd ? await findAxeViolations(page) : [])]
}

/**
 * The whole page in a window as tall as it, so that what stays at the bottom is there; what the window shows where a dialog
 * covers it.
 */
async function shoot(page: Page, path: string, width: number) {
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

/** A page to look through all of them, by who looks. */
export async function writeAlbum(folder: string, taken: readonly Taken[], order: readonly Screenshot[]) {
  const inOrder = order.flatMap((screenshot) => taken.find((one) => one.screenshot === screenshot) ?? [])
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
<h1>Screens</h1><p>Each at ${widths.join(', ')} px, in light and dark. Click one to see it whole.</p>${parts.join('\n')}</html>\n`,
  )
}
