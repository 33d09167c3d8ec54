// Runs after the client build: bundles the service worker with the list of files to cache (decision 0012).
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build } from 'vite'

const root = 'build/client'
const assets = readdirSync(join(root, 'assets')).filter((name) => !/\.(br|gz|map)$/.test(name))
const manifest = assets.find((name) => /^manifest-.+\.js$/.test(name))
if (manifest === undefined) throw new Error('The build has no manifest of its routes.')

const onlyForAdmins = filesOnlyForAdmins(
  JSON.parse(
    readFileSync(join(root, 'assets', manifest), 'utf8')
      .replace(/^[^{]*/, '')
      .replace(/;\s*$/, ''),
  ),
)
// Stored pages have the other manifest, which names no admin page.
onlyForAdmins.add(`/assets/${manifest}`)
const files = [
  // Their names contain a content hash, so they need no revision.
  ...assets.map((name) => ({ url: `/assets/${name}`, revision: null })).filter(({ url }) => !onlyForAdmins.has(url)),
  ...readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(svg|png)$/.test(entry.name) && !entry.parentPath.endsWith('assets'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ url: `/${relative(root, path).split(sep).join('/')}`, revision: hashOf(readFileSync(path)) })),
]

await build({
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  define: {
    'process.env.NODE_ENV': '"production"',
    FILES_OF_BUILD: JSON.stringify(files),
    BUILD_ID: JSON.stringify(hashOf(JSON.stringify(files))),
    MANIFEST_OF_BUILD: JSON.stringify(manifest),
  },
  build: {
    target: 'es2023',
    outDir: root,
    emptyOutDir: false,
    copyPublicDir: false,
    rollupOptions: {
      input: 'src/app/offline/service-worker.ts',
      output: { entryFileNames: 'service-worker.js', format: 'iife' },
    },
  },
})

/** What only admin pages load, directly or through others. It is not cached, because the admin area needs the network. */
function filesOnlyForAdmins({ entry, routes }) {
  const isAdmin = (route) => route !== undefined && (route.path === 'admin' || isAdmin(routes[route.parentId]))
  const modules = (among) => Object.values(routes).flatMap((route) => (isAdmin(route) === among ? [route.module] : []))
  const forAll = reachableFrom([entry.module, ...modules(false)])
  return new Set([...reachableFrom(modules(true))].filter((url) => !forAll.has(url)))
}

/** These files and all that they name: their imports, those that wait for a moment, and their workers. */
function reachableFrom(urls) {
  const reached = new Set()
  const visit = (url) => {
    if (reached.has(url)) return
    reached.add(url)
    if (!url.endsWith('.js')) return
    const text = readFileSync(join(root, url), 'utf8')
    for (const name of assets) if (!name.endsWith(manifest) && text.includes(name)) visit(`/assets/${name}`)
  }
  urls.forEach(visit)
  return reached
}

function hashOf(data) {
  return createHash('sha256').update(data).digest('hex').slice(0, 16)
}
