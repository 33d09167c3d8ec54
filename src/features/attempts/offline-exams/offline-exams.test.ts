import { expect, test } from 'vitest'
import { selecting } from '../../../../tests/support/answers.ts'
import {
  answeredCount,
  endPractice,
  finishOf,
  offlineExamTime,
  renewedOfflineExam,
  startPractice,
  timesWithin,
} from './offline-exams.ts'
import type { OfflineExam } from './offline-exams.schema.ts'

const clock = { serverMs: 1_000_000, deviceMs: 500, seenMs: 1_000_000 }

test('an offline exam counts from the server’s time, whatever the device’s clock says', () => {
  expect(offlineExamTime(clock, 500)).toBe(1_000_000)
  expect(offlineExamTime(clock, 60_500)).toBe(1_060_000)
})

test('a clock that is set back gains nothing', () => {
  expect(offlineExamTime(clock, -1_000_000)).toBe(1_000_000)
  expect(offlineExamTime({ ...clock, seenMs: 1_060_000 }, 500)).toBe(1_060_000)
})

test('times that a device reports are moved into the known bounds, and a practice never ends before it begins', () => {
  const at = (ms: number) => new Date(ms)
  const within = (startedAt: number, finishedAt: number) => {
    const times = timesWithin(
      { startedAt: at(startedAt), finishedAt: at(finishedAt) },
      { from: at(100), until: at(200) },
    )
    return [times.startedAt.getTime(), times.finishedAt.getTime()]
  }
  expect(within(120, 150)).toEqual([120, 150])
  expect(within(0, 999)).toEqual([100, 200])
  expect(within(999, 0)).toEqual([100, 100])
  expect(within(180, 150)).toEqual([150, 150])
})

const offlineExam: OfflineExam = {
  userId: 'p',
  examId: 'e',
  examSlug: 'exam',
  examTitle: 'Exam',
  courseSlug: 'course',
  courseTitle: 'Course',
  seed: 1,
  questions: [],
  accessUntil: '2026-01-30T00:00:00.000Z',
  now: '2026-01-01T00:00:00.000Z',
}
const begun = startPractice(offlineExam, 'id', new Date('2026-01-02T00:00:00.000Z'))

test('a practice that ends early counts its checked answers, under one id, and nothing before the first check', () => {
  const answers = { a: selecting('a1'), b: selecting('b2') }
  expect(endPractice(offlineExam, { ...begun, answers })).toBeNull()
  const checkedAt = '2026-01-02T00:01:00.000Z'
  expect(endPractice(offlineExam, { ...begun, answers, checked: ['a', 'c'], checkedAt })).toEqual({
    id: 'id',
    examId: 'e',
    seed: 1,
    startedAt: begun.startedAt,
    finishedAt: checkedAt,
    answers: { a: selecting('a1'), c: null },
  })
})

test('a question counts as answered once something is picked, and no longer when it is taken back', () => {
  expect(answeredCount(begun)).toBe(0)
  expect(answeredCount({ ...begun, answers: { a: selecting('a1'), b: null, c: selecting('c2') } })).toBe(2)
})

test('an exam that is fetched again keeps the questions of a practice that has begun and changes only its access', () => {
  const given = {
    ...offlineExam,
    examId: 'next',
    seed: 2,
    accessUntil: '2026-03-01T00:00:00.000Z',
    now: '2026-01-03T00:00:00.000Z',
  }
  const underWay = { ...begun, answers: { a: selecting('a1') } }
  expect(renewedOfflineExam(offlineExam, underWay, given)).toEqual({
    ...offlineExam,
    accessUntil: given.accessUntil,
    now: given.now,
  })
  for (const practice of [undefined, begun]) expect(renewedOfflineExam(offlineExam, practice, given)).toBe(given)
  expect(renewedOfflineExam({ ...offlineExam, userId: 'other' }, underWay, given)).toBe(given)
})

test('a practice that is finished after access ended, ended when its last answer was checked', () => {
  const ended = endPractice(offlineExam, { ...begun, checked: ['a'], checkedAt: '2026-01-29T23:00:00.000Z' })!
  const at = (instant: string) => ({ atMs: Date.parse(instant), deviceMs: Date.parse('2026-02-02T00:00:00.000Z') })
  expect(finishOf(ended, offlineExam.accessUntil, at('2026-01-29T23:59:59.000Z'))).toBe('2026-02-02T00:00:00.000Z')
  expect(finishOf(ended, offlineExam.accessUntil, at(offlineExam.accessUntil))).toBe('2026-01-29T23:00:00.000Z')
})

test('an attempt brings the signature of its offline exam, also when the exam is fetched again meanwhile', () => {
  const signed = { ...offlineExam, signature: 'first' }
  const underWay = { ...begun, answers: { a: selecting('a1') }, checked: ['a'], checkedAt: begun.startedAt }
  const renewed = renewedOfflineExam(signed, underWay, { ...offlineExam, seed: 2, signature: 'second' })
  expect(endPractice(renewed, underWay)).toMatchObject({ seed: 1, signature: 'first' })
})
