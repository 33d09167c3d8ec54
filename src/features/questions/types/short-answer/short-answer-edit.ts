import { fill } from '../../../../lib/failure.ts'
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
  type RowChange,
} from '../parts/row-editing.ts'
import type { PartsChanged, TypeEditing } from '../type-editing.ts'
import { copy } from './short-answer-edit.copy.ts'
import type { EditedShortAnswer, ShortAnswerEdit } from './short-answer-edit.schema.ts'
import { MAX_FORMS } from './short-answer.schema.ts'

/** A change of the accepted forms, or of whether their case matters. */
export type ShortAnswerAction =
  | { readonly type: 'short-answer'; readonly change: RowChange }
  | { readonly type: 'short-answer'; readonly isCaseSensitive: boolean }

export const FORM_LIMITS = { least: 1, most: MAX_FORMS, empty: emptyRow }

export const shortAnswerEditing: TypeEditing<'short-answer'> = {
  name: 'Short answer',
  empty: {
    type: 'short-answer',
    ...emptyFields,
    forms: emptyRows(1),
    isCaseSensitive: false,
  },

  toEdited: (question) => ({
    type: 'short-answer',
    ...sharedFields(question),
    forms: toRows(question.forms),
    isCaseSensitive: question.isCaseSensitive,
  }),
  toEdit: toShortAnswerEdit,
  reduce: reduceShortAnswer,

  actionOf({ forms }, shortcut) {
    if (shortcut.kind === 'add-part') return { type: 'short-answer', change: { kind: 'add' } }
    if (shortcut.kind !== 'move-part') return null
    const place = forms.findIndex(({ key }) => key === shortcut.key)
    return { type: 'short-answer', change: { kind: 'move', place, by: shortcut.by } }
  },
  shortcuts: [
    ['Alt N', 'a new accepted answer'],
    ['Alt ↑, Alt ↓', 'move the accepted answer that you are in'],
  ],

  problems: ({ forms }, stored) =>
    rowProblems(forms, 'forms', {
      labelOf: (place) => fill(copy['editor.form'], { n: place + 1 }),
      isForeign: foreignIds(forms, stored?.forms ?? []),
    }),
  furtherProblems: () => [],
  toGiven: ({ forms, isCaseSensitive }) => ({ body: { forms, isCaseSensitive } }),
  partsField: 'forms',
  editField(judgedField) {
    if (judgedField === 'body') return 'forms'
    const row = /^body\.(forms(?:\.\d+)?)$/.exec(judgedField)?.[1]
    if (row === undefined) return judgedField === 'body.isCaseSensitive' ? 'isCaseSensitive' : null
    return row.includes('.') ? `${row}.text` : row
  },
  keySentence: () => copy['key.none'],

  changedParts: (old, now) =>
    JSON.stringify([old.forms, old.isCaseSensitive]) === JSON.stringify([now.forms, now.isCaseSensitive])
      ? []
      : ['key'],
  namedTexts: () => [],
  summary: ({ forms }) => fill(copy['editor.summary'], { n: forms.length }),

  fromFile(fields, shared) {
    const body = bodyOfFile(fields)
    return {
      type: 'short-answer',
      ...shared,
      forms: rowsFromFile(body['forms'], 1).slice(0, MAX_FORMS),
      isCaseSensitive: String(body['isCaseSensitive'] ?? fields['case'] ?? '').toLowerCase() === 'true',
    }
  },
  withAllRows: (edited) => ({ ...edited, forms: allRows(edited.forms, FORM_LIMITS) }),

  toCorrection(edited) {
    const edit = toShortAnswerEdit(edited)
    return { ...edit, forms: edit.forms.map(({ text }) => ({ id: null, text })) }
  },

  leftOver(fields) {
    const texts = textsBeyond(bodyOfFile(fields)['forms'], MAX_FORMS)
    return texts.length === 0 ? null : { title: copy['correction.left'], texts }
  },
}

function toShortAnswerEdit(edited: EditedShortAnswer): ShortAnswerEdit {
  return {
    type: 'short-answer',
    ...sharedFields(edited),
    forms: usedRows(edited.forms, 1).map(({ id, text }) => ({ id, text })),
    isCaseSensitive: edited.isCaseSensitive,
  }
}

function reduceShortAnswer(
  edited: EditedShortAnswer,
  action: ShortAnswerAction,
): PartsChanged<EditedShortAnswer> | null {
  if (!('change' in action))
    return { edited: { ...edited, isCaseSensitive: action.isCaseSensitive }, typedField: null, focusedKey: null }
  const changed = changeRows(edited.forms, action.change, FORM_LIMITS)
  if (changed === null) return null
  const { rows, typedField, focusedKey } = changed
  return { edited: { ...edited, forms: rows }, typedField: typedField && `forms.${typedField}`, focusedKey }
}
