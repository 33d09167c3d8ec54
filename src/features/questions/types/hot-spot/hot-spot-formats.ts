import { childrenOf, childOf, textIn, type XmlElement } from '../../formats/markup/xml-tree.ts'
import { bodyJson } from '../parts/body-json.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import type { MarkdownPart, OwnMarkdown, PartReader, PartWriters, QtiItem, TypeFormats } from '../type-formats.ts'
import { writeHotSpotCard } from './hot-spot-card.ts'
import { HOT_SPOT_MARK } from './hot-spot-fields.ts'
import { rightAreaIds } from './hot-spot-grading.ts'
import { moodleHotSpot, writeMoodleHotSpot } from './hot-spot-moodle.ts'
import type { HotSpotQuestion } from './hot-spot.schema.ts'

/** What a file says about an area, before it is judged. */
export interface ParsedArea {
  readonly text: string
  readonly shape: string
  readonly numbers: string
  readonly isRight: boolean
}

/** What a file says about the image and its areas. */
export interface ParsedHotSpot {
  readonly type: 'hot-spot'
  /** Markdown that shows the image. */
  readonly image: string
  readonly width: string
  readonly height: string
  readonly areas: readonly ParsedArea[]
}

const NOTHING: ParsedHotSpot = { type: 'hot-spot', image: '', width: '', height: '', areas: [] }
const QTI_SHAPES: Readonly<Record<string, string>> = { rect: 'rect', circle: 'circle', poly: 'polygon' }

/** QTI 2 and 3: one `hotspotInteraction` with an `object` or `img` and `hotspotChoice`s. */
const qtiHotSpot: PartReader<'hot-spot', QtiItem> = {
  takes: ({ interactions }) => interactions.length === 1 && interactions[0]?.name === 'hotspotInteraction',
  read({ interactions, response, markdownOf }) {
    const [interaction] = interactions
    const picture = childOf(interaction, 'object') ?? childOf(interaction, 'img')
    const right = childrenOf(childOf(response, 'correctResponse'), 'value').map((value) => textIn(value).trim())
    const choices = childrenOf(interaction, 'hotspotChoice')
    const names = choices.map(({ attributes }) => attributes['identifier'] ?? '')
    const areas = choices.map(({ attributes }, place): ParsedArea => ({
      // A choice without a label can be told from others by its identifier alone.
      text: attributes['hotspotLabel'] ?? attributes['hotspot-label'] ?? names[place] ?? '',
      shape: QTI_SHAPES[attributes['shape'] ?? ''] ?? attributes['shape'] ?? '',
      numbers: (attributes['coords'] ?? '').split(/[\s,]+/).join(', '),
      isRight: right.includes(names[place] ?? ''),
    }))
    const { width = '', height = '' } = picture?.attributes ?? {}
    return {
      body: { type: 'hot-spot', image: pictureText(picture, markdownOf), width, height, areas },
      each: [],
      names,
    }
  },
}

/** An `object` is read like an `img`: its text describes it. */
function pictureText(picture: XmlElement | undefined, markdownOf: (element: XmlElement) => string): string {
  if (picture === undefined) return ''
  const { data, src = data ?? '', alt = textIn(picture).trim() } = picture.attributes
  return markdownOf({
    name: 'div',
    attributes: {},
    children: [{ name: 'img', attributes: { src, alt }, children: [] }],
  })
}

/** QTI has whole pixels: areas that are drawn finer are changed, and reported as a loss. */
const writeQti: NonNullable<PartWriters<'hot-spot'>['qti']> = (question, { element, declared, pictureXml }) => {
  const { areas, width, height, image } = question
  const nameOf = (place: number) => `A${place + 1}`
  const rights = rightAreaIds(question)
  const choices = areas.map(({ text, shape, numbers }, place) =>
    element('hotspotChoice', {
      identifier: nameOf(place),
      shape: shape === 'polygon' ? 'poly' : shape,
      coords: numbers.map(Math.round).join(','),
      hotspotLabel: text,
    }),
  )
  const cardinality = rights.length > 1 ? 'multiple' : 'single'
  return {
    declarations: [
      declared(
        { cardinality, baseType: 'identifier' },
        areas.flatMap(({ id }, place) => (rights.includes(id) ? [nameOf(place)] : [])),
      ),
    ],
    interaction: element(
      'hotspotInteraction',
      { responseIdentifier: 'RESPONSE', maxChoices: rights.length },
      pictureXml(image, { width, height }),
      ...choices,
    ),
  }
}

const PART = /^[-*+] \((image [^()]*|(?:[xX] )?(?:rect|circle|polygon)\b[^()]*)\)(?: (.*)|[ \t]*$)/s
const NEARLY_PART = new RegExp(`^${HOT_SPOT_MARK}`)

/** The image as a line `- (image 400x300) ![…](…)`, areas as `- (rect 10,20,110,80) Name`, right ones with `x` before the shape. */
const ownMarkdown: OwnMarkdown<'hot-spot'> = {
  readPart(line) {
    const part = PART.exec(line)
    return part && { mark: part[1] ?? '', text: part[2] ?? '' }
  },
  isNearlyPart: (line) => NEARLY_PART.test(line),
  inputOf(parts) {
    const image = parts.find(({ mark }) => mark.startsWith('image'))
    const [, width = '', height = ''] = /(\d+)\s*x\s*(\d+)/.exec(image?.mark ?? '') ?? []
    const areas = parts.filter((part) => part !== image).map(areaOf)
    return { type: 'hot-spot', body: { image: { text: image?.text ?? '' }, width, height, areas } }
  },
  partsOf(question) {
    const derived = derivePartIds(
      question.id,
      question.areas.map(({ text }) => text),
    )
    const areas = question.areas.map(({ id, text, shape, numbers, isRight }, place) => ({
      mark: `- (${isRight ? 'x ' : ''}${shape} ${numbers.join(',')})`,
      id,
      derivedId: derived[place] ?? '',
      text,
    }))
    const { image, width, height } = question
    return [{ mark: `- (image ${width}x${height})`, id: 'image', derivedId: 'image', text: image }, ...areas]
  },
  factsOf: () => [],
}

function areaOf({ mark, id, text }: MarkdownPart) {
  const [, cross, shape = '', numbers = ''] = /^([xX] )?(\w+)\s*(.*)$/s.exec(mark) ?? []
  return { id, text, shape, numbers, isRight: cross !== undefined }
}

export const hotSpotFormats: TypeFormats<'hot-spot'> = {
  emptyBody: () => NOTHING,
  inputOf: ({ image, width, height, areas }) => ({
    type: 'hot-spot',
    body: { image: { text: image }, width, height, areas },
  }),
  keyTexts: ({ image, areas }) => ['hot-spot', image, ...areas.map(({ text }) => text)],
  withTexts: (body, change) => ({
    ...body,
    image: change(body.image),
    areas: body.areas.map((area) => ({ ...area, text: change(area.text) })),
  }),
  explainedTexts: (of) => of.areas.map(({ text }) => text),
  losses: (out, back, isSame) => (isSameBody(out, back, isSame) ? [] : ['answers']),
  markdown: ownMarkdown,
  json: bodyJson(['image', 'width', 'height', 'areas']),
  readers: { qti: qtiHotSpot, 'moodle-xml': moodleHotSpot },
  writers: { qti: writeQti, 'moodle-xml': writeMoodleHotSpot, anki: writeHotSpotCard },
}

function isSameBody(
  out: HotSpotQuestion,
  back: HotSpotQuestion,
  isSame: (out: string, back: string) => boolean,
): boolean {
  return (
    isSame(out.image, back.image) &&
    out.width === back.width &&
    out.height === back.height &&
    out.areas.length === back.areas.length &&
    out.areas.every(({ text, shape, numbers, isRight }, place) => {
      const other = back.areas[place]
      return (
        other !== undefined &&
        isSame(text, other.text) &&
        shape === other.shape &&
        isRight === other.isRight &&
        numbers.join() === other.numbers.join()
      )
    })
  )
}
