import * as fc from 'fast-check'

/** The fields that a short answer adds to a question, as somebody might send them. */
export function anyShortAnswerFields(
  anyText: fc.Arbitrary<string>,
  anyKey: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> {
  const anyForm = fc.oneof(fc.constantFrom('AWS *', 'a\\*b', '*', 'Route 53', 'x -> y'), anyText)
  return fc
    .record({
      forms: fc.array(fc.record({ id: fc.option(anyKey, { freq: 2 }), text: anyForm }), { minLength: 1, maxLength: 4 }),
      isCaseSensitive: fc.boolean(),
    })
    .map((body) => ({ type: 'short-answer', body }))
}

/** A short answer with two accepted forms, as a file of ours gives it. */
export const exampleShortAnswer = {
  type: 'short-answer',
  id: 'example-short-answer',
  question: 'Which service translates names of domains into addresses?',
  explanation: 'Names are translated by **Route 53**.',
  domain: 'Networking',
  body: {
    forms: [
      { id: 'name', text: 'Route 53' },
      { id: 'full', text: 'Amazon Route*53' },
    ],
    isCaseSensitive: false,
  },
  otherKey: { type: 'short-answer', text: 'CloudFront' },
}
