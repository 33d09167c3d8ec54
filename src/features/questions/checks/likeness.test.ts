import type { Question } from '../types/question-types.schema.ts'
import { expect, test } from 'vitest'
import { judgeQuestion } from '../questions.ts'
import { likenesses } from './likeness.ts'

function aQuestion(id: string, stem: string, options: string[], right = 'A'): Question {
  const { question } = judgeQuestion({
    id,
    question: stem,
    ...Object.fromEntries(options.map((text, place) => [`answer_${'abcdef'.charAt(place)}`, text])),
    final_answer: right,
    explanation: 'Because.',
  })
  if (!question) throw new Error('the question of the test is refused')
  return question
}

function remarksOf(...questions: Question[]): [number, string, string][] {
  const found = likenesses(questions, () => '"Exam" of "Course"')
  return [...found].flatMap(([place, remarks]) =>
    remarks.map(({ code, sentence }) => [place, code, sentence] as [number, string, string]),
  )
}

function codesOf(...questions: Question[]): [number, string][] {
  return remarksOf(...questions).map(([place, code]) => [place, code])
}

const stem =
  'A brewery stores the logs of its web servers in Amazon S3 and has to keep them for seven years. They are read about once a year, and a delay of several hours does not matter. Which storage class costs the least?'
const options = ['S3 Glacier Deep Archive', 'S3 Standard', 'S3 One Zone-IA', 'S3 Intelligent-Tiering']

test('questions about different things have no remarks', () => {
  const other =
    'A bank wants to let employees of a partner sign in to the AWS Management Console with the accounts that they have at the partner. What should the bank set up?'
  expect(
    codesOf(aQuestion('a', stem, options), aQuestion('b', other, ['A federation', 'IAM users', 'A VPN', 'Keys'])),
  ).toEqual([])
})

test('the same question with its answers in another order is a near-duplicate', () => {
  const again = aQuestion('b', `  ${stem.toUpperCase()}`, options.toReversed(), 'D')
  expect(remarksOf(aQuestion('a', stem, options), again)).toEqual([
    [
      1,
      'near-duplicate',
      'Reads like a in "Exam" of "Course" (100% of words and phrases) and has the same answers and key.',
    ],
  ])
})

test('a reworded question is a near-duplicate', () => {
  const reworded =
    'The web servers of a brewery store their logs in Amazon S3. The logs must be kept for seven years, are read once a year, and several hours of delay do not matter. Which storage class has the lowest cost?'
  expect(codesOf(aQuestion('a', stem, options), aQuestion('b', reworded, options))).toEqual([[1, 'near-duplicate']])
})

test('the same situation with other answers is reported as that', () => {
  const others = ['A lifecycle rule', 'A bucket policy', 'A replication rule', 'An access point']
  expect(codesOf(aQuestion('a', stem, options), aQuestion('b', stem, others))).toEqual([[1, 'same-stem']])
})

test('the same right answer among other wrong ones is still a near-duplicate', () => {
  const others = ['Amazon EBS', 'Amazon EFS', 'S3 Glacier Deep Archive', 'Instance store']
  expect(codesOf(aQuestion('a', stem, options), aQuestion('b', stem, others, 'C'))).toEqual([[1, 'near-duplicate']])
})

test('the same question with another key contradicts itself', () => {
  expect(remarksOf(aQuestion('a', stem, options), aQuestion('b', stem, options, 'C'))).toEqual([
    [1, 'keys-contradict', 'Asks the same as a in "Exam" of "Course", with another right answer.'],
  ])
  expect(codesOf(aQuestion('a', stem, options), aQuestion('b', stem, options, 'AB'))).toEqual([[1, 'keys-contradict']])
})

test('equal answers that are right in one question and wrong in another are a contradiction, whatever the other answers are', () => {
  const others = ['Amazon EBS', 'S3 Glacier Deep Archive', 'Amazon EFS', 'Instance store']
  expect(codesOf(aQuestion('a', stem, options), aQuestion('b', stem, others))).toEqual([[1, 'keys-contradict']])
})

test('a question that turns one word around does not contradict the other', () => {
  const turned = stem.replace('costs the least', 'costs the most')
  expect(codesOf(aQuestion('a', stem, options), aQuestion('b', turned, options, 'B'))).toEqual([[1, 'near-duplicate']])
})

test('only the gravest of several likenesses is reported', () => {
  const found = codesOf(
    aQuestion('a', stem, ['A lifecycle rule', 'A bucket policy']),
    aQuestion('b', stem, options),
    aQuestion('c', stem, options, 'D'),
  )
  expect(found).toEqual([
    [1, 'same-stem'],
    [2, 'keys-contradict'],
  ])
})

test('short questions with a common subject are not alike', () => {
  const found = codesOf(
    aQuestion('a', 'Which AWS service is a managed message queue?', ['Amazon SQS', 'Amazon S3']),
    aQuestion('b', 'Which AWS service is a managed NoSQL database?', ['Amazon DynamoDB', 'Amazon S3']),
    aQuestion('c', 'Which AWS service is a managed data warehouse?', ['Amazon Redshift', 'Amazon S3']),
  )
  expect(found).toEqual([])
})

/** Numbers that look random and are the same on every run. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

function aStem(roll: (below: number) => number, vocabulary: number): string {
  return Array.from({ length: 40 }, () => `w${Math.floor(vocabulary ** (roll(1000) / 1000))}`).join(' ')
}

test('every reworded copy among two thousand questions is found', () => {
  const roll = dice(7)
  const originals = Array.from({ length: 2000 }, () => aStem(roll, 3000))
  const copies = originals
    .slice(0, 200)
    .map((original) => original.replaceAll(/\w+/g, (word) => (roll(8) === 0 ? `other${roll(9999)}` : word)))
  const found = codesOf(...[...originals, ...copies].map((text, at) => aQuestion(`q${at}`, text, options)))
  const missed = copies.map((_, at) => 2000 + at).filter((place) => !found.some(([other]) => other === place))
  expect(missed).toEqual([])
})

test('twenty thousand questions of one pattern take less than twenty seconds', { timeout: 60_000 }, () => {
  const roll = dice(3)
  const pattern = aStem(roll, 3000)
  const questions = Array.from({ length: 20_000 }, (_, at) =>
    aQuestion(
      `q${at}`,
      pattern.replaceAll(/\w+/g, (word) => (roll(8) === 0 ? `w${roll(3000)}` : word)),
      options,
    ),
  )
  // Of the processor, not of the clock: others use the machine too.
  const started = process.cpuUsage()
  expect(likenesses(questions, () => '').size).toBeGreaterThan(19_000)
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(20_000)
})

test('short answers with a form in common do not contradict each other, and without one it is a remark only', () => {
  const short = (id: string, ...forms: string[]): Question => {
    const { question } = judgeQuestion({
      id,
      type: 'short-answer',
      question: stem,
      body: { forms },
      explanation: 'So.',
    })
    if (!question) throw new Error('the question of the test is refused')
    return question
  }
  const first = short('a', 'S3 Glacier Deep Archive', 'Deep Archive')
  expect(codesOf(first, short('b', 'deep  archive', 'Glacier Deep'))).toEqual([[1, 'near-duplicate']])
  expect(codesOf(first, short('b', '*deep archive'))).toEqual([[1, 'near-duplicate']])
  expect(remarksOf(first, short('b', 'S3 Standard'))).toEqual([
    [1, 'forms-differ', 'Asks the same as a in "Exam" of "Course", and accepts none of the forms that it accepts.'],
  ])
  const number = (id: string, value: string): Question =>
    ({ ...short(id, 'x'), type: 'numerical', value, tolerance: '0', unit: '' }) as Question
  expect(codesOf(number('a', '1'), number('b', '2'))).toEqual([[1, 'keys-contradict']])
})
