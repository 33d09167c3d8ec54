import { expect, test } from 'vitest'
import { addDays } from '../../../lib/calendar-day.ts'
import { judgePledge, PLEDGE, type ConditionId, type PledgeFacts } from './pledge.ts'

const examDate = '2026-06-20'
const at = (day: string, hour = 12) => new Date(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)
const before = (days: number) => addDays(examDate, -days)
const period = { id: 'p1', startsAt: at('2026-06-01'), endsAt: at('2026-07-01') }

/** A learner who meets everything and failed. */
const fulfilled: PledgeFacts = {
  exam: { examDate, timeZone: 'Europe/Berlin', setAt: at(before(7)), movedAt: null },
  days: [{ day: before(2), chancePercent: 85 }],
  mocks: [{ finishedAt: at(before(9)) }, { finishedAt: at(before(1)) }],
  result: { isPassed: false, reportedAt: at(addDays(examDate, 14)) },
  paidPeriods: [period],
  usedPeriodIds: [],
  now: at(addDays(examDate, 14)),
}
const stateOf = (facts: Partial<PledgeFacts>, id: ConditionId) =>
  judgePledge({ ...fulfilled, ...facts }).conditions.find((one) => one.id === id)!
const exam = fulfilled.exam!

test('who meets every condition and failed gets the course again, for the paid period of the exam', () => {
  const { conditions, isFulfilled, paidPeriodId } = judgePledge(fulfilled)
  expect(conditions.map(({ id, state }) => [id, state])).toEqual([
    ['date', 'met'],
    ['readiness', 'met'],
    ['mocks', 'met'],
    ['paid', 'met'],
    ['reported', 'met'],
    ['failed', 'met'],
  ])
  expect([isFulfilled, paidPeriodId]).toEqual([true, 'p1'])
})

const evening = (day: string) => new Date(`${day}T22:30:00Z`)

const misses: readonly [string, Partial<PledgeFacts>, ConditionId, 'open' | 'missed', string, object][] = [
  [
    'a date that was set six days before',
    { exam: { ...exam, setAt: at(before(6)) } },
    'date',
    'missed',
    'date.set',
    { days: 6 },
  ],
  [
    'a date that was set late in the evening of the seventh day before, when it was the sixth in Berlin',
    { exam: { ...exam, setAt: evening(before(7)) } },
    'date',
    'missed',
    'date.set',
    { days: 6 },
  ],
  [
    'a date that was moved afterwards',
    { exam: { ...exam, setAt: at(before(40)), movedAt: at(before(3)) } },
    'date',
    'missed',
    'date.moved',
    { days: 3, day: before(3) },
  ],
  [
    'readiness just below the threshold, which is not rounded up',
    { days: [{ day: before(2), chancePercent: 84.96 }] },
    'readiness',
    'missed',
    'readiness.best',
    { percent: 84 },
  ],
  [
    'readiness on the day of the exam',
    { days: [{ day: examDate, chancePercent: 99 }] },
    'readiness',
    'missed',
    'readiness.unknown',
    {},
  ],
  [
    'readiness too long before',
    { days: [{ day: before(PLEDGE.reachedDays + 1), chancePercent: 99 }] },
    'readiness',
    'missed',
    'readiness.unknown',
    {},
  ],
  ['one mock', { mocks: [{ finishedAt: at(before(3)) }] }, 'mocks', 'missed', 'mocks.count', { n: 1 }],
  [
    'a second mock after midnight of the exam day in Berlin',
    { mocks: [{ finishedAt: at(before(3)) }, { finishedAt: evening(before(1)) }] },
    'mocks',
    'missed',
    'mocks.count',
    { n: 1 },
  ],
  ['no paid period', { paidPeriods: [] }, 'paid', 'missed', 'paid.not', {}],
  [
    'a paid period that had ended',
    { paidPeriods: [{ ...period, endsAt: at(before(1)) }] },
    'paid',
    'missed',
    'paid.not',
    {},
  ],
  ['a paid period whose pledge was used', { usedPeriodIds: ['p1'] }, 'paid', 'missed', 'paid.used', {}],
  [
    'a report on the fifteenth day',
    { result: { isPassed: false, reportedAt: at(addDays(examDate, 15)) } },
    'reported',
    'missed',
    'reported.on',
    { last: addDays(examDate, 14) },
  ],
  [
    'no report within its days',
    { result: null, now: at(addDays(examDate, 15)) },
    'reported',
    'missed',
    'reported.not',
    {},
  ],
  ['a passed exam', { result: { isPassed: true, reportedAt: at(examDate) } }, 'failed', 'missed', 'failed.passed', {}],
]
test.each(misses)('%s is named, with what was found', (_what, facts, id, state, sentence, found) => {
  expect(stateOf(facts, id)).toMatchObject({ state, sentence, found })
  expect(judgePledge({ ...fulfilled, ...facts }).isFulfilled).toBe(false)
})

test('before the exam, what can still be reached is open, and nothing is promised', () => {
  const early = { days: [], mocks: [], result: null, now: at(before(3)) }
  const states = judgePledge({ ...fulfilled, ...early }).conditions.map(({ id, state }) => [id, state])
  expect(Object.fromEntries(states)).toEqual({
    date: 'met',
    readiness: 'open',
    mocks: 'open',
    paid: 'met',
    reported: 'open',
    failed: 'open',
  })
  const none = judgePledge({ ...fulfilled, exam: null })
  expect([none.isFulfilled, none.conditions.every(({ state }) => state === 'open')]).toEqual([false, true])
})

test('after one paid period was used, the next one on the same day counts', () => {
  const next = { id: 'p2', startsAt: at('2026-06-15'), endsAt: at('2026-07-15') }
  const facts = { ...fulfilled, paidPeriods: [period, next], usedPeriodIds: ['p1'] }
  expect(judgePledge(facts)).toMatchObject({ isFulfilled: true, paidPeriodId: 'p2' })
})
