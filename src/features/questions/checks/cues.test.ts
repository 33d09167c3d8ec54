import { expect, test } from 'vitest'
import type { Question } from '../types/question-types.schema.ts'
import { cueFindings } from './bank-checks.ts'
import type { CueStrategy } from './bank-checks.schema.ts'
import { isCue, measureCues } from './cues.ts'

/** A question with these options; `*` marks a right one. */
function aQuestion(stem: string, ...options: string[]): Question {
  return {
    type: 'choice',
    id: 'q',
    stem,
    options: options.map((text, place) => ({
      id: String(place),
      text: text.replace('*', ''),
      isRight: text.startsWith('*'),
    })),
    explanation: '',
    domain: '',
    needsReview: false,
    url: '',
    suggestedOptionIds: [],
    mostVotedOptionIds: [],
    difficulty: '',
  }
}

const measureOf = (strategy: CueStrategy, ...questions: Question[]) =>
  measureCues(questions).find((measure) => measure.strategy === strategy)

/** So many questions, the key at each place in turn; `textOf` makes the option for a place from the place of the key. */
function aBank(count: number, textOf: (place: number, key: number, at: number) => string): Question[] {
  return Array.from({ length: count }, (_, at) => {
    const key = at % 4
    const texts = [0, 1, 2, 3].map((place) => `${place === key ? '*' : ''}${textOf(place, key, at)}`)
    return aQuestion('Which?', ...texts)
  })
}

test('a bank whose key is always the longest option gives it away, and nothing else', () => {
  const bank = aBank(100, (place, key) => (place === key ? 'kiwi kiwi' : (['fig', 'nut', 'pea', 'rye'][place] ?? '')))
  expect(measureOf('longest', ...bank)).toEqual({ strategy: 'longest', applies: 100, found: 1, chance: 0.25 })
  expect(measureOf('shortest', ...bank)).toMatchObject({ found: 0 })
  expect(measureOf('place-1', ...bank)).toEqual({ strategy: 'place-1', applies: 100, found: 0.25, chance: 0.25 })
  expect(cueFindings(measureCues(bank)).map(({ code, severity, sentence }) => [code, severity, sentence])).toEqual([
    [
      'cue-finds-key',
      'warning',
      'Whoever picks the longest option finds the key in 100.0% of 100 questions; by chance it is 25.0%.',
    ],
    [
      'cue-finds-key',
      'warning',
      'Whoever picks the shortest option finds the key in 0.0% of 100 questions; by chance it is 25.0%.',
    ],
  ])
})

test('options that a strategy cannot tell apart share the point, and a question in which it picks all is left out', () => {
  const tied = aQuestion('Which?', '*apple', 'grape', 'fig', 'nut')
  expect(measureOf('longest', tied)).toMatchObject({ applies: 1, found: 0.5, chance: 0.25 })
  expect(measureOf('longest', aQuestion('Which?', '*fig', 'nut', 'pea'))).toBeUndefined()
})

test('chance follows the number of options', () => {
  const [two, five] = [aQuestion('Is it?', '*Yes', 'No'), aQuestion('Which?', '*apple', 'nut', 'fig', 'pea', 'rye')]
  expect(measureOf('longest', two, five)).toMatchObject({ applies: 2, found: 1, chance: 0.35 })
  expect(measureOf('place-5', two, five)).toMatchObject({ applies: 1, found: 0, chance: 0.2 })
  expect(measureOf('place-6', two, five)).toBeUndefined()
})

test('the option most like the others is found by the words that options share', () => {
  const question = aQuestion('Which?', 'red apple pie', '*red apple tart', 'red plum tart', 'green fig')
  expect(measureOf('most-like-others', question)).toMatchObject({ applies: 1, found: 1, chance: 0.25 })
})

test('either of the most alike pair may be the key, and of several equal pairs none stands out', () => {
  const pair = aQuestion('Which?', 'a big red apple', '*a big red pear', 'figs', 'nuts')
  expect(measureOf('pair-35', pair)).toMatchObject({ applies: 1, found: 1, chance: 0.5 })
  expect(measureOf('pair-50', pair)).toMatchObject({ applies: 1, found: 1, chance: 0.5 })
  expect(measureOf('pair-80', pair)).toBeUndefined()
  const two = aQuestion('Which?', 'a big red apple', '*a big red pear', 'a small blue fig', 'a small blue nut')
  expect(measureOf('pair-35', two)).toBeUndefined()
  expect(measureOf('pair-35', aQuestion('Which?', 'red apple', '*red apple'))).toBeUndefined()
})

test('words of the stem count in any form, common words do not', () => {
  const question = aQuestion(
    'Which service stores logs?',
    '*store a log',
    'send mail with a service',
    'run code',
    'pay',
  )
  expect(measureOf('words-of-stem', question)).toMatchObject({ applies: 1, found: 1 })
  expect(measureOf('words-of-stem', aQuestion('Which service?', '*the service', 'mail'))).toBeUndefined()
})

test('options without absolute words are picked only where some option has one', () => {
  const question = aQuestion('Which?', 'Always on', 'Only off', '*on', 'off')
  expect(measureOf('no-absolute-words', question)).toMatchObject({ applies: 1, found: 0.5, chance: 0.25 })
  expect(measureOf('no-absolute-words', aQuestion('Which?', '*on', 'off'))).toBeUndefined()
})

test('questions with several right options are not measured', () => {
  expect(measureCues([aQuestion('Which two?', '*apple', '*fig', 'nut', 'pea')])).toEqual([])
})

test('a difference counts from 100 questions on, above three points and two standard errors', () => {
  const measure = { strategy: 'longest', applies: 100, found: 0.34, chance: 0.25 } as const
  expect(isCue(measure)).toBe(true)
  expect(isCue({ ...measure, found: 0.16 })).toBe(true)
  expect(isCue({ ...measure, found: 0.33 })).toBe(false)
  expect(isCue({ ...measure, applies: 99 })).toBe(false)
  expect(isCue({ ...measure, applies: 5000, found: 0.279 })).toBe(false)
  expect(isCue({ ...measure, applies: 5000, found: 0.281 })).toBe(true)
})
