// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from 'vitest'
import { isStored, listStoredPages } from './stored-pages-client.ts'
import { OWNER_CACHE } from './offline.ts'

/** The browser's caches, by their names; each has the titles of its pages by path. */
function aDevice(stored: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const address = (path: string) => new URL(path, location.origin).href
  const open = (name: string) => {
    const pages = Object.entries(stored[name] ?? {}).map(([path, title]) => ({ url: address(path), title }))
    const match = (path: string) => {
      const page = pages.find(({ url }) => url === address(path))
      const headers = { 'content-type': 'text/html' }
      return Promise.resolve(page && new Response(`<title>${page.title} | Altocert</title>`, { headers }))
    }
    return { keys: () => Promise.resolve(pages), match }
  }
  const names = Object.keys(stored)
  const caches = {
    has: (name: string) => Promise.resolve(names.includes(name)),
    keys: () => Promise.resolve(names),
    open: (name: string) => Promise.resolve(open(name)),
    match: async (path: string) => {
      for (const name of names) {
        const reply = await open(name).match(path)
        if (reply !== undefined) return reply
      }
      return undefined
    },
  }
  vi.stubGlobal('caches', caches)
  Object.assign(window, { caches })
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { controller: {} } })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'serviceWorker')
  })
}

const asGuest = { '/': 'Courses', '/course/a': 'Course A' }

test('only pages that open offline are listed: for a user not those that a guest stored on the device', async () => {
  aDevice({ 'pages-guest-1': asGuest, 'pages-own-1': { '/': 'Courses' }, [OWNER_CACHE]: { '/': 'u1' } })
  expect(await listStoredPages()).toEqual([{ path: '/', title: 'Courses' }])
  expect([await isStored('/'), await isStored('/course/a')]).toEqual([true, false])
})

test('for a guest the pages that a guest stored are listed', async () => {
  aDevice({ 'pages-guest-1': asGuest })
  expect((await listStoredPages()).map(({ path }) => path)).toEqual(['/', '/course/a'])
  expect(await isStored('/course/a')).toBe(true)
})
