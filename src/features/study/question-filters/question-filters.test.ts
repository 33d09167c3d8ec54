import { expect, test } from 'vitest'
import { standing } from '../counted-standing.fixture.ts'
import {
  countTyped,
  customFilters,
  drillFilters,
  filterProblems,
  firstFilters,
  fitSentence,
  postedFilters,
  type TypedFilters,
} from './question-filters.ts'

const standings = [
  standing({ count: 4, isUnseen: true }),
  standing({ count: 2, missedIn: 5, domain: 'Compute', kind: 'ordering' }),
]
const typed: TypedFilters = {
  kind: 'drill',
  from: [],
  domains: [],
  kinds: [],
  lastAttempts: '3',
  count: '20',
  minutes: '30',
}

test('the form begins with a drill of missed or unseen questions, or as its link says', () => {
  const missed = [...standings, standing({ missedIn: 1 })]
  expect(firstFilters(missed, { kind: null, from: null })).toMatchObject({ kind: 'drill', from: ['missed'] })
  expect(firstFilters(missed, { kind: null, from: 'unseen' })).toMatchObject({ kind: 'drill', from: ['unseen'] })
  expect(firstFilters(missed, { kind: 'custom', from: null })).toMatchObject({ kind: 'custom', from: [] })
  expect(firstFilters(missed, { kind: 'nonsense', from: 'due' })).toMatchObject({ kind: 'drill', from: ['missed'] })
})

test('a posted form is read whole: several domains and types, and the numbers as they were typed', () => {
  const form = {
    kind: 'custom',
    'from.0': 'missed',
    'from.9': 'due',
    'domain.0': 'Storage',
    'domain.1': 'Compute',
    'kind-of.3': 'ordering',
    lastAttempts: '2',
    count: 'many',
    minutes: ' 90 ',
  }
  const posted = postedFilters(form)
  expect(posted).toEqual({
    kind: 'custom',
    from: ['missed'],
    domains: ['Storage', 'Compute'],
    kinds: ['ordering'],
    lastAttempts: '2',
    count: 'many',
    minutes: ' 90 ',
  })
  expect(customFilters(posted)).toMatchObject({ lastAttempts: 2, count: Number.NaN, minutes: 90 })
})

test('each wrong number is named with its bounds, and only fields that count are judged', () => {
  const wrong = { ...typed, count: '150', minutes: '', lastAttempts: '21' }
  expect(filterProblems(wrong)).toEqual({ count: 'A whole number of questions from 1 to 100' })
  expect(filterProblems({ ...wrong, kind: 'custom', from: ['missed'] })).toEqual({
    minutes: 'A whole number of minutes from 1 to 480',
    lastAttempts: 'A whole number of attempts from 1 to 20',
  })
  for (const count of ['0', '-1', '2.5', '', 'x', '201', '1000'])
    expect(filterProblems({ ...typed, kind: 'custom', count })).toEqual({
      count: 'A whole number of questions from 1 to 200',
    })
  expect(filterProblems({ ...typed, count: '100' })).toEqual({})
  // A number that does not count keeps no drill from starting.
  expect(drillFilters({ ...typed, lastAttempts: 'x' }).lastAttempts).toBe(3)
})

test('one sentence says how many questions fit and how many of them are asked', () => {
  expect(fitSentence(countTyped(standings, typed), typed)).toBe('6 questions fit; the drill asks all of them.')
  const few = { ...typed, count: '5' }
  expect(fitSentence(countTyped(standings, few), few)).toBe(
    '6 questions fit; the drill asks 5 of them, picked at random.',
  )
  const custom = { ...few, kind: 'custom', kinds: ['ordering'] } as const
  expect(fitSentence(countTyped(standings, custom), custom)).toBe('2 questions fit; the exam asks all of them.')
  expect(fitSentence(countTyped(standings, { ...custom, domains: ['Storage'] }), custom)).toBe('No question fits.')
  expect(fitSentence(1, custom)).toBe('1 question fits; the exam asks it.')
  expect(countTyped(standings, { ...typed, from: ['missed'] })).toBe(0)
  expect(countTyped(standings, { ...typed, from: ['missed'], lastAttempts: '5' })).toBe(2)
})
