import { SaxesParser } from 'saxes'

/** An element, named without its namespace prefix. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: (XmlElement | string)[]
}

/** The source text of one element, and the line on which it begins. */
export interface XmlSlice {
  text: string
  line: number
  /** False if the next element begins before this one ends. */
  isWhole: boolean
}

interface XmlTree {
  root: XmlElement | null
  /** The parser's message if the text is not well-formed XML, otherwise null. */
  problem: string | null
  /** Entities other than the common ones of XML and HTML; they stay in the text verbatim. */
  unknownEntities: string[]
}

/**
 * Yields the source text of each element with this name, whatever surrounds them, so that a broken element does not affect the
 * others. Skips comments, CDATA sections and the DOCTYPE, whose entities are never resolved. `canNest` is for elements that
 * may contain elements of the same name.
 */
export function* slicesOf(text: string, name: string, { canNest = false } = {}): Generator<XmlSlice> {
  const mark = new RegExp(`<!\\[CDATA\\[|<!--|<(/?)(?:[\\w.-]+:)?${name}(?=[\\s/>])`, 'g')
  const next = finderIn(text)
  let [line, counted, start, depth] = [1, 0, -1, 0]
  const sliceTo = (end: number, isWhole: boolean): XmlSlice => {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) line += 1
    counted = start
    return { text: text.slice(start, end), line, isWhole }
  }
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [sign, slash] = found
    if (sign === '<![CDATA[' || sign === '<!--') {
      const end = next(sign === '<!--' ? '-->' : ']]>', mark.lastIndex)
      // A section without an end is not a section: continue behind its start.
      if (end !== -1) mark.lastIndex = end + 3
    } else if (canNest && start !== -1 && (slash === '' || depth > 0)) {
      if (slash !== '') depth -= 1
      else if (text.charAt(next('>', mark.lastIndex) - 1) !== '/') depth += 1
    } else if (slash === '') {
      if (start !== -1) yield sliceTo(found.index, false)
      start = found.index
      const close = next('>', mark.lastIndex)
      if (close !== -1 && text.charAt(close - 1) === '/') {
        yield sliceTo(close + 1, true)
        start = -1
      }
    } else if (start !== -1) {
      const close = next('>', found.index)
      yield sliceTo(close === -1 ? text.length : close + 1, true)
      start = -1
    }
  }
  if (start !== -1) yield sliceTo(text.length, false)
}

/** `indexOf` for positions that only grow. It remembers the last hit or miss, so that the text is not searched again. */
function finderIn(text: string): (needle: string, from: number) => number {
  const known = new Map<string, number>()
  return (needle, from) => {
    const last = known.get(needle)
    if (last !== undefined && (last === -1 || last >= from)) return last
    const at = text.indexOf(needle, from)
    known.set(needle, at)
    return at
  }
}

export function hasDoctype(text: string): boolean {
  return /<!DOCTYPE/i.test(text)
}

/** XML's own entities, and those of HTML that files use although XML does not define them. */
const ENTITIES = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    copy: '©',
    reg: '®',
    trade: '™',
    hellip: '…',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    bull: '•',
    middot: '·',
    times: '×',
    deg: '°',
    euro: '€',
    laquo: '«',
    raquo: '»',
    rarr: '→',
    le: '≤',
    ge: '≥',
  }),
)

/** Questions are never nested deeper. */
const MAX_DEPTH = 200

/** `nameOf` maps the names of elements and attributes to those that the reader uses. */
export function parseXml(text: string, nameOf: (name: string) => string = (name) => name): XmlTree {
  const parser = new SaxesParser({ fragment: true, position: false, xmlns: false })
  const top: XmlElement = { name: '', attributes: {}, children: [] }
  const open = [top]
  const state: { problem: string | null; depth: number } = { problem: null, depth: 0 }
  const unknownEntities: string[] = []
  // Unknown entities stay verbatim and are reported.
  parser.ENTITIES = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => {
        const entity = String(name)
        const text = ENTITIES.get(entity)
        if (text !== undefined || !/^[\w.-]+$/.test(entity)) return text
        unknownEntities.push(`&${entity};`)
        return `&${entity};`
      },
    },
  )
  const takeText = (content: string) => open.at(-1)?.children.push(content)
  parser.on('opentag', ({ name, attributes }) => {
    state.depth += 1
    if (state.depth > MAX_DEPTH) {
      state.problem ??= `it is nested deeper than ${MAX_DEPTH} levels`
      return
    }
    const element: XmlElement = { name: nameOf(localName(name)), attributes: renamed(attributes, nameOf), children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => {
    if (state.depth <= MAX_DEPTH && open.length > 1) open.pop()
    state.depth -= 1
  })
  parser.on('text', takeText)
  parser.on('cdata', takeText)
  parser.on('error', ({ message }) => {
    state.problem ??= message
  })
  parser.write(text).close()
  const root = top.children.find((child) => typeof child !== 'string')
  return { root: typeof root === 'object' ? root : null, problem: state.problem, unknownEntities }
}

/** Returns the same object if no name changes, as in most elements. */
function renamed(attributes: Record<string, string>, nameOf: (name: string) => string): Record<string, string> {
  const names = Object.keys(attributes)
  if (names.every((name) => nameOf(name) === name)) return attributes
  return Object.fromEntries(names.map((name) => [nameOf(name), attributes[name] ?? '']))
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return (element?.children ?? []).filter((child) => typeof child !== 'string').filter((child) => child.name === name)
}

export function childOf(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((parent, name) => childrenOf(parent, name)[0], element)
}

/** All elements of this name below, in the order of the file. */
export function allOf(element: XmlElement | undefined, name: string): XmlElement[] {
  const found: XmlElement[] = []
  for (const child of element?.children ?? []) {
    if (typeof child === 'string') continue
    if (child.name === name) found.push(child)
    for (const below of allOf(child, name)) found.push(below)
  }
  return found
}

export function textIn(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((child) => (typeof child === 'string' ? child : textIn(child))).join('')
}

/** What is inside an element, as HTML. */
export function htmlIn(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((child) => (typeof child === 'string' ? xmlText(child) : htmlOf(child))).join('')
}

function htmlOf(element: XmlElement): string {
  const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${xmlText(value)}"`)
  const inside = htmlIn(element)
  const isEmpty = inside === '' && /^(?:br|hr|img)$/.test(element.name)
  return `<${element.name}${attributes.join('')}${isEmpty ? '/>' : `>${inside}</${element.name}>`}`
}

/** Text for an element or attribute. XML has no place for most control characters, even escaped. */
export function xmlText(text: string): string {
  return storable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

export function cdata(text: string): string {
  return `<![CDATA[${storable(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

function storable(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, '\ufffd')
}
