import { expect, test } from 'vitest'
import { mainStepOf } from './main-step.ts'

const exams = [
  { slug: 'sampler', isFreeTrial: true },
  { slug: 'one', isFreeTrial: false },
  { slug: 'two', isFreeTrial: false },
]
const attempt = { id: 'a', examSlug: 'one', state: 'finished', isPassed: true, startedAt: '2026-11-01' } as const
const owned = { isOpen: true, dueCount: 0, exams, attempts: [] }

test('an open attempt is the main step of a course, the one begun last before the others', () => {
  const open = { ...attempt, state: 'open', isPassed: null } as const
  const attempts = [
    { ...open, id: 'older', startedAt: '2026-11-02' },
    { ...open, id: 'newer', startedAt: '2026-11-03' },
  ]
  expect(mainStepOf({ ...owned, dueCount: 3, attempts })).toEqual({ kind: 'resume', attemptId: 'newer' })
  expect(mainStepOf({ ...owned, isOpen: false, attempts })).toEqual({ kind: 'resume', attemptId: 'newer' })
})

test('then due questions, then the first exam that was not passed, and studying once all are passed', () => {
  expect(mainStepOf({ ...owned, dueCount: 1 })).toEqual({ kind: 'study' })
  expect(mainStepOf(owned)).toEqual({ kind: 'timed', examSlug: 'one' })
  expect(mainStepOf({ ...owned, attempts: [attempt] })).toEqual({ kind: 'timed', examSlug: 'two' })
  expect(mainStepOf({ ...owned, attempts: [{ ...attempt, isPassed: false }] })).toEqual({
    kind: 'timed',
    examSlug: 'one',
  })
  expect(mainStepOf({ ...owned, attempts: [attempt, { ...attempt, examSlug: 'two' }] })).toEqual({ kind: 'study' })
})

test('without access nothing is the main step, because buying or trying is', () => {
  expect(mainStepOf({ ...owned, isOpen: false, dueCount: 2 })).toBeNull()
})
