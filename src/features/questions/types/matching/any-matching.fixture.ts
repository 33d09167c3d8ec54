import * as fc from 'fast-check'
import { letterOfPart } from '../parts/part-letters.ts'

/** The fields that a matching adds to a question, as somebody might send them. */
export function anyMatchingFields(
  anyText: fc.Arbitrary<string>,
  anyKey: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> {
  const anyPart = fc.record({ id: fc.option(anyKey, { freq: 2 }), text: anyText })
  return fc
    .record({
      prompts: fc.array(anyPart, { minLength: 2, maxLength: 8 }),
      options: fc.array(anyPart, { minLength: 2, maxLength: 10 }),
      places: fc.array(fc.nat(9), { minLength: 8, maxLength: 8 }),
      isReusable: fc.boolean(),
    })
    .map(({ prompts, options, places, isReusable }) => {
      // Where each option is used once, the prompts take them from the back.
      const placeOf = (at: number) => (isReusable ? (places[at] ?? 0) % options.length : options.length - 1 - at)
      const fitting = isReusable ? prompts : prompts.slice(0, options.length)
      const withOptions = fitting.map((prompt, at) => ({ ...prompt, option: letterOfPart(placeOf(at)) }))
      return { type: 'matching', body: { prompts: withOptions, options, isReusable } }
    })
}

/** A matching with an option that no prompt has, as a file of ours gives it. */
export const exampleMatching = {
  type: 'matching',
  id: 'example-matching',
  question: 'Select the service for each task. Use each service once.',
  explanation: 'A queue holds messages; a topic **sends** them.',
  domain: 'Integration',
  body: {
    prompts: [
      { id: 'hold', text: 'Hold messages until a worker takes them', optionId: 'sqs' },
      { id: 'send', text: 'Send one message to many subscribers', optionId: 'sns' },
      { id: 'steps', text: 'Run steps with `retries`', optionId: 'sfn' },
    ],
    options: [
      { id: 'sqs', text: 'Amazon SQS' },
      { id: 'sns', text: 'Amazon SNS' },
      { id: 'sfn', text: 'AWS Step Functions' },
      { id: 'mq', text: 'Amazon MQ' },
    ],
    isReusable: false,
  },
  otherKey: {
    type: 'matching',
    pairs: [
      { promptId: 'hold', optionId: 'mq' },
      { promptId: 'send', optionId: 'sns' },
      { promptId: 'steps', optionId: 'sfn' },
    ],
  },
}
