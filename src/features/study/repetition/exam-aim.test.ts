import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Card } from 'ts-fsrs'
import { addDays, dayIn, daysBetween, weekdayOf } from '../../../lib/calendar-day.ts'
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time.ts'
import { aimOf, dueInstants, instantOn, LAST_DAYS, LEAST_GAIN, type ExamAim } from './exam-aim.ts'
import { AIM_ROWS, compareAim } from './exam-aim-simulation.fixture.ts'
import { isMissed, nextCard, PUBLISHED_WEIGHTS, schedulerOf } from './repetition.ts'

const scheduler = schedulerOf(PUBLISHED_WEIGHTS)
const START = new Date('2026-03-02T18:00:00Z')
const AIM: ExamAim = { examDate: '2026-04-01', timeZone: 'UTC', restDays: [], repetitionsADay: 1000 }

/** A card that was missed first and then answered after these days, rightly where true. */
function cardOf(steps: readonly (readonly [days: number, isRight: boolean])[], start = START): Card {
  let at = start
  let card = nextCard(null, { isRight: false, isFlagged: false, at })
  for (const [days, isRight] of steps) {
    at = after(at, days * DAY_MS + MINUTE_MS)
    card = nextCard(card, { isRight, isFlagged: false, at })
  }
  if (card === null) throw new Error('A missed question has no card.')
  return card
}

const dueOf = (card: Card, aim: ExamAim | null, now: Date) => dueInstants([card], aim, now)[0] ?? card.due
const learned = cardOf([
  [0, true],
  [1, true],
  [4, true],
])

test('a card that FSRS would show after the exam gets its last repetition in the days before it', () => {
  const now = after(learned.last_review!, HOUR_MS)
  const examDate = addDays(dayIn(learned.due, 'UTC'), -2)
  const due = dueOf(learned, { ...AIM, examDate }, now)
  expect(due < learned.due).toBe(true)
  expect(daysBetween(dayIn(due, 'UTC'), examDate)).toBeLessThanOrEqual(LAST_DAYS.least)
  expect(daysBetween(dayIn(due, 'UTC'), examDate)).toBeGreaterThan(0)
})

test('a repetition that would be the last before the exam waits for the last days', () => {
  const now = after(learned.last_review!, HOUR_MS)
  const examDate = addDays(dayIn(learned.due, 'UTC'), 5)
  const due = dueOf(learned, { ...AIM, examDate }, now)
  expect(due > learned.due).toBe(true)
  expect(dayIn(due, 'UTC') < examDate).toBe(true)
})

test('a card with more repetitions before the exam, and one that was missed, keep the days of FSRS', () => {
  const now = after(learned.last_review!, HOUR_MS)
  expect(dueOf(learned, { ...AIM, examDate: addDays(dayIn(now, 'UTC'), 200) }, now)).toEqual(learned.due)
  const missed = cardOf([
    [0, true],
    [3, false],
  ])
  expect(dueOf(missed, AIM, after(missed.last_review!, MINUTE_MS))).toEqual(missed.due)
})

const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean()), { maxLength: 8 })
const zones = fc.constantFrom(
  'UTC',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/Los_Angeles',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
)
const aims = fc.record({
  ahead: fc.integer({ min: -3, max: 120 }),
  timeZone: zones,
  restDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 6 }),
  repetitionsADay: fc.integer({ min: 1, max: 100 }),
})
const decks = fc.array(steps, { minLength: 1, maxLength: 30 })
/** From the last answer of a deck until it is looked at. */
const waits = fc.integer({ min: 0, max: 60 * 24 })

function deckOf(all: readonly (readonly (readonly [number, boolean])[])[], wait: number) {
  // Across both changes of the clocks of a year.
  const cards = all.map((one, place) => cardOf(one, after(START, place * 9 * HOUR_MS)))
  const last = Math.max(...cards.map(({ last_review: at }) => at?.getTime() ?? 0))
  return { cards, now: after(new Date(last), wait * HOUR_MS) }
}

const aimFrom = (now: Date, { ahead, ...rest }: { ahead: number } & Omit<ExamAim, 'examDate'>): ExamAim => ({
  ...rest,
  examDate: addDays(dayIn(now, rest.timeZone), ahead),
})

test('in every zone and across daylight saving a card is due after its last answer, and moved only to days of study before the exam', () => {
  fc.assert(
    fc.property(decks, waits, aims, (all, wait, wish) => {
      const { cards, now } = deckOf(all, wait)
      const aim = aimFrom(now, wish)
      const today = dayIn(now, aim.timeZone)
      for (const [place, due] of dueInstants(cards, aim, now).entries()) {
        const card = cards[place]!
        expect(due.getTime()).toBeGreaterThan(card.last_review!.getTime())
        if (due.getTime() === card.due.getTime()) continue
        const day = dayIn(due, aim.timeZone)
        expect(day >= today && day < aim.examDate).toBe(true)
        // The forecast of the plan counts days of the zone; texts show days of UTC.
        expect(dayIn(due, 'UTC')).toBe(day)
        const last = addDays(aim.examDate, -1)
        const studied = Array.from({ length: LAST_DAYS.least }, (_, index) => addDays(last, -index)).filter(
          (one) => one >= today && !aim.restDays.includes(weekdayOf(one)),
        )
        expect(studied.length === 0 || !aim.restDays.includes(weekdayOf(day))).toBe(true)
      }
    }),
  )
})

test('no card waits beyond the exam while a last repetition would raise recall on the day and the days have time', () => {
  fc.assert(
    fc.property(decks, waits, aims, (all, wait, wish) => {
      const { cards, now } = deckOf(all, wait)
      const aim = { ...aimFrom(now, wish), repetitionsADay: 1000 }
      const today = dayIn(now, aim.timeZone)
      if (today >= aim.examDate) return
      for (const [place, due] of dueInstants(cards, aim, now).entries()) {
        const card = cards[place]!
        if (dayIn(due, aim.timeZone) < aim.examDate) continue
        const last = dayIn(card.last_review!, aim.timeZone)
        // The day before the exam is the last for a repetition, and a day has one.
        if (last >= addDays(aim.examDate, -1) || isMissed(card)) continue
        // Only days of rest are left.
        const later = Array.from({ length: LAST_DAYS.least }, (_, index) => addDays(aim.examDate, -1 - index))
        if (!later.some((day) => day >= today && day > last && !aim.restDays.includes(weekdayOf(day)))) continue
        const recall = scheduler.forgetting_curve(daysBetween(last, aim.examDate), card.stability)
        // A repetition, and one more if it is missed, costs at most twice the least gain. What it brings is estimated for a day near it.
        expect(1 - recall).toBeLessThan(2 * LEAST_GAIN + 0.05)
      }
    }),
  )
})

test('without a date, from the exam day on, and after the date is removed, the days are those of FSRS', () => {
  fc.assert(
    fc.property(decks, waits, aims, (all, wait, wish) => {
      const { cards, now } = deckOf(all, wait)
      const plain = cards.map(({ due }) => due)
      expect(dueInstants(cards, null, now)).toEqual(plain)
      const over = aimFrom(now, { ...wish, ahead: Math.min(0, wish.ahead) })
      expect(dueInstants(cards, over, now)).toEqual(plain)
    }),
  )
})

test('a right answer never brings a card back before a wrong one would', () => {
  fc.assert(
    fc.property(steps, waits, aims, (one, wait, wish) => {
      const { cards, now } = deckOf([one], wait)
      const [right, wrong] = [true, false].map((isRight) => nextCard(cards[0]!, { isRight, isFlagged: false, at: now }))
      const aim = aimFrom(now, wish)
      expect(dueOf(right!, aim, now).getTime()).toBeGreaterThanOrEqual(dueOf(wrong!, aim, now).getTime())
    }),
  )
})

test('the last repetitions fill the last days evenly, and the day before the exam half', () => {
  const cards = Array.from({ length: 90 }, (_, place) =>
    cardOf(
      [
        [0, true],
        [1, true],
        [3, true],
        [9, true],
      ],
      after(START, place * MINUTE_MS),
    ),
  )
  const now = new Date('2026-03-28T09:00:00Z')
  const countOn = (aim: ExamAim) => {
    const dues = dueInstants(cards, aim, now).map((due) => dayIn(due, 'UTC'))
    return ['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'].map(
      (day) => dues.filter((one) => one === day).length,
    )
  }
  expect(countOn(AIM)).toEqual([0, 36, 36, 18])
  // Sundays without study.
  expect(countOn({ ...AIM, restDays: [7] })).toEqual([0, 0, 60, 30])
  // Less time each day: more days.
  expect(countOn({ ...AIM, repetitionsADay: 26 })).toEqual([26, 26, 26, 12])
  // What was done today counts for today.
  const done = cards
    .slice(0, 26)
    .map((card) => nextCard(card, { isRight: true, isFlagged: false, at: after(now, -HOUR_MS) })!)
  const later = dueInstants([...done, ...cards.slice(26)], { ...AIM, repetitionsADay: 26 }, now)
  expect(later.filter((due) => dayIn(due, 'UTC') === '2026-03-28')).toHaveLength(0)
})

test('ten thousand cards keep their days, except those for which the last days have time', () => {
  const one = cardOf([
    [0, true],
    [1, true],
    [3, true],
  ])
  const cards = Array.from({ length: 10_000 }, () => one)
  const aim = aimOf({ examDate: '2026-03-12', timeZone: 'Europe/Berlin', restDays: [], minutesADay: 60 })
  const dues = dueInstants(cards, aim, new Date('2026-03-07T09:00:00Z'))
  const moved = dues.filter((due) => due.getTime() !== one.due.getTime())
  expect(moved.length).toBeGreaterThan(0)
  expect(moved.length).toBeLessThanOrEqual(5 * aim.repetitionsADay)
})

test('an instant of a day is on that day in its zone and in UTC', () => {
  fc.assert(
    fc.property(zones, fc.integer({ min: 0, max: 800 }), (timeZone, days) => {
      const day = addDays('2026-01-01', days)
      const instant = instantOn(day, timeZone)
      expect([dayIn(instant, timeZone), dayIn(instant, 'UTC')]).toEqual([day, day])
    }),
  )
})

/* `npm run simulate` prints all rows with more learners (docs/repetition.md). */
test.each(AIM_ROWS.filter(({ days }) => days <= 60))(
  'who studies $name remembers more on the exam day, with no more repetitions than FSRS alone asks for',
  (row) => {
    const { plain, aimed } = compareAim(row, 2, 7)
    expect(aimed.recall).toBeGreaterThan(plain.recall)
    expect(aimed.reviews).toBeLessThanOrEqual(plain.reviews)
  },
)
