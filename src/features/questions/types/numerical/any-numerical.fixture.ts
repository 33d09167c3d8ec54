import * as fc from 'fast-check'

/** The fields that a number adds to a question, as somebody might send them. */
export function anyNumericalFields(): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record({
      value: fc.oneof(fc.integer(), fc.constantFrom('0.25', '-1,5', '1,000', '1.50', '6.02e23', '1 000')),
      tolerance: fc.option(fc.constantFrom('0', '0.5', '1e-3', '2'), { freq: 3 }),
      unit: fc.constantFrom('', 'GiB', '%', 'ms', 'requests / s', '€', '}{', '*'),
    })
    .map((body) => ({ type: 'numerical', body }))
}

/** A number with a tolerance and a unit, as a file of ours gives it. */
export const exampleNumerical = {
  type: 'numerical',
  id: 'example-numerical',
  question: 'A volume of 100 GiB is half full. How much of it is used?',
  explanation: 'Half of 100 GiB is **50 GiB**.',
  domain: 'Storage',
  body: { value: '50', tolerance: '0.5', unit: 'GiB' },
  otherKey: { type: 'numerical', text: '51' },
}
