import { limitRow, type Row } from './table.ts'

/** The compressed size of the JavaScript that a first visit to `/` loads. */
export async function benchJavaScript(url: string): Promise<Row[]> {
  const html = await (await fetch(url)).text()
  const paths = new Set(
    [...html.matchAll(/(?:href|src|from|import\()\s*=?\s*"(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? ''),
  )
  let bytes = 0
  for (const path of paths) {
    const reply = await fetch(`${url}${path}`, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
    bytes += Number(reply.headers.get('content-length') ?? 0)
  }
  if (paths.size === 0) throw new Error('no script was found in the page')
  return [limitRow(`JavaScript for / (${paths.size} files, brotli)`, bytes / 1000, 140, 'kB')]
}
