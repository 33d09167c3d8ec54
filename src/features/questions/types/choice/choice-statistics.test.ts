import { expect, test } from 'vitest'
import { aQuestion } from '../../../../../tests/support/build-course.ts'
import { choiceStatistics } from './choice-statistics.ts'

const parts = (rights: string, ...counts: number[]) =>
  counts.map((count, place) => {
    const id = 'abc'[place]!
    return { id, text: '', isRight: rights.includes(id), count }
  })

test('a learner who selects several options counts at each of them', () => {
  const question = aQuestion(1, { answers: 3, right: 2 })
  const [a, b] = question.options.map(({ id }) => id) as [string, string, string]
  const given = [
    { answer: { type: 'choice' as const, optionIds: [a, b] }, count: 5 },
    { answer: { type: 'choice' as const, optionIds: [b] }, count: 2 },
  ]
  expect(choiceStatistics.countParts(question, given).map(({ isRight, count }) => [isRight, count])).toEqual([
    [true, 5],
    [true, 7],
    [false, 0],
  ])
})

test('an answer key is doubtful if a wrong option is selected more often than the right one', () => {
  expect(choiceStatistics.isKeyDoubtful(parts('a', 50, 30, 20))).toBe(false)
  expect(choiceStatistics.isKeyDoubtful(parts('a', 50, 50, 0))).toBe(false)
  expect(choiceStatistics.isKeyDoubtful(parts('a', 20, 60, 20))).toBe(true)
})

test('of several right options the one that is selected least counts against the wrong ones', () => {
  expect(choiceStatistics.isKeyDoubtful(parts('ab', 90, 60, 50))).toBe(false)
  expect(choiceStatistics.isKeyDoubtful(parts('ab', 90, 40, 70))).toBe(true)
})
