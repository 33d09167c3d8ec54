type Route = { readonly module: string; readonly imports?: readonly string[] }

/** The files of the router's routes with these ids, as its list of routes names them (scripts/shop-manifest.mjs). */
export function filesOfRoutes(ids: readonly string[]): string[] {
  const { __reactRouterManifest: manifest } = window as { __reactRouterManifest?: { routes: Record<string, Route> } }
  const files = ids.flatMap((id) => {
    const route = manifest?.routes[id]
    return route === undefined ? [] : [route.module, ...(route.imports ?? [])]
  })
  return [...new Set(files)]
}
