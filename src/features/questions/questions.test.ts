import { asChoice } from '../../../tests/support/choices.ts'
import { derivePartId } from './types/parts/part-ids.ts'
import { forReview, forTaking } from './types/grading-registry.ts'
import { normaliseLine, normaliseText } from './question-text.ts'
import { fromStored, SpecificationQuestion, toSpecification, toStored } from './types/content-registry.ts'
import { Question, QuestionForReview, QuestionForTaking } from './types/question-types.schema.ts'
import { choiceCount, isMultiple } from './types/choice/choice-grading.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyQuestion, anyText } from './any-question.fixture.ts'
import { judgeQuestion } from './questions.ts'

const input = {
  id: 'clf-1-001',
  question: 'Which two services store objects or blocks? Choose two.',
  answer_a: 'AWS Lambda',
  answer_b: 'Amazon S3',
  answer_c: 'Amazon Route 53',
  answer_d: 'AWS Artifact',
  answer_e: 'Amazon EBS',
  final_answer: 'BE',
  explanation: 'Amazon S3 stores objects and Amazon EBS blocks.',
  domain: 'Cloud Technology and Services',
  difficulty: 'easy',
  url: 'https://docs.aws.amazon.com/',
}

function codesOf(changed: object): string[] {
  return judgeQuestion({ ...input, ...changed }).reasons.map(({ code }) => code)
}

test('a whole question is good and has no reasons', () => {
  const judgement = judgeQuestion(input)
  expect(judgement).toMatchObject({ verdict: 'good', reasons: [] })
  expect(asChoice(judgement.question).options.map(({ text, isRight }) => [text, isRight])).toEqual([
    ['AWS Lambda', false],
    ['Amazon S3', true],
    ['Amazon Route 53', false],
    ['AWS Artifact', false],
    ['Amazon EBS', true],
  ])
})

test('an empty question, answer_a, answer_b or final_answer is refused', () => {
  for (const field of ['question', 'answer_a', 'answer_b', 'final_answer']) {
    for (const empty of ['', ' \n\t', undefined, null]) {
      const judgement = judgeQuestion({ ...input, [field]: empty })
      expect([field, empty, judgement.verdict]).toEqual([field, empty, 'refused'])
      expect(judgement.question).toBeUndefined()
      expect(judgement.reasons.some((reason) => reason.field === field)).toBe(true)
    }
  }
})

test('a question without an explanation is refused, an empty one is another thing', () => {
  for (const explanation of [undefined, null, 7])
    expect(judgeQuestion({ ...input, explanation }).reasons).toContainEqual({
      code: 'wrong-type',
      field: 'explanation',
      facts: ['explanation'],
      sentence: 'The field "explanation" is not a text.',
    })
})

test('an empty explanation is kept and marked for review', () => {
  const judgement = judgeQuestion({ ...input, explanation: ' ' })
  expect(judgement.verdict).toBe('needs-review')
  expect(judgement.question).toMatchObject({ explanation: '', needsReview: true })
  expect(judgement.reasons).toEqual([
    {
      code: 'explanation-empty',
      field: 'explanation',
      facts: ['explanation'],
      sentence: 'The question has no explanation.',
    },
  ])
})

test('a right answer that does not exist is refused', () => {
  expect(codesOf({ final_answer: 'BF' })).toEqual(['right-answer-unknown'])
  expect(codesOf({ final_answer: 'G' })).toEqual(['right-answer-unknown'])
  expect(codesOf({ final_answer: '2' })).toEqual(['right-answer-unknown'])
  expect(codesOf({ final_answer: ',' })).toEqual(['right-answer-unknown'])
  expect(codesOf({ final_answer: 'B and E' })).toEqual(['right-answer-unknown'])
})

test('the letters of the key may be written in several ways', () => {
  for (const written of ['BE', 'eb', 'b, e', 'E;B', ' B E ', 'EEB']) {
    const { question } = judgeQuestion({ ...input, final_answer: written })
    expect(question && toSpecification(question).final_answer).toBe('BE')
  }
})

test('more than twelve answers are refused with their number', () => {
  const judgement = judgeQuestion({ ...input, answer_f: 'f', answer_m: 'm', answer_n: 'n' })
  expect(judgement.reasons).toEqual([
    {
      code: 'answers-too-many',
      field: 'answers',
      facts: ['14'],
      sentence: 'The question has 14 answers; at most twelve are possible.',
    },
  ])
})

test('a gap between answers is closed, the key follows, and someone looks at it', () => {
  const judgement = judgeQuestion({ ...input, answer_c: '' })
  expect(judgement.reasons.map(({ code }) => code)).toEqual(['answer-gap'])
  expect(judgement.question && toSpecification(judgement.question)).toMatchObject({
    answer_c: 'AWS Artifact',
    answer_d: 'Amazon EBS',
    answer_e: '',
    final_answer: 'BD',
  })
})

test('a question with a flaw is kept for review, with the reason', () => {
  expect(codesOf({ answer_c: 'Amazon S3' })).toEqual(['answer-repeated'])
  expect(codesOf({ final_answer: 'ABCDE' })).toEqual(['all-answers-right'])
  expect(codesOf({ suggested_answer: 'F' })).toEqual(['letters-unknown'])
  expect(codesOf({ difficulty: 'brutal' })).toEqual(['difficulty-unknown'])
  expect(codesOf({ needs_review: 'perhaps' })).toEqual(['review-unknown'])
  for (const day of ['2026-02-30', '2026-13-01', 'today', '24.11.2026'])
    expect(codesOf({ verified_on: day })).toEqual(['verified-unknown'])
  expect(codesOf({ guide: 'x'.repeat(200) })).toEqual(['guide-unknown'])
  expect(codesOf({ answer_ids: { a: 'x', b: 'x' } })).toEqual(['answer-id-replaced'])
  expect(codesOf({ answer_ids: { a: 'not an id' } })).toEqual(['answer-id-replaced'])
  expect(codesOf({ question: 'NUL \0 and half a pair \ud800' })).toEqual(['text-unstorable'])
})

test('a key that no file could name is refused', () => {
  expect(codesOf({ id: undefined })).toEqual(['key-missing'])
  expect(codesOf({ id: 'with blank' })).toEqual(['key-malformed'])
  expect(codesOf({ id: 'x'.repeat(101) })).toEqual(['key-malformed'])
})

test('any value may be handed in, and nothing is refused without a reason', () => {
  const anyFields = fc.dictionary(fc.constantFrom(...Object.keys(input), 'answer_ids', 'answer_z'), fc.anything())
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        anyFields,
        anyFields.map((odd) => ({ ...input, ...odd })),
      ),
      (handedIn) => {
        const { verdict, question, reasons } = judgeQuestion(handedIn)
        const written = question && toSpecification(question)
        expect(written && SpecificationQuestion.parse(written)).toEqual(written)
        expect(verdict === 'refused').toBe(question === undefined)
        expect(verdict === 'good').toBe(question?.needsReview === false && reasons.length === 0)
        expect(reasons.length > 0 || question !== undefined).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})

test('a question that is stored and read again is the same question', () => {
  fc.assert(
    fc.property(anyQuestion, (question) => {
      const stored: unknown = JSON.parse(JSON.stringify(toStored(question)))
      expect(fromStored(stored)).toEqual(question)
      expect(toStored(fromStored(stored))).toEqual(stored)
      expect(Question.parse(question)).toEqual(question)
    }),
    { numRuns: 300 },
  )
})

test('judging what was accepted before changes nothing', () => {
  fc.assert(
    fc.property(anyQuestion, (question) => {
      expect(judgeQuestion(toSpecification(question)).question).toEqual(question)
    }),
    { numRuns: 300 },
  )
})

test('normalising a text twice is the same as once', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(normaliseText(normaliseText(text))).toBe(normaliseText(text))
      expect(normaliseLine(normaliseLine(text))).toBe(normaliseLine(text))
    }),
  )
  expect(normaliseText('  \n\t\n    code\r\n  more  \rend \n\n')).toBe('    code\n  more  \nend')
})

test('a text with a long run of blanks is read at once', () => {
  const started = process.cpuUsage()
  normaliseText(`x${' '.repeat(99_000)}y`)
  // Quadratic time would take minutes.
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000)
})

test('a question for taking has neither answer key nor explanation', () => {
  const { question } = judgeQuestion(input)
  const view = question && forTaking(question)
  expect(view).toEqual({
    type: 'choice',
    id: 'clf-1-001',
    stem: input.question,
    options: ['AWS Lambda', 'Amazon S3', 'Amazon Route 53', 'AWS Artifact', 'Amazon EBS'].map((text) => ({
      id: derivePartId('clf-1-001', text),
      text,
    })),
    isMultiple: true,
    choiceCount: 2,
    domain: 'Cloud Technology and Services',
  })
  expect(QuestionForTaking.parse(view)).toEqual(view)
})

test('the review holds the right answers by id, the explanation and the link', () => {
  const { question } = judgeQuestion({ ...input, suggested_answer: 'A', most_voted_answer: 'AB' })
  const view = question && forReview(question)
  const id = (text: string) => derivePartId('clf-1-001', text)
  expect(view).toMatchObject({
    rightOptionIds: [id('Amazon S3'), id('Amazon EBS')],
    explanation: input.explanation,
    url: input.url,
    suggestedOptionIds: [id('AWS Lambda')],
    mostVotedOptionIds: [id('AWS Lambda'), id('Amazon S3')],
    difficulty: 'easy',
  })
  expect(QuestionForReview.parse(view)).toEqual(view)
})

test('one right answer makes a single choice, two a multiple one', () => {
  const single = asChoice(judgeQuestion({ ...input, final_answer: 'B' }).question)
  const double = asChoice(judgeQuestion(input).question)
  expect([isMultiple(single), choiceCount(single)]).toEqual([false, 1])
  expect([isMultiple(double), choiceCount(double)]).toEqual([true, 2])
})

test('answers that say the same have ids of their own', () => {
  const { question } = judgeQuestion({ ...input, answer_a: 'Same', answer_c: 'Same', answer_d: 'Same' })
  const same = derivePartId('clf-1-001', 'Same')
  expect(asChoice(question).options.map(({ id }) => id)).toEqual([
    same,
    derivePartId('clf-1-001', 'Amazon S3'),
    `${same}-2`,
    `${same}-3`,
    derivePartId('clf-1-001', 'Amazon EBS'),
  ])
})

test('the derived id of an answer never changes, for files and attempts hold it', () => {
  expect(derivePartId('clf-1-001', 'Amazon S3')).toMatchInlineSnapshot(`"de1624eb"`)
})
