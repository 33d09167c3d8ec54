import { expect, test } from 'vitest'
import { clozeGaps, withClozeGaps } from './moodle-cloze.ts'

const answersOf = (text: string) => clozeGaps(text)[0]?.answers

test('every name of a gap that Moodle knows is one of five kinds, and others are told by their name', () => {
  const names = {
    list: 'MULTICHOICE MC MULTICHOICE_S MCS MULTICHOICE_H MCH MULTICHOICE_HS MCHS',
    options: 'MULTICHOICE_V MCV MULTICHOICE_VS MCVS',
    several: 'MULTIRESPONSE MR MULTIRESPONSE_H MRH MULTIRESPONSE_S MRS MULTIRESPONSE_HS MRHS',
    number: 'NUMERICAL NM',
    text: 'SHORTANSWER SA MW SHORTANSWER_C SAC MWC',
    other: 'REGEXP MULTICHOICES MULTIRESPONSE_V SHORTANSWER_S NUMERIC',
  }
  for (const [kind, all] of Object.entries(names))
    for (const name of all.split(' '))
      expect(clozeGaps(`{1:${name}:=a}`)).toMatchObject([{ kind, name, isShuffled: name.endsWith('S') }])
  expect(clozeGaps('{1:sa:=a} {SA:=a} {1:SA=a} {1:SA:}')).toEqual([])
})

test('the weight stands before the first colon, and is one if it is left out', () => {
  expect(clozeGaps('{2:SA:=a}{:SA:=a}{0:SA:=a}').map(({ weight }) => weight)).toEqual([2, 1, 0])
})

test('an equals sign gives all points, percent signs give a share with a point or a comma, and nothing gives none', () => {
  const given = answersOf('{1:MC:=a~%50%b~%33,3%c~%-25%d~e~%100%f~5%g}')
  expect(given?.map(({ text, percent }) => [text, percent])).toEqual([
    ['a', 100],
    ['b', 50],
    ['c', 33.3],
    ['d', -25],
    ['e', 0],
    ['f', 100],
    ['5%g', 0],
  ])
})

test('a sign before the first answer, and lines between answers, add no answer', () => {
  expect(answersOf('{1:MC:~wrong~=right}')?.map(({ text }) => text)).toEqual(['wrong', 'right'])
  expect(answersOf('{1:SHORTANSWER:~%100%a#yes~%0%*#no}')?.map(({ text }) => text)).toEqual(['a', '*'])
  expect(answersOf('{1:MC:wrong\n   ~=right\n}')?.map(({ text }) => text)).toEqual(['wrong', 'right'])
  // An answer that was forgotten is seen.
  expect(answersOf('{1:MC:=right~~wrong}')?.map(({ text }) => text)).toEqual(['right', '', 'wrong'])
})

test('feedback begins at the first # of an answer, and signs behind a backslash mean nothing', () => {
  expect(answersOf('{1:SA:=C\\#\\~\\}#Not C++ # or D~=x:y/z"\\n}')).toEqual([
    { text: 'C#~}', feedback: 'Not C++ # or D', percent: 100 },
    { text: 'x:y/z"\\n', feedback: '', percent: 100 },
  ])
  expect(answersOf('{1:NM:=2:0.1#Yes.~*#No.}')).toEqual([
    { text: '2:0.1', feedback: 'Yes.', percent: 100 },
    { text: '*', feedback: 'No.', percent: 0 },
  ])
})

test('what has to be written is plain text without entities, and what is shown stays HTML', () => {
  expect(answersOf('{1:SA:=a &lt; b &amp;&amp; c&nbsp;~=<i>d</i>}')?.map(({ text }) => text)).toEqual([
    'a < b && c\u00a0',
    '<i>d</i>',
  ])
  expect(answersOf('{1:MC:=List&lt;T&gt;~<b>List</b>~&amp;lt;T&amp;gt; &amp; co}')?.map(({ text }) => text)).toEqual([
    'List&lt;T&gt;',
    '<b>List</b>',
    '&lt;T&gt; &amp; co',
  ])
})

test('a gap without an end is text, and other braces stay where they are', () => {
  expect(withClozeGaps('{a} {1:SA:=x} {b} {1:SA:=y\\} {2:MC:', (number, behind) => `<${number}|${behind}>`)).toBe(
    '{a} <1| {b} {1:SA:=y\\} {2:MC:> {b} {1:SA:=y\\} {2:MC:',
  )
  const many = '{1:SA:=x'.repeat(50_000)
  expect(clozeGaps(many)).toEqual([])
})
