// npm run dev: the app with hot reload and users to sign in as. None of this is part of the built server.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequestHandler } from 'react-router'
import { createServer, type ViteDevServer } from 'vite'
import type { Application, createApplication } from '../src/app/server/application.server.ts'
import { freePort } from '../src/app/server/free-port.server.ts'
import type { RenderPage } from '../src/app/server/guest-pages.server.ts'
import { serve } from '../src/app/server/listen.server.ts'
import type { openServices, Services } from '../src/app/server/services.server.ts'
import { BadEnvironment, readEnv } from '../src/platform/env.server.ts'
import { createLog } from '../src/platform/log.server.ts'
import { DEV_PASSWORD, devAdmin, ensureDemoYear, ensureDevUsers } from './dev-users.ts'

async function dev(): Promise<void> {
  process.env['NODE_ENV'] = 'development'
  const env = readEnv({
    // Separate from the data of `npm start`, which must not have the users below.
    DATA_DIR: './data/dev',
    ADMIN_EMAIL: devAdmin.email,
    ADMIN_PASSWORD: DEV_PASSWORD,
    LOG_LEVEL: 'warn',
    ...process.env,
  })
  const log = createLog(env.logLevel)
  const hotPort = await freePort()
  const vite = await createServer({
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: { host: 'localhost', port: hotPort } },
  })
  // React Router's plugin has a second Vite, whose handler would end the process before the database is closed.
  process.removeAllListeners('SIGTERM')
  // Load services with Vite, like the application, so that both share the same Failure class.
  const { openServices: open } = await load<{ openServices: typeof openServices }>(vite, 'services')
  const services = await open(env, log, { isSeeded: true })
  const { db } = services.database
  await serve(services, hotApplication(vite, services, hotPages(vite, hotPort)))
  // Never add users with a known password to an external database.
  if (env.isLoopback && env.database === null) {
    console.log(await ensureDevUsers(db, services.clock.now()))
    await ensureDemoYear(db, services.clock.now())
  }
}

function load<Module>(vite: ViteDevServer, name: string): Promise<Module> {
  return vite.ssrLoadModule(`/src/app/server/${name}.server.ts`) as Promise<Module>
}

/** Recreates the application at the first request after a file change. The services stay open. */
function hotApplication(vite: ViteDevServer, services: Services, pages: RenderPage): Application {
  const stableServices = { ...services, jobs: withStableHandlers(services.jobs) }
  let current: Promise<Application> | null = null
  let isStale = true
  vite.watcher.on('all', () => (isStale = true))

  async function recreate(before: Promise<Application> | null): Promise<Application> {
    await (await before?.catch(() => null))?.close()
    const { createApplication: create } = await load<{ createApplication: typeof createApplication }>(
      vite,
      'application',
    )
    return create(stableServices, pages, () => null)
  }
  function newest(): Promise<Application> {
    if (current !== null && !isStale) return current
    isStale = false
    current = recreate(current)
    // Retry at the next request, when the error may be fixed.
    current.catch(() => (isStale = true))
    return current
  }
  async function answer(request: IncomingMessage, response: ServerResponse) {
    try {
      const { listener } = await newest()
      listener(request, response)
    } catch (error) {
      if (error instanceof Error) vite.ssrFixStacktrace(error)
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      console.error(text)
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
    }
  }
  return {
    listener: (request, response) => vite.middlewares(request, response, () => void answer(request, response)),
    fetch: async (request) => (await newest()).fetch(request),
    endpoints: [],
    beginShutdown: () => void current?.then((application) => application.beginShutdown()),
    retire: () => undefined,
    figures: () => [],
    async close() {
      await (await current)?.close()
      await vite.close()
    },
  }
}

/** Registers each recurring job once, and runs the handler of the newest application. */
function withStableHandlers(jobs: Services['jobs']): Services['jobs'] {
  const handlers = new Map<string, () => Promise<void>>()
  return {
    ...jobs,
    every(name, seconds, handle) {
      if (!handlers.has(name)) jobs.every(name, seconds, async () => handlers.get(name)?.())
      handlers.set(name, handle)
    },
  }
}

/** Renders pages with Vite. Relaxes the content security policy so that Vite's client can connect and show errors. */
function hotPages(vite: ViteDevServer, hotPort: number): RenderPage {
  const build = () => vite.ssrLoadModule('virtual:react-router/server-build')
  const handle = createRequestHandler(build as Parameters<typeof createRequestHandler>[0], 'development')
  return async (request, context) => {
    const reply = await handle(request, context)
    const policy = reply.headers.get('content-security-policy')
    if (policy === null) return reply
    const relaxed = policy
      .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
      .replace("connect-src 'self'", `connect-src 'self' ws://localhost:${hotPort}`)
    reply.headers.set('content-security-policy', relaxed)
    return reply
  }
}

dev().catch((error: unknown) => {
  console.error(error instanceof BadEnvironment ? error.message : error)
  process.exit(1)
})
