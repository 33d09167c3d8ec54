import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { parse, type ChildNode } from 'postcss'
import parseSelectors from 'postcss-selector-parser'

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
  const nodes = readNodes(parse(sheet).nodes)
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

function readNodes(nodes: readonly ChildNode[]): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (node.type === 'rule') return [{ text: node.toString(), names: namesIn(node.selector), needs: null }]
    if (node.type !== 'atrule') return []
    if (node.nodes !== undefined && GROUPS.has(node.name))
      return [{ prelude: `@${node.name} ${node.params}`, children: readNodes(node.nodes) }]
    const needs = node.name === 'keyframes' || node.name === 'property' ? node.params : null
    return [{ text: `${node.toString()}${node.nodes === undefined ? ';' : ''}`, names: [], needs }]
  })
}

const GROUPS: ReadonlySet<string> = new Set(['layer', 'media', 'supports', 'container'])

/** The name of a rule that no page needs for its first paint. */
const WAITS = '@later'
/** States that no element has before it is painted, and parts of elements that appear later or in other browsers only. */
const LATER_STATE =
  /^:(?:hover|active|indeterminate|focus)$|^::(?:-webkit-(?:search|date|calendar|inner|outer)|file-selector|backdrop)|^::?-moz-/

/** The names of which a page must have one for a list of selectors to apply. */
function namesIn(selectors: string): string[] {
  const present = parseSelectors()
    .astSync(selectors)
    .nodes.filter(({ nodes }) => !nodes.some(({ type, value }) => type === 'pseudo' && LATER_STATE.test(value ?? '')))
  if (present.length === 0) return [WAITS]
  const names = present.map((selector) => {
    const classes: string[] = []
    selector.walkClasses(({ value }) => void classes.push(`.${value}`))
    const first = selector.first
    return classes.length > 0 || first?.type !== 'tag' ? classes : [first.value]
  })
  return names.some((some) => some.length === 0) ? [] : names.flat()
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_whole, name: string) => signs[name] ?? '')
}
