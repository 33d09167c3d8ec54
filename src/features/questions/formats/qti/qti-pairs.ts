import { allOf, childOf, childrenOf, textIn, type XmlElement } from '../markup/xml-tree.ts'

/* Interactions whose response is pairs of identifiers. A `gapMatchInteraction` with its gaps apart is a matching, otherwise a text with lists. */

export type Pair = readonly [one: string, other: string]

/** The pairs of the correct response, or else those that the mapping gives points for. */
export function rightPairs(response: XmlElement | undefined): Pair[] {
  const correct = childrenOf(childOf(response, 'correctResponse'), 'value').map(textIn)
  const mapped = allOf(childOf(response, 'mapping'), 'mapEntry')
    .filter(({ attributes }) => Number(attributes['mappedValue'] ?? '0') > 0)
    .map(({ attributes }) => attributes['mapKey'] ?? '')
  return (correct.length > 0 ? correct : mapped).map((written) => {
    const [one = '', other = ''] = written.trim().split(/\s+/)
    return [one, other]
  })
}

const BLOCKS = new Set(['p', 'li', 'td', 'div', 'dd'])

/**
 * The paragraphs of the gaps if there are several below a prompt, each gap has one of its own, and no other text stands around them;
 * otherwise null.
 */
export function apartGaps(interaction: XmlElement): XmlElement[] | null {
  const blocks = blocksWithGaps(interaction)
  const isApart = blocks.every((block) => allOf(block, 'gap').length === 1)
  const isAll = blocks.length === allOf(interaction, 'gap').length
  const isList = blocks.length > 1 && textIn(childOf(interaction, 'prompt')).trim() !== ''
  return isList && isApart && isAll && textAround(interaction, blocks).trim() === '' ? blocks : null
}

/** The innermost paragraphs that hold a gap. */
function blocksWithGaps(element: XmlElement): XmlElement[] {
  const inner = element.children.flatMap((child) => (typeof child === 'string' ? [] : blocksWithGaps(child)))
  if (inner.length > 0) return inner
  return BLOCKS.has(element.name) && allOf(element, 'gap').length > 0 ? [element] : []
}

function textAround(element: XmlElement, blocks: readonly XmlElement[]): string {
  return element.children
    .map((child) => {
      if (typeof child === 'string') return child
      const isKept = blocks.includes(child) || child.name === 'prompt' || child.name === 'gapText'
      return isKept ? '' : textAround(child, blocks)
    })
    .join('')
}

/** What the interaction shows, without its texts to drag, and with a numbered place for each gap. */
export function withNumberedGaps(interaction: XmlElement): XmlElement['children'] {
  const gaps = allOf(interaction, 'gap')
  const changed = (element: XmlElement): XmlElement['children'] =>
    element.children.flatMap((child): XmlElement['children'] => {
      if (typeof child === 'string') return [child]
      if (child.name === 'gap') return [`[[${gaps.indexOf(child) + 1}]]`]
      if (child.name === 'gapText') return []
      return [{ ...child, name: child.name === 'prompt' ? 'div' : child.name, children: changed(child) }]
    })
  return changed(interaction)
}
