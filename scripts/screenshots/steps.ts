import type { Page } from '@playwright/test'
import type { Screenshot } from './album.ts'
import type { DemoShop, Viewer } from './lived-in-shop.ts'

export const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()
export const sees = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor()

/** Runs the steps in sequence. */
export const steps =
  (...all: ((page: Page, lived: DemoShop) => Promise<unknown>)[]) =>
  async (page: Page, lived: DemoShop) => {
    for (const step of all) await step(page, lived)
  }
export const fillIn = (fields: Readonly<Record<string, string>>) => async (page: Page) => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}
export const narrow = [375] as const

export type Row = readonly [path: Screenshot['path'], reach?: Screenshot['reach'], widths?: readonly number[]]

export function screensOf(who: Viewer, rows: Readonly<Record<string, Row>>): Screenshot[] {
  return Object.entries(rows).map(([name, [path, reach, widths]]) => ({ name, who, path, reach, widths }))
}
