import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** What scripts/slim-router.ts leaves out of the browser's files. */
const leftOut =
  /\b(useFetchers?|PrefetchPageLinks|useViewTransitionState|instrumentations|patchRoutesOnNavigation)\b|<(Link|NavLink|Form)\b[^>]*\b(prefetch|viewTransition)\b|\bviewTransition:|\bexport (const|function) links\b/

test('the shop uses nothing of its router that its built files leave out', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((name) => leftOut.test(readFileSync(join('src', name), 'utf8')))).toEqual([])
})

test('each page has all routes of the shop, and is rendered on the server, as the built files assume', async () => {
  const { default: config } = await import('../../react-router.config.ts')
  expect(config).toMatchObject({ ssr: true, routeDiscovery: { mode: 'initial' } })
})
