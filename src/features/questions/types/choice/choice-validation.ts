import { isBlank, normaliseLine } from '../../question-text.ts'
import { identified, noteCount, readBodyFields, readPartList } from '../parts/given-body.ts'
import { readText } from '../given-fields.ts'
import { PartId } from '../question-base.schema.ts'
import type { GivenFields, Note, ReadBody } from '../type-validation.ts'
import { withPartIds } from '../parts/part-ids.ts'
import { LETTERS, optionField, upperLetterAt, type Letter } from './choice-letters.ts'
import { MAX_OPTIONS, MIN_OPTIONS, OptionOrder, type QuestionOption } from './choice.schema.ts'

/** Reads a choice from `body`, or from its lettered fields: `answer_a`, `final_answer` and so on. */
export const readChoice: ReadBody<'choice'> = (given, note, id) =>
  (given.get('body') ?? null) === null ? readLettered(given, note, id) : readChoiceBody(given, note, id)

const OPTIONS_WANTED = { least: MIN_OPTIONS, most: MAX_OPTIONS, wanted: 'two to twelve answers' }

const readChoiceBody: ReadBody<'choice'> = (given, note, id) => {
  const body = readBodyFields(given, note)
  const parts = readPartList(body, 'options', { note, nameOf: (place) => `Answer ${upperLetterAt(place)}` })
  noteCount(parts.length, OPTIONS_WANTED, 'body.options', note)
  const repeated = parts.find(({ text }, place) => parts.findIndex((part) => part.text === text) !== place)
  if (repeated !== undefined) note('answer-repeated', 'answers', repeated.text)
  const options = identified(id, parts, note).map(({ fields, ...part }) => ({
    id: part.id,
    text: part.text,
    isRight: fields.get('isRight') === true,
  }))
  const right = options.filter(({ isRight }) => isRight).length
  if (right === 0) note('right-answer-missing', 'body.options')
  else if (right === options.length) note('all-answers-right', 'body.options')
  const idsIn = (field: string) => {
    const named = body.get(field)
    return Array.isArray(named) ? options.map((option) => option.id).filter((known) => named.includes(known)) : []
  }
  return {
    type: 'choice',
    options,
    ...readOrder(body.get('order'), note),
    suggestedOptionIds: idsIn('suggestedOptionIds'),
    mostVotedOptionIds: idsIn('mostVotedOptionIds'),
  }
}

function readOrder(value: unknown, note: Note): { order?: OptionOrder } {
  if (value === undefined || value === null || value === '' || value === 'shuffled') return {}
  const order = OptionOrder.safeParse(typeof value === 'string' ? normaliseLine(value).toLowerCase() : value)
  if (order.success) return { order: order.data }
  note('order-unknown', 'order', typeof value === 'string' ? value : typeof value)
  return {}
}

const readLettered: ReadBody<'choice'> = (given, note, id) => {
  const texts = LETTERS.map((letter) => readText(given, optionField(letter), note))
  const filled = LETTERS.filter((_, place) => !isBlank(texts[place] ?? ''))
  const extra = [...given.keys()].filter((name) => /^answer_(?:[m-z]|\d+)$/.test(name))
  noteOptions(given, note, { texts, filled, extra })
  const key = readLetters(given, 'final_answer', filled, note)
  if (key.written === '') note('right-answer-missing', 'final_answer')
  else if (key.unknown && extra.length === 0) note('right-answer-unknown', 'final_answer', key.written)
  else if (filled.length >= 2 && key.places.length === filled.length) note('all-answers-right', 'final_answer')
  const optionTexts = filled.map((letter) => texts[LETTERS.indexOf(letter)] ?? '')
  const repeated = optionTexts.find((text, place) => optionTexts.indexOf(text) !== place)
  if (repeated !== undefined) note('answer-repeated', 'answers', repeated)
  const ids = readIds(given.get('answer_ids'), filled, note)
  const options = withPartIds(
    id,
    optionTexts.map((text, place) => ({ id: ids[place] ?? null, text, isRight: key.places.includes(place) })),
  )
  return {
    type: 'choice',
    options,
    ...readOrder(given.get('order'), note),
    suggestedOptionIds: idsAt(options, readHint(given, 'suggested_answer', filled, note)),
    mostVotedOptionIds: idsAt(options, readHint(given, 'most_voted_answer', filled, note)),
  }
}

type ReadOptions = { readonly texts: readonly string[]; readonly filled: readonly Letter[]; readonly extra: string[] }

function noteOptions(given: GivenFields, note: Note, { texts, filled, extra }: ReadOptions): void {
  const named = LETTERS.filter((letter) => given.get(optionField(letter)) !== undefined)
  for (const letter of ['a', 'b'] as const) {
    if (!isBlank(texts[LETTERS.indexOf(letter)] ?? '')) continue
    note('answer-empty', optionField(letter), named.length === 1 ? 'only' : letter.toUpperCase())
  }
  if (extra.length > 0) note('answers-too-many', 'answers', String(MAX_OPTIONS + extra.length))
  const gap = LETTERS.find((letter) => !filled.includes(letter) && letter < (filled.at(-1) ?? ''))
  if (gap !== undefined && gap > 'b') note('answer-gap', optionField(gap), gap.toUpperCase())
}

/** Reads `BE`, `b, e` and `E B` alike. The places are those among the filled options. */
function readLetters(
  given: GivenFields,
  field: string,
  filled: readonly Letter[],
  note: Note,
): { written: string; places: number[]; unknown: boolean } {
  const written = normaliseLine(readText(given, field, note))
  const named = new Set(written.toLowerCase().replace(/[\s,;|/&]+/g, ''))
  const places = filled.flatMap((letter, place) => (named.has(letter) ? [place] : []))
  return { written, places, unknown: places.length !== named.size || (written !== '' && named.size === 0) }
}

function readHint(given: GivenFields, field: string, filled: readonly Letter[], note: Note): number[] {
  const { written, places, unknown } = readLetters(given, field, filled, note)
  if (!unknown) return places
  note('letters-unknown', field, written)
  return []
}

/** The given id of each filled option; null if none was given, or one that is invalid or another option's. */
function readIds(given: unknown, filled: readonly Letter[], note: Note): (string | null)[] {
  const ids = new Map<string, unknown>(typeof given === 'object' && given !== null ? Object.entries(given) : [])
  const taken = new Set<string>()
  return filled.map((letter) => {
    const id = ids.get(letter)
    if (id === undefined || id === null) return null
    const parsed = PartId.safeParse(id)
    if (!parsed.success || taken.has(parsed.data)) {
      note('answer-id-replaced', optionField(letter), typeof id === 'string' ? id : typeof id)
      return null
    }
    taken.add(parsed.data)
    return parsed.data
  })
}

function idsAt(options: readonly QuestionOption[], places: readonly number[]): string[] {
  return options.filter((_, place) => places.includes(place)).map(({ id }) => id)
}
