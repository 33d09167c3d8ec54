import { fill } from '../../../../lib/failure.ts'
import { bodyOfFile } from '../parts/body-fields.ts'
import { formText } from '../given-fields.ts'
import { emptyFields, sharedFields } from '../question-edit-base.schema.ts'
import type { TypeEditing } from '../type-editing.ts'
import { copy } from './numerical-edit.copy.ts'
import type { EditedNumerical, NumericalEdit } from './numerical-edit.schema.ts'
import { keyLine } from './numerical-grading.ts'

export const NUMBER_FIELDS = ['value', 'tolerance', 'unit'] as const
export type NumberField = (typeof NUMBER_FIELDS)[number]

/** A change of one of its fields in the form. */
export type NumericalAction = { readonly type: 'numerical'; readonly field: NumberField; readonly text: string }

export const numericalEditing: TypeEditing<'numerical'> = {
  name: 'Number',
  empty: {
    type: 'numerical',
    ...emptyFields,
    value: '',
    tolerance: '',
    unit: '',
  },

  toEdited: ({ value, tolerance, unit, ...question }) => ({
    type: 'numerical',
    ...sharedFields(question),
    value,
    tolerance,
    unit,
  }),
  toEdit: toNumericalEdit,
  reduce: (edited, { field, text }) => ({
    edited: { ...edited, [field]: text },
    typedField: field,
    focusedKey: null,
  }),
  actionOf: () => null,
  shortcuts: [],

  problems: () => [],
  furtherProblems: () => [],
  toGiven: ({ value, tolerance, unit }) => ({ body: { value, tolerance, unit } }),
  partsField: 'value',
  editField(judgedField) {
    if (judgedField === 'body') return 'value'
    return NUMBER_FIELDS.find((field) => judgedField === `body.${field}`) ?? null
  },
  keySentence: () => copy['key.wrong'],

  changedParts: (old, now) => [
    ...(old.unit === now.unit ? [] : (['unit'] as const)),
    ...(old.value === now.value && old.tolerance === now.tolerance ? [] : (['key'] as const)),
  ],
  namedTexts: () => [],
  summary: (question) => fill(copy['editor.summary'], { key: keyLine(question) }),

  fromFile(fields, shared) {
    const body = bodyOfFile(fields)
    const textOf = (field: NumberField) => formText(body[field] ?? fields[field])
    return {
      type: 'numerical',
      ...shared,
      value: textOf('value'),
      tolerance: textOf('tolerance'),
      unit: textOf('unit'),
    }
  },
  withAllRows: (edited) => edited,
  toCorrection: toNumericalEdit,
  leftOver: () => null,
}

function toNumericalEdit({ value, tolerance, unit, ...edited }: EditedNumerical): NumericalEdit {
  return { type: 'numerical', ...sharedFields(edited), value, tolerance, unit }
}
