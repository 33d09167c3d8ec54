import { expect, test } from 'vitest'
import { DEDUPE_MS, TOASTS_VISIBLE, withToast, type Toast, type ToastKind } from './toast-queue.ts'

const toast = (id: number, at: number, kind: ToastKind = 'success', text = 'text'): Toast => ({
  id,
  kind,
  title: 'Title',
  text,
  at,
})

const kinds = Object.keys(DEDUPE_MS) as ToastKind[]

for (const kind of kinds)
  test(`the same ${kind} is suppressed for ${DEDUPE_MS[kind]} ms, to the millisecond`, () => {
    const first = toast(1, 0, kind)
    const shownAfter = (ms: number) => withToast([first], [first], toast(2, ms, kind)).length
    expect([DEDUPE_MS[kind] - 1, DEDUPE_MS[kind], DEDUPE_MS[kind] + 1].map(shownAfter)).toEqual([1, 2, 2])
  })

test('a toast of another kind or with another text is not a repeat', () => {
  const error = toast(1, 0, 'error')
  expect(withToast([error], [error], toast(2, 1, 'warning'))).toHaveLength(2)
  expect(withToast([error], [error], toast(2, 1, 'error', 'other'))).toHaveLength(2)
})

test('a repeat is suppressed after the first toast was closed', () => {
  const first = toast(1, 0)
  expect(withToast([], [first], toast(2, 2999))).toEqual([])
})

test('at most three toasts are visible, and the oldest is dropped', () => {
  const shownOf = (count: number) => {
    let shown: readonly Toast[] = []
    for (let id = 1; id <= count; id += 1) shown = withToast(shown, [], toast(id, 0, 'success', String(id)))
    return shown.map(({ id }) => id)
  }
  expect(shownOf(TOASTS_VISIBLE - 1)).toEqual([1, 2])
  expect(shownOf(TOASTS_VISIBLE)).toEqual([1, 2, 3])
  expect(shownOf(TOASTS_VISIBLE + 1)).toEqual([2, 3, 4])
})
