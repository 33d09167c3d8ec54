import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { selecting } from '../../../../tests/support/answers.ts'
import { answerFromFields } from './grading-registry.ts'
import { AnswerForm, answerByKey, struckByKey } from './form-registry.tsx'
import type { Answer, QuestionForReview, QuestionForTaking } from './question-types.schema.ts'
import { AnswerReview, answerLabel, isWithKey, KeyOpinions } from './review-registry.tsx'

const options = ['a', 'b', 'c'].map((id) => ({ id, text: `Option **${id}**` }))
const one: QuestionForTaking = {
  type: 'choice',
  id: 'q1',
  stem: 'Which one?',
  options,
  isMultiple: false,
  choiceCount: 1,
  domain: 'General',
}
const two: QuestionForTaking = { ...one, isMultiple: true, choiceCount: 2 }
const withKey: QuestionForReview = {
  ...two,
  rightOptionIds: ['a', 'c'],
  suggestedOptionIds: ['a', 'b'],
  mostVotedOptionIds: [],
  explanation: '',
  url: '',
  difficulty: '',
}

test('a key selects the only answer, adds or takes back one of several, and means nothing beyond the last option', () => {
  expect(answerByKey(one, null, 1)).toEqual(selecting('b'))
  expect(answerByKey(one, selecting('a'), 1)).toEqual(selecting('b'))
  expect(answerByKey(one, selecting('b'), 1)).toEqual(selecting('b'))
  expect(answerByKey(two, selecting('c'), 0)).toEqual(selecting('a', 'c'))
  expect(answerByKey(two, selecting('a', 'c'), 0)).toEqual(selecting('c'))
  expect(answerByKey(two, selecting('c'), 2)).toBeNull()
  expect(answerByKey(two, null, 3)).toBeUndefined()
  expect([struckByKey(one, 2), struckByKey(one, 3)]).toEqual(['c', null])
})

function formOf(question: QuestionForTaking, answer: Answer | null, revealed: QuestionForReview | null = null): string {
  return renderToStaticMarkup(
    <AnswerForm
      question={question}
      answer={answer}
      struck={['b']}
      revealed={revealed}
      isDisabled={false}
      onAnswer={() => undefined}
      onStrike={() => undefined}
    />,
  )
}

test('the form says how many options to choose, which are struck out, and after the check which are right', () => {
  expect(formOf(one, selecting('a')).match(/type="radio"/g)).toHaveLength(3)
  const open = formOf(two, selecting('a', 'b', 'c'))
  expect(open).toContain('Choose 2')
  expect(open).toContain('3 chosen: more than are asked for')
  expect(open.match(/\(struck out\)/g)).toHaveLength(1)
  expect(open.match(/aria-label="Strike out answer B" aria-pressed="true"/g)).toHaveLength(1)
  expect(open).not.toContain('Right answer')
  const checked = formOf(two, selecting('a'), withKey)
  expect(checked.match(/disabled=""/g)).toHaveLength(3)
  expect(checked).not.toContain('Strike out')
  expect([checked.match(/Your answer/g)?.length, checked.match(/Right answer/g)?.length]).toEqual([1, 2])
})

test('a review marks the given parts, and the right ones only if the question holds its answer key', () => {
  const review = (question: QuestionForTaking | QuestionForReview) =>
    renderToStaticMarkup(<AnswerReview question={question} answer={selecting('b')} />)
  expect([isWithKey(two), isWithKey(withKey)]).toEqual([false, true])
  expect(review(two)).not.toContain('Right answer')
  expect(review(two).match(/Your answer/g)).toHaveLength(1)
  expect(review(withKey).match(/Right answer/g)).toHaveLength(2)
  expect(answerLabel(two, { type: 'choice', optionIds: ['a', 'c'] })).toBe('A, C')
  expect(renderToStaticMarkup(<KeyOpinions question={withKey} />)).toContain('>Suggested by its source: A, B.<')
  expect(renderToStaticMarkup(<KeyOpinions question={{ ...withKey, suggestedOptionIds: [] }} />)).toBe('')
})

test('the fields of a form that is posted hold the answer, and name nothing that the question does not have', () => {
  const html = renderToStaticMarkup(
    <AnswerForm
      question={two}
      answer={selecting('a')}
      struck={[]}
      revealed={null}
      isDisabled={false}
      formId="exam"
      onAnswer={() => undefined}
      onStrike={null}
    />,
  )
  const names = new Set(
    [...html.matchAll(/name="([^"]+)" form="exam"|form="exam"[^>]* name="([^"]+)"/g)].map(
      ([, one, other]) => one ?? other,
    ),
  )
  expect(names.size).toBe(1)
  const [name = ''] = names
  const posted = (...ids: string[]) => new URLSearchParams(ids.map((id): [string, string] => [name!, id]))
  expect(answerFromFields(two, posted('c', 'a', 'a', 'zebra'))).toEqual(selecting('a', 'c'))
  expect(answerFromFields(one, posted('c', 'b'))).toEqual(selecting('b'))
  expect(answerFromFields(two, posted('zebra'))).toBeNull()
  expect(answerFromFields(two, posted())).toBeNull()
})
