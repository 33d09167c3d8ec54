import type { RequestListener } from 'node:http'
import { compress } from 'hono/compress'
import { findUserBySession, findUserOfSession } from '../../features/accounts/sessions/sessions-queries.server.ts'
import {
  FORMER_SESSION_COOKIE,
  hashOfToken,
  readSessionCookie,
  SESSION_COOKIE,
  sessionCookieName,
} from '../../features/accounts/sessions/session-cookie-queries.server.ts'
import { SESSION_DAYS } from '../../features/accounts/sessions/sessions.ts'
import { GUEST_COOKIE, GUEST_SECONDS } from '../../features/attempts/new-guest-commands.server.ts'
import type { Credentials } from '../../features/attempts/saving/save-batch-commands.server.ts'
import type { GuestId } from '../../lib/ids.ts'
import type { Endpoint } from '../../platform/http/endpoint.server.ts'
import { createHttp } from '../../platform/http/http.server.ts'
import { baseHeaders } from '../../platform/http/security-headers.server.ts'
import { trustedProxies } from '../../platform/http/network-address.server.ts'
import { readCookie, replaceFormerCookie, verifySigned } from '../../platform/http/signed-cookie.server.ts'
import { Metrics, type Figure } from '../../platform/metrics.server.ts'
import { REMEMBERED_CHANGES } from '../../platform/realtime/catalogue-changes.server.ts'
import { Listeners } from '../../platform/realtime/listeners.server.ts'
import { paths } from '../../lib/paths.ts'
import { redirects } from '../page-loaders.server.ts'
import { createAwayPage } from './away-page.server.ts'
import { createScheduledBackups } from '../backups/scheduled-backups.server.ts'
import { listEndpoints, mountApi } from './api-routes.server.ts'
import { createBankWorkers } from './banks/bank-workers.server.ts'
import { WEBHOOK_PATH } from './emulators.server.ts'
import { servePages, type RenderPage } from './guest-pages.server.ts'
import { dropCachesAfterWrites, openCaches } from './process-caches.server.ts'
import { listFigures } from './process-figures.server.ts'
import type { Siblings } from './processes/worker-process.server.ts'
import { rememberWrites, replicaOf } from './replica-reads.server.ts'
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
  /** Another process of the same port has taken over: realtime streams are closed, and everything else is answered. */
  retire(): void
  /** The metrics of this process. */
  figures(): readonly Figure[]
  close(): Promise<void>
}

/** Composes every feature's endpoints and pages, the emulators' pages, the caches and the regular jobs of one process. */
export async function createApplication(
  services: Services,
  renderPage: RenderPage,
  findFile: (request: Request) => Response | null,
  build = '',
  siblings: Siblings | null = null,
): Promise<Application> {
  const { env, log, clock, database, replica, emulators, telemetry } = services
  let hasShutdownBegun = false
  const isStopping = () => hasShutdownBegun
  const [metrics, listeners] = [new Metrics(), createListeners(services, siblings)]
  const caches = await openCaches(services, listeners)
  const bankWorkers = createBankWorkers({ ...database, replica, clock, log })
  const endpoints = listEndpoints(services, bankWorkers)
  await bankWorkers.resumeImports()
  const backups = createScheduledBackups(services)
  await startSchedule(services, { bankWorkers, cachedQueries: caches.queries, backups })

  const readCredentials = credentialsReader(services)
  const securityHeaders = securityHeadersOf(env)
  const http = createHttp({
    ...httpOptions(services, readCredentials),
    headers: securityHeaders,
    cachedQueries: caches.queries,
    isReady: () => !isStopping(),
    wasDatabaseUpSince: caches.wasDatabaseUpSince,
    build,
    awayPage: createAwayPage(env.brandName),
  })
  http.use(compress(), dropCachesAfterWrites(caches))
  if (replica !== null) http.use(rememberWrites(replica, env.appUrl))
  mountApi(http, endpoints, services, listeners)
  const figures = () => listFigures(services, { metrics, listeners, caches })
  const allFigures = () => joined(siblings?.allFigures() ?? figures(), backups?.figures() ?? [])
  mountWellKnown(http, { services, caches, isStopping, listFigures: allFigures })
  telemetry?.sendFigures(() => joined(figures(), backups?.figures().catch(() => []) ?? []))
  for (const demo of emulators.pages) http.route('/demo', demo)
  for (const [from, to] of Object.entries(redirects)) http.get(from, (c) => c.redirect(to, 302))
  const pageDeps = { services, caches, listeners, endpoints, securityHeaders, isStopping }
  http.on(['GET', 'HEAD', 'POST'], '*', servePages({ ...pageDeps, renderPage, findFile, build }))

  return {
    listener: createRequestListener({ ...pageDeps, http, metrics, readCredentials, routeOf: renderPage.routeOf }),
    fetch: (request) => http.fetch(request, {}),
    endpoints,
    beginShutdown() {
      hasShutdownBegun = true
      listeners.close()
    },
    retire: () => listeners.retire(),
    figures,
    async close() {
      listeners.close()
      metrics.stop()
      backups?.stop()
      await bankWorkers.stop()
      await caches.stop()
    },
  }
}

type Figures = readonly Figure[] | Promise<readonly Figure[]>
const joined = async (...figures: Figures[]) => (await Promise.all(figures)).flat()

function securityHeadersOf({ appUrl, hstsSubdomains }: Services['env']) {
  return baseHeaders({ isHttps: appUrl.startsWith('https:'), withSubdomains: hstsSubdomains })
}

function createListeners({ env, database, clock }: Services, siblings: Siblings | null): Listeners {
  return new Listeners({
    siblings: siblings?.streams,
    remembered: REMEMBERED_CHANGES,
    perUser: env.limits.stream,
    perNetwork: env.limits.stream * env.limits.network,
    findUser: ({ sessionId }) => findUserOfSession(database.db, sessionId, clock.now(), env),
  })
}

type ReadCredentials = (cookies: string | null | undefined) => Credentials

/** How this installation handles requests: its address, its proxies, and the user or guest that a request's cookies name. */
function httpOptions(
  { env, log, clock, database, replica, limits, emulators, telemetry }: Services,
  readCredentials: ReadCredentials,
) {
  return {
    appUrl: env.appUrl,
    isDemo: emulators.names.length > 0,
    trusted: trustedProxies(env.trustedProxies),
    log,
    tracing: telemetry?.tracing ?? null,
    clock,
    db: database.db,
    replicaFor: (cookies: string | undefined) => (replica === null ? null : replicaOf(replica, cookies)),
    limits,
    // Mail programs post to the second one for their users.
    foreignPaths: [WEBHOOK_PATH, paths.stopReminders('')],
    async identify(request: Request) {
      const sent = request.headers.get('cookie')
      const { sessionHash: hash, guestId } = readCredentials(sent)
      const user = hash === null ? null : await findUserBySession(database.db, hash, clock.now(), env)
      return { user, guestId, cookies: env.appUrl.startsWith('https:') ? withPrefixes(sent) : [] }
    },
  }
}

/** Cookies from before they had the prefix `__Host-` are replaced once. The others get it when they are set next. */
function withPrefixes(sent: string | null): string[] {
  const sessionSeconds = SESSION_DAYS * 24 * 3600
  return [
    ...replaceFormerCookie(sent, {
      former: FORMER_SESSION_COOKIE,
      name: SESSION_COOKIE,
      maxAgeSeconds: sessionSeconds,
    }),
    ...replaceFormerCookie(sent, { former: GUEST_COOKIE, name: GUEST_COOKIE, maxAgeSeconds: GUEST_SECONDS }),
  ]
}

function credentialsReader({ env, secret }: Services): ReadCredentials {
  const sessionCookie = sessionCookieName(env.appUrl)
  const isHttps = env.appUrl.startsWith('https:')
  const readSession = (cookies: string | null | undefined) =>
    readCookie(cookies, sessionCookie) ?? (isHttps ? readCookie(cookies, FORMER_SESSION_COOKIE) : null)
  return (cookies) => {
    const token = readSessionCookie(readSession(cookies), secret)
    return {
      sessionHash: token === null ? null : hashOfToken(token),
      guestId: verifySigned(readCookie(cookies, GUEST_COOKIE), 'guest', secret) as GuestId | null,
    }
  }
}
