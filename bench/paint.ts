import { chromium, type Browser } from '@playwright/test'
import { chromiumArguments, findChromium } from '../tests/support/chromium.ts'
import { limitRow, median, type Row } from './table.ts'

/** A slow phone on a slow network: a quarter of this CPU, 1.6 Mbit/s, 150 ms latency. */
const CPU_SLOWER = 4
const LATENCY_MS = 150
const DOWN_BYTES = 1_600_000 / 8
const UP_BYTES = 750_000 / 8
const ROUNDS = 5
const LCP_LIMIT_S = 1.5
const SHIFT_LIMIT = 0.02

/** Largest contentful paint and layout shift of first visits. */
export async function benchPaint(url: string): Promise<Row[]> {
  const executablePath = findChromium()
  const browser = await chromium.launch({
    args: chromiumArguments,
    ...(executablePath === null ? {} : { executablePath }),
  })
  try {
    const pages = [
      ['/', `${url}/`],
      ['a course page', await firstCourse(url)],
    ] as const
    const rows: Row[] = []
    for (const [name, address] of pages) {
      const seen: Paint[] = []
      for (let round = 0; round < ROUNDS; round += 1) seen.push(await paintOf(browser, address))
      const largest = median(seen.map(({ largestMs }) => largestMs))
      const shift = Math.max(...seen.map(({ shift }) => shift))
      rows.push(
        limitRow(`largest paint of ${name}, slow phone (median of ${ROUNDS})`, largest / 1000, LCP_LIMIT_S, 's', 2),
        limitRow(`layout shift of ${name}, slow phone (worst of ${ROUNDS})`, shift, SHIFT_LIMIT, '', 3),
      )
    }
    return rows
  } finally {
    await browser.close()
  }
}

type Paint = { readonly largestMs: number; readonly shift: number }

async function paintOf(browser: Browser, address: string): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width: 375, height: 812 }, deviceScaleFactor: 2 })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: DOWN_BYTES,
    uploadThroughput: UP_BYTES,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER })
  await page.addInitScript(() => {
    const seen = { largestMs: 0, shift: 0, at: 0 }
    Object.assign(window, { seenPaint: seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        seen.largestMs = entry.startTime
        seen.at = performance.now()
      }
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        seen.shift += (entry as PerformanceEntry & { value: number }).value
        seen.at = performance.now()
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(address, { waitUntil: 'load' })
  // Wait until React has hydrated the page, and no new paint or shift was reported for two seconds.
  await page.waitForFunction(() => {
    const { at, largestMs } = (window as unknown as { seenPaint: { at: number; largestMs: number } }).seenPaint
    const isStarted = 'started' in document.documentElement.dataset
    return isStarted && largestMs > 0 && performance.now() - at > 2000
  })
  const paint = await page.evaluate(() => (window as unknown as { seenPaint: Paint }).seenPaint)
  await context.close()
  return paint
}

async function firstCourse(url: string): Promise<string> {
  const html = await (await fetch(url)).text()
  const path = /href="(\/course\/[^"?]+)"/.exec(html)?.[1]
  if (path === undefined) throw new Error('no course was found in the page')
  return `${url}${path}`
}
