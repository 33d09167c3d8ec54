import { identified, noteCount, noteRepeated, readBodyFields, readPartList } from '../parts/given-body.ts'
import type { ReadBody } from '../type-validation.ts'
import { MAX_DISTRACTORS, MAX_STEPS, MIN_STEPS } from './ordering.schema.ts'

export const STEPS_WANTED = { least: MIN_STEPS, most: MAX_STEPS, wanted: 'three to eight steps' }
const DISTRACTORS_WANTED = { least: 0, most: MAX_DISTRACTORS, wanted: 'at most four steps that stay out' }

/** Reads `body.steps` in their right order, and `body.distractors`. */
export const readOrdering: ReadBody<'ordering'> = (given, note, id) => {
  const body = readBodyFields(given, note)
  const steps = readPartList(body, 'steps', { note, nameOf: (place) => `Step ${place + 1}` })
  const distractors = readPartList(body, 'distractors', { note, nameOf: (place) => `Distractor ${place + 1}` })
  noteCount(steps.length, STEPS_WANTED, 'body.steps', note)
  noteCount(distractors.length, DISTRACTORS_WANTED, 'body.distractors', note)
  const all = [...steps, ...distractors]
  noteRepeated(
    all.map(({ text }) => text),
    'body.steps',
    note,
  )
  const items = identified(id, all, note).map((item) => ({ id: item.id, text: item.text }))
  return { type: 'ordering', items, orderedIds: items.slice(0, steps.length).map((item) => item.id) }
}
