import { startEmbedded, type EmbeddedServer } from '../../src/db/embedded/embedded.server.ts'
import { openDatabase, type OpenDatabase } from '../../src/db/open.server.ts'
import { startSwallowingProxy, type SwallowingProxy } from './swallowing-proxy.ts'

/** Joins the shop's embedded server for a look, and leaves it. */
export async function withDatabase<Result>(
  dataDir: string,
  look: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const embedded = await startEmbedded({ dataDir })
  const database = openDatabase(embedded.url, { connections: 2 })
  try {
    return await look(database)
  } finally {
    await database.close()
    await embedded.stop()
  }
}

/**
 * For half-open connections: this process keeps the embedded server, as the shop does otherwise, and the shop gets an address that
 * leads through the proxy.
 */
export async function startProxied(
  dataDir: string,
): Promise<{ readonly url: string; readonly proxy: SwallowingProxy; stop(): Promise<void> }> {
  const embedded: EmbeddedServer = await startEmbedded({ dataDir })
  const url = new URL(embedded.url)
  const proxy = await startSwallowingProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  return {
    url: url.href,
    proxy,
    async stop() {
      await proxy.close()
      await embedded.stop()
    },
  }
}
