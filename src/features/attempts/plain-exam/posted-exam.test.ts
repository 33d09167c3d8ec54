import { expect, test } from 'vitest'
import { blank } from '../saving/answer-queue.ts'
import { actValue, nextSeq, placeAfter, readPost } from './posted-exam.ts'
import { readShownExam, shownExamCookie } from './shown-exam.ts'

test('a posted form is read whole, and one that is not ours can only start or save', () => {
  const fields = new URLSearchParams({ attempt: 'a', question: 'q1', writer: 'w', seq: '7', do: 'go 3' })
  expect(readPost(fields)).toMatchObject({ attemptId: 'a', questionId: 'q1', writer: 'w', seq: 7 })
  expect(readPost(fields).act).toEqual({ kind: 'go', place: 3 })
  expect(readPost(new URLSearchParams()).act).toEqual({ kind: 'start' })
  expect(readPost(new URLSearchParams({ do: 'drop table' })).act).toEqual({ kind: 'save' })
  for (const seq of ['-1', '1.5', 'Infinity', '9'.repeat(30)])
    expect(readPost(new URLSearchParams({ seq, do: actValue({ kind: 'next' }) }))).toMatchObject({
      act: { kind: 'next' },
      seq: 0,
    })
})

test('a form leads to the question that its button names, and never beyond the first and the last', () => {
  expect(placeAfter({ kind: 'next' }, 1, 3)).toBe(2)
  expect(placeAfter({ kind: 'next' }, 2, 3)).toBe(2)
  expect(placeAfter({ kind: 'previous' }, 0, 3)).toBe(0)
  expect(placeAfter({ kind: 'go', place: 99 }, 0, 3)).toBe(2)
  expect(placeAfter({ kind: 'flag' }, 1, 3)).toBe(1)
})

test('the next number of an attempt is one more than the greatest so far', () => {
  expect(nextSeq({})).toBe(1)
  expect(nextSeq({ q1: { ...blank, seq: 4 }, q2: { ...blank, seq: 2 } })).toBe(5)
})

test('the cookie of what was shown is read as it was written, and anything else is none', () => {
  const shown = { attemptId: '0190c5f0-0000-7000-8000-000000000000', place: 12, writer: 'form-1.2' }
  const value = /=([^;]+)/.exec(shownExamCookie(shown, true))?.[1] ?? ''
  expect(readShownExam(decodeURIComponent(value))).toEqual(shown)
  for (const other of [null, '', 'x', `${shown.attemptId}.-1.w`, `${shown.attemptId}.1.`])
    expect(readShownExam(other)).toBeNull()
})
