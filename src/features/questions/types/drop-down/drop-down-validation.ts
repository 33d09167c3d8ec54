import { gapsIn } from '../../../../lib/markdown.ts'
import {
  identified,
  noteCount,
  noteRepeated,
  readBodyFields,
  readPartId,
  readPartList,
  type GivenPart,
} from '../parts/given-body.ts'
import { MAX_PARTS } from '../question-base.schema.ts'
import type { GivenFields, Note, ReadBody } from '../type-validation.ts'
import { MAX_CHOICES, MAX_GAPS, MIN_CHOICES } from './drop-down.schema.ts'
import { idTexts } from './drop-down-grading.ts'

export const GAPS_WANTED = { least: 1, most: MAX_GAPS, wanted: 'one to eight gaps' }

type GivenGap = { readonly id: string | null; readonly options: readonly GivenPart[] }

/** Reads `body.gaps`, each with its `options`, and compares them with the places in the stem. */
export const readDropDown: ReadBody<'drop-down'> = (given, note, id) => {
  const gaps = readGaps(readBodyFields(given, note), note)
  noteCount(gaps.length, GAPS_WANTED, 'body.gaps', note)
  const stem = given.get('question')
  if (typeof stem === 'string') notePlaces(gapsIn(stem), gaps.length, note)
  return { type: 'drop-down', gaps: withIds(id, gaps, note) }
}

function readGaps(body: GivenFields, note: Note): GivenGap[] {
  const value = body.get('gaps') ?? []
  if (!Array.isArray(value)) {
    note('body-wrong', 'body.gaps', '"gaps" is not a list')
    return []
  }
  return value.slice(0, MAX_PARTS + 1).map((entry: unknown, at) => {
    const fields: GivenFields = new Map(typeof entry === 'object' && entry !== null ? Object.entries(entry) : [])
    return readGap(fields, at, note)
  })
}

function readGap(fields: GivenFields, at: number, note: Note): GivenGap {
  const inGap = `body.gaps.${at}`
  const noteInGap: Note = (code, field, about) => note(code, field.replace(/^body(?=\.|$)/, inGap), about)
  const nameOf = (place: number) => `Choice ${place + 1} of gap ${at + 1}`
  const options = readPartList(fields, 'options', { note: noteInGap, nameOf })
  const wanted = { least: MIN_CHOICES, most: MAX_CHOICES, wanted: `two to ten choices in gap ${at + 1}` }
  noteCount(options.length, wanted, `${inGap}.options`, note)
  noteRepeated(
    options.map(({ text }) => text),
    `${inGap}.options`,
    note,
  )
  const right = options.filter(isRight).length
  if (right === 0) note('part-without-answer', `${inGap}.options`, `Gap ${at + 1}`)
  if (right > 1) note('gap-rights-many', `${inGap}.options`, `Gap ${at + 1}`)
  return { id: readPartId(fields.get('id'), inGap, note), options }
}

function isRight({ fields }: GivenPart): boolean {
  return fields.get('isRight') === true
}

/** Every gap stands in the text once. */
function notePlaces(places: readonly number[], count: number, note: Note): void {
  const known = new Set(places)
  for (const number of known) {
    if (number > count) note('gap-unknown', 'question', String(number))
    if (places.filter((place) => place === number).length > 1) note('gap-twice', 'question', String(number))
  }
  for (let number = 1; number <= Math.min(count, MAX_GAPS); number++)
    if (!known.has(number)) note('gap-unplaced', 'question', String(number))
}

function withIds(id: string, gaps: readonly GivenGap[], note: Note) {
  const parts = [...gaps, ...gaps.flatMap(({ options }) => options)]
  const texts = idTexts(gaps)
  const ids = identified(
    id,
    parts.map((part, at): GivenPart => ({ id: part.id, text: texts[at] ?? '', fields: new Map() })),
    note,
  ).map((part) => part.id)
  let next = gaps.length
  return gaps.map(({ options }, at) => ({
    id: ids[at] ?? '',
    options: options.map((option) => ({ id: ids[next++] ?? '', text: option.text, isRight: isRight(option) })),
  }))
}
