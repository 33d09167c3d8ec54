import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { createRequestHandler, type ServerBuild } from 'react-router'
import routes from '../../src/app/routes.ts'
import type { RenderPage } from '../../src/app/server/guest-pages.server.ts'
import { pageRoutes } from '../../src/app/server/page-routes.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'

const APP = join(projectRoot, 'src', 'app')
const ROOT_ID = 'root'

type RouteModule = ServerBuild['entry']['module'] & Record<string, unknown>
export type RouteFile = {
  readonly id: string
  readonly parentId: string | undefined
  readonly path: string | undefined
  readonly index: boolean | undefined
  readonly file: string
}

/** Every route module of src/app/routes.ts with its id, as the framework's build names them. */
export const routeFiles: readonly RouteFile[] = [
  { id: ROOT_ID, parentId: undefined, path: '', index: undefined, file: './root.tsx' },
  ...(routes as RouteConfigEntry[]).flatMap((entry) => filesOf(entry, ROOT_ID)),
]

function filesOf(entry: RouteConfigEntry, parentId: string): RouteFile[] {
  const id = entry.id ?? join('.', entry.file).replace(/\.tsx$/, '')
  const own = { id, parentId, path: entry.path, index: entry.index, file: entry.file }
  return [own, ...(entry.children ?? []).flatMap((child) => filesOf(child, id))]
}

/** The address pattern of each page, such as /course/:courseSlug. Layouts have none of their own. */
export function listPages(): { readonly id: string; readonly pattern: string; readonly chain: readonly string[] }[] {
  const byId = new Map(routeFiles.map((route) => [route.id, route]))
  const parents = new Set(routeFiles.map(({ parentId }) => parentId))
  const chainOf = (route: RouteFile): RouteFile[] => {
    const parent = route.parentId === undefined ? undefined : byId.get(route.parentId)
    return parent === undefined ? [route] : [...chainOf(parent), route]
  }
  return routeFiles
    .filter(({ id }) => !parents.has(id))
    .map((route) => {
      const chain = chainOf(route)
      const pattern = `/${chain.flatMap(({ path }) => (path === undefined || path === '' ? [] : [path])).join('/')}`
      return { id: route.id, pattern, chain: chain.map(({ id }) => id) }
    })
}

const load = async (file: string) => (await import(pathToFileURL(resolve(APP, file)).href)) as RouteModule

/** The address patterns of the pages with an action: forms that work without scripts. */
export async function listFormPages(): Promise<string[]> {
  const modules = await Promise.all(routeFiles.map(async ({ id, file }) => ({ id, module: await load(file) })))
  const withAction = new Set(modules.filter(({ module }) => 'action' in module).map(({ id }) => id))
  return listPages()
    .filter(({ chain }) => chain.some((id) => withAction.has(id)))
    .map(({ pattern }) => pattern)
}

/** Renders the real pages without a build: the framework's request handler over our route modules as they are in the sources. */
export async function realPages(): Promise<RenderPage> {
  const modules = new Map<string, RouteModule>()
  for (const { id, file } of routeFiles) modules.set(id, await load(file))
  modules.set(ROOT_ID, withoutStyles(modules.get(ROOT_ID)))
  const entry = (await import('../../src/app/entry.server.tsx')) as unknown as RouteModule
  const build = buildOf(modules, entry)
  return Object.assign(createRequestHandler(build, 'production'), { routeOf: pageRoutes(build.routes) })
}

/** Without a build, stylesheets have no address. */
function withoutStyles(root: RouteModule | undefined): RouteModule {
  const { links } = root as unknown as { links: () => { href: string }[] }
  return { ...root, links: () => links().filter(({ href }) => href !== '') } as unknown as RouteModule
}

function buildOf(modules: ReadonlyMap<string, RouteModule>, entry: RouteModule): ServerBuild {
  const assets: ServerBuild['assets']['routes'] = {}
  const built: ServerBuild['routes'] = {}
  for (const { id, parentId, path, index } of routeFiles) {
    const module = modules.get(id)
    if (module === undefined) throw new Error(`no module of ${id}`)
    built[id] = { id, parentId, path, index, module: module as never }
    assets[id] = {
      id,
      parentId,
      path,
      index,
      hasAction: 'action' in module,
      hasLoader: 'loader' in module,
      hasClientAction: false,
      hasClientLoader: 'clientLoader' in module,
      hasClientMiddleware: false,
      hasErrorBoundary: 'ErrorBoundary' in module,
      module: `/assets/${id}.js`,
      imports: [],
      css: [],
      clientActionModule: undefined,
      clientLoaderModule: undefined,
      clientMiddlewareModule: undefined,
      hydrateFallbackModule: undefined,
    }
  }
  return {
    entry: { module: entry },
    routes: built,
    assets: {
      entry: { module: '/assets/entry.client.js', imports: [] },
      routes: assets,
      url: '/assets/manifest.js',
      version: 'test',
    },
    publicPath: '/',
    assetsBuildDirectory: 'build/client',
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'initial' },
  } as unknown as ServerBuild
}
