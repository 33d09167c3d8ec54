import type { Question } from '../types/question-types.schema.ts'
import { expect, test } from 'vitest'
import type { Blueprint } from '../questions.schema.ts'
import { balanceRemarks } from './balance.ts'

const blueprint: Blueprint = {
  code: 'CLF-C02',
  minutes: 90,
  questions: 65,
  passingScore: 700,
  source: 'https://aws.amazon.com/certification/',
  domains: [
    { name: 'One', weight: 40 },
    { name: 'Two', weight: 60 },
  ],
}

interface Shape {
  right?: number
  isMultiple?: boolean
  isLongestRight?: boolean
  domain?: string
}

function aQuestion({ right = 0, isMultiple = false, isLongestRight = false, domain = 'One' }: Shape): Question {
  return {
    type: 'choice',
    id: 'q',
    stem: 'Which?',
    options: [0, 1, 2, 3].map((place) => ({
      id: String(place),
      text: place === right && isLongestRight ? 'a long answer' : 'an answer',
      isRight: place === right || (isMultiple && place === (right + 1) % 4),
    })),
    explanation: '',
    domain,
    needsReview: false,
    url: '',
    suggestedOptionIds: [],
    mostVotedOptionIds: [],
    difficulty: '',
  }
}

/** So many questions; places go round, and of every ten the last has two right answers, unless said otherwise. */
function codesOf(count: number, shape: (at: number) => Shape, of: Blueprint | null = null): string[] {
  const questions = Array.from({ length: count }, (_, at) => ({
    question: aQuestion({ right: at % 4, isMultiple: at % 10 === 9, ...shape(at) }),
  }))
  return balanceRemarks({ slug: 'exam', title: 'Exam', questions }, of).map(({ code }) => code)
}

test('an even exam has no remarks', () => {
  expect(codesOf(65, () => ({}))).toEqual([])
  expect(codesOf(12, () => ({}))).toEqual([])
  expect(codesOf(1, () => ({}))).toEqual([])
  expect(codesOf(0, () => ({}), blueprint)).toEqual([])
})

test('the right answer must not be the longest in more than 45% of ten questions or more', () => {
  const single = { isMultiple: false }
  expect(codesOf(20, (at) => ({ isMultiple: at > 17, isLongestRight: at < 9 }))).toEqual(['longest-is-right'])
  expect(codesOf(20, (at) => ({ isMultiple: at > 17, isLongestRight: at < 8 }))).toEqual([])
  expect(codesOf(10, (at) => ({ ...single, isLongestRight: at < 5 }))).toEqual(['longest-is-right'])
  expect(codesOf(9, () => ({ ...single, isLongestRight: true }))).toEqual([])
})

test('from twenty questions on every place holds 10 to 40% of the right answers', () => {
  const at = (places: number[]) => (place: number) => ({
    right: places[place % places.length] ?? 0,
    isMultiple: place >= 20,
  })
  expect(codesOf(23, at([0, 1, 2, 3]))).toEqual([])
  expect(codesOf(23, at([0, 0, 1, 1, 1, 2, 2, 2, 0, 3]))).toEqual([])
  expect(codesOf(23, at([0, 1, 2]))).toEqual(['positions-uneven'])
  expect(codesOf(23, at([0, 0, 1, 2, 3, 0, 0, 1, 2, 3, 0]))).toEqual(['positions-uneven'])
})

test('of ten to nineteen questions no place holds more than half', () => {
  const first = (count: number) => (at: number) => ({ right: at < count ? 0 : 1 + (at % 3), isMultiple: at >= 12 })
  expect(codesOf(13, first(6))).toEqual([])
  expect(codesOf(13, first(7))).toEqual(['positions-uneven'])
  expect(codesOf(9, () => ({ right: 0, isMultiple: false }))).toEqual([])
})

test('the shares of the domains are those of the blueprint within five points', () => {
  const one = (count: number) => (at: number) => ({ domain: at < count ? 'One' : 'Two' })
  expect(codesOf(100, one(45), blueprint)).toEqual([])
  expect(codesOf(100, one(46), blueprint)).toEqual(['domain-share', 'domain-share'])
  expect(codesOf(100, one(46), null)).toEqual([])
})

test('an exam below forty questions may miss the blueprint by one question more', () => {
  const one = (count: number) => (at: number) => ({ domain: at < count ? 'One' : 'Two' })
  expect(codesOf(20, one(10), blueprint)).toEqual([])
  expect(codesOf(20, one(11), blueprint)).toEqual(['domain-share', 'domain-share'])
})

test('10 to 20% of the questions have several right answers, give or take one question', () => {
  const multiple = (count: number) => (at: number) => ({ isMultiple: at < count })
  expect(codesOf(60, multiple(5))).toEqual([])
  expect(codesOf(60, multiple(4))).toEqual(['multiple-share'])
  expect(codesOf(60, multiple(13))).toEqual([])
  expect(codesOf(60, multiple(14))).toEqual(['multiple-share'])
})
