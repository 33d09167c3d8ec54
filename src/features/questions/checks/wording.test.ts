import type { Question } from '../types/question-types.schema.ts'
import { expect, test } from 'vitest'
import { judgeQuestion } from '../questions.ts'
import type { Blueprint } from '../questions.schema.ts'
import { placeNamedIn, wordingRemarks } from './wording.ts'

const blueprint: Blueprint = {
  code: 'CLF-C02',
  minutes: 90,
  questions: 65,
  passingScore: 700,
  source: 'https://aws.amazon.com/certification/',
  domains: [{ name: 'Cloud Concepts', weight: 100 }],
}

function aQuestion(changed: object = {}): Question {
  const { question } = judgeQuestion({
    id: 'clf-1-001',
    question: 'Which service keeps objects?',
    answer_a: 'Amazon S3',
    answer_b: 'AWS Lambda',
    answer_c: 'Amazon VPC',
    final_answer: 'A',
    explanation: 'Amazon S3 keeps objects; AWS Lambda runs code and Amazon VPC is a network.',
    domain: 'Cloud Concepts',
    difficulty: 'easy',
    url: 'https://docs.aws.amazon.com/s3/',
    ...changed,
  })
  if (!question) throw new Error('the question of the test is refused')
  return question
}

function codesOf(changed: object, of: Blueprint | null = blueprint): string[] {
  return wordingRemarks(aQuestion(changed), { blueprint: of, wantsDifficulty: true }).map(({ code }) => code)
}

test('a good question has no remarks', () => {
  expect(codesOf({})).toEqual([])
})

test('the number of right answers is the one that the question asks for', () => {
  const two = { final_answer: 'AB' }
  expect(codesOf({ question: 'Which two keep data? Choose two.', ...two })).toEqual([])
  expect(codesOf({ question: 'Which keep data? (Select TWO.)', ...two })).toEqual([])
  expect(codesOf({ question: 'Which keep data? **Choose 2 answers**', ...two })).toEqual([])
  expect(codesOf({ question: 'Which two keep data?', ...two })).toEqual(['choose-missing'])
  expect(codesOf({ question: 'Which keep data? Choose three.', ...two })).toEqual(['choose-mismatch'])
  expect(codesOf({ question: 'Which keep data? Choose two.' })).toEqual(['choose-mismatch'])
  expect(codesOf({ question: 'Which keeps data? Choose one.' })).toEqual([])
})

test('an explanation that names a letter or a position is found', () => {
  for (const explanation of [
    'Option B is wrong because it costs more.',
    'The first option stores objects.',
    'Answers A and C are too slow.',
    'Why not answer 2? It is too slow.',
    'B is incorrect, for it needs servers.',
    'A and D are wrong.',
    '- A: stores objects\n- B: runs code',
    'The last two answers are networks.',
    'Unlike (option "C"), it scales.',
    '**D.** It has no state.',
  ]) {
    expect([explanation, codesOf({ explanation })]).toEqual([explanation, ['explanation-names-place']])
  }
})

test('an explanation that names no answer by its place is left alone', () => {
  for (const explanation of [
    'Amazon Route 53 answers A records for the zone.',
    'CloudFront caches the first response of the origin.',
    'The other options need servers. Choices that scale cost less.',
    'A is an article; a plan B helps nobody.',
    'Class C addresses, vitamin C, and an option group.',
    'Run `option B` in the shell.',
    'The best option is a queue. The answer is simple.',
    'With DynamoDB on-demand, answer times stay level.',
    'There are options 3 % cheaper.',
  ]) {
    expect([explanation, placeNamedIn(explanation)]).toEqual([explanation, null])
  }
})

test('an answer that leans on the order of the others is found', () => {
  expect(codesOf({ answer_c: 'All of the above' })).toEqual(['answer-names-place'])
  expect(codesOf({ answer_c: 'Both A and B' })).toEqual(['answer-names-place'])
  expect(codesOf({ answer_c: 'None of these options' })).toEqual(['answer-names-place'])
  expect(codesOf({ answer_c: 'Raise the capacity so that both of the answers fit in' })).toEqual([])
})

test('what a question lacks is said', () => {
  expect(codesOf({ explanation: '' })).toEqual(['explanation-missing'])
  expect(codesOf({ domain: '' })).toEqual(['domain-missing'])
  expect(codesOf({ domain: 'Security' })).toEqual(['domain-unknown'])
  expect(codesOf({ domain: 'Security' }, null)).toEqual([])
  expect(codesOf({ domain: '' }, null)).toEqual(['domain-missing'])
  expect(codesOf({ url: '' })).toEqual(['url-missing'])
  expect(codesOf({ url: 'http://docs.aws.amazon.com/' })).toEqual(['url-not-https'])
  expect(codesOf({ url: 'https://' })).toEqual(['url-not-https'])
  expect(codesOf({ difficulty: '' })).toEqual(['difficulty-missing'])
  expect(codesOf({ needs_review: true })).toEqual(['review-wanted'])
})

test('a difficulty is asked for only where it is wanted', () => {
  const question = aQuestion({ difficulty: '' })
  expect(wordingRemarks(question, { blueprint, wantsDifficulty: false })).toEqual([])
})

test('dead formatting is found in every text of a question', () => {
  expect(codesOf({ question: 'Which?\n\n```json\n{}' })).toEqual(['fence-unclosed'])
  expect(codesOf({ answer_b: '<b>AWS Lambda</b>' })).toEqual(['html-tag'])
  expect(codesOf({ explanation: 'Put it in s3://<bucket-name>/key.' })).toEqual(['html-tag'])
  expect(codesOf({ explanation: 'Costs &amp; time&#39;s end' })).toEqual(['entity-stray'])
  expect(codesOf({ answer_a: 'Amazon\u0007 S3' })).toEqual(['character-odd'])
  expect(codesOf({ answer_a: 'Amazon\u200B S3' })).toEqual(['character-odd'])
  expect(codesOf({ question: 'What does broken \uFFFD mean?' })).toEqual(['character-odd'])
})

test('a picture without a description in words is found in every text of a question', () => {
  for (const alt of ['', ' ', 'Describe the image']) {
    const shown = `![${alt}](/pictures/x.svg)`
    expect(codesOf({ question: `Which?\n\n${shown}` })).toEqual(['picture-undescribed'])
    expect(codesOf({ answer_b: shown })).toEqual(['picture-undescribed'])
    expect(codesOf({ explanation: `Because.\n\n${shown}` })).toEqual(['picture-undescribed'])
  }
  expect(codesOf({ explanation: 'Like this:\n\n![Two VPCs, peered](/pictures/x.svg)' })).toEqual([])
  expect(codesOf({ explanation: 'Written as `![](x.svg)`.' })).toEqual([])
})

test('code, comparisons and links are no dead formatting', () => {
  expect(codesOf({ question: 'Which?\n\n```html\n<b>&amp;</b>\n```' })).toEqual([])
  expect(
    codesOf({ explanation: 'Use `<b>` and ``a ` <i>``; 1 < 2 and 3 > 2; R&D; <https://aws.amazon.com/>' }),
  ).toEqual([])
  expect(codesOf({ explanation: 'A family \u{1F468}\u200D\u{1F469}\u200D\u{1F467} and a tab\there.' })).toEqual([])
})
