import { childOf, childrenOf, textIn, type XmlElement } from '../../formats/markup/xml-tree.ts'

/* Moodle's types `ddmarker` and `ddimageortext`: markers that are dragged to their places in an image. */

/** The markers of a hot spot that we write: those for the right areas, and those for the others. They ask one question. */
export const HERE = 'Here'
export const NOT_HERE = 'Not here'

const TYPES = new Set(['ddmarker', 'ddimageortext'])

/** The attribute with the number of the marker that one of the questions asks for. */
const ASKED = 'asked-marker'

export interface MarkedPlaces {
  /** The text of the marker that is asked for. */
  readonly marker: string
  readonly image: XmlElement | undefined
  readonly places: readonly { readonly name: string; readonly element: XmlElement; readonly isRight: boolean }[]
  readonly markers: readonly XmlElement[]
  /** Whether its markers are ours: then all areas may be right. */
  readonly isOurs: boolean
}

/**
 * A question for each marker, for a question here asks which area is right and not which label belongs to which area. A question
 * that can't be taken apart stays one, and its reader says why.
 */
export function apartByMarker(root: XmlElement): XmlElement[] {
  if (!hasMarkers(root)) return [root]
  const placed = placesOf(root).map((place) => textIn(childOf(place, 'choice')).trim())
  const markers = childrenOf(root, 'drag')
  const isOurs = isOneQuestion(markers)
  const asked = markers
    .filter((marker) => !isOurs || textOf(marker) === HERE)
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
  const isOurs = isOneQuestion(markers)
  return { marker: isOurs ? '' : textOf(marker), image: childOf(root, 'file'), places, markers, isOurs }
}

function isOneQuestion(markers: readonly XmlElement[]): boolean {
  return markers.length === 2 && [HERE, NOT_HERE].every((text) => markers.some((marker) => textOf(marker) === text))
}

function placesOf(root: XmlElement): XmlElement[] {
  return childrenOf(root, 'drop')
}

function textOf(marker: XmlElement | undefined): string {
  return textIn(childOf(marker, 'text')).trim()
}

function numberOf(marker: XmlElement): string {
  return textIn(childOf(marker, 'no')).trim()
}
