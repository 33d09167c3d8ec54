import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyQuestion as emptyQuestionOf } from '../../questions/types/edit-registry.ts'
import {
  beginHistory,
  imageMarkdown,
  redo,
  shortcutOf,
  STEP_MS,
  undo,
  withChange,
  withInserted,
} from './question-editor.ts'

const emptyQuestion = emptyQuestionOf()
const typed = (stem: string) => ({ ...emptyQuestion, stem })

test('typing in one field is one step; a pause or another field begins the next', () => {
  let history = withChange(beginHistory(typed('')), typed('a'), 'stem', 0)
  history = withChange(history, typed('ab'), 'stem', 10)
  history = withChange(history, typed('abc'), 'stem', 10 + STEP_MS)
  history = withChange(history, { ...typed('abc'), url: 'x' }, 'url', 20 + STEP_MS)
  expect(undo(history).now).toEqual(typed('abc'))
  expect(undo(undo(history)).now).toEqual(typed('ab'))
  expect(undo(undo(undo(history))).now).toEqual(typed(''))
})

test('undo returns to the first state, and redo to the last, after any changes', () => {
  const step = fc.record({ text: fc.string(), field: fc.option(fc.constantFrom('stem', 'url')), at: fc.nat(5000) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let history = beginHistory(emptyQuestion)
      for (const { text, field, at } of steps) history = withChange(history, typed(text), field, at)
      const end = history.now
      const count = history.past.length
      for (let left = count; left > 0; left -= 1) history = undo(history)
      expect(history.now).toBe(emptyQuestion)
      expect(undo(history)).toBe(history)
      for (let left = count; left > 0; left -= 1) history = redo(history)
      expect(history.now).toBe(end)
    }),
  )
})

const press = (key: string, more: object = {}) => ({
  key,
  code: '',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

test.each([
  [press('s', { ctrlKey: true }), { kind: 'save' }],
  [press('s', { metaKey: true }), { kind: 'save' }],
  [press('Enter', { ctrlKey: true }), { kind: 'save-next' }],
  [press('Z', { metaKey: true, shiftKey: true }), { kind: 'redo' }],
  [press('ñ', { altKey: true, code: 'KeyN' }), { kind: 'add-part' }],
  [press('¡', { altKey: true, code: 'Digit1' }), { kind: 'mark-part', place: 0 }],
  [press('ArrowUp', { altKey: true, code: 'ArrowUp' }), { kind: 'move-part', by: -1 }],
  [press('PageDown', { altKey: true, code: 'PageDown' }), { kind: 'go', by: 1 }],
  // AltGr types characters on many keyboards and arrives as Ctrl+Alt.
  [press('@', { altKey: true, ctrlKey: true, code: 'KeyN' }), null],
  [press('?', { shiftKey: true }), null],
  [press('a'), null],
])('%o in a field means %o', (event, action) => {
  expect(shortcutOf(event, true)).toEqual(action)
})

test('a question mark opens the help outside text fields', () => {
  expect(shortcutOf(press('?', { shiftKey: true }), false)).toEqual({ kind: 'help' })
})

test('an image becomes a paragraph of its own, described by its file name if that says anything', () => {
  expect(imageMarkdown('/pictures/x.webp', 'vpc-peering_(1).png')).toBe('![vpc peering 1](/pictures/x.webp)')
  expect(imageMarkdown('/pictures/x.webp', 'image.png')).toBe('![Describe the image](/pictures/x.webp)')
  expect(withInserted('ab', 'P', 1, 1)).toBe('a\n\nP\n\nb')
  expect(withInserted('', 'P', 0, 0)).toBe('P')
  expect(withInserted('a\n\nb', 'P', 3, 4)).toBe('a\n\nP')
})
