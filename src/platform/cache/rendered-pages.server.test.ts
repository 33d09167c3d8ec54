import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { RenderedPages } from './rendered-pages.server.ts'

/** Renders its data and counts. */
function aPage(data: unknown) {
  const page = {
    renders: 0,
    render: () => {
      page.renders += 1
      return Promise.resolve({ html: `<p>${JSON.stringify(data)} mark</p>`, policy: '' })
    },
  }
  return page
}
const textOf = async (bytes: Promise<{ gzip: Buffer }>) => gunzipSync((await bytes).gzip).toString()

test('a page is rendered once for equal data at one address, and again for any difference', async () => {
  const pages = new RenderedPages()
  const page = aPage({ n: 1 })
  const load = () => ({ path: '/a', data: { user: { id: '1' }, at: new Date(0), list: [1, 2] } })
  const values = load()
  await pages.own(values, page.render)
  await pages.own(load(), page.render)
  expect(page.renders).toBe(1)
  const others = [
    { ...values, path: '/b' },
    { ...values, data: { ...values.data, user: { id: '2' } } },
    { ...values, data: { ...values.data, at: new Date(1) } },
    { ...values, data: { ...values.data, list: [1, '2'] } },
    { ...values, data: { ...values.data, more: undefined } },
  ]
  for (const other of others) await pages.own(other, page.render)
  expect(page.renders).toBe(1 + others.length)
  expect(pages.counts).toEqual({ hits: 1, misses: 1 + others.length })
})

test('users with equal data share a rendering, and each gets a page with their own values', async () => {
  const pages = new RenderedPages()
  const page = aPage('shared')
  const names = ['Ann', 'Ben', 'Cleo', 'Ann']
  const sent = await Promise.all(
    names.map((name) => textOf(pages.shared({ path: '/', data: 1 }, new Map([['mark', name]]), page.render))),
  )
  expect(sent).toEqual(names.map((name) => `<p>"shared" ${name}</p>`))
  expect(page.renders).toBe(1)
})

test('data that cannot be compared is rendered each time, and so is a page after its rendering failed', async () => {
  const pages = new RenderedPages()
  const page = aPage(1)
  const slow = { path: '/', data: { later: Promise.resolve(1) } }
  await pages.own(slow, page.render)
  await pages.own(slow, page.render)
  await pages.shared(null, new Map([['mark', 'x']]), page.render)
  await pages.shared(null, new Map([['mark', 'x']]), page.render)
  expect(page.renders).toBe(4)
  const values = { path: '/', data: 1 }
  const broken = () => Promise.reject(new Error('broken'))
  await expect(pages.shared(values, new Map([['mark', 'x']]), broken)).rejects.toThrow('broken')
  expect(await textOf(pages.shared(values, new Map([['mark', 'x']]), page.render))).toBe('<p>1 x</p>')
})
