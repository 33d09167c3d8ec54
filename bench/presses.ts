import type { Browser, Page } from '@playwright/test'
import { INTERACTION_LIMIT_MS, interactionMs, noteInteractions } from './interaction.ts'
import type { BenchServer } from './server.ts'
import { launchBrowser, slowPhone } from './slow-phone.ts'
import { limitRow, median, type Row } from './table.ts'

const ROUNDS = 5

/** What a guest presses first, on a slow phone with an empty cache: each press to the next paint. */
export async function benchPresses({ url }: BenchServer): Promise<Row[]> {
  const browser = await launchBrowser()
  const seen = { add: [] as number[], open: [] as number[], openAgain: [] as number[] }
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await usableHome(browser, url)
      const cart = page.getByRole('button', { name: /^Open cart/ })
      seen.open.push(await interactionMs(page, () => cart.click()))
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      seen.add.push(
        await interactionMs(page, () =>
          page
            .getByRole('button', { name: /^Add to Cart/ })
            .first()
            .click(),
        ),
      )
      seen.openAgain.push(await interactionMs(page, () => cart.click()))
      await page.context().close()
    }
  } finally {
    await browser.close()
  }
  return [
    pressRow('open cart, empty and not loaded yet', seen.open),
    pressRow('add to cart', seen.add),
    pressRow('open cart with a course', seen.openAgain),
  ]
}

async function usableHome(browser: Browser, url: string): Promise<Page> {
  const page = await slowPhone(browser, url)
  await noteInteractions(page)
  await page.goto(url)
  await page.waitForFunction(() => 'started' in document.documentElement.dataset)
  await page.waitForLoadState('networkidle')
  return page
}

function pressRow(what: string, times: readonly number[]): Row {
  const row = limitRow(`press to the next paint, slow phone: ${what}`, median(times), INTERACTION_LIMIT_MS, 'ms', 0)
  return { ...row, measured: `${row.measured}  (${Math.min(...times)} to ${Math.max(...times)})` }
}
