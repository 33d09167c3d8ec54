import fc from 'fast-check'
import { expect, test } from 'vitest'
import { after, DAY_MS } from '../../../lib/time.ts'
import { missedIn, NO_PROGRESS, progressAfter } from './study-progress.ts'
import { readProgress, writeProgress } from './study-progress.schema.ts'
import type { StudyAnswer } from '../study.schema.ts'

const start = new Date('2026-11-01T10:00:00Z')
const answer = (key: string, attemptId: string | null, isRight: boolean, isFlagged = false): StudyAnswer => ({
  key,
  domain: 'Storage',
  isRight,
  isFlagged,
  at: start,
  attemptId,
})
const progressOf = (answers: readonly StudyAnswer[]) => progressAfter(NO_PROGRESS, answers)

test('a missed question says how many attempts ago it was missed, until it is answered right', () => {
  const first = [answer('a', '1', false), answer('b', '1', false), answer('c', '1', true)]
  expect(missedIn(progressOf(first), 'a')).toBe(1)
  const second = [...first, answer('b', '2', true), answer('c', '2', false)]
  expect(['a', 'b', 'c'].map((key) => missedIn(progressOf(second), key))).toEqual([2, null, 1])
  const drilled = [...second, answer('a', null, true), answer('c', null, false)]
  expect(missedIn(progressOf(drilled), 'a')).toBe(null)
  expect(missedIn(progressOf(drilled), 'c')).toBe(1)
})

test('a question keeps the flag of its last answer', () => {
  expect(progressOf([answer('a', '1', true, true)]).questions.get('a')?.isFlagged).toBe(true)
  expect(progressOf([answer('a', '1', true, true), answer('a', null, true)]).questions.get('a')?.isFlagged).toBe(false)
})

test('an answer that counts as new says whether its question was answered long before', () => {
  const first = answer('a', '1', true)
  const soon = { ...answer('a', '2', true), at: after(start, DAY_MS) }
  const late = { ...answer('a', '3', true), at: after(soon.at, 30 * DAY_MS) }
  const { newAnswers } = progressOf([first, soon, late])
  expect(newAnswers).toEqual([{ ...late, isRepeated: true }])
  expect(progressOf([first, soon]).newAnswers).toEqual([first])
})

const aSitting = fc.record({
  days: fc.integer({ min: 0, max: 40 }),
  isDrill: fc.boolean(),
  given: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean(), fc.boolean()), {
    selector: ([question]) => question,
    maxLength: 6,
  }),
})

test('progress that is stored after each exam and drill equals progress from all answers at once', () => {
  fc.assert(
    fc.property(fc.array(aSitting, { maxLength: 12 }), (sittings) => {
      let days = 0
      const answers = sittings.map(({ given, isDrill, ...sitting }, number) => {
        const at = after(start, (days += sitting.days) * DAY_MS)
        return given.map(([question, isRight, isFlagged]) => ({
          ...answer(`question ${question}`, isDrill ? null : `attempt ${number}`, isRight, isFlagged),
          at,
        }))
      })
      const step = answers.reduce(
        (known, some) => readProgress(JSON.parse(writeProgress(progressAfter(known, some)))),
        NO_PROGRESS,
      )
      expect(step).toEqual(progressOf(answers.flat()))
    }),
  )
})

test('days are those of the learner, also across a change of the clocks', () => {
  const daysOf = (timeZone: string, instants: readonly string[]) =>
    progressAfter(
      NO_PROGRESS,
      instants.map((at, place) => ({ ...answer(String(place), null, true), at: new Date(at) })),
      { timeZone },
    ).days.map(({ day, answered }) => [day, answered])
  // Summer time ends in Berlin on 25 October 2026: this day has 25 hours, from 22:00 to 23:00 in UTC.
  const autumn = ['2026-10-24T21:59:00Z', '2026-10-24T22:00:00Z', '2026-10-25T22:59:00Z', '2026-10-25T23:00:00Z']
  expect(daysOf('Europe/Berlin', autumn)).toEqual([
    ['2026-10-24', 1],
    ['2026-10-25', 2],
    ['2026-10-26', 1],
  ])
  // It begins on 29 March 2026: this day has 23 hours, from 23:00 to 22:00 in UTC.
  const spring = ['2026-03-28T22:59:00Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:00Z', '2026-03-29T22:00:00Z']
  expect(daysOf('Europe/Berlin', spring)).toEqual([
    ['2026-03-28', 1],
    ['2026-03-29', 2],
    ['2026-03-30', 1],
  ])
  expect(daysOf('Pacific/Kiritimati', ['2026-11-01T09:59:00Z', '2026-11-01T10:00:00Z'])).toEqual([
    ['2026-11-01', 1],
    ['2026-11-02', 1],
  ])
  expect(daysOf('UTC', autumn)).toEqual([
    ['2026-10-24', 2],
    ['2026-10-25', 2],
  ])
})
