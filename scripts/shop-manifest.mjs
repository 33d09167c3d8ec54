// Runs after the client build: writes a second manifest of the pages, without those of the admin area, for everybody else.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = 'build/client/assets'
const name = readdirSync(folder).find((file) => /^manifest-.+\.js$/.test(file))
if (name === undefined) throw new Error('The build has no manifest of its routes.')

const [, before, json, after] = /^([^{]*)([^]*\})([^}]*)$/.exec(readFileSync(join(folder, name), 'utf8'))
const manifest = JSON.parse(json)
const isAdmin = (route) => route !== undefined && (route.path === 'admin' || isAdmin(manifest.routes[route.parentId]))
/** The exam page is fetched ahead with what it imports; elsewhere the browser finds the imports in the files. */
const EXAM_LAYOUT = 'layout/exam-layout'
const isAhead = ({ id, parentId }) => id === EXAM_LAYOUT || parentId === EXAM_LAYOUT
const isTold = (value) => value !== false && !(Array.isArray(value) && value.length === 0)
const slim = ({ imports, ...route }) =>
  Object.fromEntries(
    Object.entries(isAhead(route) ? { ...route, imports } : route).filter(([, value]) => isTold(value)),
  )
if (manifest.routes[EXAM_LAYOUT] === undefined) throw new Error(`The build has no ${EXAM_LAYOUT}.`)
const routes = Object.fromEntries(
  Object.entries(manifest.routes)
    .filter(([, route]) => !isAdmin(route))
    .map(([id, route]) => [id, slim(route)]),
)
// Its own address too: the browser would preload the other manifest.
const url = manifest.url.replace('/manifest-', '/shop-manifest-')
writeFileSync(join(folder, `shop-${name}`), `${before}${JSON.stringify({ ...manifest, routes, url })}${after}`)
