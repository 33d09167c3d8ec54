import { expect, test } from 'vitest'
import { choicesAskedFor } from './choice-checks.ts'

test('a story in which somebody chooses two of something asks for nothing', () => {
  expect(choicesAskedFor('A company must choose two Regions for its copies. What helps?')).toEqual([])
  expect(choicesAskedFor('They select three of the subnets. Which setting?')).toEqual([])
  expect(choicesAskedFor('```\nchoose two.\n```')).toEqual([])
})

test('the number is read as a word or a digit, in brackets, in bold and before "answers"', () => {
  expect(choicesAskedFor('Which two keep data? (Select TWO.)')).toEqual([2])
  expect(choicesAskedFor('Which keep data? **Choose 3 answers**')).toEqual([3])
  expect(choicesAskedFor('Pick any four correct options. Choose two.')).toEqual([4, 2])
})
