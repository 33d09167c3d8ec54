import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { acceptedEncoding } from './accepted-encoding.server.ts'

const kinds: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}

/** The service worker fetches for the pages, but under the policy of its own reply. */
const WORKER_PATH = '/service-worker.js'

type StaticFile = {
  readonly path: string
  /** The better one first. */
  readonly encodings: readonly Encoding[]
}

type Encoding = keyof typeof suffixes
const suffixes = { br: '.br', gzip: '.gz' } as const

/** Serves the built files, hidden ones excepted. They are listed once at start, so that no path of a request reaches the disk. */
export async function staticFiles(folder: string): Promise<(request: Request) => Response | null> {
  const files = new Map<string, StaticFile>()
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const sizes = new Map<string, number>()
  for (const entry of names) {
    const path = join(entry.parentPath, entry.name)
    sizes.set(path, (await stat(path)).size)
  }
  for (const path of sizes.keys()) {
    if (path.endsWith('.br') || path.endsWith('.gz')) continue
    const url = `/${relative(folder, path).split(sep).join('/')}`
    if (url.includes('/.')) continue
    const encodings = (['br', 'gzip'] as const).filter((name) => sizes.has(`${path}${suffixes[name]}`))
    files.set(url, { path, encodings })
  }
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const url = new URL(request.url).pathname
    const file = files.get(url)
    if (file === undefined) return null
    const encoding = acceptedEncoding(request.headers.get('accept-encoding'), file.encodings)
    const sent = encoding === null ? file.path : `${file.path}${suffixes[encoding]}`
    const headers = new Headers({
      'content-type': kinds[extname(file.path)] ?? 'application/octet-stream',
      'content-length': String(sizes.get(sent)),
      vary: 'Accept-Encoding',
      'cache-control': url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    })
    if (url === WORKER_PATH) {
      headers.set('cache-control', 'no-cache')
      headers.set('content-security-policy', "default-src 'none'; script-src 'self'; connect-src 'self'")
    }
    if (encoding !== null) headers.set('content-encoding', encoding)
    const body = request.method === 'HEAD' ? null : (Readable.toWeb(createReadStream(sent)) as ReadableStream)
    return new Response(body, { headers })
  }
}
