import { childOf, textIn, type XmlElement } from './markup/xml-tree.ts'

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

/** A text in the format of the text of a question. */
export function textLikeThat(root: XmlElement, text: string): XmlElement {
  const format = childOf(root, 'questiontext')?.attributes['format'] ?? 'html'
  return { name: 'text', attributes: { format }, children: [{ name: 'text', attributes: {}, children: [text] }] }
}
