import type { Page } from '@playwright/test'

type Noted = { readonly seenStart: { readonly startedAt: number } }

/** Notes when React has taken the page over, which is when the page is usable. Before the page is opened. */
export async function noteStart(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { startedAt: 0 }
    Object.assign(window, { seenStart: seen })
    new MutationObserver(() => {
      if (seen.startedAt === 0 && 'started' in document.documentElement.dataset) seen.startedAt = performance.now()
    }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-started'] })
  })
}

/** The page and what it requested before it was usable. */
export async function requestsBeforeStart(page: Page): Promise<string[]> {
  await page.waitForFunction(() => (window as unknown as Noted).seenStart.startedAt > 0)
  return page.evaluate(() => [
    location.href,
    ...performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < (window as unknown as Noted).seenStart.startedAt)
      .map(({ name }) => name),
  ])
}

/** When the page became usable, in milliseconds since its navigation began. */
export async function startOf(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as Noted).seenStart.startedAt)
}
