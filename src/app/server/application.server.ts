import type { RequestListener } from 'node:http'
import { compress } from 'hono/compress'
import { findUserBySession } from '../../features/accounts/sessions/sessions-queries.server.ts'
import {
  hashOfToken,
  readSessionCookie,
  sessionCookieName,
} from '../../features/accounts/sessions/session-cookie-queries.server.ts'
import { GUEST_COOKIE } from '../../features/attempts/attempts-endpoints.server.ts'
import type { Credentials } from '../../features/attempts/saving/save-batch-commands.server.ts'
import type { GuestId } from '../../lib/ids.ts'
import type { Endpoint } from '../../platform/http/endpoint.server.ts'
import { createHttp } from '../../platform/http/http.server.ts'
import { trustedProxies } from '../../platform/http/network-address.server.ts'
import { readCookie, verifySigned } from '../../platform/http/signed-cookie.server.ts'
import { Metrics } from '../../platform/metrics.server.ts'
import { REMEMBERED_CHANGES } from '../../platform/realtime/catalogue-changes.server.ts'
import { Listeners } from '../../platform/realtime/listeners.server.ts'
import { redirects } from '../page-loaders.server.ts'
import { listEndpoints, mountApi } from './api-routes.server.ts'
import { createBankWorkers } from './bank-workers.server.ts'
import { WEBHOOK_PATH } from './emulators.server.ts'
import { servePages, type RenderPage } from './guest-pages.server.ts'
import { cacheFigures, dropCachesAfterWrites, openCaches } from './process-caches.server.ts'
import { createRequestListener } from './request-listener.server.ts'
import { startSchedule } from './schedule.server.ts'
import type { Services } from './services.server.ts'
import { mountWellKnown } from './well-known.server.ts'

export type Application = {
  readonly listener: RequestListener
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly endpoints: readonly Endpoint[]
  /** From now on /healthz and /readyz reply that the process is stopping, and realtime streams are closed. */
  beginShutdown(): void
  close(): Promise<void>
}

/** Composes every feature's endpoints and pages, the emulators' pages, the caches and the regular jobs of one process. */
export async function createApplication(
  services: Services,
  renderPage: RenderPage,
  findFile: (request: Request) => Response | null,
  build = '',
): Promise<Application> {
  const { log, clock, database, emulators, jobs, site } = services
  let isStopping = false
  const metrics = new Metrics()
  const listeners = new Listeners({ remembered: REMEMBERED_CHANGES })
  const caches = await openCaches(database.url, listeners, log)
  const bankWorkers = createBankWorkers({ url: database.url, db: database.db, clock, log })
  const endpoints = listEndpoints(services, bankWorkers)
  await bankWorkers.resumeImports()
  await startSchedule(services, bankWorkers)

  const readCredentials = credentialsReader(services)
  const http = createHttp({
    ...httpOptions(services, readCredentials),
    cachedQueries: caches.queries,
    isReady: () => !isStopping,
    build,
  })
  http.use(compress())
  http.use(dropCachesAfterWrites(caches))
  mountApi(http, endpoints, services, listeners)
  mountWellKnown(http, {
    services,
    caches,
    isStopping: () => isStopping,
    listFigures: () => [...metrics.figures(), ...listeners.figures(), ...cacheFigures(caches), ...jobs.figures()],
  })
  for (const demo of emulators.pages) http.route('/demo', demo)
  for (const [from, to] of Object.entries(redirects)) http.get(from, (c) => c.redirect(to, 302))
  const cachedPages = caches.pages
  const handlePage = servePages({ renderPage, findFile, cachedPages, listeners, site, build, endpoints })
  http.on(['GET', 'HEAD'], '*', handlePage)

  return {
    listener: createRequestListener({ http, services, caches, metrics, isStopping: () => isStopping, readCredentials }),
    fetch: (request) => http.fetch(request, {}),
    endpoints,
    beginShutdown() {
      isStopping = true
      listeners.close()
    },
    async close() {
      listeners.close()
      metrics.stop()
      await bankWorkers.stop()
      await caches.stop()
    },
  }
}

type ReadCredentials = (cookies: string | null | undefined) => Credentials

/** How this installation handles requests: its address, its proxies, and the user or guest that a request's cookies name. */
function httpOptions({ env, log, clock, database, emulators }: Services, readCredentials: ReadCredentials) {
  return {
    appUrl: env.appUrl,
    isDemo: emulators.names.length > 0,
    trusted: trustedProxies(env.trustedProxies),
    log,
    clock,
    db: database.db,
    foreignPaths: [WEBHOOK_PATH, '/demo/'],
    async identify(request: Request) {
      const { sessionHash: hash, guestId } = readCredentials(request.headers.get('cookie'))
      return { user: hash === null ? null : await findUserBySession(database.db, hash, clock.now()), guestId }
    },
  }
}

function credentialsReader({ env, secret }: Services): ReadCredentials {
  const sessionCookie = sessionCookieName(env.appUrl)
  return (cookies) => {
    const token = readSessionCookie(readCookie(cookies, sessionCookie), secret)
    return {
      sessionHash: token === null ? null : hashOfToken(token),
      guestId: verifySigned(readCookie(cookies, GUEST_COOKIE), 'guest', secret) as GuestId | null,
    }
  }
}
