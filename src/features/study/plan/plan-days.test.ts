import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, dayIn, daysBetween, weekdayOf } from '../../../lib/calendar-day.ts'
import { adviceFor, planDays, type Plan, type PlanFacts } from './plan-days.ts'

const today = '2026-11-24'
const usual: PlanFacts = {
  today,
  examDate: addDays(today, 30),
  setOn: today,
  minutesADay: 60,
  restDays: [7],
  secondsPerQuestion: 90,
  dueByDay: new Map([
    [addDays(today, -3), 8],
    [addDays(today, 2), 4],
  ]),
  domains: [
    { name: 'Design', weight: 0.6, mastery: 0.5, unseenCount: 120 },
    { name: 'Operations', weight: 0.4, mastery: 0.9, unseenCount: 80 },
  ],
  exam: { questions: 65, minutes: 130 },
  mocksDone: [],
  doneToday: { seconds: 0, newCount: 0 },
  accessUntil: null,
}

const someFacts: fc.Arbitrary<PlanFacts> = fc
  .record({
    days: fc.integer({ min: 0, max: 120 }),
    minutesADay: fc.integer({ min: 5, max: 600 }),
    restDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 6 }),
    secondsPerQuestion: fc.integer({ min: 15, max: 240 }),
    due: fc.array(fc.tuple(fc.integer({ min: -20, max: 119 }), fc.integer({ min: 0, max: 60 })), { maxLength: 12 }),
    domains: fc.array(
      fc.record({
        weight: fc.double({ min: 0, max: 1, noNaN: true }),
        mastery: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        unseenCount: fc.integer({ min: 0, max: 200 }),
      }),
      { maxLength: 6 },
    ),
    exam: fc.option(
      fc.record({ questions: fc.integer({ min: 20, max: 90 }), minutes: fc.integer({ min: 30, max: 240 }) }),
    ),
    mocksDone: fc.array(fc.integer({ min: -30, max: 0 }), { maxLength: 3 }),
    doneToday: fc.record({ seconds: fc.integer({ min: 0, max: 7200 }), newCount: fc.integer({ min: 0, max: 40 }) }),
    setBefore: fc.integer({ min: 0, max: 60 }),
  })
  .map(({ days, due, domains, mocksDone, setBefore, ...rest }) => ({
    ...rest,
    today,
    examDate: addDays(today, days),
    setOn: addDays(today, -setBefore),
    dueByDay: new Map(due.filter(([day]) => day < days).map(([day, count]) => [addDays(today, day), count])),
    domains: domains.map((domain, place) => ({ ...domain, name: `Domain ${place}` })),
    mocksDone: mocksDone.map((day) => addDays(today, day)),
    accessUntil: null,
  }))

const newOf = ({ days }: Plan) => days.map(({ newByDomain }) => newByDomain.reduce((sum, { count }) => sum + count, 0))
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const dueOf = ({ days }: Plan) => days.map(({ dueCount }) => dueCount)
const mocksOf = ({ days }: Plan) => days.flatMap(({ day, mock }) => (mock === null ? [] : [day]))

test('no day has more than the minutes given, a rest day nothing, the last day only due cards in half of the time', () => {
  fc.assert(
    fc.property(someFacts, (facts) => {
      const plan = planDays(facts)
      expect(plan.days).toHaveLength(daysBetween(facts.today, facts.examDate))
      for (const [index, { kind, day, seconds, mock, newByDomain, dueCount }] of plan.days.entries()) {
        const given = kind === 'rest' ? 0 : facts.minutesADay * (kind === 'light' ? 30 : 60)
        const done = index === 0 ? facts.doneToday.seconds : 0
        expect(seconds).toBeLessThanOrEqual(Math.max(0, given - done) + 1e-6)
        expect(kind === 'rest').toBe(facts.restDays.includes(weekdayOf(day)))
        expect(kind === 'rest' && dueCount > 0).toBe(false)
        expect(kind !== 'study' && (newByDomain.length > 0 || mock !== null)).toBe(false)
      }
    }),
  )
})

test('each due card and each new question is on one day, or named as left out; none is asked before it is due', () => {
  fc.assert(
    fc.property(someFacts, (facts) => {
      const plan = planDays(facts)
      expect(sum(dueOf(plan)) + plan.leftOut.dueCount).toBe(
        facts.examDate === today ? plan.leftOut.dueCount : sum([...facts.dueByDay.values()]),
      )
      expect(sum(newOf(plan)) + plan.leftOut.newCount).toBe(sum(facts.domains.map(({ unseenCount }) => unseenCount)))
      for (const { name, unseenCount } of facts.domains) {
        const asked = plan.days.flatMap(({ newByDomain }) => newByDomain.filter(({ domain }) => domain === name))
        expect(sum(asked.map(({ count }) => count))).toBeLessThanOrEqual(unseenCount)
      }
      for (const [index, { day }] of plan.days.entries()) {
        const arrived = [...facts.dueByDay].filter(([due]) => due <= day).map(([, count]) => count)
        expect(sum(dueOf(plan).slice(0, index + 1))).toBeLessThanOrEqual(sum(arrived))
      }
    }),
  )
})

test('more minutes a day never place less', () => {
  fc.assert(
    fc.property(someFacts, fc.integer({ min: 1, max: 120 }), (facts, more) => {
      // Without mock exams: with more time they are longer.
      const [less, most] = [facts.minutesADay, facts.minutesADay + more].map((minutesADay) =>
        planDays({ ...facts, exam: null, minutesADay }),
      )
      expect(most!.leftOut.dueCount).toBeLessThanOrEqual(less!.leftOut.dueCount)
      expect(most!.leftOut.newCount).toBeLessThanOrEqual(less!.leftOut.newCount)
    }),
  )
})

test('mock exams are at least two days apart, closer towards the end, and not in the last two days', () => {
  fc.assert(
    fc.property(someFacts, (facts) => {
      const days = mocksOf(planDays(facts))
      for (const [place, day] of days.entries()) {
        expect(daysBetween(day, facts.examDate)).toBeGreaterThan(2)
        for (const other of [...days.slice(place + 1), ...facts.mocksDone])
          expect(Math.abs(daysBetween(day, other))).toBeGreaterThanOrEqual(2)
      }
    }),
  )
  const days = mocksOf(planDays({ ...usual, minutesADay: 130, restDays: [], examDate: addDays(today, 40) }))
  expect(days.map((day) => daysBetween(day, addDays(today, 40)))).toEqual([28, 19, 12, 7, 3])
})

test('new questions are spread evenly, more of them where the exam weighs more and the learner misses more', () => {
  const plan = planDays({ ...usual, exam: null, restDays: [], dueByDay: new Map() })
  const counts = newOf(plan).filter((count) => count > 0)
  expect(Math.max(...counts) - Math.min(...counts.slice(0, -1))).toBe(0)
  expect(plan.leftOut).toEqual({ dueCount: 0, newCount: 0 })
  expect(newOf(plan).slice(-4)).toEqual([0, 0, 0, 0])
  const first = plan.days.slice(0, 5).flatMap(({ newByDomain }) => newByDomain)
  const of = (name: string) => sum(first.filter(({ domain }) => domain === name).map(({ count }) => count))
  expect(of('Design')).toBeGreaterThan(3 * of('Operations'))
})

test('a missed week is spread over the days that are left; none of them has more than its minutes', () => {
  const before = planDays(usual)
  const week = addDays(today, 7)
  const after = planDays({ ...usual, today: week, dueByDay: new Map([[today, 12]]) })
  expect(after.leftOut).toEqual({ dueCount: 0, newCount: 0 })
  expect(Math.max(...newOf(after))).toBeGreaterThan(Math.max(...newOf(before)))
  expect(Math.max(...after.days.map(({ seconds }) => seconds))).toBeLessThanOrEqual(3600)
})

test('what is done today counts for today: an answered question brings no other one', () => {
  const all = newOf(planDays(usual))[0]!
  const doing = (count: number) =>
    newOf(
      planDays({
        ...usual,
        domains: usual.domains.map((domain, place) =>
          place === 0 ? { ...domain, unseenCount: domain.unseenCount - count } : domain,
        ),
        doneToday: { seconds: count * 90, newCount: count },
      }),
    )[0]
  expect([doing(0), doing(2), doing(all)]).toEqual([all, all - 2, 0])
})

test('a plan that cannot be done says with what it can: more minutes, a later day, or the weightiest domains', () => {
  const tight = { ...usual, examDate: addDays(today, 5), exam: null, minutesADay: 45 }
  const advice = adviceFor(tight, 600)
  expect(advice).not.toBe(null)
  const { minutesADay, examDate } = advice!
  expect(planDays({ ...tight, minutesADay: minutesADay! }).leftOut).toEqual({ dueCount: 0, newCount: 0 })
  expect(planDays({ ...tight, examDate: examDate! }).leftOut).toEqual({ dueCount: 0, newCount: 0 })
  expect(planDays({ ...tight, minutesADay: minutesADay! - 5 }).leftOut.newCount).toBeGreaterThan(0)
  expect(adviceFor({ ...tight, minutesADay: 70 }, 600)?.domains).toEqual(['Design'])
  expect(adviceFor(usual, 600)).toBe(null)
})

test('a mock exam that does not fit into a day is shorter, and in a very short day there is none', () => {
  const at = (minutesADay: number) => planDays({ ...usual, minutesADay })
  expect(at(130).mocks).toBe('full')
  expect(at(60)).toMatchObject({ mocks: 'short' })
  expect(at(60).days.find(({ mock }) => mock !== null)?.mock).toEqual({ questions: 30, minutes: 60 })
  expect([at(20).mocks, mocksOf(at(20))]).toEqual(['none', []])
})

test('an exam today has no days before it, one in two days has today and a light day, and one beyond the access says so', () => {
  expect(planDays({ ...usual, examDate: today }).days).toEqual([])
  const two = planDays({ ...usual, examDate: addDays(today, 2), restDays: [] })
  expect(two.days.map(({ kind, mock }) => [kind, mock])).toEqual([
    ['study', null],
    ['light', null],
  ])
  expect(adviceFor({ ...usual, examDate: addDays(today, 2) }, 600)).not.toBe(null)
  const beyond = planDays({ ...usual, accessUntil: addDays(today, 9) })
  expect(beyond.days.map(({ isAfterAccess }) => isAfterAccess).indexOf(true)).toBe(10)
})

test('the same instant gives each zone its own day, and a change of the clocks neither adds nor drops one', () => {
  const night = new Date('2026-03-28T23:30:00Z')
  const inZone = (timeZone: string) =>
    planDays({ ...usual, today: dayIn(night, timeZone), setOn: '2026-03-01', examDate: '2026-04-10', restDays: [] })
  expect(inZone('America/New_York').days).toHaveLength(13)
  const berlin = inZone('Europe/Berlin').days.map(({ day }) => day)
  expect([berlin.length, new Set(berlin).size, berlin[0], berlin.at(-1)]).toEqual([12, 12, '2026-03-29', '2026-04-09'])
})
