import { fromBase64, toBase64 } from '../../formats/base64.ts'
import { imageSizeOf, type ImageSize } from '../../formats/image-size.ts'
import { childOf, textIn, xmlText, type XmlElement } from '../../formats/markup/xml-tree.ts'
import { reason } from '../../questions.ts'
import { imagesIn } from '../../image-addresses.ts'
import type { BodyNotes, MoodleQuestion, PartReader, PartWriters } from '../type-formats.ts'
import { cornersOf } from './area-figures.ts'
import type { ParsedArea, ParsedHotSpot } from './hot-spot-formats.ts'
import { apartByMarker, HERE, hasMarkers, markedPlaces, NOT_HERE, type MarkedPlaces } from './hot-spot-markers.ts'
import type { Area, HotSpotQuestion } from './hot-spot.schema.ts'

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
  { image, places, isOurs }: MarkedPlaces,
  { areas, size }: { areas: readonly (ParsedArea | null)[]; size: ImageSize | null },
): string[] {
  if (image === undefined) return [`${type} without its image`]
  if (size === null) return [`${type} whose image says no size: only PNG, GIF, JPEG, WebP and SVG do`]
  const right = places.filter(({ isRight }) => isRight).length
  if (right === 0) return [`${type} with no marker that has a place`]
  if (right === places.length && !isOurs)
    return [`${type} whose places are all of one marker, so that no other area is wrong`]
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
  const { name = '', alt = name } = file.attributes
  const html = `<img src="@@PLUGINFILE@@/${encodeURIComponent(name)}" alt="${xmlText(alt)}">`
  return markdownOf({
    name: 'image',
    attributes: { format: 'html' },
    children: [{ name: 'text', attributes: {}, children: [html] }, file],
  })
}

/** Moodle's form offers up to six of one marker. */
const MOST_MARKERS = 6

/**
 * `ddmarker` with a marker for the right areas and one for the others. Its places are whole pixels of the image as it is. Moodle shows no
 * names of places and no description of the image; they stand in the file for the way back. Without the image it is no question.
 */
export const writeMoodleHotSpot: NonNullable<PartWriters<'hot-spot'>['moodle-xml']> = (question, _each, texts) => {
  const image = texts.imageIn(question.image)
  const size = image === undefined ? null : imageSizeOf(image.bytes)
  const [shown] = imagesIn(question.image)
  const file = image
    ? `    <file name="${xmlText(image.name)}" path="/" encoding="base64" alt="${xmlText(shown?.alt ?? '')}">${toBase64(image.bytes)}</file>\n`
    : ''
  const marker = (number: number, text: string, count: number) =>
    `    <drag><no>${number}</no><text>${text}</text><noofdrags>${count}</noofdrags>${count > MOST_MARKERS ? '<infinite/>' : ''}</drag>\n`
  const places = question.areas.map((area, at) => {
    const { shape, coords } = placeOf(area, question, size)
    return `    <drop><no>${at + 1}</no><shape>${shape}</shape><coords>${coords}</coords><choice>${area.isRight ? 1 : 2}</choice><text>${xmlText(area.text)}</text></drop>\n`
  })
  const right = question.areas.filter(({ isRight }) => isRight).length
  return {
    type: 'ddmarker',
    settings: '    <shuffleanswers>0</shuffleanswers>\n',
    parts: [
      file,
      marker(1, HERE, right),
      marker(2, NOT_HERE, Math.max(1, question.areas.length - right)),
      ...places,
    ].join(''),
    explanation: question.explanation,
  }
}

/** An area in pixels of the image itself, which the question may show in another size. */
function placeOf({ shape, numbers }: Area, { width, height }: HotSpotQuestion, size: ImageSize | null) {
  const across = (x = 0) => Math.round((x * (size?.width ?? width)) / width)
  const down = (y = 0) => Math.round((y * (size?.height ?? height)) / height)
  const [a, b, c, d] = numbers
  if (shape === 'circle') return { shape, coords: `${across(a)},${down(b)};${across(c)}` }
  if (shape === 'rect')
    return {
      shape: 'rectangle',
      coords: `${across(a)},${down(b)};${across(c) - across(a)},${down(d) - down(b)}`,
    }
  const corners = cornersOf(numbers).map(([x, y]) => `${across(x)},${down(y)}`)
  return { shape, coords: corners.join(';') }
}
