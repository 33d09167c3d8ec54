import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { compress } from 'hono/compress'
import type { AppLoadContext } from 'react-router'
import { accessApi } from '../../features/access/access-endpoints.server.ts'
import { sendAccessEmails } from '../../features/access/access-commands.server.ts'
import { accountsApi, googleRoutes } from '../../features/accounts/accounts-endpoints.server.ts'
import { readSessionCookie, sessionCookieName } from '../../features/accounts/google-gateway.server.ts'
import { usersApi } from '../../features/accounts/users/users-endpoints.server.ts'
import { findUserBySession } from '../../features/accounts/accounts-queries.server.ts'
import { attemptsApi, GUEST_COOKIE } from '../../features/attempts/attempts-endpoints.server.ts'
import { regradeApi } from '../../features/attempts/regrade/regrade-endpoints.server.ts'
import { reportsApi } from '../../features/attempts/reports/question-reports-endpoints.server.ts'
import { statisticsApi } from '../../features/attempts/statistics/statistics-endpoints.server.ts'
import { offlineExamsApi } from '../../features/attempts/offline-exams/offline-exams-endpoints.server.ts'
import { directSave } from '../../features/attempts/saving/save-batch-endpoints.server.ts'
import { combineSaves, type Credentials } from '../../features/attempts/saving/save-batch-commands.server.ts'
import { closeOverdueAttempts } from '../../features/attempts/close-attempts-commands.server.ts'
import { adoptGuestAttempts, deleteAttemptsOfCourse } from '../../features/attempts/attempts-commands.server.ts'
import { adminCoursesApi } from '../../features/authoring/courses/admin-courses-endpoints.server.ts'
import { replaceDraft } from '../../features/authoring/drafts/drafts-commands.server.ts'
import { choicesApi } from '../../features/catalogue/course-choices-endpoints.server.ts'
import { dataCallsApi } from '../../features/catalogue/data-calls/data-calls-endpoints.server.ts'
import { checksApi } from '../../features/authoring/checks/question-checks-endpoints.server.ts'
import { CHECK_JOB } from '../../features/authoring/checks/question-checks-commands.server.ts'
import { draftsApi } from '../../features/authoring/drafts/drafts-endpoints.server.ts'
import { batchApi } from '../../features/authoring/batch/batch-endpoints.server.ts'
import { imagesApi } from '../../features/catalogue/images/images-endpoints.server.ts'
import { listSlugs } from '../../features/catalogue/catalogue-queries.server.ts'
import { checkoutApi } from '../../features/checkout/checkout-endpoints.server.ts'
import { reconcileOrders } from '../../features/checkout/payment/payment-commands.server.ts'
import { exportsApi } from '../../features/exchange/exports/exports-endpoints.server.ts'
import { importsApi } from '../../features/exchange/imports/imports-endpoints.server.ts'
import { deleteImportBytes } from '../../features/exchange/imports/imports-commands.server.ts'
import { analyticsApi } from '../../features/analytics/analytics-endpoints.server.ts'
import { feedbackApi } from '../../features/feedback/feedback-endpoints.server.ts'
import { pricingApi } from '../../features/pricing/coupons-endpoints.server.ts'
import { applyDuePrices } from '../../features/pricing/scheduled-prices/scheduled-prices-commands.server.ts'
import { studyApi } from '../../features/study/study-endpoints.server.ts'
import type { GuestId, UserId } from '../../lib/ids.ts'
import { paths } from '../../lib/paths.ts'
import { bugReportsApi } from '../../platform/bug-reports/bug-reports-endpoints.server.ts'
import {
  followChanges,
  deleteOldChanges,
  type Changes,
  REMEMBERED_CHANGES,
} from '../../platform/realtime/catalogue-changes.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { mountEndpoints, withHeaders, type Endpoint } from '../../platform/http/endpoint.server.ts'
import { CachedQueries } from '../../platform/cache/cached-queries.server.ts'
import { listCacheUses } from '../../platform/cache/cache-counts.server.ts'
import { failedJobsApi } from '../../platform/failed-jobs/failed-jobs-endpoints.server.ts'
import { createHttp, newNonce } from '../../platform/http/http.server.ts'
import { CachedPages } from '../../platform/cache/cached-pages.server.ts'
import { maySeeMetrics, Metrics, metricsText, type Figure } from '../../platform/metrics.server.ts'
import { trustedProxies } from '../../platform/http/network-address.server.ts'
import { Listeners } from '../../platform/realtime/listeners.server.ts'
import { REALTIME_PATH } from '../../platform/realtime/realtime.ts'
import { realtimeStream } from '../../platform/realtime/realtime-stream.server.ts'
import { baseHeaders } from '../../platform/http/security-headers.server.ts'
import { fastPath } from '../../platform/http/fast-path.server.ts'
import { readCookie, verifySigned } from '../../platform/http/signed-cookie.server.ts'
import { contextOfAnyGuest } from '../../platform/http/request-context.server.ts'
import { createBankWorkers, type BankWorkers } from './bank-workers.server.ts'
import { describeApi, listCalls } from './api-description.server.ts'
import { countHolders } from '../admin/course-holders.server.ts'
import './load-context.ts'
import { USER_HEADER } from '../offline/offline.ts'
import { ownDataApi } from '../own-data/own-data-endpoints.server.ts'
import { redirects } from '../page-loaders.server.ts'
import { createReadiness, isAnswering } from './readiness.server.ts'
import type { Services } from './services.server.ts'
import { WEBHOOK_PATH } from './emulators.server.ts'
import { webManifest } from './web-manifest.server.ts'

/** Renders a page, or its data; React Router's request handler. */
export type Pages = (request: Request, context: AppLoadContext) => Promise<Response>

export type Application = {
  readonly listener: RequestListener
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly endpoints: readonly Endpoint[]
  /** From now on /healthz and /readyz say that it stops. */
  stopTaking(): void
  close(): Promise<void>
}

/** The shell: every room's endpoints and pages, the stand-ins' pages, and what guests see kept in memory. */
export async function createApplication(
  services: Services,
  pages: Pages,
  files: (request: Request) => Response | null,
  build = '',
): Promise<Application> {
  const { env, log, clock, database, secret, emulators, site } = services
  const sessionCookie = sessionCookieName(env.appUrl)
  const cachedPages = new CachedPages()
  let isTaking = true

  const listeners = new Listeners({ remembered: REMEMBERED_CHANGES })
  const cachedQueries = new CachedQueries({ isUp: () => changes?.isUp() === true, now: () => performance.now() })
  const dropCached = () => {
    cachedPages.drop()
    cachedQueries.drop()
  }
  const metrics = new Metrics()
  let changes: Changes | null = null
  changes = await followChanges(
    database.url,
    {
      onDoubt: dropCached,
      onChanges: (heard) => listeners.publish(heard),
      onUserChange: (userId) => cachedQueries.dropUser(userId),
    },
    log,
  )

  const bankWorkers = createBankWorkers({ url: database.url, db: database.db, clock, log })
  const endpoints = listEndpoints(services, bankWorkers)
  await bankWorkers.tidy()
  services.jobs.every('tidy-imports', TIDY_IMPORTS_SECONDS, () => bankWorkers.tidy())
  services.jobs.every('forget-imported-files', DELETE_FILES_SECONDS, async () => {
    const forgotten = await deleteImportBytes(database.db, clock.now())
    if (forgotten > 0) log.info({ forgotten }, 'files of old imports were removed')
  })
  services.jobs.every('reconcile-orders', RECONCILE_SECONDS, async () => {
    const { payment: gateway, mail } = services
    const shop = { gateway, mail, brand: env.brandName, appUrl: env.appUrl, log }
    const repair = await reconcileOrders(database.db, shop, { now: clock.now() })
    if (repair.fulfilled + repair.closed + repair.failed > 0) log.info({ repair }, 'orders were looked after')
  })
  services.jobs.every('access-letters', ACCESS_EMAILS_SECONDS, async () => {
    const site = { mail: services.mail, brand: env.brandName, appUrl: env.appUrl }
    const sent = await sendAccessEmails(database.db, site, clock.now())
    if (sent > 0) log.info({ sent }, 'letters about access that ends were queued')
  })
  services.jobs.every('close-overdue-attempts', SWEEP_SECONDS, async () => {
    await closeOverdueAttempts(database.db, clock.now())
  })
  services.jobs.every('carry-out-prices', PRICES_SECONDS, async () => {
    const changed = await applyDuePrices(database.db, clock.now())
    if (changed > 0) log.info({ courses: changed }, 'planned prices came into force')
  })
  services.jobs.every('forget-changes', DELETE_CHANGES_SECONDS, () => deleteOldChanges(database.db, clock.now()))
  await services.jobs.work<{ checkId: string }>(CHECK_JOB, { retryLimit: 0 }, ({ checkId }) =>
    bankWorkers.check(checkId),
  )
  const readCredentials = (cookies: string | null | undefined): Credentials => ({
    sessionToken: readSessionCookie(readCookie(cookies, sessionCookie), secret),
    guestId: verifySigned(readCookie(cookies, GUEST_COOKIE), 'guest', secret) as GuestId | null,
  })
  const isDemo = emulators.names.length > 0
  const http = createHttp({
    appUrl: env.appUrl,
    isDemo,
    trusted: trustedProxies(env.trustedProxies),
    log,
    clock,
    db: database.db,
    cachedQueries,
    isReady: () => isTaking,
    build,
    foreignPaths: [WEBHOOK_PATH, '/demo/'],
    async identify(request) {
      const { sessionToken: token, guestId } = readCredentials(request.headers.get('cookie'))
      return { user: token === null ? null : await findUserBySession(database.db, token, clock.now()), guestId }
    },
  })

  http.use(compress())
  // Who changes something sees it with the next look, whether or not the notification has arrived.
  http.use(async (c, next) => {
    await next()
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return
    const { user } = c.get('context')
    if (user?.role === 'admin') dropCached()
    else if (user !== null) cachedQueries.dropUser(user.id)
  })
  const readiness = createReadiness(
    {
      database: async () => (await isAnswering(database.pool)) && changes.isUp(),
      mail: () => services.mail.isUp(),
      payment: () => services.payment.isUp(),
    },
    clock,
  )
  http.get('/readyz', async (c) => {
    // Whoever stops asks nobody, and says so whatever was known before.
    if (!isTaking) return c.json({ status: 'stopping' }, 503)
    const parts = await readiness()
    const isReady = isTaking && Object.values(parts).every((part) => part === 'ok')
    return c.json({ status: isReady ? 'ok' : 'degraded', ...parts }, isReady ? 200 : 503)
  })

  mountEndpoints(http, endpoints)
  http.get(REALTIME_PATH, realtimeStream(listeners, env))
  const google = googleRoutes({ google: services.google, secret, onSignedIn: adoptGuestWork })
  http.get('/api/auth/google', async (c) => google.start(c.get('context')))
  http.get('/api/auth/callback/google', async (c) => google.callback(c.get('context')))
  http.get('/api/openapi.json', (c) => c.json(describeApi(endpoints, { appUrl: env.appUrl, brandName: env.brandName })))
  http.all('/api/*', (c, next) =>
    // The page that describes the API is rendered like every other page.
    c.req.path === paths.apiDocs
      ? next()
      : c.json(
          { error: { code: 'request.not-found', kind: 'database', message: 'The requested resource was not found' } },
          404,
        ),
  )

  http.get('/metrics', (c) => {
    if (!maySeeMetrics(c.req.raw, c.env?.incoming?.socket?.remoteAddress, env.metricsToken)) return c.notFound()
    const figures = [
      ...metrics.figures(),
      ...listeners.figures(),
      ...cacheFigures(cachedPages, cachedQueries),
      ...services.jobs.figures(),
    ]
    return c.body(metricsText(figures), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  })

  for (const demo of emulators.pages) http.route('/demo', demo)
  for (const [from, to] of Object.entries(redirects)) http.get(from, (c) => c.redirect(to, 302))

  http.get('/manifest.webmanifest', (c) =>
    c.body(JSON.stringify(webManifest(env)), 200, {
      'content-type': 'application/manifest+json',
      'cache-control': 'public, max-age=3600',
    }),
  )
  http.get('/robots.txt', (c) =>
    c.text(
      `User-agent: *\nDisallow: /admin\nDisallow: /api/\nDisallow: /my-courses\nDisallow: /exam-review\nSitemap: ${env.appUrl}/sitemap.xml\n`,
    ),
  )
  http.get('/sitemap.xml', async (c) => {
    const text = await cachedQueries.document('sitemap', async () => {
      const slugs = (await listSlugs(database.db)).slice(0, SITEMAP_URLS - 1)
      const urls = ['/', ...slugs.map((slug) => paths.course(slug))].map(
        (path) => `<url><loc>${env.appUrl}${path}</loc></url>`,
      )
      return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`
    })
    return c.body(text, 200, {
      'content-type': 'application/xml; charset=utf-8',
    })
  })

  http.on(['GET', 'HEAD'], '*', async (c) => {
    const file = files(c.req.raw)
    if (file !== null) return file
    const context = c.get('context')
    // The service worker keeps what is for one person apart from what is for all.
    if (context.user !== null) context.replyHeaders.set(USER_HEADER, context.user.id)
    // Before anything is read: what changes from now on, the page hears of.
    const { version } = cachedPages
    const changesSeen = listeners.newest
    const url = new URL(c.req.url)
    // What is kept is made without anything that this visitor sent but the address.
    const isForAll = context.user === null && c.req.method === 'GET' && isCached(url)
    const pageContext = isForAll ? contextOfAnyGuest(context, url.pathname + url.search) : context
    const response = await pages(pageContext.request, {
      request: pageContext,
      site,
      nonce: newNonce(),
      changesSeen,
      build,
      listCalls: () => listCalls(endpoints),
    })
    if (isForAll && response.status === 200) return keep(url, version, response)
    // A page and its data are for who asked: nothing between here and them may keep them for others.
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-cache')
    response.headers.append('vary', 'Cookie')
    return withHeaders(response, context.replyHeaders)
  })

  const kindHeaders = baseHeaders({ isHttps: env.appUrl.startsWith('https:') })
  async function keep(url: URL, version: number, response: Response): Promise<Response> {
    const html = await response.text()
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => name !== 'set-cookie' && name !== 'cache-control'),
    )
    await cachedPages.keep(url.pathname + url.search, version, html, { ...kindHeaders, ...headers })
    return new Response(html, {
      headers: { ...headers, vary: 'Accept-Encoding, Cookie', 'cache-control': 'private, no-cache' },
    })
  }

  const hono = getRequestListener(http.fetch)
  const tryFastPath = fastPath(
    directSave({ db: database.db, clock, save: combineSaves(database.pool), readCredentials }),
    { appUrl: env.appUrl, isDemo, log },
    (request, response) => void hono(request, response),
  )
  const ownHost = new URL(env.appUrl).host
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (
      isTaking &&
      changes.isUp() &&
      request.method === 'GET' &&
      isPlainGuest(request, sessionCookie, ownHost) &&
      cachedPages.tryServe(request, response)
    ) {
      metrics.countReply(response.statusCode)
      return
    }
    response.once('finish', () => metrics.countReply(response.statusCode))
    if (
      emulators.googleListener !== null &&
      request.url?.startsWith('/demo/google') === true &&
      request.headers.host === ownHost
    ) {
      emulators.googleListener(request, response)
      return
    }
    if (tryFastPath(request, response)) return
    void hono(request, response)
  }

  return {
    listener,
    fetch: (request) => http.fetch(request, {}),
    endpoints,
    stopTaking() {
      isTaking = false
      listeners.close()
    },
    async close() {
      listeners.close()
      metrics.stop()
      await bankWorkers.stop()
      await changes.stop()
    },
  }
}

/** What sitemaps.org allows in one; the newest courses are those that nobody has found yet. */
const SITEMAP_URLS = 50_000
/** How often timed attempts whose time is over are submitted, when no request has done it. */
const SWEEP_SECONDS = 15
/** How late a page may show a planned price; what is quoted is never late. */
const PRICES_SECONDS = 0.5
/** How often changes are forgotten that nobody needs any more. */
const DELETE_CHANGES_SECONDS = 6 * 60 * 60
/** How soon imports are taken up that another process left. */
const TIDY_IMPORTS_SECONDS = 20
/** How often files of old imports are looked for. */
const DELETE_FILES_SECONDS = 6 * 60 * 60
/** How late the letter may be that tells of access that ends. */
const ACCESS_EMAILS_SECONDS = 60 * 60
/** How long a lost webhook may keep a paid course closed. */
const RECONCILE_SECONDS = 120

/** What a guest did before signing in is theirs from now on. */
async function adoptGuestWork({ db, clock }: RequestContext, user: { id: UserId }, guestId: GuestId | null) {
  if (guestId !== null) await adoptGuestAttempts(db, { guestId, userId: user.id, now: clock.now() })
}

function listEndpoints(services: Services, bankWorkers: BankWorkers): Endpoint[] {
  return [
    ...accountsApi({
      secret: services.secret,
      brand: services.env.brandName,
      mail: services.mail,
      google: services.google,
      onSignedIn: adoptGuestWork,
    }),
    ...usersApi({ mail: services.mail, brand: services.env.brandName }),
    ...accessApi(),
    ...dataCallsApi({ deleteAttempts: deleteAttemptsOfCourse, replaceDraft }),
    ...choicesApi(),
    ...adminCoursesApi({ countHolders }),
    ...draftsApi(),
    ...batchApi(),
    ...checksApi({ jobs: services.jobs }),
    ...imagesApi(),
    ...importsApi({ readSoon: bankWorkers.readSoon }),
    ...exportsApi({ write: bankWorkers.write }),
    ...pricingApi(),
    ...checkoutApi({ gateway: services.payment, mail: services.mail, brand: services.env.brandName }),
    ...attemptsApi({ secret: services.secret }),
    ...regradeApi({ mail: services.mail, brand: services.env.brandName }),
    ...reportsApi({ mail: services.mail, brand: services.env.brandName }),
    ...statisticsApi(),
    ...offlineExamsApi(),
    ...studyApi(),
    ...bugReportsApi(),
    ...failedJobsApi({ jobs: services.jobs }),
    ...feedbackApi(),
    ...analyticsApi(),
    ...ownDataApi({
      shop: { gateway: services.payment, mail: services.mail, brand: services.env.brandName },
      mail: services.mail,
    }),
  ]
}

function cacheFigures(pages: CachedPages, reads: CachedQueries): Figure[] {
  const counts = Object.entries({ ...reads.counts, ...listCacheUses(), page: pages.counts })
  return [
    {
      name: 'altocert_cache_requests_total',
      kind: 'counter',
      help: 'What was asked of the caches, by class and whether it was there.',
      values: counts.flatMap(([kind, { hits, misses }]) => [
        [{ class: kind, found: 'yes' }, hits] as const,
        [{ class: kind, found: 'no' }, misses] as const,
      ]),
    },
  ]
}

/**
 * Pages that every guest sees alike, and their data, which every open page asks for when the catalogue changes. Anything
 * behind a question mark but a page of the list and the free-trial view is rendered afresh.
 */
function isCached({ pathname, search }: URL): boolean {
  if (pathname === '/' || pathname === '/_root.data') return search === '' || /^\?page=[1-9]\d{0,5}$/.test(search)
  return /^\/course\/[^/]+$/.test(pathname) && (search === '' || search === '?mode=preview')
}

/** A visitor without a session, at the address that is ours, with nothing forwarded. Everybody else is looked at closely. */
function isPlainGuest({ headers }: IncomingMessage, sessionCookie: string, ownHost: string): boolean {
  return (
    headers.host === ownHost &&
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined &&
    (headers.cookie === undefined || !headers.cookie.includes(sessionCookie))
  )
}
