import type { FieldProblem } from '../../../../lib/failure.ts'
import { fill } from '../../../../lib/failure.ts'
import { gapsIn } from '../../../../lib/markdown.ts'
import { wordReason } from '../../questions.copy.ts'
import { bodyOfFile } from '../parts/body-fields.ts'
import { emptyFields, sharedFields } from '../question-edit-base.schema.ts'
import { allRows, foreignIds, rowProblems, rowsFromFile, textsBeyond, usedRows } from '../parts/row-editing.ts'
import type { TypeEditing } from '../type-editing.ts'
import { copy } from './drop-down-edit.copy.ts'
import type { DropDownEdit, EditedDropDown, EditedGap } from './drop-down-edit.schema.ts'
import { rightOf } from './drop-down-grading.ts'
import { emptyGap, gapOfKey, OPTION_LIMITS, reduceDropDown } from './drop-down-reduce.ts'
import { MAX_CHOICES, MAX_GAPS, MIN_CHOICES, type DropDownQuestion } from './drop-down.schema.ts'
import { GAPS_WANTED } from './drop-down-validation.ts'

const emptyDropDown: EditedDropDown = {
  type: 'drop-down',
  ...emptyFields,
  gaps: [emptyGap('gap-0')],
}

export const dropDownEditing: TypeEditing<'drop-down'> = {
  name: 'Text with gaps',
  empty: emptyDropDown,

  toEdited: (question) => ({
    type: 'drop-down',
    ...sharedFields(question),
    gaps: question.gaps.map(({ id, options }) => ({
      key: id,
      id,
      options: options.map((option) => ({ key: option.id, ...option })),
    })),
  }),

  toEdit: toDropDownEdit,
  reduce: reduceDropDown,

  actionOf({ gaps }, shortcut) {
    if (shortcut.kind === 'add-part') return { type: 'drop-down', kind: 'add-gap' }
    if (shortcut.kind !== 'move-part') return null
    const found = gapOfKey(gaps, shortcut.key)
    if (found === null) return null
    return {
      type: 'drop-down',
      kind: 'options',
      gap: found.gap,
      change: { kind: 'move', place: found.place, by: shortcut.by },
    }
  },
  shortcuts: [
    ['Alt N', 'a new gap, at the end of the text'],
    ['Alt ↑, Alt ↓', 'move the choice that you are in'],
  ],

  problems({ gaps }, stored) {
    const options = gaps.flatMap((gap) => gap.options)
    const isForeign = foreignIds(options, stored?.gaps.flatMap((gap) => gap.options) ?? [])
    const isForeignGap = foreignIds(gaps, stored?.gaps ?? [])
    return gaps.flatMap((gap, at) => [
      ...(isForeignGap(gap.id) ? [{ field: `gaps.${at}.options`, message: copy['key.unknown'] }] : []),
      ...rowProblems(gap.options, `gaps.${at}.options`, {
        labelOf: (place) => fill(copy['editor.option'], { gap: at + 1, n: place + 1 }),
        isForeign,
      }),
    ])
  },

  furtherProblems: (edit) => [...countProblems(edit), ...edit.gaps.flatMap(rightProblems), ...placeProblems(edit)],

  toGiven: ({ gaps }) => ({ body: { gaps } }),

  partsField: 'gaps',

  editField(judgedField) {
    if (judgedField === 'body') return 'gaps'
    const path = /^body\.(gaps(?:\.\d+)?)(\.options)?(\.\d+)?$/.exec(judgedField)
    if (path === null) return null
    const [, gaps = '', options = '', place] = path
    if (place !== undefined) return `${gaps}${options}${place}.text`
    return gaps === 'gaps' ? gaps : `${gaps}.options`
  },

  keySentence: (_, problem) => copy[problem === 'count' ? 'key.none' : 'key.unknown'],

  changedParts(old, now) {
    const differs = (part: (question: DropDownQuestion) => unknown) =>
      JSON.stringify(part(old)) !== JSON.stringify(part(now))
    const shown = ({ gaps }: DropDownQuestion) =>
      gaps.map(({ id, options }) => [id, options.map((option) => [option.id, option.text])])
    return [
      differs(shown) ? (['gaps'] as const) : [],
      differs(({ gaps }) => gaps.map((gap) => rightOf(gap).id)) ? (['key'] as const) : [],
    ].flat()
  },

  namedTexts: ({ gaps }) =>
    gaps.flatMap(({ options }, at) =>
      options.map(({ text }, place) => ({ name: fill(copy['editor.option'], { gap: at + 1, n: place + 1 }), text })),
    ),

  summary: ({ gaps }) => fill(copy['editor.summary'], { n: gaps.length }),

  fromFile(fields, shared) {
    const gaps = givenGaps(fields)
      .slice(0, MAX_GAPS)
      .map((gap, at) => gapFromFile(gap, at))
    return { type: 'drop-down', ...shared, gaps: gaps.length === 0 ? emptyDropDown.gaps : gaps }
  },

  withAllRows: (edited) => ({
    ...edited,
    // As many gaps as the file has, or as its text has places: the form shows ten rows for each.
    gaps: filledGaps(edited).map((gap) => ({ ...gap, options: allRows(gap.options, OPTION_LIMITS) })),
  }),

  toCorrection: (edited) => withoutIds(toDropDownEdit(edited)),

  leftOver(fields) {
    const gaps = givenGaps(fields)
    const texts = gaps.flatMap((gap, at) => textsBeyond(gap['options'], at < MAX_GAPS ? MAX_CHOICES : 0))
    return texts.length === 0 ? null : { title: copy['correction.left'], texts }
  },
}

function toDropDownEdit(edited: EditedDropDown): DropDownEdit {
  return {
    type: 'drop-down',
    ...sharedFields(edited),
    gaps: edited.gaps.map((gap) => ({
      id: gap.id,
      options: usedRows(gap.options, MIN_CHOICES).map(({ id, text, isRight }) => ({ id, text, isRight })),
    })),
  }
}

function withoutIds(edit: DropDownEdit): DropDownEdit {
  return {
    ...edit,
    gaps: edit.gaps.map(({ options }) => ({ id: null, options: options.map((option) => ({ ...option, id: null })) })),
  }
}

function countProblems({ gaps }: DropDownEdit): FieldProblem[] {
  return gaps.length > 0 ? [] : [{ field: 'gaps', message: wordReason('parts-count', [GAPS_WANTED.wanted]) }]
}

function rightProblems({ options }: DropDownEdit['gaps'][number], at: number): FieldProblem[] {
  const right = options.filter(({ isRight }) => isRight).length
  if (right === 1) return []
  const code = right === 0 ? 'part-without-answer' : 'gap-rights-many'
  return [{ field: `gaps.${at}.options`, message: wordReason(code, [fill(copy['editor.gap'], { n: at + 1 })]) }]
}

function placeProblems({ stem, gaps }: DropDownEdit): FieldProblem[] {
  const places = gapsIn(stem)
  const missing = gaps.findIndex((_, at) => !places.includes(at + 1))
  return missing === -1 || stem.trim() === ''
    ? []
    : [{ field: 'stem', message: wordReason('gap-unplaced', [String(missing + 1)]) }]
}

/** The gaps of a file's body, whatever they are. */
function givenGaps(fields: Parameters<typeof bodyOfFile>[0]): Readonly<Record<string, unknown>>[] {
  const gaps = bodyOfFile(fields)['gaps']
  return Array.isArray(gaps)
    ? gaps.map((gap: unknown) => (typeof gap === 'object' && gap !== null ? { ...gap } : {}))
    : []
}

function gapFromFile(gap: Readonly<Record<string, unknown>>, at: number): EditedGap {
  const given: readonly unknown[] = Array.isArray(gap['options']) ? gap['options'] : []
  const options = rowsFromFile(given, MIN_CHOICES)
    .slice(0, MAX_CHOICES)
    .map((row, place) => ({ ...row, key: `gap-${at}-${row.key}`, isRight: isMarked(given[place]) }))
  return { key: `gap-${at}`, id: null, options }
}

function isMarked(option: unknown): boolean {
  return typeof option === 'object' && option !== null && 'isRight' in option && option.isRight === true
}

function filledGaps({ stem, gaps }: EditedDropDown): EditedGap[] {
  const count = Math.max(gaps.length, ...gapsIn(stem))
  return [...gaps, ...Array.from({ length: count - gaps.length }, (_, at) => emptyGap(`blank-${at}`))]
}
