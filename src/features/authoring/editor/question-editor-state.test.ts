import { expect, test } from 'vitest'
import { aQuestion } from '../../../../tests/support/build-course.ts'
import { toEdited } from './question-editor.ts'
import { beginEditor, isUnsaved, reduceEditor, type EditorAction, type EditorState } from './question-editor-state.ts'

const after = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(reduceEditor, state)
const keysOf = ({ history }: EditorState) => history.now.options.map(({ key }) => key)
const stored = { question: aQuestion(1), version: 7 }

test('a stored question begins unchanged, with its version', () => {
  const state = beginEditor(stored, 'q-unused')
  expect(state.history.now).toEqual(toEdited(stored.question))
  expect(state).toMatchObject({ version: 7, isTouched: false })
  expect(isUnsaved(state)).toBe(false)
})

test('a new question has its id before anything is typed, and undo keeps it', () => {
  const state = after(
    beginEditor(null, 'q-new'),
    { kind: 'change', changed: { stem: 'Why?' }, field: 'stem', at: 0 },
    { kind: 'undo' },
  )
  expect(state.history.now).toMatchObject({ newId: 'q-new', stem: '' })
  expect(state.isTouched).toBe(true)
})

test('a change is unsaved until the server stored that question; text typed meanwhile stays unsaved', () => {
  const typed = after(beginEditor(stored, ''), { kind: 'change', changed: { difficulty: 'hard' }, at: 0 })
  expect(isUnsaved(typed)).toBe(true)
  const sent = typed.history.now
  expect(isUnsaved(after(typed, { kind: 'saved', question: sent, version: 8 }))).toBe(false)
  const typedOn = after(
    typed,
    { kind: 'change', changed: { url: 'https://example.com' }, at: 9 },
    { kind: 'saved', question: sent, version: 8 },
  )
  expect(typedOn.version).toBe(8)
  expect(isUnsaved(typedOn)).toBe(true)
})

test('typing an option is one step; marking it is another', () => {
  const state = after(
    beginEditor(null, 'q-new'),
    { kind: 'change-option', place: 0, changed: { text: 'A' }, isTyped: true, at: 0 },
    { kind: 'change-option', place: 0, changed: { text: 'Ab' }, isTyped: true, at: 10 },
    { kind: 'change-option', place: 0, changed: { isRight: true }, at: 20 },
    { kind: 'undo' },
  )
  expect(state.history.now.options[0]).toMatchObject({ text: 'Ab', isRight: false })
  expect(after(state, { kind: 'undo' }).history.now.options[0]).toMatchObject({ text: '' })
})

test('options are added up to six and removed down to two, each with a key of its own', () => {
  const add = { kind: 'add-option', at: 0 } as const
  const remove = { kind: 'remove-option', place: 0, at: 0 } as const
  const six = after(beginEditor(null, 'q-new'), add, add, add)
  expect(keysOf(six)).toHaveLength(6)
  expect(six.focusedOption?.key).toBe(keysOf(six)[5])
  const two = after(six, remove, remove, remove, remove, remove)
  expect(keysOf(two)).toHaveLength(2)
  expect(new Set(keysOf(after(two, add, add))).size).toBe(4)
})

test('a moved option receives the focus, and one at the end stays', () => {
  const begun = beginEditor(null, 'q-new')
  const [first, second] = keysOf(begun)
  const moved = after(begun, { kind: 'move-option', place: 0, by: 1, at: 0 })
  expect(keysOf(moved).slice(0, 2)).toEqual([second, first])
  expect(moved.focusedOption?.key).toBe(first)
  expect(after(begun, { kind: 'move-option', place: 0, by: -1, at: 0 })).toBe(begun)
})

test('after a conflict the form shows what is stored, or overwrites it', () => {
  const mine = after(beginEditor(stored, ''), { kind: 'change', changed: { stem: 'Mine?' }, at: 0 })
  const theirs = { question: { ...stored.question, stem: 'Theirs?' }, version: 9 }
  const reloaded = after(mine, { kind: 'reload', stored: theirs })
  expect(reloaded).toMatchObject({ version: 9, history: { now: { stem: 'Theirs?' }, past: [] } })
  expect(isUnsaved(reloaded)).toBe(false)
  const overwriting = after(mine, { kind: 'overwrite', version: 9 })
  expect(overwriting).toMatchObject({ version: 9, history: { now: { stem: 'Mine?' } } })
  expect(isUnsaved(overwriting)).toBe(true)
})

test('the next new question is empty, of the same domain, with another id and no history', () => {
  const state = after(
    beginEditor(null, 'q-1'),
    { kind: 'change', changed: { stem: 'Why?', domain: 'Storage' }, at: 0 },
    { kind: 'begin-next', newId: 'q-2' },
  )
  expect(state.history).toMatchObject({ past: [], now: { newId: 'q-2', stem: '', domain: 'Storage' } })
  expect(state.isTouched).toBe(false)
  expect(isUnsaved(state)).toBe(false)
})
