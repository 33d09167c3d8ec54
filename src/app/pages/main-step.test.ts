import { expect, test } from 'vitest'
import { mainStepOf } from './main-step.ts'

const exams = [
  { slug: 'sampler', isFreeTrial: true },
  { slug: 'one', isFreeTrial: false },
  { slug: 'two', isFreeTrial: false },
]
const passed = { examSlug: 'one', isPassed: true, open: null }
const owned = { isOpen: true, dueCount: 0, exams, results: [] }

test('an open attempt is the main step of a course, the one begun last before the others', () => {
  const results = [
    { ...passed, open: { id: 'older', startedAt: '2026-11-02' } },
    { ...passed, examSlug: 'two', open: { id: 'newer', startedAt: '2026-11-03' } },
  ]
  expect(mainStepOf({ ...owned, dueCount: 3, results })).toEqual({ kind: 'resume', attemptId: 'newer' })
  expect(mainStepOf({ ...owned, isOpen: false, results })).toEqual({ kind: 'resume', attemptId: 'newer' })
})

test('then due questions, then the first exam that was not passed, and studying once all are passed', () => {
  expect(mainStepOf({ ...owned, dueCount: 1 })).toEqual({ kind: 'study' })
  expect(mainStepOf(owned)).toEqual({ kind: 'timed', examSlug: 'one' })
  expect(mainStepOf({ ...owned, results: [passed] })).toEqual({ kind: 'timed', examSlug: 'two' })
  expect(mainStepOf({ ...owned, results: [{ ...passed, isPassed: false }] })).toEqual({
    kind: 'timed',
    examSlug: 'one',
  })
  expect(mainStepOf({ ...owned, results: [passed, { ...passed, examSlug: 'two' }] })).toEqual({ kind: 'study' })
})

test('without access nothing is the main step, because buying or trying is', () => {
  expect(mainStepOf({ ...owned, isOpen: false, dueCount: 2 })).toBeNull()
})
