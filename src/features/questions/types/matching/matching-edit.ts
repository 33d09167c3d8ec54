import { fill } from '../../../../lib/failure.ts'
import { wordReason } from '../../questions.copy.ts'
import { bodyOfFile } from '../parts/body-fields.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import { emptyFields, sharedFields, type SharedFields } from '../question-edit-base.schema.ts'
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
import type { FileFields, PartsChanged, TypeEditing } from '../type-editing.ts'
import { copy } from './matching-edit.copy.ts'
import type { EditedMatching, EditedPrompt, MatchingEdit } from './matching-edit.schema.ts'
import { MAX_OPTIONS, MAX_PROMPTS, MIN_OPTIONS, MIN_PROMPTS, type MatchingQuestion } from './matching.schema.ts'
import { OPTIONS_WANTED, promptName, PROMPTS_WANTED, reuseOf, rightPlaceIn } from './matching-validation.ts'

/** A change of the prompts or options in the form, of the option of a prompt, or of whether options are used often. */
export type MatchingAction =
  | { readonly type: 'matching'; readonly list: 'prompts' | 'options'; readonly change: RowChange }
  | { readonly type: 'matching'; readonly list: 'pairs'; readonly place: number; readonly optionKey: string | null }
  | { readonly type: 'matching'; readonly list: 'reuse'; readonly isReusable: boolean }

const emptyPrompt = (key: string): EditedPrompt => ({ ...emptyRow(key), optionKey: null })
/** New options have other keys than new prompts: the focus goes to a row by its key. */
const NEW_OPTION = 'option'

export const LIMITS = {
  prompts: { least: MIN_PROMPTS, most: MAX_PROMPTS, empty: emptyPrompt },
  options: { least: MIN_OPTIONS, most: MAX_OPTIONS, empty: emptyRow, prefix: NEW_OPTION },
}

const emptyMatching: EditedMatching = {
  type: 'matching',
  ...emptyFields,
  prompts: emptyRows(3).map(({ key }) => emptyPrompt(key)),
  options: emptyRows(3, NEW_OPTION),
  isReusable: false,
}

export const matchingEditing: TypeEditing<'matching'> = {
  name: 'Matching',
  empty: emptyMatching,

  toEdited: (question) => ({
    type: 'matching',
    ...sharedFields(question),
    prompts: question.prompts.map(({ id, text, optionId }) => ({ key: id, id, text, optionKey: optionId })),
    options: toRows(question.options),
    isReusable: question.isReusable,
  }),

  toEdit: toMatchingEdit,
  reduce: reduceMatching,

  actionOf({ prompts, options }, shortcut) {
    if (shortcut.kind === 'add-part') return { type: 'matching', list: 'prompts', change: { kind: 'add' } }
    if (shortcut.kind !== 'move-part') return null
    const { key, by } = shortcut
    const list = options.some((option) => option.key === key) ? 'options' : 'prompts'
    const place = (list === 'options' ? options : prompts).findIndex((row) => row.key === key)
    return { type: 'matching', list, change: { kind: 'move', place, by } }
  },
  shortcuts: [
    ['Alt N', 'a new prompt'],
    ['Alt ↑, Alt ↓', 'move the prompt or option that you are in'],
  ],

  problems({ prompts, options }, stored) {
    const isForeign = foreignIds(
      [...prompts, ...options],
      stored === null ? [] : [...stored.prompts, ...stored.options],
    )
    return [
      ...rowProblems(prompts, 'prompts', { labelOf: promptName, isForeign }),
      ...rowProblems(options, 'options', { labelOf: optionName, isForeign }),
    ]
  },

  furtherProblems: ({ prompts, options }) => [
    ...(prompts.length < MIN_PROMPTS ? [countProblem('prompts', PROMPTS_WANTED.wanted)] : []),
    ...(options.length < MIN_OPTIONS ? [countProblem('options', OPTIONS_WANTED.wanted)] : []),
    ...prompts.flatMap(({ option }, place) =>
      option === null
        ? [{ field: `prompts.${place}.option`, message: wordReason('part-without-answer', [promptName(place)]) }]
        : [],
    ),
  ],

  toGiven: ({ prompts, options, isReusable }) => ({
    body: {
      prompts: prompts.map(({ id, text, option }) => ({
        id,
        text,
        option: option === null ? null : letterOfPart(option),
      })),
      options,
      isReusable,
    },
  }),

  partsField: 'prompts',

  editField(judgedField) {
    if (judgedField === 'body') return 'prompts'
    const row = /^body\.((?:prompts|options)(?:\.\d+)?)(\.option)?$/.exec(judgedField)
    if (row?.[1] === undefined) return null
    if (row[2] !== undefined) return row[1] + row[2]
    return row[1].includes('.') ? `${row[1]}.text` : row[1]
  },

  keySentence({ isReusable }, problem) {
    if (problem !== 'count') return copy['key.unknown']
    return copy[isReusable ? 'key.count.reuse' : 'key.count']
  },

  changedParts,

  namedTexts: ({ prompts, options }) => [
    ...prompts.map(({ text }, place) => ({ name: promptName(place), text })),
    ...options.map(({ text }, place) => ({ name: optionName(place), text })),
  ],

  summary: ({ prompts, options, isReusable }) =>
    fill(copy[isReusable ? 'editor.summary.reuse' : 'editor.summary'], { n: prompts.length, options: options.length }),

  fromFile,

  withAllRows: (edited) => ({
    ...edited,
    prompts: allRows(edited.prompts, LIMITS.prompts),
    options: allRows(edited.options, LIMITS.options),
  }),

  toCorrection(edited) {
    const edit = toMatchingEdit(edited)
    return {
      ...edit,
      prompts: edit.prompts.map((prompt) => ({ ...prompt, id: null })),
      options: edit.options.map((option) => ({ ...option, id: null })),
    }
  },

  leftOver(fields) {
    const body = bodyOfFile(fields)
    const texts = [...textsBeyond(body['prompts'], MAX_PROMPTS), ...textsBeyond(body['options'], MAX_OPTIONS)]
    return texts.length === 0 ? null : { title: copy['correction.left'], texts }
  },
}

export const optionName = (place: number) => fill(copy['editor.option'], { letter: letterOfPart(place) })

function countProblem(field: string, wanted: string) {
  return { field, message: wordReason('parts-count', [wanted]) }
}

function toMatchingEdit(edited: EditedMatching): MatchingEdit {
  const options = usedRows(edited.options, MIN_OPTIONS)
  return {
    type: 'matching',
    ...sharedFields(edited),
    prompts: usedPrompts(edited.prompts).map(({ id, text, optionKey }) => {
      const option = options.findIndex(({ key }) => key === optionKey)
      return { id, text, option: option === -1 ? null : option }
    }),
    options: options.map(({ id, text }) => ({ id, text })),
    isReusable: edited.isReusable,
  }
}

/** A prompt without a text that has an option is meant to be one. */
function usedPrompts(prompts: readonly EditedPrompt[]): readonly EditedPrompt[] {
  const withOption = prompts.findLastIndex(({ optionKey }) => optionKey !== null) + 1
  return usedRows(prompts, Math.max(MIN_PROMPTS, withOption))
}

function reduceMatching(edited: EditedMatching, action: MatchingAction): PartsChanged<EditedMatching> | null {
  switch (action.list) {
    case 'reuse':
      return step({ ...edited, isReusable: action.isReusable })
    case 'pairs': {
      const prompt = edited.prompts[action.place]
      if (prompt === undefined) return null
      return step({
        ...edited,
        prompts: edited.prompts.with(action.place, { ...prompt, optionKey: action.optionKey }),
      })
    }
    case 'prompts': {
      const changed = changeRows(edited.prompts, action.change, LIMITS.prompts)
      return changed && { ...withField(changed, 'prompts'), edited: { ...edited, prompts: changed.rows } }
    }
    case 'options': {
      const changed = changeRows(edited.options, action.change, LIMITS.options)
      if (changed === null) return null
      const keys = new Set(changed.rows.map(({ key }) => key))
      const prompts = edited.prompts.map((prompt) =>
        prompt.optionKey === null || keys.has(prompt.optionKey) ? prompt : { ...prompt, optionKey: null },
      )
      return { ...withField(changed, 'options'), edited: { ...edited, prompts, options: changed.rows } }
    }
  }
}

function step(edited: EditedMatching): PartsChanged<EditedMatching> {
  return { edited, typedField: null, focusedKey: null }
}

function withField(
  { typedField, focusedKey }: { readonly typedField: string | null; readonly focusedKey: string | null },
  list: string,
) {
  return { typedField: typedField && `${list}.${typedField}`, focusedKey }
}

function changedParts(old: MatchingQuestion, now: MatchingQuestion) {
  const differs = (part: (question: MatchingQuestion) => unknown) =>
    JSON.stringify(part(old)) !== JSON.stringify(part(now))
  return [
    differs(({ prompts }) => prompts.map(({ id, text }) => [id, text])) ? (['prompts'] as const) : [],
    differs(({ options, isReusable }) => [options, isReusable]) ? (['options'] as const) : [],
    differs(({ prompts }) => prompts.map(({ id, optionId }) => [id, optionId]).sort()) ? (['key'] as const) : [],
  ].flat()
}

function fromFile(fields: FileFields, shared: SharedFields): EditedMatching {
  const body = bodyOfFile(fields)
  const entriesOf = (value: unknown) =>
    (Array.isArray(value) ? value : []).map(
      (entry: unknown) =>
        new Map<string, unknown>(typeof entry === 'object' && entry !== null ? Object.entries(entry) : []),
    )
  const given = { prompts: entriesOf(body['prompts']), options: entriesOf(body['options']) }
  const options = rowsFromFile(body['options'], MIN_OPTIONS)
    .slice(0, MAX_OPTIONS)
    .map((row) => ({ ...row, key: `${NEW_OPTION}-${row.key}` }))
  const prompts = rowsFromFile(body['prompts'], MIN_PROMPTS)
    .slice(0, MAX_PROMPTS)
    .map((row, place) => {
      const right = rightPlaceIn(given.prompts[place] ?? new Map(), given.options)
      return { ...row, optionKey: options[right]?.key ?? null }
    })
  return {
    type: 'matching',
    ...shared,
    prompts,
    options,
    isReusable: reuseOf(body['isReusable'] ?? fields['reuse']) ?? false,
  }
}
