import { expect, test } from 'vitest'
import { actionOf } from './exam-shortcuts-client.ts'

const alone = { code: '', shiftKey: false, ctrlKey: false, metaKey: false, altKey: false }
const press = (key: string, held: Partial<typeof alone> = {}) => actionOf({ ...alone, key, ...held })

test('digits and letters name a part of the question, and with Shift they strike it out', () => {
  expect(press('1')).toEqual({ kind: 'answer', place: 0 })
  expect(press('d')).toEqual({ kind: 'answer', place: 3 })
  expect(press('6')).toEqual({ kind: 'answer', place: 5 })
  expect(press('!', { shiftKey: true, code: 'Digit1' })).toEqual({ kind: 'strike', place: 0 })
  expect(press('B', { shiftKey: true, code: 'KeyB' })).toEqual({ kind: 'strike', place: 1 })
})

test('every other shortcut has one meaning, and the browser’s own shortcuts have none', () => {
  const kinds = ['ArrowRight', 'Enter', 'f', 's', 'U', 'n', 't', 'h'].map((key) => press(key)?.kind)
  expect(kinds).toEqual(['go', 'check', 'flag', 'sure', 'unsure', 'note', 'speak-clock', 'switch-clock'])
  expect(press('?', { shiftKey: true, code: 'Slash' })).toEqual({ kind: 'help' })
  // On German and English keyboards the question mark is on different keys.
  expect(press('?', { shiftKey: true, code: 'Digit1' })).toEqual({ kind: 'help' })
  for (const held of ['ctrlKey', 'metaKey', 'altKey'] as const) expect(press('f', { [held]: true })).toBeNull()
  for (const key of ['Tab', ' ', 'ArrowUp', 'End', 'x']) expect(press(key)).toBeNull()
  expect(press('ArrowRight', { shiftKey: true })).toBeNull()
})
