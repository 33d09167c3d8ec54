import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router'

/** Finds the pattern of a page's address, such as /course/:courseSlug, also for requests of a page's data alone. */
export function pageRoutes(routes: ServerBuild['routes']): (path: string) => string | undefined {
  const tree = treeOf(Object.values(routes).filter((route) => route !== undefined))
  return (path) => {
    const page = path.replace(/^\/_root\.data$/, '/').replace(/\.data$/, '')
    const matches = matchRoutes(tree, page)
    if (matches === null) return undefined
    const parts = matches.flatMap(({ route: { path: part = '' } }) =>
      part === '' ? [] : [part.replace(/^\/|\/$/g, '')],
    )
    return `/${parts.join('/')}`
  }
}

type Route = { readonly id: string; readonly parentId?: string; readonly path?: string; readonly index?: boolean }

function treeOf(routes: readonly Route[], parentId?: string): RouteObject[] {
  return routes
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) => (index === true ? { id, path, index } : { id, path, children: treeOf(routes, id) }))
}
