import { childOf, childrenOf, textIn, type XmlElement } from '../markup/xml-tree.ts'

/** The type of a question. A cloze has two names in Moodle, of which it writes the second. */
export function moodleTypeOf(root: XmlElement): string {
  const type = root.attributes['type'] ?? ''
  return type === 'multianswer' ? 'cloze' : type
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
