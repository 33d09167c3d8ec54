import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext } from '@playwright/test'
import { chromiumArguments, findChromium } from '../support/chromium.ts'

export type OwnBrowser = {
  /** Starts the browser; what was kept in its folder is there. */
  open(): Promise<BrowserContext>
  /** Ends the whole browser, not only its pages. */
  close(): Promise<void>
  remove(): Promise<void>
}

/** A browser with a folder of its own, as people have: it can be closed and started again. */
export async function anOwnBrowser(): Promise<OwnBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'altocert-browser-'))
  const executablePath = findChromium('whole')
  let context: BrowserContext | null = null
  const close = async () => {
    await context?.close()
    context = null
  }
  return {
    async open() {
      context = await chromium.launchPersistentContext(folder, {
        args: chromiumArguments,
        ...(executablePath === null ? {} : { executablePath }),
        baseURL: process.env['E2E_URL'] ?? '',
        reducedMotion: 'reduce',
        serviceWorkers: 'allow',
        locale: 'en-US',
        timezoneId: 'UTC',
      })
      return context
    },
    close,
    async remove() {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
