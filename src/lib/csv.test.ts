import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('commas, quotes and line breaks stay in their cell', () => {
  expect(
    csvOf([
      ['a,b', 'say "no"', 'two\nlines'],
      [1, -2.5, null],
    ]),
  ).toBe('"a,b","say ""no""","two\nlines"\r\n1,-2.5,\r\n')
})

test('a text that looks like a formula gets an apostrophe', () => {
  expect(csvOf([['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =HYPERLINK("x")', 'plain']])).toBe(
    `'=1+1,'+1,'-1,'@SUM(A1),'\t=1,"' =HYPERLINK(""x"")",plain\r\n`,
  )
})
