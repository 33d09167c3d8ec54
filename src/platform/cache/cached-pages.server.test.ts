import { expect, test } from 'vitest'
import { CachedPages } from './cached-pages.server.ts'

const HOUR_MS = 60 * 60 * 1000

async function aDroppedPage() {
  // The cache takes 0 for no time at all.
  let now = 1
  const pages = new CachedPages({ edgeSeconds: 60, mark: (html) => `${html} (old)`, now: () => now })
  const page = { html: 'one', headers: { 'content-type': 'text/html' }, unlessCookies: ['closed'], isVariant: false }
  await pages.keep('/', pages.version, page)
  pages.drop()
  return { pages, page, forward: (ms: number) => (now += ms) }
}
const textOf = (reply: Response | null) => reply?.text()

test('a dropped page is the last good one for an hour, with its mark and without a tag', async () => {
  const { pages, forward } = await aDroppedPage()
  expect(pages.find('/', new Headers())).toBe(null)
  forward(HOUR_MS - 1)
  pages.drop()
  const last = pages.findLastGood('/', new Headers({ 'if-none-match': '*' }))
  expect(Object.fromEntries(last?.headers ?? [])).toEqual({
    'content-type': 'text/html',
    'cache-control': 'private, no-store',
    vary: 'Accept-Encoding, Cookie',
  })
  expect(await textOf(last)).toBe('one (old)')
  forward(2)
  expect(pages.findLastGood('/', new Headers())).toBe(null)
})

test('a newer page takes the place of the last good one, and a page that is gone is forgotten', async () => {
  const { pages, page } = await aDroppedPage()
  await pages.keep('/', pages.version, { ...page, html: 'two' })
  expect(await textOf(pages.findLastGood('/', new Headers()))).toBe('two (old)')
  pages.drop()
  expect(await textOf(pages.findLastGood('/', new Headers()))).toBe('two (old)')
  pages.forget('/')
  expect(pages.findLastGood('/', new Headers())).toBe(null)
})

test('a request with a cookie that the page depends on does not get the last good one', async () => {
  const { pages } = await aDroppedPage()
  expect(pages.findLastGood('/', new Headers({ cookie: 'altocert_closed=1' }))).toBe(null)
})

test('a page is sent in an encoding that the browser accepts', async () => {
  const { pages, page } = await aDroppedPage()
  await pages.keep('/', pages.version, page)
  const encodings = ['gzip, deflate, br', 'br;q=0, gzip', 'gzip;q=0, br;q=0.0', 'brew'].map((accepted) =>
    pages.find('/', new Headers({ 'accept-encoding': accepted }))?.headers.get('content-encoding'),
  )
  expect(encodings).toEqual(['br', 'gzip', null, null])
})
