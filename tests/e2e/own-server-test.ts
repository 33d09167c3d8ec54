import type { Page } from '@playwright/test'
import { anOwnServer, type OwnServer } from './own-server.ts'
import { test as base } from './e2e-test.ts'

export type StartServer = (
  options?: Parameters<typeof anOwnServer>[0],
) => Promise<OwnServer & { newPage(): Promise<Page> }>

/** `startServer` starts a server of the test's own, which ends with the test, also when that fails. */
export const test = base.extend<{ startServer: StartServer }>({
  startServer: async ({ browser }, use) => {
    const running: OwnServer[] = []
    await use(async (options) => {
      const server = await anOwnServer(options)
      running.push(server)
      const newPage = async () =>
        (await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce', serviceWorkers: 'block' })).newPage()
      return { ...server, newPage }
    })
    await Promise.all(running.map((server) => server.stop()))
  },
})
