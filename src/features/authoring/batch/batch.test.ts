import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aQuestion } from '../../../../tests/support/build-course.ts'
import { matchesIn, movedBefore, orderedAs, replaceIn } from './batch.ts'

const question = { ...aQuestion(1), stem: 'Use S3 (Amazon S3) or s3?', explanation: 'Cost: $1.00', url: '' }

test('each match has its part and its surroundings, with and without matching case', () => {
  expect(matchesIn(question, { find: 's3', matchCase: false }).map(({ part, matched }) => [part, matched])).toEqual([
    ['Question', 'S3'],
    ['Question', 'S3'],
    ['Question', 's3'],
  ])
  expect(matchesIn(question, { find: 's3', matchCase: true })).toEqual([
    { part: 'Question', before: 'Use S3 (Amazon S3) or ', matched: 's3', after: '?' },
  ])
})

test('the searched and the new words are literal text, whatever characters they hold', () => {
  expect(replaceIn(question, { find: '(Amazon S3)', matchCase: true }, '[$1 $&]').stem).toBe('Use S3 [$1 $&] or s3?')
  expect(replaceIn(question, { find: '$1.00', matchCase: true }, '2').explanation).toBe('Cost: 2')
  expect(matchesIn(question, { find: '.', matchCase: true }).every(({ matched }) => matched === '.')).toBe(true)
})

test('replacing a text by itself changes nothing, and replacing it by nothing removes it', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }),
      fc.string({ unit: 'grapheme' }),
      (find, text) => {
        const said = { ...question, stem: text }
        expect(replaceIn(said, { find, matchCase: true }, find).stem).toBe(text)
        expect(replaceIn(said, { find, matchCase: true }, '').stem).toBe(text.split(find).join(''))
      },
    ),
  )
})

test('moving keeps all members, puts the moved ones together, and keeps the order of the others', () => {
  const all = ['a', 'b', 'c', 'd', 'e']
  expect(movedBefore(all, ['d', 'b'], 'a')).toEqual(['b', 'd', 'a', 'c', 'e'])
  expect(movedBefore(all, ['a'], null)).toEqual(['b', 'c', 'd', 'e', 'a'])
  expect(movedBefore(all, ['b', 'c'], 'c')).toEqual(all)
  fc.assert(
    fc.property(fc.subarray(all), fc.option(fc.constantFrom(...all, 'stranger')), (moved, before) => {
      const next = movedBefore(all, moved, before)
      expect(next.toSorted()).toEqual(all)
      expect(next.filter((id) => !moved.includes(id))).toEqual(all.filter((id) => !moved.includes(id)))
    }),
  )
  expect(orderedAs(all, ['e', 'gone', 'a'])).toEqual(['e', 'a', 'b', 'c', 'd'])
})
