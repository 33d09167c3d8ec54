import { imagesIn } from '../../image-addresses.ts'
import {
  identified,
  noteCount,
  noteRepeated,
  readBodyFields,
  readPartList,
  type GivenPart,
} from '../parts/given-body.ts'
import { readTextValue } from '../given-fields.ts'
import type { GivenFields, Note, ReadBody } from '../type-validation.ts'
import { areaFits, type AreaFigure } from './area-figures.ts'
import { AREA_SHAPES, MAX_AREAS, MAX_SIDE, MIN_AREAS, type AreaShape } from './hot-spot.schema.ts'

export const AREAS_WANTED = { least: MIN_AREAS, most: MAX_AREAS, wanted: 'two to twenty areas' }

/** Reads `body.image`, `body.width`, `body.height` and `body.areas`. */
export const readHotSpot: ReadBody<'hot-spot'> = (given, note, id) => {
  const body = readBodyFields(given, note)
  const image = readImageText(body, note)
  const size = { width: readSide(body, 'width', note), height: readSide(body, 'height', note) }
  const parts = readPartList(body, 'areas', { note, nameOf: (place) => `Area ${place + 1}` })
  noteCount(parts.length, AREAS_WANTED, 'body.areas', note)
  noteRepeated(
    parts.map(({ text }) => text),
    'body.areas',
    note,
  )
  const areas = identified(id, parts, note).map(({ fields, ...part }, place) => ({
    id: part.id,
    text: part.text,
    ...readFigure(part.text, fields, { note, size, field: `body.areas.${place}` }),
    isRight: fields.get('isRight') === true,
  }))
  if (!areas.some(({ isRight }) => isRight)) note('right-answer-missing', 'body.areas')
  return { type: 'hot-spot', image, ...size, areas }
}

/** The Markdown of the one image; a part with a `text` or the text alone. */
function readImageText(body: GivenFields, note: Note): string {
  const given = body.get('image')
  const isPart = typeof given === 'object' && given !== null && 'text' in given
  const text = readTextValue(isPart ? given.text : given, 'body.image', note)
  if (imagesIn(text).length !== 1) note('image-missing', 'body.image')
  return text
}

function readSide(body: GivenFields, name: 'width' | 'height', note: Note): number {
  const side = Number(body.get(name))
  if (Number.isInteger(side) && side >= 1 && side <= MAX_SIDE) return side
  note('image-size', `body.${name}`, name)
  return 1
}

type Within = { readonly note: Note; readonly size: { width: number; height: number }; readonly field: string }

function readFigure(text: string, fields: GivenPart['fields'], { note, size, field }: Within): AreaFigure {
  const shape = AREA_SHAPES.find((known) => known === fields.get('shape'))
  const numbers = readNumbers(fields.get('numbers'))
  const figure = { shape: shape ?? ('rect' as AreaShape), numbers: numbers ?? [] }
  if (shape === undefined || numbers === null) note('area-unclear', field, text)
  else if (!areaFits(figure, size)) note('area-outside', field, text)
  return figure
}

/** A list of numbers, or the numbers as text: `10, 20, 110, 80`. Null if one of them is none. */
function readNumbers(given: unknown): number[] | null {
  const list: unknown[] | null = typeof given === 'string' ? given.split(/[\s,]+/).filter(Boolean) : asList(given)
  const numbers = list?.map(Number)
  return numbers?.every(Number.isFinite) === true && numbers.length > 0 ? numbers : null
}

function asList(given: unknown): unknown[] | null {
  return Array.isArray(given) ? given : null
}
