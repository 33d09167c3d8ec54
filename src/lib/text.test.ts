import { expect, test } from 'vitest'
import { isBlank, lengthOf } from './text.ts'

test('an emoji counts as one character', () => {
  expect(['', 'a', 'ü', '漢字', '😀', '𝔘𝔫𝔦', 'a\u0301'].map(lengthOf)).toEqual([0, 1, 1, 2, 1, 3, 2])
})

test('only white space and invisible characters are blank', () => {
  const blank = ['', ' \t\r\n', '\u00a0\u2003\u3000', '\u200b\ufeff', '\u200f\u202e']
  const visible = ['a', ' . ', '😀', '\u0301', '👩\u200d🚀', 'שלום']
  expect([...blank, ...visible].filter(isBlank)).toEqual(blank)
})
