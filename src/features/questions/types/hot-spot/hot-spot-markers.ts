import { childOf, childrenOf, textIn, type XmlElement } from '../../formats/markup/xml-tree.ts'

/* Moodle's types `ddmarker` and `ddimageortext`: markers that are dragged to their places in an image. */

const TYPES = new Set(['ddmarker', 'ddimageortext'])

/** The attribute with the number of the marker that one of the questions asks for. */
const ASKED = 'asked-marker'

export interface MarkedPlaces {
  /** The text of the marker that is asked for. */
  readonly marker: string
  readonly image: XmlElement | undefined
  readonly places: readonly { readonly name: string; readonly element: XmlElement; readonly isRight: boolean }[]
  readonly markers: readonly XmlElement[]
}

/**
 * A question for each marker, for a question here asks which area is right and not which label belongs to which area. A question
 * that can't be taken apart stays one, and its reader says why.
 */
export function apartByMarker(root: XmlElement): XmlElement[] {
  if (!hasMarkers(root)) return [root]
  const placed = placesOf(root).map((place) => textIn(childOf(place, 'choice')).trim())
  const asked = childrenOf(root, 'drag')
    .map(numberOf)
    .filter((number) => placed.includes(number))
  if (asked.length === 0) return [root]
  return asked.map((number) => ({ ...root, attributes: { ...root.attributes, [ASKED]: number } }))
}

export function hasMarkers(root: XmlElement): boolean {
  return TYPES.has(root.attributes['type'] ?? '')
}

export function markedPlaces(root: XmlElement): MarkedPlaces {
  const asked = root.attributes[ASKED] ?? ''
  const markers = childrenOf(root, 'drag')
  const marker = markers.find((one) => numberOf(one) === asked)
  const labels = placesOf(root).map((place) => textIn(childOf(place, 'text')).trim())
  const areLabelsNames = new Set(labels).size === labels.length && !labels.includes('')
  const places = placesOf(root).map((element, at) => ({
    name: areLabelsNames ? (labels[at] ?? '') : `Area ${at + 1}`,
    element,
    isRight: textIn(childOf(element, 'choice')).trim() === asked,
  }))
  return { marker: textIn(childOf(marker, 'text')).trim(), image: childOf(root, 'file'), places, markers }
}

function placesOf(root: XmlElement): XmlElement[] {
  return childrenOf(root, 'drop')
}

function numberOf(marker: XmlElement): string {
  return textIn(childOf(marker, 'no')).trim()
}
