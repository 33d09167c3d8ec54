import { strFromU8, strToU8 } from 'fflate'
import { sha256Hex } from '../../../lib/sha256.ts'
import { hasDoctype, parseXml, xmlText, type XmlElement } from '../../questions/formats/markup/xml-tree.ts'
import { DRAWING_MAX_BYTES, IMAGE_MAX_SIDE, imagePath } from './images.ts'

/** An SVG file as it is stored, and its address. */
export interface Drawing {
  readonly id: string
  readonly address: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly width: number
  readonly height: number
}

/** More elements than a drawing made by hand has; the time that a browser needs grows with them. */
const MAX_ELEMENTS = 2000
const MAX_DEPTH = 20

const WITH_TEXT: ReadonlySet<string> = new Set(['title', 'desc', 'style', 'text', 'tspan'])
const ELEMENTS = new Set([
  ...WITH_TEXT,
  'svg',
  'defs',
  'g',
  'marker',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
])
const ATTRIBUTES = new Set(
  [
    'xmlns viewBox width height id class role transform opacity',
    'x y x1 y1 x2 y2 cx cy r rx ry dx dy d points pathLength',
    'fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray',
    'font-family font-size font-weight font-style letter-spacing text-anchor dominant-baseline',
    'marker-start marker-mid marker-end markerWidth markerHeight markerUnits refX refY orient',
  ].flatMap((names) => names.split(' ')),
)
const XML_DECLARATION = /^\s*<\?xml [^<>]*\?>/
const NAMESPACE = 'http://www.w3.org/2000/svg'

/**
 * Rewrites an SVG file from the allowed elements, attributes and style rules, and refuses it whole if it has any others, so
 * that nothing in it runs, moves, links or loads. Rewriting the result changes nothing.
 */
export function redraw(bytes: Uint8Array): Drawing | { readonly refused: string } {
  if (bytes.byteLength > DRAWING_MAX_BYTES) return { refused: `it has more than ${DRAWING_MAX_BYTES / 1024} kB` }
  const text = strFromU8(bytes).replace(XML_DECLARATION, '')
  if (hasDoctype(text)) return { refused: 'it has a DOCTYPE' }
  const { root, problem, unknownEntities } = parseXml(text)
  if (root === null || problem !== null) return { refused: `it is not well-formed XML: ${problem ?? 'it is empty'}` }
  const [entity] = unknownEntities
  if (entity !== undefined) return { refused: `it has the entity ${entity}` }
  const size = sizeOf(root)
  const refused = size === null ? 'it is no svg with a viewBox "0 0 width height"' : problemOf(root)
  if (size === null || refused !== null) return { refused: refused ?? '' }
  const [width, height] = size
  const { xmlns: _, width: _width, height: _height, ...others } = root.attributes
  const attributes = { xmlns: NAMESPACE, width: String(width), height: String(height), ...others }
  const anew = `${printed({ ...root, attributes })}\n`
  const id = sha256Hex(anew)
  return { id, address: imagePath(id, 'image/svg+xml'), bytes: strToU8(anew), width, height }
}

/** Whether a file is SVG by its beginning, before anything else of it is read. */
export function isSvg(bytes: Uint8Array): boolean {
  const beginning = strFromU8(bytes.subarray(0, 4096))
  return /^\s*(?:<!--(?:(?!-->)[^])*-->\s*)*<svg[\s>]/.test(beginning.replace(XML_DECLARATION, ''))
}

function sizeOf({ name, attributes }: XmlElement): [width: number, height: number] | null {
  if (name !== 'svg') return null
  const [, width = 0, height = 0] = (/^0 0 (\d{1,4}) (\d{1,4})$/.exec(attributes['viewBox'] ?? '') ?? []).map(Number)
  return [width, height].every((side) => side >= 1 && side <= IMAGE_MAX_SIDE) ? [width, height] : null
}

function problemOf(root: XmlElement): string | null {
  let count = 0
  const below = (element: XmlElement, depth: number): string | null => {
    count += 1
    if (count > MAX_ELEMENTS) return `it has more than ${MAX_ELEMENTS} elements`
    if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`
    const problem = elementProblem(element, depth === 0)
    if (problem !== null) return problem
    for (const child of element.children) {
      const inChild = typeof child === 'string' ? null : below(child, depth + 1)
      if (inChild !== null) return inChild
    }
    return null
  }
  return below(root, 0)
}

function elementProblem({ name, attributes, children }: XmlElement, isRoot: boolean): string | null {
  if (!ELEMENTS.has(name) || (name === 'svg' && !isRoot)) return `it has the element <${name}>`
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!ATTRIBUTES.has(attribute)) return `it has the attribute ${attribute}`
    if (attribute === 'xmlns' ? value !== NAMESPACE : !isPlain(value)) return `its ${attribute} is "${value}"`
  }
  const text = children.filter((child) => typeof child === 'string').join('')
  if (text.trim() !== '' && !WITH_TEXT.has(name)) return `it has text in <${name}>`
  return name === 'style' ? styleProblem(text) : null
}

/** Numbers, names, colors and references to parts of the same drawing. */
function isPlain(value: string): boolean {
  const rest = value.replace(/^url\(#[\w-]+\)$/, '')
  return /^[\w\s.,#%()'+-]*$/.test(rest) && functionsIn(rest).every(isHarmless)
}

function isHarmless(name: string): boolean {
  return ['var', 'rgb', 'translate', 'scale', 'rotate'].includes(name)
}

/**
 * Style can only set colors and sizes, because it has no backslashes, which could hide a name, and no functions or rules that
 * load.
 */
function styleProblem(css: string): string | null {
  const odd = /[^\w\s.,:;#%(){}'"*>+/@-]/.exec(css)?.[0]
  if (odd !== undefined) return `its style has the character ${odd}`
  const rule = (css.match(/@[\w-]*/g) ?? []).find((name) => name !== '@media')
  if (rule !== undefined) return `its style has the rule ${rule}`
  const called = functionsIn(css).find((name) => !isHarmless(name))
  return called === undefined ? null : `its style has the function ${called}()`
}

function functionsIn(text: string): string[] {
  return [...text.matchAll(/([\w-]+)\(/g)].map(([, name = '']) => name.toLowerCase())
}

function printed({ name, attributes, children }: XmlElement): string {
  const start = `<${name}${Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${xmlText(value)}"`)
    .join('')}`
  if (children.length === 0) return `${start}/>`
  const inside = children.map((child) => (typeof child === 'string' ? xmlText(child) : printed(child)))
  return `${start}>${inside.join('')}</${name}>`
}
