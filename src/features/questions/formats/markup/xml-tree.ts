import { SaxesParser } from 'saxes'

/** An element with its name without prefix, as people read it. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: (XmlElement | string)[]
}

/** A piece of a file that begins and ends with one element, and the line on which it begins. */
export interface XmlSlice {
  text: string
  line: number
  /** False where the next one begins before this one ends. */
  isWhole: boolean
}

interface XmlTree {
  root: XmlElement | null
  /** Why it is no XML, in the parser's words, or null. */
  problem: string | null
  /** Entities that are none of XML's and HTML's usual ones; they stand in the text as written. */
  unknownEntities: string[]
}

/**
 * The elements of this name, one after another, whatever stands around and between them: so a broken one costs no other.
 * Comments and CDATA sections are passed over; so is the DOCTYPE, whose entities nobody follows. Where elements of the name
 * stand in one another, `canNest` says so.
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
      // A section without an end ends nowhere: then what follows is looked at as if it had not begun.
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

/** As `indexOf`, for places that only move on: what was looked for in vain or far away is not looked for again. */
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

/** XML's own, and those that files use although XML does not know them, because HTML does. */
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

/** Deeper is no question. */
const MAX_DEPTH = 200

/** `nameOf` gives elements and attributes the names that their reader goes by. */
export function parseXml(text: string, nameOf: (name: string) => string = (name) => name): XmlTree {
  const parser = new SaxesParser({ fragment: true, position: false, xmlns: false })
  const top: XmlElement = { name: '', attributes: {}, children: [] }
  const open = [top]
  const state: { problem: string | null; depth: number } = { problem: null, depth: 0 }
  const unknownEntities: string[] = []
  // What nobody explains stays as it is written, and is told.
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

/** The same object where no name changes: most elements have none that does. */
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
