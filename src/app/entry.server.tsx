import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { renderToPipeableStream } from 'react-dom/server'
import { type AppLoadContext, type EntryContext, ServerRouter } from 'react-router'
import sheet from '../ui/tokens.css?inline'
import { selectStyles } from '../platform/http/critical-styles.server.ts'
import { contentSecurityPolicy, hashInlineScripts } from '../platform/http/security-headers.server.ts'
import { afterPageScript, beforeModulesScript, beforePaintScript } from './layout/inline-scripts.ts'
import { ADMIN_ROUTE, shopManifestOf } from './layout/known-routes-client.ts'
import { delayScripts } from './layout/late-scripts.ts'

const RENDER_TIMEOUT_MS = 10_000
const ownHashes = [beforePaintScript, beforeModulesScript, afterPageScript].map(
  (script) => `sha256-${createHash('sha256').update(script).digest('base64')}`,
)

const stylesOf = selectStyles(sheet)

/** Renders the whole page before it replies, so that inline scripts can be hashed and the page cached. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8')
  if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-cache')
  const { loaderData, actionData, errors, matches } = router.staticHandlerContext
  // All addresses that do not exist show the same page.
  const address = matches.at(-1)?.route.path === '*' ? '*' : request.url
  const page = { address, status, headers, data: [loaderData, actionData, errors] }
  return context.sendPage(page, async () => {
    const { serverHandoffStream, ...withoutData } = router
    const rendered = withManifest(await render(request, withoutData, context.nonce), router)
    const delayed = delayScripts(rendered, await textOf(serverHandoffStream))
    const { html: hashed, hashes } = hashInlineScripts(delayed, context.nonce)
    const styles = stylesOf(hashed)
    const html = hashed.replace(/(<style data-sheet="[^"]*">)(?=<\/style>)/, (tag) => tag + styles.css)
    const { paymentPage } = context
    const scriptHashes = [...ownHashes, ...hashes]
    return { html, policy: contentSecurityPolicy({ scriptHashes, styleHashes: [styles.hash], paymentPage }) }
  })
}

/** What the router would write into the page piece by piece, of a page that is sent whole. */
async function textOf(data: EntryContext['serverHandoffStream']): Promise<string> {
  return data === undefined ? '' : new Response(data).text()
}

/** Only pages of the admin area load the list of admin pages (scripts/shop-manifest.mjs). */
function withManifest(html: string, { manifest, staticHandlerContext }: EntryContext): string {
  const isAdmin = staticHandlerContext.matches.some(({ route }) => route.id === ADMIN_ROUTE)
  return import.meta.env.DEV || isAdmin ? html : html.replaceAll(manifest.url, shopManifestOf(manifest.url))
}

function render(request: Request, router: EntryContext, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(<ServerRouter context={router} url={request.url} nonce={nonce} />, {
      nonce,
      // The page is sent whole, so no part of it has to wait for a script that moves it to its place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        clearTimeout(timer)
        const body = new PassThrough()
        text(body).then(resolve, reject)
        pipe(body)
      },
      onShellError(error) {
        clearTimeout(timer)
        reject(error)
      },
    })
    const timer = setTimeout(() => abort(new Error('rendering the page timed out')), RENDER_TIMEOUT_MS)
  })
}

export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (!request.signal.aborted) context.request.log.error({ err: error }, 'rendering failed')
}
