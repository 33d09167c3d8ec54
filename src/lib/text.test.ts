import { expect, test } from 'vitest'
import { isBlank, lengthOf } from './text.ts'

test('a text is as long as its characters are many, also outside the first plane', () => {
  expect(['', 'a', 'ü', '漢字', '😀', '𝔘𝔫𝔦', 'a\u0301'].map(lengthOf)).toEqual([0, 1, 1, 2, 1, 3, 2])
})

test('white space of any kind and characters without a shape are blank, and nothing else', () => {
  const blank = ['', ' \t\r\n', '\u00a0\u2003\u3000', '\u200b\ufeff', '\u200f\u202e']
  const seen = ['a', ' . ', '😀', '\u0301', '👩\u200d🚀', 'שלום']
  expect([...blank, ...seen].filter(isBlank)).toEqual(blank)
})
