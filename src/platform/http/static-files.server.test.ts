import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sendRaw } from '../../../tests/support/sent-by-visitors.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { staticFiles } from './static-files.server.ts'

/** A folder as a clone leaves it, with a build. */
const folder = await mkdtemp(join(tmpdir(), 'altocert-files-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
for (const path of [
  '.git/HEAD',
  '.env',
  'package.json',
  'build/client/favicon.svg',
  'build/client/assets/a.js',
  'build/client/assets/a.js.br',
  'build/client/assets/a.js.gz',
  'build/client/assets/a.css',
  'build/client/.git/HEAD',
  'build/client/assets/.env',
]) {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), 'ref: refs/heads/main')
}
const noPage = () => Promise.resolve(new Response('no such page', { status: 404 }))
const app = await startApp({}, noPage, await staticFiles(join(folder, 'build/client')))
const ask = (path: string) => sendRaw(`${app.url}${path}`)

test('files of text name their encoding', async () => {
  const types = ['/favicon.svg', '/assets/a.js', '/assets/a.css'].map(
    async (path) => (await ask(path)).headers['content-type'],
  )
  expect(await Promise.all(types)).toEqual([
    'image/svg+xml; charset=utf-8',
    'text/javascript; charset=utf-8',
    'text/css; charset=utf-8',
  ])
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0, br;q=0.0', undefined],
  ['brew', undefined],
])('a file is sent in an encoding that the browser accepts: %s', async (accepted, encoding) => {
  const { headers } = await sendRaw(`${app.url}/assets/a.js`, { 'accept-encoding': accepted })
  expect(headers['content-encoding']).toBe(encoding)
})

test.each([
  '/.git/HEAD',
  '/.git/',
  '/../.git/HEAD',
  '/../../.git/HEAD',
  '/%2e%2e/%2e%2e/.git/HEAD',
  '/assets/..%2f..%2f..%2f.git%2fHEAD',
  '/assets/.env',
  '/../../.env',
  '/package.json',
])('neither source control nor a hidden file is served: %s', async (path) => {
  const reply = await ask(path)
  expect(reply.status).toBe(404)
  expect(reply.body).not.toContain('refs/heads')
})
