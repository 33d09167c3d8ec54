import { chromium, type Browser, type Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '../tests/support/chromium.ts'

/** A slow phone on a slow network: a quarter of this CPU, 1.6 Mbit/s, 150 ms latency. */
export const CPU_SLOWER = 4
export const LATENCY_MS = 150
const DOWN_BYTES = 1_600_000 / 8
const UP_BYTES = 750_000 / 8

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  return chromium.launch({ args: chromiumArguments, ...(executablePath === null ? {} : { executablePath }) })
}

/**
 * A phone in a browser of its own, so that nothing is cached, on a page of another site, from which its user will come: a site's
 * `Cross-Origin-Opener-Policy` makes the browser change processes there as any other site does. From the empty page of a new browser,
 * only a site with that header would pay for the change. `cookie` (name=value) signs in.
 */
export async function phone(browser: Browser, site: string, cookie: string | null = null): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 375, height: 812 }, deviceScaleFactor: 2 })
  if (cookie !== null) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: site }])
  }
  const page = await context.newPage()
  await page.goto('data:text/html,A page of another site')
  return page
}

/** Like `phone`, slow. */
export async function slowPhone(browser: Browser, site: string, cookie: string | null = null): Promise<Page> {
  const page = await phone(browser, site, cookie)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: DOWN_BYTES,
    uploadThroughput: UP_BYTES,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER })
  return page
}
