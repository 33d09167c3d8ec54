import { fromBase64 } from '../../formats/base64.ts'
import { imageSizeOf, type ImageSize } from '../../formats/image-size.ts'
import { childOf, textIn, xmlText, type XmlElement } from '../../formats/markup/xml-tree.ts'
import { reason } from '../../questions.ts'
import type { BodyNotes, MoodleQuestion, PartReader } from '../type-formats.ts'
import type { ParsedArea, ParsedHotSpot } from './hot-spot-formats.ts'
import { apartByMarker, hasMarkers, markedPlaces, type MarkedPlaces } from './hot-spot-markers.ts'

/** `ddmarker` and `ddimageortext`, one question for each marker: its place is right, those of the others are wrong. */
export const moodleHotSpot: PartReader<'hot-spot', MoodleQuestion> = {
  takes: ({ root }) => hasMarkers(root),
  apart: (source) => apartByMarker(source.root).map((root) => ({ ...source, root })),
  read({ type, root, markdownOf }, notes) {
    const marked = markedPlaces(root)
    const size = sizeOf(marked.image)
    const areas = marked.places.map((place) => areaOf(type, place, marked))
    for (const problem of problemsOf(type, marked, { areas, size })) refuse(problem, notes)
    const stem = markdownOf(childOf(root, 'questiontext'))
    const body: ParsedHotSpot = {
      type: 'hot-spot',
      image: imageText(marked.image, markdownOf),
      width: String(size?.width ?? ''),
      height: String(size?.height ?? ''),
      areas: areas.flatMap((area) => area ?? []),
    }
    return { body, each: [], stem: marked.marker === '' ? stem : `${stem}\n\n**${marked.marker}**` }
  },
}

function refuse(problem: string, notes: BodyNotes): void {
  notes.reasons.push(reason('type-unsupported', '', problem, notes.line))
}

/** What of the question no hot spot can hold. */
function problemsOf(
  type: string,
  { image, places }: MarkedPlaces,
  { areas, size }: { areas: readonly (ParsedArea | null)[]; size: ImageSize | null },
): string[] {
  if (image === undefined) return [`${type} without its image`]
  if (size === null) return [`${type} whose image says no size: only PNG, GIF and JPEG do`]
  const right = places.filter(({ isRight }) => isRight).length
  if (right === 0) return [`${type} with no marker that has a place`]
  if (right === places.length) return [`${type} whose places are all of one marker, so that no other area is wrong`]
  const unread = areas.indexOf(null)
  if (unread === -1) return []
  return type === 'ddmarker'
    ? [`ddmarker whose place "${places[unread]?.name}" has no shape that can be read`]
    : ['ddimageortext whose markers are texts, so that its places have no size']
}

/** An area with the numbers of a hot spot; null if the file does not give them. */
function areaOf(
  type: string,
  { name, element, isRight }: MarkedPlaces['places'][number],
  marked: MarkedPlaces,
): ParsedArea | null {
  const figure = type === 'ddmarker' ? figureOf(element) : boxOf(element, marked)
  return figure && { text: name, isRight, ...figure }
}

type Figure = { readonly shape: string; readonly numbers: string }

/** Moodle writes a circle as `x,y;radius`, a rectangle as `x,y;width,height`, a polygon as the points of its corners. */
function figureOf(place: XmlElement): Figure | null {
  const shape = textIn(childOf(place, 'shape')).trim()
  const numbers = textIn(childOf(place, 'coords'))
    .split(/[\s,;]+/)
    .filter((number) => number !== '')
    .map(Number)
  if (numbers.some((number) => !Number.isFinite(number))) return null
  const [left = 0, top = 0, width = 0, height = 0] = numbers
  if (shape === 'rectangle' && numbers.length === 4) return { shape: 'rect', numbers: box(left, top, width, height) }
  if (shape === 'circle' && numbers.length === 3) return { shape, numbers: numbers.join(', ') }
  return shape === 'polygon' && numbers.length >= 6 ? { shape, numbers: numbers.join(', ') } : null
}

/** A place of `ddimageortext` is as large as the largest picture that is dragged to places of its group. */
function boxOf(place: XmlElement, { markers }: MarkedPlaces): Figure | null {
  const groupOf = (marker: XmlElement | undefined) => textIn(childOf(marker, 'draggroup')).trim()
  const number = textIn(childOf(place, 'choice')).trim()
  const own = markers.find((marker) => textIn(childOf(marker, 'no')).trim() === number)
  const sizes = markers
    .filter((marker) => groupOf(marker) === groupOf(own))
    .flatMap((marker) => sizeOf(childOf(marker, 'file')) ?? [])
  if (own === undefined || sizes.length === 0) return null
  const [left, top] = [Number(textIn(childOf(place, 'xleft'))), Number(textIn(childOf(place, 'ytop')))]
  const [width, height] = [Math.max(...sizes.map((size) => size.width)), Math.max(...sizes.map((size) => size.height))]
  return { shape: 'rect', numbers: box(left, top, width, height) }
}

function box(left: number, top: number, width: number, height: number): string {
  return [left, top, left + width, top + height].join(', ')
}

function sizeOf(file: XmlElement | undefined): ImageSize | null {
  const bytes = file === undefined ? null : fromBase64(textIn(file))
  return bytes && imageSizeOf(bytes)
}

/** The image stands beside the text of the question, and is read like a picture inside a text. */
function imageText(file: XmlElement | undefined, markdownOf: MoodleQuestion['markdownOf']): string {
  if (file === undefined) return ''
  const name = file.attributes['name'] ?? ''
  const html = `<img src="@@PLUGINFILE@@/${encodeURIComponent(name)}" alt="${xmlText(name)}">`
  return markdownOf({
    name: 'image',
    attributes: { format: 'html' },
    children: [{ name: 'text', attributes: {}, children: [html] }, file],
  })
}
