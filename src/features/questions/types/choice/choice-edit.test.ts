import { asChoice } from '../../../../../tests/support/choices.ts'
import { expect, test } from 'vitest'
import { aQuestion } from '../../../../../tests/support/build-course.ts'
import {
  changeParts,
  editedFromFile,
  editOf,
  isSameEdit,
  leftOverOf,
  toCorrection,
  toEdited,
  toQuestionEdit,
  withAllRows,
} from '../edit-registry.ts'
import { EditedQuestion, upgradeQuestionEdit } from '../question-edit.schema.ts'
import { emptyChoice as empty, moveOption, type ChoiceAction } from './choice-edit.ts'
import type { EditedChoice } from './choice-edit.schema.ts'

type Change = ChoiceAction extends infer Action ? (Action extends ChoiceAction ? Omit<Action, 'type'> : never) : never
const change = (edited: EditedChoice, ...changes: Change[]) =>
  changes.reduce<EditedChoice>(
    (before, one) => asChoice(changeParts(before, { type: 'choice', ...one } as ChoiceAction)?.edited ?? before),
    edited,
  )
const keysOf = ({ options }: { options: readonly { key: string }[] }) => options.map(({ key }) => key)

test('typing an option names its field; marking it is a step of its own', () => {
  const typed = { type: 'choice', kind: 'change-option', place: 0, changed: { text: 'A' }, isTyped: true } as const
  expect(changeParts(empty, typed)).toMatchObject({
    typedField: 'new-0',
    edited: { options: [{ text: 'A' }, {}, {}, {}] },
  })
  const marked = { type: 'choice', kind: 'change-option', place: 0, changed: { isRight: true } } as const
  expect(changeParts(empty, marked)).toMatchObject({ typedField: null })
  expect(changeParts(empty, { ...marked, place: 9 })).toBeNull()
})

test('options are added up to twelve and removed down to two, each with a key of its own', () => {
  const [add, remove] = [{ kind: 'add-option' }, { kind: 'remove-option', place: 0 }] as const
  const all = change(empty, ...Array.from({ length: 9 }, () => add))
  expect(keysOf(all)).toHaveLength(12)
  const two = change(all, ...Array.from({ length: 11 }, () => remove))
  expect(keysOf(two)).toHaveLength(2)
  expect(new Set(keysOf(change(two, add, add))).size).toBe(4)
})

test('a moved option receives the focus, and one at the end stays', () => {
  const [first, second] = keysOf(empty)
  const moved = changeParts(empty, { type: 'choice', kind: 'move-option', place: 0, by: 1 })!
  expect(keysOf(asChoice(moved.edited)).slice(0, 2)).toEqual([second, first])
  expect(moved.focusedKey).toBe(first)
  expect(changeParts(empty, { type: 'choice', kind: 'move-option', place: 0, by: -1 })).toBeNull()
  expect(keysOf({ options: moveOption(empty.options, 0, 1) })).toEqual(['new-1', 'new-0', 'new-2', 'new-3'])
  expect(moveOption(empty.options, 3, 1)).toBe(empty.options)
})

test('empty rows at the end are not sent as options, and empty rows between are', () => {
  const [a, b, c, d] = empty.options
  const edited = { ...empty, options: [{ ...a!, text: 'A' }, b!, { ...c!, text: 'C' }, d!] }
  expect(asChoice(toQuestionEdit(edited)).options.map(({ text }) => text)).toEqual(['A', '', 'C'])
  expect(asChoice(toQuestionEdit(empty)).options).toHaveLength(2)
  expect(isSameEdit(edited, { ...edited, options: edited.options.slice(0, 3) })).toBe(true)
})

test('the edit of a question keeps the ids of its options; a correction has none', () => {
  const question = aQuestion(1, { answers: 3 })
  expect(asChoice(editOf(question)).options).toEqual(question.options)
  const corrected = toCorrection(withAllRows(toEdited(question)))
  expect(asChoice(corrected).options).toEqual(question.options.map((option) => ({ ...option, id: null })))
})

test('what a file holds fills the form, and texts without a row are left over', () => {
  const fields = { question: 'Why?', answer_a: 'A', answer_b: 2, answer_c: '', final_answer: 'B', answer_m: 'M' }
  const edited = editedFromFile(fields)
  expect(edited.stem).toBe('Why?')
  expect(asChoice(edited).options.map(({ text, isRight }) => [text, isRight])).toEqual([
    ['A', false],
    ['2', true],
  ])
  expect(asChoice(withAllRows(edited)).options).toHaveLength(12)
  expect(leftOverOf(fields)?.texts).toEqual(['M'])
  expect(leftOverOf({ answer_a: 'A' })).toBeNull()
})

test('text that an earlier build stored, and edits that it sends, become choices', () => {
  const { options, type: _type, ...rest } = empty
  expect(EditedQuestion.parse({ ...rest, answers: options })).toEqual(empty)
  const { options: sent, type: _sent, ...edit } = asChoice(editOf(aQuestion(1)))
  expect(upgradeQuestionEdit({ version: 1, question: { ...edit, answers: sent } })).toEqual({
    version: 1,
    question: { ...edit, type: 'choice', options: sent },
  })
})
