import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'pg'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { admin } from './shared-users.ts'
import { dataFolder, launch, untilReady } from './server-process.ts'

export type OwnServer = {
  readonly url: string
  /** Changes the database behind the server's back. */
  sql(text: string): Promise<void>
  /** The same in a transaction that stays open, such as a lock, until what it gives is called. */
  hold(text: string): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** A server beside the shared one, without courses, for what the shared one must not become: empty, at odds with its database, gone. */
export async function anOwnServer(
  options: { readonly port?: number; readonly url?: string; readonly environment?: Record<string, string> } = {},
): Promise<OwnServer> {
  const folder = await dataFolder()
  const server = launch(folder.path, options.port ?? (await freePort()), {
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    DEMO_CATALOGUE: 'off',
    LOG_LEVEL: 'silent',
    ...(options.url === undefined ? {} : { APP_URL: options.url }),
    ...options.environment,
  })
  const url = options.url ?? server.url
  const stop = async () => {
    server.child.kill('SIGTERM')
    await server.ended
    await folder.remove()
  }
  await untilReady({ ...server, url }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const connect = async () => {
    const database = await startEmbedded({ dataDir: folder.path })
    const client = new Client({ connectionString: database.url })
    const end = async () => {
      await client.end()
      await database.stop()
    }
    await client.connect()
    return { client, end }
  }
  return {
    url,
    async sql(text) {
      const { client, end } = await connect()
      await client.query(text).finally(end)
    },
    async hold(text) {
      const { client, end } = await connect()
      await client.query(`begin; ${text}`)
      return end
    },
    stop,
  }
}

export type Proxy = {
  readonly url: string
  /** Keeps the next request with such an address from the server, once. Tells how many such requests came since. */
  failNext(address: RegExp): () => number
  close(): Promise<void>
}

/** What many shops stand behind: it passes everything on, and answers in its own words when nobody is there. */
export async function aProxyBefore(port: number): Promise<Proxy> {
  let watched: { readonly address: RegExp; count: number } | null = null
  const isToFail = (url = '') => {
    if (watched?.address.test(url) !== true) return false
    watched.count += 1
    return watched.count === 1
  }
  const reportAway = (answer: ServerResponse) =>
    answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
  const proxy = createServer((asked, answer) => {
    const { method, url, headers } = asked
    if (isToFail(url)) return void reportAway(answer)
    const passed = request({ host: 'localhost', port, path: url, method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.on('error', () => answer.destroy())
      reply.pipe(answer)
    })
    passed.on('error', () => {
      if (answer.headersSent) answer.destroy()
      else reportAway(answer)
    })
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve))
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    failNext(address) {
      const watch = { address, count: 0 }
      watched = watch
      return () => watch.count
    },
    async close() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
