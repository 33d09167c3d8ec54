import { childOf, childrenOf, textIn, type XmlElement } from '../markup/xml-tree.ts'

/** The types that Moodle reads under two names, by the other name. */
const OTHER_NAMES: Readonly<Record<string, string>> = { multianswer: 'cloze', match: 'matching' }

/** The type of a question, by the name that Moodle writes. */
export function moodleTypeOf(root: XmlElement): string {
  const type = root.attributes['type'] ?? ''
  return OTHER_NAMES[type] ?? type
}

/** The text of a question as it is written, before its markup is read. */
export function writtenText(root: XmlElement): string {
  return textIn(childOf(root, 'questiontext', 'text'))
}

/** The text of the question, changed, with the files that stand beside it. */
export function withText(root: XmlElement, text: string): XmlElement | undefined {
  const element = childOf(root, 'questiontext')
  if (element === undefined) return undefined
  const children = element.children.map((child) =>
    typeof child !== 'string' && child.name === 'text' ? { ...child, children: [text] } : child,
  )
  return { ...element, children }
}

/** A text of a gap, which is HTML whatever the text around it is, with the files of the question. */
export function textOfGap(root: XmlElement, text: string): XmlElement {
  const files = childrenOf(childOf(root, 'questiontext'), 'file')
  const written: XmlElement = { name: 'text', attributes: {}, children: [text] }
  return { name: 'text', attributes: { format: 'html' }, children: [written, ...files] }
}
