import {
  identified,
  noteCount,
  noteRepeated,
  readBodyFields,
  readPartList,
  type GivenPart,
} from '../parts/given-body.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import type { GivenFields, Note, ReadBody } from '../type-validation.ts'
import { MAX_OPTIONS, MAX_PROMPTS, MIN_OPTIONS, MIN_PROMPTS } from './matching.schema.ts'

export const PROMPTS_WANTED = { least: MIN_PROMPTS, most: MAX_PROMPTS, wanted: 'two to eight prompts' }
export const OPTIONS_WANTED = { least: MIN_OPTIONS, most: MAX_OPTIONS, wanted: 'two to ten options' }

/**
 * Reads `body.options`, and `body.prompts`, of which each names its option: by its id as `optionId`, or by its letter as `option`. The
 * fact `reuse` of our Markdown stands beside the body.
 */
export const readMatching: ReadBody<'matching'> = (given, note, id) => {
  const body = readBodyFields(given, note)
  const prompts = readPartList(body, 'prompts', { note, nameOf: promptName })
  const options = readPartList(body, 'options', { note, nameOf: (place) => `Option ${letterOfPart(place)}` })
  noteCount(prompts.length, PROMPTS_WANTED, 'body.prompts', note)
  noteCount(options.length, OPTIONS_WANTED, 'body.options', note)
  noteRepeated(textsOf(prompts), 'body.prompts', note)
  noteRepeated(textsOf(options), 'body.options', note)
  noteRepeated(lettersOf(options), 'body.options', note)
  const isReusable = readReuse(given, body, note)
  const places = prompts.map((prompt, place) => readRightPlace(prompt, options, place, note))
  const twice = places.find((at, place) => at !== -1 && places.indexOf(at) !== place)
  if (!isReusable && twice !== undefined) note('part-answered-twice', 'body.prompts', options[twice]?.text ?? '')
  const parts = identified(id, [...prompts, ...options], note).map((part) => ({ id: part.id, text: part.text }))
  const identifiedOptions = parts.slice(prompts.length)
  return {
    type: 'matching',
    prompts: parts
      .slice(0, prompts.length)
      .map((prompt, place) => ({ ...prompt, optionId: identifiedOptions[places[place] ?? -1]?.id ?? '' })),
    options: identifiedOptions,
    isReusable,
  }
}

export const promptName = (place: number) => `Prompt ${place + 1}`

function textsOf(parts: readonly GivenPart[]): string[] {
  return parts.map(({ text }) => text)
}

/** The letters that options bring along, as in our Markdown. */
function lettersOf(options: readonly GivenPart[]): string[] {
  return options.map(({ fields }) => fields.get('letter')).filter((letter) => typeof letter === 'string')
}

function readRightPlace(prompt: GivenPart, options: readonly GivenPart[], place: number, note: Note): number {
  const field = `body.prompts.${place}.option`
  if (!namesOption(prompt.fields)) {
    note('part-without-answer', field, promptName(place))
    return -1
  }
  const at = rightPlaceIn(
    prompt.fields,
    options.map(({ fields }) => fields),
  )
  if (at === -1) note('part-unknown', field, promptName(place))
  return at
}

function namesOption(fields: GivenFields): boolean {
  return [fields.get('optionId'), fields.get('option')].some((name) => typeof name === 'string' && name.trim() !== '')
}

/** The place of the option that a prompt names by its id or letter; -1 if there is none. */
export function rightPlaceIn(prompt: GivenFields, options: readonly GivenFields[]): number {
  const id = prompt.get('optionId')
  if (typeof id === 'string' && id !== '') return options.findIndex((option) => option.get('id') === id)
  const letter = prompt.get('option')
  if (typeof letter !== 'string' || letter === '') return -1
  return options.findIndex((option, place) => (option.get('letter') ?? letterOfPart(place)) === letter.toUpperCase())
}

function readReuse(given: GivenFields, body: GivenFields, note: Note): boolean {
  const value = body.get('isReusable') ?? given.get('reuse')
  const isReusable = reuseOf(value)
  if (isReusable === null) note('review-unknown', 'reuse', String(value))
  return isReusable ?? false
}

/** Whether options may be used often, as a file says it; null if it says something else. */
export function reuseOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  if (value === undefined || value === null) return false
  const written = typeof value === 'string' ? value.trim().toLowerCase() : null
  if (written === 'true') return true
  return written === 'false' || written === '' ? false : null
}
