import * as fc from 'fast-check'

/** The fields that a text with gaps adds to a question, as somebody might send them. */
export function anyDropDownFields(
  anyText: fc.Arbitrary<string>,
  anyKey: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> {
  const anyOption = fc.record({ id: fc.option(anyKey, { freq: 2 }), text: anyText })
  const anyGap = fc
    .record({ id: fc.option(anyKey, { freq: 2 }), options: fc.array(anyOption, { minLength: 2, maxLength: 5 }) })
    .chain(({ id, options }) =>
      fc.nat(options.length - 1).map((right) => ({
        id,
        options: options.map((option, place) => ({ ...option, isRight: place === right })),
      })),
    )
  return fc
    .record({ begin: anyText, gaps: fc.array(anyGap, { minLength: 1, maxLength: 4 }) })
    .map(({ begin, gaps }) => ({
      type: 'drop-down',
      question: `${begin}\n\n${gaps.map((_, at) => `Then \`use\` [[${at + 1}]]`).join(', ')}`,
      body: { gaps },
    }))
}

/** A text with a gap in a sentence, one in code and one in a table, as a file of ours gives it. */
export const exampleDropDown = {
  type: 'drop-down',
  id: 'example-drop-down',
  question:
    'Keys are kept by [[1]]:\n\n```json\n{ "Action": "[[2]]" }\n```\n\n| data | class |\n| --- | --- |\n| archives | [[3]] |',
  explanation: 'AWS KMS keeps **keys**.',
  domain: 'Security',
  body: {
    gaps: [
      {
        id: 'keeper',
        options: [
          { id: 'kms', text: 'AWS KMS', isRight: true },
          { id: 'iam', text: 'AWS IAM', isRight: false },
        ],
      },
      {
        id: 'action',
        options: [
          { id: 'get', text: '`s3:GetObject`', isRight: false },
          { id: 'decrypt', text: '`kms:Decrypt`', isRight: true },
          { id: 'any', text: '*', isRight: false },
        ],
      },
      {
        id: 'class',
        options: [
          { id: 'standard', text: 'Standard', isRight: false },
          { id: 'deep', text: 'Deep Archive', isRight: true },
        ],
      },
    ],
  },
  otherKey: {
    type: 'drop-down',
    picks: [
      { gapId: 'keeper', optionId: 'iam' },
      { gapId: 'action', optionId: 'get' },
      { gapId: 'class', optionId: 'standard' },
    ],
  },
}
