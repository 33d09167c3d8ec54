import { parseAst, type Plugin } from 'vite'

type Node = { readonly type: string; readonly start: number; readonly end: number } & Record<string, unknown>
type Body = { readonly start: number; readonly end: number }

const ROUTER = /\/node_modules\/react-router\/dist\/[^?]+\.mjs$/
const IS_DEVELOPMENT = 'var ENABLE_DEV_WARNINGS = true;'
/**
 * When a page goes away, asking how far it is scrolled would make the browser compute its styles once more, while the next document has
 * arrived and waits. So it is noted with each scroll.
 */
const SCROLL_OF_LEFT_PAGE = 'savedScrollPositions[key] = window.scrollY;'
const NOTED_SCROLL = `var notedScroll = window.scrollY;
window.addEventListener('scroll', () => { notedScroll = window.scrollY }, { passive: true });`

/**
 * Functions of React Router that the shop's settings never use, and what their bodies are in the browser's files. The minifier cannot
 * know the settings, so it would keep them and all that only they call. The bench's hello page keeps them.
 */
const unused: Readonly<Record<string, string>> = {
  // The root has its own failure page and its own sentence while a page loads.
  DefaultErrorComponent: 'return null',
  RemixRootDefaultErrorBoundary: 'return null',
  RemixRootDefaultHydrateFallback: 'return null',
  // Every page has its whole list of routes (react-router.config.ts).
  getPatchRoutesOnNavigationFunction: 'return undefined',
  useFogOFWarDiscovery: '',
  checkFogOfWar: 'return { active: false, matches: null }',
  discoverRoutes: "return { type: 'success', matches }",
  // No React Server Components.
  RSCErrorHandler: 'return arguments[0].children',
  decodeRouteErrorResponseDigest: 'return undefined',
  // No `useFetcher`.
  fetch2: '',
  handleFetcherAction: '',
  handleFetcherLoader: '',
  // No `instrumentations`.
  getRouteInstrumentationUpdates: 'return {}',
  instrumentClientSideRouter: 'return router',
  // No `viewTransition`.
  useViewTransitionState: 'return false',
  restoreAppliedTransitions: '',
  persistAppliedTransitions: '',
  // No `prefetch` of links, no `PrefetchPageLinks`, and one style sheet for all pages.
  usePrefetchBehavior: 'return [false, null, {}]',
  PrefetchPageLinks: 'return null',
  prefetchRouteCss: '',
  prefetchStyleLinks: '',
  // The server renders.
  nonSsrStrategy: '',
}

/**
 * Leaves out of the built files what the shop does not use of its router. A name that the router no longer has fails the build:
 * then the list has to be compared with the new version.
 */
export function slimRouter(): Plugin {
  const found = new Set<string>()
  return {
    name: 'altocert:slim-router',
    apply: 'build',
    buildStart: () => found.clear(),
    transform: {
      filter: { id: ROUTER },
      handler(code) {
        const bodies: (Body & { readonly name: string })[] = []
        collectBodies(parseAst(code) as unknown as Node, bodies)
        for (const { name } of bodies) {
          if (found.has(name)) this.error(`React Router has several functions ${name} (scripts/slim-router.ts)`)
          found.add(name)
        }
        for (const line of [IS_DEVELOPMENT, SCROLL_OF_LEFT_PAGE]) if (code.includes(line)) found.add(line)
        const slim = bodies
          .toSorted((a, b) => b.start - a.start)
          .reduce((text, { name, start, end }) => `${text.slice(0, start)}{${unused[name]}}${text.slice(end)}`, code)
        const noted = slim.includes(SCROLL_OF_LEFT_PAGE)
          ? `${slim.replace(SCROLL_OF_LEFT_PAGE, 'savedScrollPositions[key] = notedScroll;')}\n${NOTED_SCROLL}`
          : slim
        return { code: noted.replace(IS_DEVELOPMENT, 'var ENABLE_DEV_WARNINGS = false;'), map: null }
      },
    },
    buildEnd(error) {
      const lost = [...Object.keys(unused), IS_DEVELOPMENT, SCROLL_OF_LEFT_PAGE].filter((name) => !found.has(name))
      if (error === undefined && lost.length > 0)
        this.error(`React Router no longer has ${lost.join(', ')} (scripts/slim-router.ts)`)
    },
  }
}

function collectBodies(node: Node, bodies: (Body & { readonly name: string })[]): void {
  const name = (node['id'] as { name?: string } | null | undefined)?.name ?? ''
  if (node.type === 'FunctionDeclaration' && Object.hasOwn(unused, name)) {
    bodies.push({ name, ...(node['body'] as Body) })
    return
  }
  for (const value of Object.values(node)) for (const child of nodesOf(value)) collectBodies(child, bodies)
}

function nodesOf(value: unknown): Node[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one): one is Node => typeof one === 'object' && one !== null && 'type' in one && 'start' in one)
}
