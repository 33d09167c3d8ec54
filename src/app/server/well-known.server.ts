import type { Hono } from 'hono'
import { listSlugs } from '../../features/catalogue/catalogue-queries.server.ts'
import { paths } from '../../lib/paths.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { HttpEnv } from '../../platform/http/endpoint.server.ts'
import { maySeeMetrics, metricsText, type Figure } from '../../platform/metrics.server.ts'
import type { ProcessCaches } from './process-caches.server.ts'
import { createReadiness, isAnswering } from './readiness.server.ts'
import type { Services } from './services.server.ts'
import { webManifest } from './web-manifest.server.ts'
import { contactOf } from './contact.server.ts'

/** The limit of sitemaps.org for one file. Courses beyond it, the oldest ones, are left out. */
const SITEMAP_URLS = 50_000
const SECURITY_TEXT_DAYS = 180

type WellKnownDeps = {
  readonly services: Services
  readonly caches: ProcessCaches
  readonly isStopping: () => boolean
  readonly listFigures: () => readonly Figure[] | Promise<readonly Figure[]>
}

/** Paths for probes, crawlers and installers; /healthz is in the HTTP layer. */
export function mountWellKnown(http: Hono<HttpEnv>, { services, caches, isStopping, listFigures }: WellKnownDeps) {
  const { env, clock, database, replica, emulators, mail, payment } = services
  const readiness = createReadiness(
    {
      database: async () => (await isAnswering(database.pool)) && caches.isCurrent(),
      mail: () => mail.isUp(),
      payment: () => payment.isUp(),
    },
    clock,
  )
  http.get('/readyz', async (c) => {
    if (isStopping()) return c.json({ status: 'stopping' }, 503)
    const parts = await readiness()
    const isReady = !isStopping() && Object.values(parts).every((part) => part === 'ok')
    // The primary answers for a replica that is away, so the process is ready without it.
    const told = replica === null ? parts : { ...parts, replica: replica.state() }
    return c.json({ status: isReady ? 'ok' : 'degraded', ...told }, isReady ? 200 : 503)
  })
  http.get('/metrics', async (c) => {
    if (!maySeeMetrics(c.req.raw, c.env?.incoming?.socket?.remoteAddress, env.metricsToken)) return c.notFound()
    return c.body(metricsText(await listFigures()), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
  http.get('/manifest.webmanifest', (c) =>
    c.body(JSON.stringify(webManifest(env)), 200, {
      'content-type': 'application/manifest+json',
      'cache-control': 'public, max-age=3600',
    }),
  )
  // Asked for by browsers on pages without a link to the icon, such as the one of a start that throws.
  http.get('/favicon.ico', (c) => c.redirect('/favicon.svg', 301))
  http.get('/robots.txt', (c) => c.text(robots(env.appUrl)))
  const contact = contactOf(env, emulators.mail)
  http.get('/.well-known/security.txt', (c) => c.text(securityText(env.appUrl, contact, clock.now())))
  http.get('/sitemap.xml', async (c) => {
    const text = await caches.queries.document('sitemap', async () => sitemap(env.appUrl, await listSlugs(database.db)))
    return c.body(text, 200, { 'content-type': 'application/xml; charset=utf-8' })
  })
}

function robots(appUrl: string): string {
  const hidden = ['/admin', '/api/', '/my-courses', '/exam-review', '/calendar/'].map((path) => `Disallow: ${path}\n`)
  return `User-agent: *\n${hidden.join('')}Sitemap: ${appUrl}/sitemap.xml\n`
}

/** RFC 9116: it must say until when it is valid, less than a year ahead. */
function securityText(appUrl: string, contact: string, now: Date): string {
  const expires = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + SECURITY_TEXT_DAYS * DAY_MS)
  const canonical = `${appUrl}/.well-known/security.txt`
  return `Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\nCanonical: ${canonical}\n`
}

function sitemap(appUrl: string, slugs: readonly string[]): string {
  const pages = ['/', ...slugs.slice(0, SITEMAP_URLS - 1).map((slug) => paths.course(slug))]
  const urls = pages.map((path) => `<url><loc>${appUrl}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`
}
