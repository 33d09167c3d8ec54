import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { compress } from 'hono/compress'
import type { AppLoadContext } from 'react-router'
import { accessApi } from '../features/access/api.server.ts'
import { sendAccessLetters } from '../features/access/write.server.ts'
import { accountsApi, googleRoutes } from '../features/accounts/api.server.ts'
import { readSessionCookie, sessionCookieName } from '../features/accounts/gateway.server.ts'
import { peopleApi } from '../features/accounts/people/api.server.ts'
import { findPersonBySession } from '../features/accounts/read.server.ts'
import { attemptsApi, GUEST_COOKIE } from '../features/attempts/api.server.ts'
import { regradeApi } from '../features/attempts/scoring/regrade/api.server.ts'
import { reportsApi } from '../features/attempts/reports/api.server.ts'
import { statisticsApi } from '../features/attempts/scoring/statistics/api.server.ts'
import { packsApi } from '../features/attempts/saving/packs/api.server.ts'
import { directSave } from '../features/attempts/saving/saves/api.server.ts'
import { combineSaves, type Credentials } from '../features/attempts/saving/saves/write.server.ts'
import { closeOverdueAttempts } from '../features/attempts/scoring/write.server.ts'
import { adoptGuestAttempts, forgetAttemptsOfCourse } from '../features/attempts/write.server.ts'
import { catalogueApi } from '../features/catalogue/api.server.ts'
import { checksApi } from '../features/catalogue/drafts/checks/api.server.ts'
import { CHECK_JOB } from '../features/catalogue/drafts/checks/write.server.ts'
import { draftsApi } from '../features/catalogue/drafts/api.server.ts'
import { batchApi } from '../features/catalogue/drafts/batch/api.server.ts'
import { picturesApi } from '../features/catalogue/pictures/api.server.ts'
import { listSlugs } from '../features/catalogue/read.server.ts'
import { checkoutApi } from '../features/checkout/api.server.ts'
import { reconcileOrders } from '../features/checkout/payment/write.server.ts'
import { exportsApi } from '../features/exchange/exports/api.server.ts'
import { importsApi } from '../features/exchange/imports/api.server.ts'
import { forgetBytes } from '../features/exchange/imports/write.server.ts'
import { analyticsApi } from '../features/analytics/api.server.ts'
import { feedbackApi } from '../features/feedback/api.server.ts'
import { pricingApi } from '../features/pricing/api.server.ts'
import { carryOutDue } from '../features/pricing/plans/write.server.ts'
import { studyApi } from '../features/study/api.server.ts'
import type { GuestId, PersonId } from '../lib/ids.ts'
import { paths } from '../lib/paths.ts'
import { bugReportsApi } from '../platform/bug-reports/api.server.ts'
import { followChanges, forgetOldChanges, type Changes, REMEMBERED_CHANGES } from '../platform/changes.server.ts'
import { contextOfAnyGuest, type RequestContext } from '../platform/context.server.ts'
import { mountEndpoints, withHeaders, type Endpoint } from '../platform/endpoint.server.ts'
import { KeptReads } from '../platform/cache/kept-reads.server.ts'
import { listUses } from '../platform/cache/uses.server.ts'
import { failedJobsApi } from '../platform/failed-jobs/api.server.ts'
import { createHttp, newNonce } from '../platform/http.server.ts'
import { KeptPages } from '../platform/kept-pages.server.ts'
import { maySeeMetrics, Metrics, metricsText, type Figure } from '../platform/metrics.server.ts'
import { trustedProxies } from '../platform/network-address.server.ts'
import { Listeners } from '../platform/realtime/listeners.server.ts'
import { REALTIME_PATH } from '../platform/realtime/rules.ts'
import { realtimeStream } from '../platform/realtime/stream.server.ts'
import { baseHeaders } from '../platform/security.server.ts'
import { shortWay } from '../platform/short-way.server.ts'
import { readCookie, verifySigned } from '../platform/signed-cookie.server.ts'
import { createBankWorkers, type BankWorkers } from './bank-workers.server.ts'
import { describeApi, listCalls } from './api-description.server.ts'
import { countHolders } from './course-holders.server.ts'
import './load-context.ts'
import { PERSON_HEADER } from './offline-rules.ts'
import { ownDataApi } from './own-data.server.ts'
import { redirects } from './pages.server.ts'
import { createReadiness, isAnswering } from './readiness.server.ts'
import type { Services } from './services.server.ts'
import { WEBHOOK_PATH } from './stand-ins.server.ts'
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
  const { env, log, clock, database, secret, standIns, site } = services
  const sessionCookie = sessionCookieName(env.appUrl)
  const kept = new KeptPages()
  let isTaking = true

  const listeners = new Listeners({ remembered: REMEMBERED_CHANGES })
  const keptReads = new KeptReads({ isUp: () => changes?.isUp() === true, now: () => performance.now() })
  const dropKept = () => {
    kept.drop()
    keptReads.drop()
  }
  const metrics = new Metrics()
  let changes: Changes | null = null
  changes = await followChanges(
    database.url,
    {
      onDoubt: dropKept,
      onChanges: (heard) => listeners.publish(heard),
      onPersonChange: (personId) => keptReads.dropPerson(personId),
    },
    log,
  )

  const bankWorkers = createBankWorkers({ url: database.url, db: database.db, clock, log })
  const endpoints = listEndpoints(services, bankWorkers)
  await bankWorkers.tidy()
  services.jobs.every('tidy-imports', TIDY_IMPORTS_SECONDS, () => bankWorkers.tidy())
  services.jobs.every('forget-imported-files', FORGET_FILES_SECONDS, async () => {
    const forgotten = await forgetBytes(database.db, clock.now())
    if (forgotten > 0) log.info({ forgotten }, 'files of old imports were removed')
  })
  services.jobs.every('reconcile-orders', RECONCILE_SECONDS, async () => {
    const { payment: gateway, mail } = services
    const shop = { gateway, mail, brand: env.brandName, appUrl: env.appUrl, log }
    const repair = await reconcileOrders(database.db, shop, { now: clock.now() })
    if (repair.fulfilled + repair.closed + repair.failed > 0) log.info({ repair }, 'orders were looked after')
  })
  services.jobs.every('access-letters', ACCESS_LETTERS_SECONDS, async () => {
    const site = { mail: services.mail, brand: env.brandName, appUrl: env.appUrl }
    const sent = await sendAccessLetters(database.db, site, clock.now())
    if (sent > 0) log.info({ sent }, 'letters about access that ends were queued')
  })
  services.jobs.every('close-overdue-attempts', SWEEP_SECONDS, async () => {
    await closeOverdueAttempts(database.db, clock.now())
  })
  services.jobs.every('carry-out-prices', PRICES_SECONDS, async () => {
    const changed = await carryOutDue(database.db, clock.now())
    if (changed > 0) log.info({ courses: changed }, 'planned prices came into force')
  })
  services.jobs.every('forget-changes', FORGET_CHANGES_SECONDS, () => forgetOldChanges(database.db, clock.now()))
  await services.jobs.work<{ checkId: string }>(CHECK_JOB, { retryLimit: 0 }, ({ checkId }) =>
    bankWorkers.check(checkId),
  )
  const readCredentials = (cookies: string | null | undefined): Credentials => ({
    sessionToken: readSessionCookie(readCookie(cookies, sessionCookie), secret),
    guestId: verifySigned(readCookie(cookies, GUEST_COOKIE), 'guest', secret) as GuestId | null,
  })
  const isDemo = standIns.names.length > 0
  const http = createHttp({
    appUrl: env.appUrl,
    isDemo,
    trusted: trustedProxies(env.trustedProxies),
    log,
    clock,
    db: database.db,
    keptReads,
    isReady: () => isTaking,
    build,
    foreignPaths: [WEBHOOK_PATH, '/demo/'],
    async identify(request) {
      const { sessionToken: token, guestId } = readCredentials(request.headers.get('cookie'))
      return { person: token === null ? null : await findPersonBySession(database.db, token, clock.now()), guestId }
    },
  })

  http.use(compress())
  // Who changes something sees it with the next look, whether or not the notification has arrived.
  http.use(async (c, next) => {
    await next()
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return
    const { person } = c.get('context')
    if (person?.role === 'admin') dropKept()
    else if (person !== null) keptReads.dropPerson(person.id)
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
  const google = googleRoutes({ google: services.google, secret, onSignedIn: bringAlong })
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
      ...keptFigures(kept, keptReads),
      ...services.jobs.figures(),
    ]
    return c.body(metricsText(figures), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  })

  for (const demo of standIns.pages) http.route('/demo', demo)
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
    const text = await keptReads.document('sitemap', async () => {
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
    if (context.person !== null) context.replyHeaders.set(PERSON_HEADER, context.person.id)
    // Before anything is read: what changes from now on, the page hears of.
    const { version } = kept
    const changesSeen = listeners.newest
    const url = new URL(c.req.url)
    // What is kept is made without anything that this visitor sent but the address.
    const isForAll = context.person === null && c.req.method === 'GET' && isKept(url)
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
    await kept.keep(url.pathname + url.search, version, html, { ...kindHeaders, ...headers })
    return new Response(html, {
      headers: { ...headers, vary: 'Accept-Encoding, Cookie', 'cache-control': 'private, no-cache' },
    })
  }

  const hono = getRequestListener(http.fetch)
  const tryShortWay = shortWay(
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
      kept.tryServe(request, response)
    ) {
      metrics.countReply(response.statusCode)
      return
    }
    response.once('finish', () => metrics.countReply(response.statusCode))
    if (
      standIns.googleListener !== null &&
      request.url?.startsWith('/demo/google') === true &&
      request.headers.host === ownHost
    ) {
      standIns.googleListener(request, response)
      return
    }
    if (tryShortWay(request, response)) return
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
const FORGET_CHANGES_SECONDS = 6 * 60 * 60
/** How soon imports are taken up that another process left. */
const TIDY_IMPORTS_SECONDS = 20
/** How often files of old imports are looked for. */
const FORGET_FILES_SECONDS = 6 * 60 * 60
/** How late the letter may be that tells of access that ends. */
const ACCESS_LETTERS_SECONDS = 60 * 60
/** How long a lost webhook may keep a paid course closed. */
const RECONCILE_SECONDS = 120

/** What a guest did before signing in is theirs from now on. */
async function bringAlong({ db, clock }: RequestContext, person: { id: PersonId }, guestId: GuestId | null) {
  if (guestId !== null) await adoptGuestAttempts(db, { guestId, personId: person.id, now: clock.now() })
}

function listEndpoints(services: Services, bankWorkers: BankWorkers): Endpoint[] {
  return [
    ...accountsApi({
      secret: services.secret,
      brand: services.env.brandName,
      mail: services.mail,
      google: services.google,
      onSignedIn: bringAlong,
    }),
    ...peopleApi({ mail: services.mail, brand: services.env.brandName }),
    ...accessApi(),
    ...catalogueApi({ countHolders, forgetAttempts: forgetAttemptsOfCourse }),
    ...draftsApi(),
    ...batchApi(),
    ...checksApi({ jobs: services.jobs }),
    ...picturesApi(),
    ...importsApi({ readSoon: bankWorkers.readSoon }),
    ...exportsApi({ write: bankWorkers.write }),
    ...pricingApi(),
    ...checkoutApi({ gateway: services.payment, mail: services.mail, brand: services.env.brandName }),
    ...attemptsApi({ secret: services.secret }),
    ...regradeApi({ mail: services.mail, brand: services.env.brandName }),
    ...reportsApi({ mail: services.mail, brand: services.env.brandName }),
    ...statisticsApi(),
    ...packsApi(),
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

function keptFigures(pages: KeptPages, reads: KeptReads): Figure[] {
  const counts = Object.entries({ ...reads.counts, ...listUses(), page: pages.counts })
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
function isKept({ pathname, search }: URL): boolean {
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
