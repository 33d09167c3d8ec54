import { expect, test } from 'vitest'
import { withToast, type Toast } from './toast-rules.ts'

const toast = (id: number, at: number, kind: Toast['kind'] = 'success', text = 'text'): Toast => ({
  id,
  kind,
  title: 'Title',
  text,
  at,
})

test('the same toast is not repeated within its kind of time', () => {
  const first = toast(1, 0)
  expect(withToast([first], [first], toast(2, 2999))).toEqual([first])
  expect(withToast([first], [first], toast(2, 3000))).toHaveLength(2)
  const error = toast(1, 0, 'error')
  expect(withToast([error], [error], toast(2, 4999, 'error'))).toEqual([error])
  expect(withToast([error], [error], toast(2, 4999, 'warning'))).toHaveLength(2)
})

test('at most three are seen, and the oldest goes', () => {
  const shown = [1, 2, 3].map((id) => toast(id, 0, 'success', String(id)))
  expect(withToast(shown, shown, toast(4, 1, 'success', '4')).map(({ id }) => id)).toEqual([2, 3, 4])
})
