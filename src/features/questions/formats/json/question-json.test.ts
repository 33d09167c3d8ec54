import { strToU8 } from 'fflate'
import { expect, test } from 'vitest'
import { readBank } from '../bank.ts'

/** What is told of one question of our JSON. */
function told(question: object) {
  const bytes = strToU8(JSON.stringify([{ id: 'q', question: 'Which?', explanation: 'e', ...question }]))
  const [read] = [...readBank([{ path: 'own.json', bytes }], { format: 'json' })].flatMap((step) =>
    step.kind === 'question' ? [step.question] : [],
  )
  const reasons = read?.reasons.map(({ code, field }) => `${code} ${field}`)
  return { verdict: read?.verdict, reasons, lost: read?.lost.map(({ facts }) => facts[0]) }
}

const good = { verdict: 'good', reasons: [], lost: [] }
const numerical = { type: 'numerical', body: { value: '42', unit: 'GiB' } }
const choice = { answer_a: 'This', answer_b: 'That', final_answer: 'A' }

test('a field of our JSON that only another type has is told, beside `body` or in it, and the question needs review', () => {
  expect(told({ ...numerical, order: 'fixed' })).toEqual({
    verdict: 'needs-review',
    reasons: ['fact-unused order'],
    lost: [],
  })
  expect(told({ ...choice, tolerance: '1' }).reasons).toEqual(['fact-unused tolerance'])
  expect(told({ ...numerical, body: { value: '42', steps: ['Plan'] } })).toEqual({
    verdict: 'needs-review',
    reasons: ['fact-unused body.steps'],
    lost: [],
  })
})

test('fields of the own type, empty ones, and the letters beside a `body` for people are not told', () => {
  expect(told({ ...choice, order: 'fixed', suggested_answer: 'A' })).toEqual(good)
  expect(told({ ...numerical, tolerance: '1' })).toEqual(good)
  expect(told({ ...numerical, ...choice, order: '', suggested_answer: '' })).toEqual(good)
  expect(told({ type: 'numerical', body: { value: '42', steps: [] } })).toEqual(good)
})

test('a field that no type has is told as lost, and one of a type that the bank lacks as nothing else', () => {
  expect(told({ ...numerical, colour: 'red', body: { value: '42', shade: 'dark' } })).toEqual({
    ...good,
    lost: ['colour', 'body.shade'],
  })
  expect(told({ type: 'essay', body: { steps: ['Plan'] }, order: 'fixed' }).reasons).toEqual(['type-unsupported type'])
})
