import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { FORMER_SESSION_COOKIE } from '../../src/features/accounts/sessions/session-cookie-queries.server.ts'
import { FORWARDED_HEADERS } from '../../src/platform/http/http.server.ts'
import { cookieName } from '../../src/platform/http/signed-cookie.server.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'

/** Headers that browsers, proxies and the framework's own client send, whether or not our code reads them. */
const USUAL_HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'dnt',
  'if-modified-since',
  'purpose',
  'range',
  'referer',
  'save-data',
  'sec-ch-prefers-color-scheme',
  'sec-fetch-dest',
  'sec-purpose',
  'user-agent',
  'x-forwarded-prefix',
  'x-react-router-prerender-data',
  'x-react-router-spa-mode',
  'x-remix-redirect',
  'x-remix-revalidate',
  'x-requested-with',
]

/** Cookies that a browser may have from us, but that no constant in our code names. */
const USUAL_COOKIES = ['theme', 'altocert.session_data', 'altocert.state']

/** Headers that break a Node request, or have tests of their own. */
const NOT_SET_HERE = new Set(['cookie', 'host', 'content-length', 'connection'])

const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => readFileSync(join(projectRoot, 'src', name), 'utf8'))

/** Every cookie that the code reads. Extracted from the code, so that new cookies are tested automatically. */
export const cookieNames: readonly string[] = unique([
  FORMER_SESSION_COOKIE,
  ...namesBy(/_COOKIE = '([^']+)'/g).flatMap((name) => [name, cookieName(name, true)]),
  ...namesBy(/'(demo_google\w*)'/g),
  ...USUAL_COOKIES,
])

/** Every header that the code reads, extracted from the code, and the usual ones. */
export const headerNames: readonly string[] = unique([
  ...FORWARDED_HEADERS,
  ...namesBy(/headers\.(?:get|has)\('([^']+)'\)/g),
  ...namesBy(/\.header\('([^']+)'\)/g),
  ...namesBy(/headers\['([^']+)'\]/g),
  ...namesBy(/headers\.(origin|forwarded|authorization)\b/g),
  ...USUAL_HEADERS,
]).filter((name) => !NOT_SET_HERE.has(name))

function namesBy(pattern: RegExp): string[] {
  return sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name.toLowerCase()))
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}

export type RawReply = { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string }

/** Sends a request with exactly these headers, including those that `fetch` does not allow. */
export function sendRaw(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString('utf8'),
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}
