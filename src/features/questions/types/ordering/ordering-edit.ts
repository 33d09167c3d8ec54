import { fill } from '../../../../lib/failure.ts'
import { wordReason } from '../../questions.copy.ts'
import { bodyOfFile } from '../parts/body-fields.ts'
import { emptyFields, sharedFields } from '../question-edit-base.schema.ts'
import {
  allRows,
  changeRows,
  emptyRow,
  emptyRows,
  foreignIds,
  rowProblems,
  rowsFromFile,
  textsBeyond,
  toRows,
  usedRows,
  type EditRow,
  type RowChange,
} from '../parts/row-editing.ts'
import type { PartsChanged, TypeEditing } from '../type-editing.ts'
import { copy } from './ordering-edit.copy.ts'
import type { EditedOrdering, OrderingEdit } from './ordering-edit.schema.ts'
import { distractorsOf, stepsOf } from './ordering-grading.ts'
import { MAX_DISTRACTORS, MAX_STEPS, MIN_STEPS, type OrderingQuestion } from './ordering.schema.ts'
import { STEPS_WANTED } from './ordering-validation.ts'

/** A change of the steps in the form, or of those that stay out. */
export type OrderingAction = {
  readonly type: 'ordering'
  readonly list: 'steps' | 'distractors'
  readonly change: RowChange
}

export const LIMITS = {
  steps: { least: MIN_STEPS, most: MAX_STEPS, empty: emptyRow },
  distractors: { least: 0, most: MAX_DISTRACTORS, empty: emptyRow, prefix: 'out' },
}

const emptyOrdering: EditedOrdering = {
  type: 'ordering',
  ...emptyFields,
  steps: emptyRows(4),
  distractors: [],
}

export const orderingEditing: TypeEditing<'ordering'> = {
  name: 'Ordering',
  empty: emptyOrdering,

  toEdited: (question) => ({
    type: 'ordering',
    ...sharedFields(question),
    steps: toRows(stepsOf(question)),
    distractors: toRows(distractorsOf(question)),
  }),

  toEdit: toOrderingEdit,
  reduce: reduceOrdering,

  actionOf({ steps }, shortcut) {
    if (shortcut.kind === 'add-part') return { type: 'ordering', list: 'steps', change: { kind: 'add' } }
    if (shortcut.kind !== 'move-part') return null
    const place = steps.findIndex(({ key }) => key === shortcut.key)
    return { type: 'ordering', list: 'steps', change: { kind: 'move', place, by: shortcut.by } }
  },
  shortcuts: [
    ['Alt N', 'a new step'],
    ['Alt ↑, Alt ↓', 'move the step that you are in'],
  ],

  problems({ steps, distractors }, stored) {
    const isForeign = foreignIds([...steps, ...distractors], stored?.items ?? [])
    const labelOf = (sentence: string) => (place: number) => fill(sentence, { n: place + 1 })
    return [
      ...rowProblems(steps, 'steps', { labelOf: labelOf(copy['editor.step']), isForeign }),
      ...rowProblems(distractors, 'distractors', { labelOf: labelOf(copy['editor.distractor']), isForeign }),
    ]
  },

  furtherProblems: ({ steps }) =>
    steps.length >= MIN_STEPS ? [] : [{ field: 'steps', message: wordReason('parts-count', [STEPS_WANTED.wanted]) }],

  toGiven: ({ steps, distractors }) => ({ body: { steps, distractors } }),

  partsField: 'steps',

  editField(judgedField) {
    if (judgedField === 'body') return 'steps'
    const row = /^body\.((?:steps|distractors)(?:\.\d+)?)$/.exec(judgedField)?.[1]
    if (row === undefined) return null
    return row.includes('.') ? `${row}.text` : row
  },

  keySentence: ({ orderedIds }, problem) =>
    problem === 'count' ? fill(copy['key.count'], { n: orderedIds.length }) : copy['key.unknown'],

  changedParts(old, now) {
    const differs = (part: (question: OrderingQuestion) => unknown) =>
      JSON.stringify(part(old)) !== JSON.stringify(part(now))
    return [
      differs(({ items }) => items.toSorted((one, other) => (one.id < other.id ? -1 : 1))) ? (['steps'] as const) : [],
      differs(({ orderedIds }) => orderedIds) ? (['key'] as const) : [],
    ].flat()
  },

  namedTexts: (question) => [
    ...stepsOf(question).map(({ text }, place) => ({ name: fill(copy['editor.step'], { n: place + 1 }), text })),
    ...distractorsOf(question).map(({ text }, place) => ({
      name: fill(copy['editor.distractor'], { n: place + 1 }),
      text,
    })),
  ],

  summary({ items, orderedIds }) {
    const out = items.length - orderedIds.length
    return fill(copy[out === 0 ? 'editor.summary' : 'editor.summary.more'], { n: orderedIds.length, out })
  },

  fromFile(fields, shared) {
    const body = bodyOfFile(fields)
    return {
      type: 'ordering',
      ...shared,
      steps: rowsFromFile(body['steps'], MIN_STEPS).slice(0, MAX_STEPS),
      distractors: rowsFromFile(body['distractors'], 0).slice(0, MAX_DISTRACTORS),
    }
  },

  withAllRows: (edited) => ({
    ...edited,
    steps: allRows(edited.steps, LIMITS.steps),
    distractors: allRows(edited.distractors, LIMITS.distractors),
  }),

  toCorrection: (edited) => withoutIds(toOrderingEdit(edited)),

  leftOver(fields) {
    const body = bodyOfFile(fields)
    const texts = [...textsBeyond(body['steps'], MAX_STEPS), ...textsBeyond(body['distractors'], MAX_DISTRACTORS)]
    return texts.length === 0 ? null : { title: copy['correction.left'], texts }
  },
}

function toOrderingEdit(edited: EditedOrdering): OrderingEdit {
  const sent = ({ id, text }: EditRow) => ({ id, text })
  return {
    type: 'ordering',
    ...sharedFields(edited),
    steps: usedRows(edited.steps, MIN_STEPS).map(sent),
    distractors: usedRows(edited.distractors, 0).map(sent),
  }
}

function withoutIds(edit: OrderingEdit): OrderingEdit {
  const asNew = ({ text }: EditRow) => ({ id: null, text })
  return { ...edit, steps: edit.steps.map(asNew), distractors: edit.distractors.map(asNew) }
}

function reduceOrdering(edited: EditedOrdering, { list, change }: OrderingAction): PartsChanged<EditedOrdering> | null {
  const changed = changeRows(edited[list], change, LIMITS[list])
  if (changed === null) return null
  const { rows, typedField, focusedKey } = changed
  return { edited: { ...edited, [list]: rows }, typedField: typedField && `${list}.${typedField}`, focusedKey }
}
