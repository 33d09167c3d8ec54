import type { Page } from '@playwright/test'

/** From a press to the next paint, on a slow phone. */
export const INTERACTION_LIMIT_MS = 100
/** The shortest time that browsers report. */
const SHORTEST_MS = 16
const REPORTED_WITHIN_MS = 2000

type Seen = { readonly at: number; readonly ms: number }
type Noted = { readonly seenInteractions: readonly Seen[] }

/** Notes how long each interaction takes to its next paint (Event Timing). Before the page is opened. */
export async function noteInteractions(page: Page): Promise<void> {
  await page.addInitScript((durationThreshold) => {
    const seen: Seen[] = []
    Object.assign(window, { seenInteractions: seen })
    const options = { type: 'event', durationThreshold, buffered: true }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ((entry as PerformanceEntry & { interactionId: number }).interactionId > 0)
          seen.push({ at: entry.startTime, ms: entry.duration })
    }).observe(options as PerformanceObserverInit)
  }, SHORTEST_MS)
}

/** The slowest event of what `act` does, by trusted input: `() => button.click()`. An interaction below 16 ms counts as 16. */
export async function interactionMs(page: Page, act: () => Promise<void>): Promise<number> {
  const before = await page.evaluate(() => performance.now())
  await act()
  try {
    await page.waitForFunction(
      (since) => (window as unknown as Noted).seenInteractions.some(({ at }) => at >= since),
      before,
      { timeout: REPORTED_WITHIN_MS },
    )
  } catch {
    return SHORTEST_MS
  }
  // Events that are painted together are reported together; the press, its release and the click may be three paints.
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )
  return page.evaluate(
    (since) =>
      Math.max(...(window as unknown as Noted).seenInteractions.filter(({ at }) => at >= since).map(({ ms }) => ms)),
    before,
  )
}
