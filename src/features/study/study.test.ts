import { selecting } from '../../../tests/support/answers.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { after, DAY_MS } from '../../lib/time.ts'
import { countFitting, defaultFilters, endOfDay, fits, nextStep, nextUnanswered, seenOf } from './study.ts'
import { standing } from './counted-standing.fixture.ts'
import type { DrillFilters } from './study.schema.ts'

const start = new Date('2026-11-01T10:00:00Z')

test('a blank before the last answer counts as missed, and one after it as not reached', () => {
  const [one, two, three] = [selecting('a'), selecting(), selecting('b')].map((answer) => ({
    answer,
    isFlagged: false,
  }))
  const blank = { answer: null, isFlagged: false }
  const flagged = { answer: null, isFlagged: true }
  expect(seenOf([one!, two!, three!, blank, flagged, blank])).toEqual([one, two, three, flagged])
  expect(seenOf([blank, blank])).toEqual([])
})

test('a question fits when any source has it and its domain and type are chosen; choosing nothing means all', () => {
  const all: DrillFilters = { from: [], lastAttempts: 3, domains: [], kinds: [], count: 20 }
  const missed = standing({ missedIn: 3 })
  expect(fits(missed, all)).toBe(true)
  expect(fits(missed, { ...all, from: ['missed'] })).toBe(true)
  expect(fits(missed, { ...all, from: ['missed'], lastAttempts: 2 })).toBe(false)
  expect(fits(missed, { ...all, from: ['missed'], domains: ['Compute'] })).toBe(false)
  expect(fits(missed, { ...all, kinds: ['ordering'] })).toBe(false)
  expect(fits(missed, { ...all, kinds: ['ordering', 'one-answer'] })).toBe(true)
  expect(fits(missed, { ...all, from: ['unseen', 'flagged', 'due'] })).toBe(false)
  expect(fits(standing({ isUnseen: true }), { ...all, from: ['missed', 'unseen'], lastAttempts: 1 })).toBe(true)
})

test('more sources never fit fewer questions; nor do more domains, once one is chosen', () => {
  const anyStanding = fc.record({
    domain: fc.constantFrom('Storage', 'Compute', 'Network'),
    kind: fc.constantFrom('one-answer', 'ordering'),
    missedIn: fc.option(fc.integer({ min: 1, max: 5 })),
    isUnseen: fc.boolean(),
    isFlagged: fc.boolean(),
    isDue: fc.boolean(),
    count: fc.constant(1),
  })
  fc.assert(
    fc.property(fc.array(anyStanding), fc.integer({ min: 1, max: 5 }), (standings, lastAttempts) => {
      const count = (from: ('missed' | 'unseen' | 'flagged')[], domains: string[]) =>
        countFitting(standings, { from, domains, lastAttempts })
      expect(count(['missed', 'unseen'], [])).toBeGreaterThanOrEqual(count(['missed'], []))
      expect(count([], [])).toBe(standings.length)
      expect(count(['flagged'], ['Storage', 'Compute'])).toBe(
        count(['flagged'], ['Storage']) + count(['flagged'], ['Compute']),
      )
    }),
  )
})

test('without a choice a drill asks missed questions, or else unseen ones, or else all', () => {
  expect(defaultFilters([standing({ missedIn: 1 }), standing({ isUnseen: true })]).from).toEqual(['missed'])
  expect(defaultFilters([standing(), standing({ isUnseen: true })]).from).toEqual(['unseen'])
  expect(defaultFilters([standing()]).from).toEqual([])
})

test('a day ends just before midnight, in UTC', () => {
  expect(endOfDay(new Date('2026-11-21T00:00:00.000Z')).toISOString()).toBe('2026-11-21T23:59:59.999Z')
  expect(endOfDay(new Date('2026-11-21T23:59:59.999Z')).toISOString()).toBe('2026-11-21T23:59:59.999Z')
  expect(endOfDay(after(start, DAY_MS)).getTime() - endOfDay(start).getTime()).toBe(DAY_MS)
})

test('after a drill come due questions, then unseen ones, then an exam', () => {
  expect(nextStep({ dueCount: 1, unseenCount: 1 })).toBe('due')
  expect(nextStep({ dueCount: 0, unseenCount: 1 })).toBe('unseen')
  expect(nextStep({ dueCount: 0, unseenCount: 0 })).toBe('exam')
})

test('a drill continues with the next unanswered question, wrapping around the end', () => {
  const questions = [true, null, false, null].map((isRight) => ({
    answer: { answer: null, isFlagged: false, isRight },
  }))
  expect(nextUnanswered(questions, -1)).toBe(1)
  expect(nextUnanswered(questions, 1)).toBe(3)
  expect(nextUnanswered(questions, 3)).toBe(1)
  expect(nextUnanswered(questions.slice(0, 1), 0)).toBe(null)
})
