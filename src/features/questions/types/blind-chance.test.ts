import { expect, test } from 'vitest'
import { judgeQuestion } from '../questions.ts'
import { EXAMPLES } from './examples.fixture.ts'
import { blindChance } from './grading-registry.ts'
import type { Question } from './question-types.schema.ts'

function accepted(given: unknown): Question {
  const { question, reasons } = judgeQuestion(given)
  if (question === undefined) throw new Error(JSON.stringify(reasons))
  return question
}

test('the chance of a blind answer follows from the type of a question and its parts', () => {
  const chances = Object.entries(EXAMPLES).map(([type, example]) => [type, blindChance(accepted(example))])
  expect(Object.fromEntries(chances)).toEqual({
    // One of three options.
    choice: 1 / 3,
    // Gaps with two, three and two choices.
    'drop-down': 1 / 12,
    // Three steps of four items, in order.
    ordering: 1 / 24,
    numerical: 0,
    'short-answer': 0,
    // One of three areas.
    'hot-spot': 1 / 3,
    // Three prompts, four options, each used once.
    matching: 1 / 24,
  })
})

test('where an option can be used again a blind matching is right less often, and two of three options are as one', () => {
  const { matching, choice } = EXAMPLES
  const reusable = { ...matching, body: { ...(matching['body'] as object), isReusable: true } }
  expect(blindChance(accepted(reusable))).toBeCloseTo(1 / 64, 10)
  expect(blindChance(accepted({ ...choice, final_answer: 'A, B' }))).toBeCloseTo(1 / 3, 10)
})

test('where every answer is right, the chance stays below certainty', () => {
  expect(blindChance(accepted({ ...EXAMPLES.choice, final_answer: 'A, B, C' }))).toBe(0.9)
})
