import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync } from 'node:zlib'

const STYLE =
  '<style>body{max-width:1280px;margin:0 auto;padding:16px;font:16px/26px Arial,sans-serif}article,li{padding:8px}</style>'

/** The text of a page as a static page: its elements without scripts, sheets, drawings and attributes, and a few inline styles. */
export function staticTwin(html: string): string {
  return html
    .replaceAll(/<(script|style|svg|template)\b[^]*?<\/\1>/g, '')
    .replaceAll(/<link\b[^>]*>/g, '')
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/<(?!meta\b)([a-z][a-z0-9]*)\s[^>]*>/g, '<$1>')
    .replace('</head>', `${STYLE}</head>`)
}

export type TwinServer = { readonly url: (name: string) => string; stop(): Promise<void> }

/** Serves the twins compressed, with bare node:http. */
export async function serveTwins(twins: ReadonlyMap<string, string>): Promise<TwinServer> {
  const bodies = [...twins].map(([name, html]) => [`/${encodeURIComponent(name)}`, brotliCompressSync(html)] as const)
  const byPath = new Map<string, Buffer>(bodies)
  const server = createServer((request, response) => {
    const body = byPath.get(request.url ?? '')
    if (body === undefined) return response.writeHead(204).end()
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' }
    return response.writeHead(200, { ...headers, 'content-length': body.byteLength }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (name) => `http://localhost:${port}/${encodeURIComponent(name)}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
