import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The rules that a page needs for its first paint, and their hash for the content security policy. */
type CriticalStyles = { readonly css: string; readonly hash: string }

/**
 * A style rule, or an at-rule without rules inside. `names` are classes (`.flex`) and elements (`table`) of which a page has to have one;
 * it is empty for a rule that every page needs.
 */
type Leaf = { readonly text: string; readonly names: readonly string[]; readonly needs: string | null }
type Group = { readonly prelude: string; readonly children: readonly Node[] }
type Node = Leaf | Group

/** Pages with the same classes and elements share one entry. */
const MAX_SELECTIONS = 200
const MAX_CLASS_LISTS = 5_000

/**
 * Selects the rules of a minified sheet that apply to a page's HTML. The sheet follows after the first paint; its layers and rules
 * stay in their order here, so that it changes nothing when it arrives.
 */
export function selectStyles(sheet: string): (html: string) => CriticalStyles {
  const nodes = parseRules(sheet)
  const known = new Set(nodes.flatMap(namesOf))
  const selections = new LRUCache<string, CriticalStyles>({ max: MAX_SELECTIONS })
  const classLists = new LRUCache<string, readonly string[]>({ max: MAX_CLASS_LISTS })

  function readClassList(written: string): readonly string[] {
    const cached = classLists.get(written)
    if (cached !== undefined) return cached
    const classes = unescapeHtml(written)
      .split(/\s+/)
      .map((name) => `.${name}`)
      .filter((name) => known.has(name))
    classLists.set(written, classes)
    return classes
  }

  return (html) => {
    const used = new Set<string>()
    for (const [, written = ''] of html.matchAll(/ class="([^"]*)"/g))
      for (const name of readClassList(written)) used.add(name)
    for (const [, name = ''] of html.matchAll(/<([a-z][a-z0-9]*)/g)) if (known.has(name)) used.add(name)
    const key = [...used].sort().join(' ')
    const cached = selections.get(key)
    if (cached !== undefined) return cached
    const rules = nodes.map((node) => write(node, used)).join('')
    const css = nodes.map((node) => writeNeeded(node, rules)).join('') + rules
    const selection = { css, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` }
    selections.set(key, selection)
    return selection
  }
}

/**
 * Rules for paper and fallbacks for old browsers can wait for the whole sheet. So can web fonts: until they load, the text is
 * painted in a font of the device with the same metrics.
 */
const LATER = /^@media print$|^@supports/
const LATER_FONT = /^@font-face\{[^}]*url\(/

function write(node: Node, used: ReadonlySet<string>): string {
  if ('text' in node) {
    if (node.needs !== null || LATER_FONT.test(node.text)) return ''
    if (node.names[0] === WAITS) return ''
    return node.names.length === 0 || node.names.some((name) => used.has(name)) ? node.text : ''
  }
  const inside = LATER.test(node.prelude) ? '' : node.children.map((child) => write(child, used)).join('')
  if (inside !== '') return `${node.prelude}{${inside}}`
  // An empty layer keeps its place among the layers.
  return node.prelude.startsWith('@layer') ? `${node.prelude};` : ''
}

/** Animations and registered properties that the selected rules name. */
function writeNeeded(node: Node, rules: string): string {
  return 'text' in node && node.needs !== null && rules.includes(node.needs) ? node.text : ''
}

function namesOf(node: Node): readonly string[] {
  return 'text' in node ? node.names : node.children.flatMap(namesOf)
}

/** Parses rules; the sheet is minified, so that it has no comments except one at its beginning. */
function parseRules(css: string): Node[] {
  const nodes: Node[] = []
  let at = 0
  while (at < css.length) {
    if (css.startsWith('/*', at)) {
      at = css.indexOf('*/', at) + 2
      continue
    }
    const end = endOfPrelude(css, at)
    const prelude = css.slice(at, end).trim()
    if (css[end] !== '{') {
      if (prelude !== '') nodes.push({ text: `${prelude};`, names: [], needs: null })
      at = end + 1
      continue
    }
    const close = endOfBlock(css, end)
    if (/^@(layer|media|supports|container)\b/.test(prelude))
      nodes.push({ prelude, children: parseRules(css.slice(end + 1, close)) })
    else nodes.push(leafOf(prelude, css.slice(at, close + 1)))
    at = close + 1
  }
  return nodes
}

function leafOf(prelude: string, text: string): Leaf {
  const needs = /^@(?:keyframes|property)\s+(\S+)$/.exec(prelude)?.[1] ?? null
  return { text, names: prelude.startsWith('@') ? [] : namesIn(prelude), needs }
}

/** The name of a rule that no page needs for its first paint. */
const WAITS = '@later'
/** States that no element has before it is painted, and parts of elements that appear later or in other browsers only. */
const LATER_STATE =
  /:(?:hover|active|indeterminate|focus(?!-))\b|::(?:-webkit-(?:search|date|calendar|inner|outer)|file-selector|backdrop)|:-moz-/

/** The names of which a page must have one for a list of selectors to apply. */
function namesIn(selectors: string): string[] {
  const each = splitSelectors(selectors)
  const present = each.filter(({ plain }) => !LATER_STATE.test(plain))
  if (present.length === 0) return [WAITS]
  const names = present.map(({ whole, plain }) => {
    const classes = classesIn(whole).map((name) => `.${name}`)
    const element = /^[a-z][a-z0-9]*/.exec(plain)?.[0]
    return classes.length > 0 || element === undefined ? classes : [element]
  })
  return names.some((some) => some.length === 0) ? [] : names.flat()
}

/** The selectors of a list; `plain` is one without escapes and without the text in brackets. */
function splitSelectors(list: string): { readonly whole: string; readonly plain: string }[] {
  const each: { whole: string; plain: string }[] = []
  let from = 0
  let plain = ''
  let depth = 0
  for (let at = 0; at <= list.length; at += 1) {
    const sign = list[at]
    if (sign === undefined || (sign === ',' && depth === 0)) {
      each.push({ whole: list.slice(from, at), plain: plain.trim() })
      from = at + 1
      plain = ''
    } else if (sign === '\\') at += 1
    else if (sign === '"') at = endOfString(list, at)
    else if (sign === '(' || sign === '[') depth += 1
    else if (sign === ')' || sign === ']') depth -= 1
    else if (depth === 0) plain += sign
  }
  return each
}

/** The position of the next `{`, `;` or the end, outside strings. */
function endOfPrelude(css: string, from: number): number {
  for (let at = from; at < css.length; at += 1) {
    if (css[at] === '\\') at += 1
    else if (css[at] === '"') at = endOfString(css, at)
    else if (css[at] === '{' || css[at] === ';') return at
  }
  return css.length
}

/** The position of the `}` of the block that opens at `from`. */
function endOfBlock(css: string, from: number): number {
  let depth = 0
  for (let at = from; at < css.length; at += 1) {
    if (css[at] === '\\') at += 1
    else if (css[at] === '"') at = endOfString(css, at)
    else if (css[at] === '{') depth += 1
    else if (css[at] === '}' && (depth -= 1) === 0) return at
  }
  throw new Error('The style sheet ends inside a rule.')
}

function endOfString(css: string, from: number): number {
  let at = from + 1
  while (at < css.length && css[at] !== '"') at += css[at] === '\\' ? 2 : 1
  return at
}

/** The classes that a selector names anywhere, without their escapes. */
function classesIn(selector: string): string[] {
  const withoutValues = selector.replaceAll(/\\.|"(?:\\.|[^"\\])*"/g, (part) => (part.startsWith('"') ? '' : part))
  return [...withoutValues.matchAll(/(?<!\\)\.((?:\\[0-9a-f]{1,6}\s?|\\.|[\w-]|[^\0-\x7f])+)/gi)].map(([, name = '']) =>
    name.replaceAll(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_whole, code: string | undefined, sign: string | undefined) =>
      code === undefined ? (sign ?? '') : String.fromCodePoint(Number.parseInt(code, 16)),
    ),
  )
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_whole, name: string) => signs[name] ?? '')
}
