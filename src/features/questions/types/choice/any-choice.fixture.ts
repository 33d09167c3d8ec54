import * as fc from 'fast-check'
import { LETTERS } from './choice-letters.ts'

/** The fields that a choice adds to a question, as somebody might send them. */
export function anyChoiceFields(
  anyText: fc.Arbitrary<string>,
  anyKey: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record({
      options: fc.array(
        fc.tuple(
          fc.oneof({ arbitrary: anyText, weight: 5 }, { arbitrary: fc.constantFrom('Same', 'Amazon S3'), weight: 1 }),
          fc.boolean(),
        ),
        { minLength: 2, maxLength: LETTERS.length },
      ),
      ids: fc.array(fc.option(anyKey, { freq: 1 }), { minLength: LETTERS.length, maxLength: LETTERS.length }),
      suggested: fc.subarray([...LETTERS]),
      mostVoted: fc.subarray([...LETTERS]),
      order: fc.constantFrom('', '', 'fixed', 'last-stays'),
    })
    .map(({ options, ids, suggested, mostVoted, order }) => ({
      order,
      ...Object.fromEntries(options.map(([text], place) => [`answer_${LETTERS[place]}`, text])),
      answer_ids: Object.fromEntries(options.flatMap((_, place) => (ids[place] ? [[LETTERS[place], ids[place]]] : []))),
      final_answer: options.flatMap(([, isRight], place) => (isRight ? [LETTERS[place]] : [])).join(''),
      suggested_answer: suggested.filter((letter) => LETTERS.indexOf(letter) < options.length).join(''),
      most_voted_answer: mostVoted.filter((letter) => LETTERS.indexOf(letter) < options.length).join(''),
    }))
}

/** A choice of one, as a file of ours gives it. */
export const exampleChoice = {
  type: 'choice',
  id: 'example-choice',
  question: 'Which service stores objects?',
  explanation: 'Amazon S3 stores **objects**.',
  domain: 'Storage',
  answer_a: 'Amazon EBS',
  answer_b: 'Amazon S3',
  answer_c: 'Amazon EFS',
  answer_ids: { a: 'ebs', b: 's3', c: 'efs' },
  final_answer: 'B',
  otherKey: { type: 'choice', optionIds: ['ebs'] },
}
