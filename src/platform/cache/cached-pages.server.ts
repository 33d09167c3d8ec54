import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { acceptedEncoding } from '../http/accepted-encoding.server.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const ENCODINGS = ['br', 'gzip'] as const
const MAX_CACHED_PAGES = 500
const MAX_VARIANTS = 50
/** How long a dropped page is good enough while the database is away. */
const LAST_GOOD_MS = 60 * 60 * 1000

/** A page to cache. Requests with one of the cookies in `unlessCookies` never get it. */
type Page = {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
  readonly unlessCookies: readonly string[]
  /** Variants have a cache of their own, because anyone can ask for any number of them. */
  readonly isVariant: boolean
}

type CachedPage = {
  readonly etag: string
  readonly unlessCookies: readonly string[]
  /** Names and values alternate: the form that Node writes without checking each header again. */
  readonly headers: string[]
  readonly forms: Record<'br' | 'gzip' | 'identity', { body: Buffer; headers: string[] }>
}

/**
 * Pages that look the same for every guest, rendered once and cached compressed until the catalogue changes. A page that was
 * being rendered during a change is not cached.
 */
export class CachedPages {
  readonly #pages = new LRUCache<string, CachedPage>({ max: MAX_CACHED_PAGES })
  readonly #variants = new LRUCache<string, CachedPage>({ max: MAX_VARIANTS })
  /** Dropped pages, for `findLastGood`. */
  readonly #lastGood: LRUCache<string, CachedPage>
  readonly #edgeSeconds: number
  readonly #mark: (html: string) => string | null
  readonly counts = { hits: 0, misses: 0 }
  #version = 0

  /** `mark` writes into a page that it may be out of date; null where it has no place for that. */
  constructor({
    edgeSeconds = 0,
    mark = () => null,
    now = () => performance.now(),
  }: { edgeSeconds?: number; mark?: (html: string) => string | null; now?: () => number } = {}) {
    this.#edgeSeconds = edgeSeconds
    this.#mark = mark
    this.#lastGood = new LRUCache({ max: MAX_CACHED_PAGES, ttl: LAST_GOOD_MS, ttlResolution: 0, perf: { now } })
  }

  get version(): number {
    return this.#version
  }

  /** Drops every page, because the catalogue changed. */
  drop(): void {
    this.#version += 1
    // Oldest first, so that the one used last is the last to go.
    for (const cache of [this.#variants, this.#pages])
      for (const [url, page] of [...cache.entries()].toReversed()) this.#lastGood.set(url, page)
    this.#pages.clear()
    this.#variants.clear()
  }

  /**
   * The cache headers of a guest's page. Browsers ask each time. Only a CDN (RFC 9213) and nginx may store it, by headers that
   * other caches ignore. The data of open pages is never kept: they request it after a change.
   */
  guestHeaders(url: string): Record<string, string> {
    const seconds = url.startsWith('/_root.data') ? 0 : this.#edgeSeconds
    return {
      vary: 'Accept-Encoding, Cookie',
      'cache-control': 'private, no-cache',
      ...(seconds === 0
        ? {}
        : {
            'cdn-cache-control': `public, max-age=${seconds}, stale-while-revalidate=${seconds}`,
            'x-accel-expires': String(seconds),
          }),
    }
  }

  /** Caches a page that was rendered at `version`; does nothing when the catalogue has changed since. */
  async keep(url: string, version: number, page: Page): Promise<void> {
    const body = Buffer.from(page.html)
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const [br, zip] = await Promise.all([
      compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
      compressGzip(body, { level: 7 }),
    ])
    if (version !== this.#version) return
    const common = { ...page.headers, etag, ...this.guestHeaders(url) }
    const form = (bytes: Buffer, encoding: string | null) => ({
      body: bytes,
      headers: flat({
        ...common,
        'content-length': String(bytes.byteLength),
        ...(encoding === null ? {} : { 'content-encoding': encoding }),
      }),
    })
    const cache = page.isVariant ? this.#variants : this.#pages
    this.forget(url)
    cache.set(url, {
      etag,
      unlessCookies: page.unlessCookies,
      headers: flat(common),
      forms: { br: form(br, 'br'), gzip: form(zip, 'gzip'), identity: form(body, null) },
    })
  }

  /** Answers a guest's GET from the cache. Returns false, with nothing sent, when the page is not cached. */
  tryServe({ url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
    const found = this.#find(url, headers.cookie, headers['if-none-match'], headers['accept-encoding'])
    if (found === null) {
      this.counts.misses += 1
      return false
    }
    response.writeHead(found.status, found.headers)
    response.end(found.body)
    return true
  }

  /** The same as a Response, for requests that had to pass every check first. */
  find(url: string, sent: Headers): Response | null {
    const header = (name: string) => sent.get(name) ?? undefined
    const found = this.#find(url, header('cookie'), header('if-none-match'), header('accept-encoding'))
    if (found === null) return null
    return new Response((found.body ?? null) as Uint8Array<ArrayBuffer> | null, {
      status: found.status,
      headers: pairs(found.headers),
    })
  }

  /**
   * The page as it was before it was dropped, within an hour, with the mark: for guests while the database is away. Nothing else may
   * store it, so it has no tag and no headers for caches.
   */
  findLastGood(url: string, sent: Headers): Response | null {
    const page = this.#pages.get(url) ?? this.#variants.get(url) ?? this.#lastGood.get(url)
    if (page === undefined || !isFor(page, sent.get('cookie') ?? undefined)) return null
    const html = this.#mark(page.forms.identity.body.toString())
    if (html === null) return null
    const headers = new Headers(pairs(page.headers))
    for (const name of ['etag', 'cdn-cache-control', 'x-accel-expires']) headers.delete(name)
    headers.set('cache-control', 'private, no-store')
    return new Response(html, { headers })
  }

  /** Forgets a page that is no longer there, or no longer for guests. */
  forget(url: string): void {
    this.#lastGood.delete(url)
  }

  #find(url: string, cookies: string | undefined, etag: string | undefined, accepted: string | undefined) {
    const page = this.#pages.get(url) ?? this.#variants.get(url)
    if (page === undefined || !isFor(page, cookies)) return null
    this.counts.hits += 1
    // A proxy that compresses makes the tag a weak one.
    if (etag?.replace(/^W\//, '') === page.etag) return { status: 304, headers: page.headers, body: undefined }
    return { status: 200, ...page.forms[acceptedEncoding(accepted ?? null, ENCODINGS) ?? 'identity'] }
  }
}

function isFor({ unlessCookies }: CachedPage, cookies: string | undefined): boolean {
  return !unlessCookies.some((name) => cookies?.includes(name))
}

function flat(headers: Record<string, string>): string[] {
  return Object.entries(headers).flat()
}

function pairs(flatHeaders: readonly string[]): [string, string][] {
  return flatHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, flatHeaders[at + 1] ?? ''] as [string, string]] : [],
  )
}
