import { normaliseLine } from '../../question-text.ts'
import type { Question } from '../../types/question-types.schema.ts'
import type { Reading } from '../parsed-question.ts'
import { resolvePath } from '../bank-images.ts'
import { NEEDS_REVIEW_TAG } from '../question-tags.ts'
import { decodeText } from '../text-decoding.ts'
import { allOf, childOf, parseXml, slicesOf, textIn, type XmlElement, xmlText } from '../markup/xml-tree.ts'

/** The metadata of an item in a package's manifest (IEEE LOM). */
export interface ItemFacts {
  domain?: string
  difficulty?: string
  url?: string
  tags?: string[]
}

const MANIFEST = /(?:^|\/)imsmanifest\.xml$/i

/** Keyed by the path of the item. */
export function readManifest(reading: Reading): Map<string, ItemFacts> {
  const facts = new Map<string, ItemFacts>()
  for (const { path, bytes } of reading.files.values()) {
    if (!MANIFEST.test(path)) continue
    reading.used.add(path)
    for (const { text } of slicesOf(decodeText(bytes).text, 'resource', { canNest: true })) {
      const { root } = parseXml(text)
      const href = root?.attributes['href']
      if (root && href !== undefined) facts.set(resolvePath(path, href), factsIn(root))
    }
  }
  return facts
}

/** LOM calls it 'difficult'. */
const DIFFICULTIES: Record<string, string> = {
  'very easy': 'easy',
  easy: 'easy',
  medium: 'medium',
  difficult: 'hard',
  'very difficult': 'hard',
}

function factsIn(resource: XmlElement): ItemFacts {
  const text = (element: XmlElement | undefined) => normaliseLine(textIn(element))
  const [taxon] = allOf(resource, 'taxon')
  const [difficulty] = allOf(resource, 'difficulty')
  const [relation] = allOf(resource, 'relation')
  const written = text(childOf(difficulty, 'value')).toLowerCase()
  return {
    domain: text(childOf(taxon, 'entry')),
    difficulty: DIFFICULTIES[written] ?? written,
    url: text(childOf(relation, 'resource', 'description')),
    tags: allOf(resource, 'keyword').map(text),
  }
}

/** The metadata of a question; empty if the manifest has none. */
export function metadataXml({ domain, difficulty, url, needsReview }: Question): string {
  const string = (text: string) => `<string language="en">${xmlText(text)}</string>`
  const fromLom = (value: string) => `<source>LOMv1.0</source><value>${value}</value>`
  const level = difficulty === 'hard' ? 'difficult' : difficulty
  const parts = [
    needsReview && `<general><keyword>${string(NEEDS_REVIEW_TAG)}</keyword></general>`,
    level !== '' && `<educational><difficulty>${fromLom(level)}</difficulty></educational>`,
    url !== '' &&
      `<relation><kind>${fromLom('references')}</kind><resource><description>${string(url)}</description></resource></relation>`,
    `<classification><purpose>${fromLom('discipline')}</purpose><taxonPath><source>${string('Domain')}</source><taxon><entry>${string(domain)}</entry></taxon></taxonPath></classification>`,
  ]
  return `<metadata><lom xmlns="http://ltsc.ieee.org/xsd/LOM">${parts.filter((part) => part !== false).join('')}</lom></metadata>`
}
