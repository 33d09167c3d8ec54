import { expect, test } from 'vitest'
import { fill } from './failure.ts'
import { counted, isBlank, lengthOf, sizeText } from './text.ts'

test('an emoji counts as one character', () => {
  expect(['', 'a', 'ü', '漢字', '😀', '𝔘𝔫𝔦', 'a\u0301'].map(lengthOf)).toEqual([0, 1, 1, 2, 1, 3, 2])
})

test('only white space and invisible characters are blank', () => {
  const blank = ['', ' \t\r\n', '\u00a0\u2003\u3000', '\u200b\ufeff', '\u200f\u202e']
  const visible = ['a', ' . ', '😀', '\u0301', '👩\u200d🚀', 'שלום']
  expect([...blank, ...visible].filter(isBlank)).toEqual(blank)
})

test('a noun agrees with its count', () => {
  expect([0, 1, 2, 1200].map((count) => counted(count, 'question'))).toEqual([
    '0 questions',
    '1 question',
    '2 questions',
    '1,200 questions',
  ])
  expect(counted(1, 'course was', 'courses were')).toBe('1 course was')
})

test('a sentence fills in values and counts with their nouns', () => {
  const sentence = '{n:question is|questions are} left in {exam}, {other}'
  expect(fill(sentence, { n: 1, exam: 'Exam 1' })).toBe('1 question is left in Exam 1, {other}')
  expect(fill(sentence, { n: 2000, exam: '$&' })).toBe('2,000 questions are left in $&, {other}')
})

test('the size of a file has one digit after the point below ten, and is never rounded up', () => {
  const sizes = [0, 1, 999, 1000, 9_999, 12_345_678, 999_999_999, 5e12, 4e15]
  expect(sizes.map(sizeText)).toEqual('0 bytes,1 byte,999 bytes,1 kB,9.9 kB,12 MB,999 MB,5 TB,4000 TB'.split(','))
})
