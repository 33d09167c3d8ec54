import fc from 'fast-check'
import { expect, test } from 'vitest'
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time.ts'
import type { StudyAnswer } from '../study.schema.ts'
import type { Card } from 'ts-fsrs'
import { isMissed, nextCard } from './repetition.ts'

const start = new Date('2026-11-01T10:00:00Z')
const answer = (atMs: number, isRight: boolean, isFlagged = false): StudyAnswer => ({
  key: 'a question',
  domain: 'Storage',
  isRight,
  isFlagged,
  at: after(start, atMs),
  attemptId: null,
})
const cardAfter = (...answers: StudyAnswer[]) => answers.reduce<Card | null>((card, one) => nextCard(card, one), null)
const dueAt = (...answers: StudyAnswer[]) => cardAfter(...answers)?.due

/** From the last answer until the card is due. */
function waitOf(...answers: StudyAnswer[]): number {
  return (dueAt(...answers)?.getTime() ?? 0) - (answers.at(-1)?.at.getTime() ?? 0)
}

test('a question becomes a card when it is missed or flagged, and not before', () => {
  expect(dueAt(answer(0, true))).toBe(undefined)
  expect(dueAt(answer(0, false))).not.toBe(undefined)
  expect(dueAt(answer(0, true, true))).not.toBe(undefined)
  expect(dueAt(answer(0, true), answer(HOUR_MS, true))).toBe(undefined)
})

test('a missed question returns the same day; once right, days later', () => {
  expect(waitOf(answer(0, false))).toBe(10 * MINUTE_MS)
  expect(isMissed(cardAfter(answer(0, false))!)).toBe(true)
  expect(isMissed(cardAfter(answer(0, false), answer(HOUR_MS, true))!)).toBe(false)
  expect(waitOf(answer(0, false), answer(HOUR_MS, true))).toBeGreaterThanOrEqual(DAY_MS)
  expect(waitOf(answer(0, true, true))).toBeGreaterThanOrEqual(DAY_MS)
})

test('each right answer lengthens the interval, and a wrong one brings the question back the same day', () => {
  const answers = [answer(0, false), answer(HOUR_MS, true)]
  const waits = [waitOf(...answers)]
  for (let round = 0; round < 5; round++) {
    const due = dueAt(...answers)!
    answers.push({ ...answer(0, true), at: due })
    waits.push(waitOf(...answers))
  }
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits.at(-1)).toBeGreaterThan(30 * DAY_MS)
  const forgotten = [...answers, { ...answer(0, false), at: dueAt(...answers)! }]
  expect(waitOf(...forgotten)).toBe(10 * MINUTE_MS)
  const relearned = [...forgotten, { ...answer(0, true), at: dueAt(...forgotten)! }]
  expect(waitOf(...relearned)).toBeLessThan(waits.at(-1)!)
})

test('the days are those of the published FSRS-6 weights', () => {
  const iso = (...answers: StudyAnswer[]) => dueAt(...answers)?.toISOString()
  expect(iso(answer(0, true, true))).toBe('2026-11-03T10:00:00.000Z')
  expect(iso(answer(0, true, true), answer(2 * DAY_MS, true))).toMatchInlineSnapshot(`"2026-11-14T10:00:00.000Z"`)
})

test('a card is due after its last answer, and the same answers always give the same instant', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 20 * DAY_MS }), fc.boolean(), fc.boolean()), { minLength: 1 }),
      (steps) => {
        let at = 0
        const answers = steps.map(([wait, isRight, isFlagged]) => answer((at += wait), isRight, isFlagged))
        const due = dueAt(...answers)
        expect(dueAt(...answers)).toEqual(due)
        expect(due?.getTime() ?? Infinity).toBeGreaterThan(start.getTime() + at)
      },
    ),
  )
})
