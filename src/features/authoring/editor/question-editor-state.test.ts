import { asChoice } from '../../../../tests/support/choices.ts'
import { expect, test } from 'vitest'
import { aQuestion } from '../../../../tests/support/build-course.ts'
import { toEdited } from '../../questions/types/edit-registry.ts'
import { beginEditor, isUnsaved, reduceEditor, type EditorAction, type EditorState } from './question-editor-state.ts'

const after = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(reduceEditor, state)
const keysOf = ({ history }: EditorState) => asChoice(history.now).options.map(({ key }) => key)
const addOption = { kind: 'change-parts', action: { type: 'choice', kind: 'add-option' }, at: 0 } as const
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

test('an action of the type is a step of the history and moves the focus', () => {
  const begun = beginEditor(null, 'q-new')
  const added = after(begun, addOption)
  expect(keysOf(added)).toHaveLength(5)
  expect(added.focusedPart?.key).toBe(keysOf(added)[4])
  expect(keysOf(after(added, { kind: 'undo' }))).toEqual(keysOf(begun))
})

test('an action that changes nothing is no step', () => {
  const full = after(beginEditor(null, 'q-new'), ...Array.from({ length: 8 }, () => addOption))
  expect(after(full, addOption)).toBe(full)
})

test('a new question that begins in a case study has it, unchanged', () => {
  const begun = beginEditor(null, 'q-new', 'claims')
  expect(begun.history.now).toMatchObject({ caseStudy: 'claims' })
  expect(isUnsaved(begun)).toBe(false)
})

test('text of an earlier visit continues under its own id, or under that of the form', () => {
  const begun = beginEditor(null, 'q-new')
  const typed = { ...begun.history.now, stem: 'Left?' }
  const resumed = (newId: string | undefined) =>
    after(begun, { kind: 'resume', question: { ...typed, newId }, base: null, at: 0 }).history.now
  expect(resumed('q-left')).toMatchObject({ newId: 'q-left', stem: 'Left?' })
  expect(resumed(undefined)).toMatchObject({ newId: 'q-new', stem: 'Left?' })
})

test('text of an earlier visit names the version that it changed, so that saving it over a newer one asks first', () => {
  const begun = beginEditor(stored, '')
  const resumed = after(begun, { kind: 'resume', question: { ...begun.history.now, stem: 'Left?' }, base: 6, at: 0 })
  expect(resumed.version).toBe(6)
  expect(isUnsaved(resumed)).toBe(true)
})

test('after a conflict the form shows the stored text, or overwrites it', () => {
  const mine = after(beginEditor(stored, ''), { kind: 'change', changed: { stem: 'Mine?' }, at: 0 })
  const theirs = { question: { ...stored.question, stem: 'Theirs?' }, version: 9 }
  const reloaded = after(mine, { kind: 'reload', stored: theirs })
  expect(reloaded).toMatchObject({ version: 9, history: { now: { stem: 'Theirs?' }, past: [] } })
  expect(isUnsaved(reloaded)).toBe(false)
  const overwriting = after(mine, { kind: 'overwrite', version: 9 })
  expect(overwriting).toMatchObject({ version: 9, history: { now: { stem: 'Mine?' } } })
  expect(isUnsaved(overwriting)).toBe(true)
})

test('the next new question is empty, of the same domain and case study, with another id and no history', () => {
  const typed = after(beginEditor(null, 'q-1'), {
    kind: 'change',
    changed: { stem: 'Why?', domain: 'Storage', caseStudy: 'claims' },
    at: 0,
  })
  const saved = { kind: 'saved', question: typed.history.now, version: 1 } as const
  const state = after(typed, saved, { kind: 'begin-next', newId: 'q-2' })
  expect(state.history).toMatchObject({
    past: [],
    now: { newId: 'q-2', stem: '', domain: 'Storage', caseStudy: 'claims' },
  })
  expect(state.isTouched).toBe(false)
  expect(isUnsaved(state)).toBe(false)
})

test('what was typed into a new question while it was being saved is not lost to the next one', () => {
  const sent = after(beginEditor(null, 'q-1'), { kind: 'change', changed: { stem: 'Why?' }, at: 0 })
  const state = after(
    sent,
    { kind: 'change', changed: { explanation: 'A second thought.' }, at: 1 },
    { kind: 'saved', question: sent.history.now, version: 1 },
    { kind: 'begin-next', newId: 'q-2' },
  )
  expect(state.history.now).toMatchObject({ newId: 'q-1', stem: 'Why?', explanation: 'A second thought.' })
  expect(isUnsaved(state)).toBe(true)
})
