import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'

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
  readonly size: number
  readonly br: number | null
  readonly gzip: number | null
}

/** Serves the built files, hidden ones excepted. They are listed once at start, so that no path of a request reaches the disk. */
export async function staticFiles(folder: string): Promise<(request: Request) => Response | null> {
  const files = new Map<string, StaticFile>()
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const sizes = new Map<string, number>()
  for (const entry of names) {
    const path = join(entry.parentPath, entry.name)
    sizes.set(path, (await stat(path)).size)
  }
  for (const [path, size] of sizes) {
    if (path.endsWith('.br') || path.endsWith('.gz')) continue
    const url = `/${relative(folder, path).split(sep).join('/')}`
    if (url.includes('/.')) continue
    files.set(url, { path, size, br: sizes.get(`${path}.br`) ?? null, gzip: sizes.get(`${path}.gz`) ?? null })
  }
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const url = new URL(request.url).pathname
    const file = files.get(url)
    if (file === undefined) return null
    const accepted = request.headers.get('accept-encoding') ?? ''
    const [suffix, size, encoding] =
      file.br !== null && accepted.includes('br')
        ? ['.br', file.br, 'br']
        : file.gzip !== null && accepted.includes('gzip')
          ? ['.gz', file.gzip, 'gzip']
          : ['', file.size, null]
    const headers = new Headers({
      'content-type': kinds[extname(file.path)] ?? 'application/octet-stream',
      'content-length': String(size),
      vary: 'Accept-Encoding',
      'cache-control': url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    })
    if (url === WORKER_PATH) {
      headers.set('cache-control', 'no-cache')
      headers.set('content-security-policy', "default-src 'none'; script-src 'self'; connect-src 'self'")
    }
    if (encoding !== null) headers.set('content-encoding', String(encoding))
    const body =
      request.method === 'HEAD' ? null : (Readable.toWeb(createReadStream(`${file.path}${suffix}`)) as ReadableStream)
    return new Response(body, { headers })
  }
}
