import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const MAX_CACHED_PAGES = 500

type CachedPage = {
  readonly etag: string
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
  readonly counts = { hits: 0, misses: 0 }
  #version = 0

  get version(): number {
    return this.#version
  }

  /** Drops every page, because the catalogue changed. */
  drop(): void {
    this.#version += 1
    this.#pages.clear()
  }

  /** Caches a page that was rendered at `version`; does nothing when the catalogue has changed since. */
  async keep(url: string, version: number, html: string, headers: Record<string, string>): Promise<void> {
    const body = Buffer.from(html)
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const [br, zip] = await Promise.all([
      compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
      compressGzip(body, { level: 7 }),
    ])
    if (version !== this.#version) return
    const common = { ...headers, etag, vary: 'Accept-Encoding, Cookie', 'cache-control': 'private, no-cache' }
    const form = (bytes: Buffer, encoding: string | null) => ({
      body: bytes,
      headers: flat({
        ...common,
        'content-length': String(bytes.byteLength),
        ...(encoding === null ? {} : { 'content-encoding': encoding }),
      }),
    })
    this.#pages.set(url, {
      etag,
      headers: flat(common),
      forms: { br: form(br, 'br'), gzip: form(zip, 'gzip'), identity: form(body, null) },
    })
  }

  /** Answers a guest's GET from the cache. Returns false, with nothing sent, when the page is not cached. */
  tryServe(request: IncomingMessage, response: ServerResponse): boolean {
    const page = this.#pages.get(request.url ?? '')
    if (page === undefined) {
      this.counts.misses += 1
      return false
    }
    this.counts.hits += 1
    if (request.headers['if-none-match'] === page.etag) {
      response.writeHead(304, page.headers).end()
      return true
    }
    const accepted = request.headers['accept-encoding'] ?? ''
    const form = page.forms[accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : 'identity']
    response.writeHead(200, form.headers)
    response.end(request.method === 'HEAD' ? undefined : form.body)
    return true
  }
}

function flat(headers: Record<string, string>): string[] {
  return Object.entries(headers).flat()
}
