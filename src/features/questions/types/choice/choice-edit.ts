import { fill, type FieldProblem } from '../../../../lib/failure.ts'
import { wordReason } from '../../questions.copy.ts'
import { formText } from '../given-fields.ts'
import { emptyFields, sharedFields } from '../question-edit-base.schema.ts'
import type { PartsChanged, PartShortcut, TypeEditing } from '../type-editing.ts'
import { copy } from './choice-edit.copy.ts'
import type { ChoiceEdit, EditedChoice, EditedOption } from './choice-edit.schema.ts'
import { rightOptionIds } from './choice-grading.ts'
import { letterAt, LETTERS, optionField, upperLetterAt } from './choice-letters.ts'
import { MAX_OPTIONS, MIN_OPTIONS, OptionOrder, type ChoiceQuestion } from './choice.schema.ts'

/** A change of the options in the form. */
export type ChoiceAction = { readonly type: 'choice' } & (
  | {
      readonly kind: 'change-option'
      readonly place: number
      readonly changed: Partial<EditedOption>
      /** Whether the text was typed, so that continued typing is one step. */
      readonly isTyped?: boolean
    }
  | { readonly kind: 'add-option' }
  | { readonly kind: 'remove-option'; readonly place: number }
  | { readonly kind: 'move-option'; readonly place: number; readonly by: 1 | -1 }
  | { readonly kind: 'change-order'; readonly order: OptionOrder | 'shuffled' }
)

const emptyOption = (key: string): EditedOption => ({ key, id: null, text: '', isRight: false })

export const emptyChoice: EditedChoice = {
  type: 'choice',
  ...emptyFields,
  options: ['new-0', 'new-1', 'new-2', 'new-3'].map(emptyOption),
}

export const choiceEditing: TypeEditing<'choice'> = {
  name: 'Choice',
  empty: emptyChoice,

  toEdited: (question) => ({
    type: 'choice',
    ...sharedFields(question),
    options: question.options.map((option) => ({ ...option, key: option.id })),
    ...orderOf(question),
  }),

  /** The form offers four options to a question of two. */
  toEdit(edited) {
    const isUsed = ({ id, text, isRight }: EditedOption) => id !== null || text.trim() !== '' || isRight
    const used = edited.options.findLastIndex(isUsed) + 1
    const options = edited.options.slice(0, Math.max(MIN_OPTIONS, used))
    return {
      type: 'choice',
      ...sharedFields(edited),
      options: options.map(({ id, text, isRight }) => ({ id, text, isRight })),
      ...orderOf(edited),
    }
  },

  reduce: reduceChoice,
  actionOf: choiceActionOf,
  shortcuts: [
    ['Alt N', 'a new answer'],
    ['Alt ↑, Alt ↓', 'move the answer that you are in'],
    ['Alt 1 to Alt 9', 'mark or unmark that answer as right'],
  ],

  /** An empty option between others would shift the rest, and a foreign id would join two options. */
  problems(edit, stored) {
    const known = new Set(stored?.options.map(({ id }) => id))
    return edit.options.flatMap(({ id, text }, place): FieldProblem[] => {
      const field = `options.${place}.text`
      if (text.trim() === '') return [{ field, message: wordReason('answer-empty', [upperLetterAt(place)]) }]
      const isForeign =
        id !== null && (!known.has(id) || edit.options.findIndex((option) => option.id === id) !== place)
      return isForeign ? [{ field, message: copy['option.foreign'] }] : []
    })
  },

  furtherProblems: ({ options }) =>
    options.some(({ isRight }) => isRight)
      ? []
      : [{ field: 'options', message: wordReason('right-answer-missing', []) }],

  toGiven: (edit, stored) => ({
    ...Object.fromEntries(edit.options.map(({ text }, place) => [`answer_${letterAt(place)}`, text])),
    answer_ids: Object.fromEntries(
      edit.options.flatMap((option, place) => (option.id === null ? [] : [[letterAt(place), option.id]])),
    ),
    final_answer: lettersWhere(edit, ({ isRight }) => isRight),
    ...orderOf(edit),
    suggested_answer: lettersWhere(edit, (option) => stored?.suggestedOptionIds.includes(option.id ?? '') === true),
    most_voted_answer: lettersWhere(edit, (option) => stored?.mostVotedOptionIds.includes(option.id ?? '') === true),
  }),

  partsField: 'options',

  editField(judgedField) {
    if (judgedField === 'final_answer') return 'options'
    const place = LETTERS.findIndex((letter) => judgedField === optionField(letter))
    return place === -1 ? null : `options.${place}.text`
  },

  keySentence: (question, problem) =>
    problem === 'count' ? fill(copy['key.count'], { n: rightOptionIds(question).length }) : copy['key.unknown'],

  changedParts(old, now) {
    const differs = (part: (question: ChoiceQuestion) => unknown) =>
      JSON.stringify(part(old)) !== JSON.stringify(part(now))
    return [
      differs(({ options, order }) => [options.map(({ id, text }) => [id, text]), order]) ? (['options'] as const) : [],
      differs((question) => rightOptionIds(question).toSorted()) ? (['key'] as const) : [],
    ].flat()
  },

  namedTexts: ({ options }) =>
    options.map(({ text }, place) => ({ name: fill(copy['editor.option'], { letter: upperLetterAt(place) }), text })),

  summary: (question) =>
    fill(copy['editor.summary'], { n: rightOptionIds(question).length, all: question.options.length }),

  fromFile(fields, shared) {
    const right = new Set(formText(fields['final_answer']).toLowerCase())
    const options = LETTERS.map((letter) => ({
      ...emptyOption(letter),
      text: formText(fields[optionField(letter)]),
      isRight: right.has(letter),
    }))
    const last = options.findLastIndex((option) => option.text !== '')
    const order = OptionOrder.safeParse(fields['order']).data
    return {
      type: 'choice',
      ...shared,
      options: options.slice(0, Math.max(MIN_OPTIONS, last + 1)),
      ...orderOf({ order }),
    }
  },

  withAllRows: (edited) => ({
    ...edited,
    options: LETTERS.slice(0, MAX_OPTIONS).map((letter, place) => edited.options[place] ?? emptyOption(letter)),
  }),

  toCorrection(edited) {
    const options = edited.options.slice(0, edited.options.findLastIndex(({ text }) => text.trim() !== '') + 1)
    return {
      type: 'choice',
      ...sharedFields(edited),
      options: options.map(({ text, isRight }) => ({ id: null, text, isRight })),
      ...orderOf(edited),
    }
  },

  leftOver(fields) {
    const texts = Object.entries(fields).flatMap(([name, value]) =>
      /^answer_[m-z]$/.test(name) && formText(value) !== '' ? [formText(value)] : [],
    )
    return texts.length === 0 ? null : { title: copy['correction.left'], texts }
  },
}

function reduceChoice(edited: EditedChoice, action: ChoiceAction): PartsChanged<EditedChoice> | null {
  const { options } = edited
  const changed = (next: readonly EditedOption[], more: Partial<PartsChanged> = {}): PartsChanged<EditedChoice> => ({
    typedField: null,
    focusedKey: null,
    ...more,
    edited: { ...edited, options: next },
  })
  switch (action.kind) {
    case 'change-option': {
      const option = options[action.place]
      if (option === undefined) return null
      const next = options.with(action.place, { ...option, ...action.changed })
      return changed(next, { typedField: action.isTyped === true ? option.key : null })
    }
    case 'add-option': {
      if (options.length >= MAX_OPTIONS) return null
      const option = emptyOption(unusedKey(options))
      return changed([...options, option], { focusedKey: option.key })
    }
    case 'remove-option':
      return options.length <= MIN_OPTIONS ? null : changed(options.filter((_, at) => at !== action.place))
    case 'move-option': {
      const moved = moveOption(options, action.place, action.by)
      return moved === options ? null : changed(moved, { focusedKey: options[action.place]?.key ?? null })
    }
    case 'change-order': {
      const order = action.order === 'shuffled' ? undefined : action.order
      return { edited: { ...edited, order }, typedField: null, focusedKey: null }
    }
  }
}

function choiceActionOf({ options }: EditedChoice, shortcut: PartShortcut): ChoiceAction | null {
  switch (shortcut.kind) {
    case 'add-part':
      return { type: 'choice', kind: 'add-option' }
    case 'move-part': {
      const place = options.findIndex(({ key }) => key === shortcut.key)
      return { type: 'choice', kind: 'move-option', place, by: shortcut.by }
    }
    case 'mark-part': {
      const { place } = shortcut
      const changed = { isRight: options[place]?.isRight !== true }
      return { type: 'choice', kind: 'change-option', place, changed }
    }
  }
}

/** The options with one of them moved up or down by one place. */
export function moveOption(options: readonly EditedOption[], place: number, by: 1 | -1): readonly EditedOption[] {
  const to = place + by
  const [moved, neighbour] = [options[place], options[to]]
  if (moved === undefined || neighbour === undefined) return options
  return options.map((option, at) => (at === place ? neighbour : at === to ? moved : option))
}

function unusedKey(options: readonly EditedOption[]): string {
  const used = new Set(options.map(({ key }) => key))
  const number = Array.from({ length: MAX_OPTIONS }, (_, at) => at).find((at) => !used.has(`new-${at}`))
  return `new-${number ?? MAX_OPTIONS}`
}

function lettersWhere(edit: ChoiceEdit, isListed: (option: ChoiceEdit['options'][number]) => boolean): string {
  return edit.options.flatMap((option, place) => (isListed(option) ? [upperLetterAt(place)] : [])).join('')
}

/** The order as a field that is left out where the options are shuffled. */
function orderOf({ order }: { readonly order?: OptionOrder | undefined }): { order?: OptionOrder } {
  return order === undefined ? {} : { order }
}
