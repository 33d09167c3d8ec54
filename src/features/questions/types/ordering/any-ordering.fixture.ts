import * as fc from 'fast-check'

/** The fields that an ordering adds to a question, as somebody might send them. */
export function anyOrderingFields(
  anyText: fc.Arbitrary<string>,
  anyKey: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> {
  const anyPart = fc.record({ id: fc.option(anyKey, { freq: 2 }), text: anyText })
  return fc
    .record({
      steps: fc.array(anyPart, { minLength: 3, maxLength: 8 }),
      distractors: fc.array(anyPart, { maxLength: 4 }),
    })
    .map((body) => ({ type: 'ordering', body }))
}

/** An ordering with a step that stays out, as a file of ours gives it. */
export const exampleOrdering = {
  type: 'ordering',
  id: 'example-ordering',
  question: 'A company moves objects to another account. Select and order the steps.',
  explanation: 'The bucket policy comes **first**.',
  domain: 'Security',
  body: {
    steps: [
      { id: 'policy', text: 'Add a bucket policy in the source account' },
      { id: 'role', text: 'Create a role in the target account' },
      { id: 'copy', text: 'Copy the objects with `aws s3 sync`' },
    ],
    distractors: [{ id: 'public', text: 'Make the bucket public' }],
  },
  otherKey: { type: 'ordering', itemIds: ['role', 'policy', 'copy'] },
}
