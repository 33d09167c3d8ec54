import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createApplication, type Application } from '../../src/app/server/application.server.ts'
import type { RenderPage } from '../../src/app/server/guest-pages.server.ts'
import { openServices, type Services } from '../../src/app/server/services.server.ts'
import type { Clock } from '../../src/platform/clock.server.ts'
import { readEnv } from '../../src/platform/env.server.ts'
import { createLog } from '../../src/platform/log.server.ts'
import { NAMES_HEADER, TODAY } from '../../src/platform/build-id.ts'
import { aDatabase } from './test-database.ts'

/** A clock that tests can advance. It starts at the real time, to be consistent with timestamps from the database. */
export type TestClock = Clock & { forward(milliseconds: number): void }

export function aClock(): TestClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    forward(milliseconds) {
      offset += milliseconds
    },
  }
}

export type TestApp = {
  readonly url: string
  readonly services: Services
  readonly application: Application
  readonly clock: TestClock
  /** Creates a visitor with a separate cookie jar. */
  visitor(): Visitor
  /** Waits for an email to the address, and returns the newest one. @throws Error after 15 seconds */
  mailTo(address: string): Promise<{ subject: string; text: string; html: string }>
}

const noPages: RenderPage = () => Promise.resolve(new Response('no pages in this test', { status: 501 }))

/**
 * Starts the application with its emulators on a free port and a database of its own. Pages are not built; a test may pass its
 * own `pages`, and browser tests cover the real ones.
 */
export async function startApp(
  environment: Record<string, string> = {},
  pages: RenderPage = noPages,
  findFile: (request: Request) => Response | null = () => null,
): Promise<TestApp> {
  const database = await aDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'altocert-app-'))
  // Listen before opening anything else, so that no other process can take the port.
  const server: Server = createServer((request, response) => application.listener(request, response))
  const port = await listen(server)
  const env = readEnv({
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'error',
    // One admin of a test does here at once what admins do in days. Tests of the limits set their own, or none for the defaults.
    LIMITS: 'export=1000,import=1000',
    ...environment,
  })
  const clock = aClock()
  const services = await openServices(env, createLog(env.logLevel), { testClock: clock })
  const application = await createApplication(services, pages, findFile)
  await services.emulators.start()
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await application.close()
    await services.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    url,
    services,
    application,
    clock,
    visitor: () => new Visitor(url),
    async mailTo(address) {
      const deadline = Date.now() + 15_000
      for (;;) {
        const reply = await fetch(`${url}/demo/outbox`, { headers: { accept: 'application/json' } })
        const mails = (await reply.json()) as { to: string; subject: string; text: string; html: string }[]
        const mail = mails.find(({ to }) => to.includes(address))
        if (mail !== undefined) return mail
        if (Date.now() > deadline) throw new Error(`no email to ${address} arrived`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

export type Reply = { readonly status: number; readonly body: unknown; readonly headers: Headers }

/** An HTTP client with the cookies and the Origin header of a browser. */
export class Visitor {
  readonly #cookies = new Map<string, string>()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        origin: this.#url,
        cookie: this.cookies,
        [NAMES_HEADER]: TODAY,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      if (/Max-Age=0/.test(cookie)) this.#cookies.delete(pair.slice(0, at))
      else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const text = await response.text()
    return { status: response.status, body: asJson(text), headers: response.headers }
  }

  /** The cookie header, for connections that don't use `call`. */
  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  get = (path: string, headers?: Record<string, string>) => this.call('GET', path, undefined, headers)
  post = (path: string, body: unknown = {}, headers?: Record<string, string>) => this.call('POST', path, body, headers)
  put = (path: string, body: unknown) => this.call('PUT', path, body)
  patch = (path: string, body: unknown) => this.call('PATCH', path, body)
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
