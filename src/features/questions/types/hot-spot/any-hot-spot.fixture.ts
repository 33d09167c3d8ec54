import * as fc from 'fast-check'

const anyFigure = fc.oneof(
  fc
    .tuple(fc.nat(150), fc.nat(100), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }))
    .map(([x, y, width, height]) => ({ shape: 'rect', numbers: [x, y, x + width, y + height] })),
  fc
    .tuple(fc.integer({ min: 20, max: 180 }), fc.integer({ min: 20, max: 130 }), fc.integer({ min: 1, max: 20 }))
    .map((numbers) => ({ shape: 'circle', numbers })),
  fc
    .tuple(fc.nat(90), fc.nat(90))
    .map(([x, y]) => ({ shape: 'polygon', numbers: [x, y, x + 20.5, y, x + 10, y + 30] })),
)

/** The fields that a hot spot adds to a question, as somebody might send them. */
export function anyHotSpotFields(
  anyText: fc.Arbitrary<string>,
  anyKey: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> {
  const anyArea = fc
    .tuple(fc.record({ id: fc.option(anyKey, { freq: 2 }), text: anyText, isRight: fc.boolean() }), anyFigure)
    .map(([area, figure]) => ({ ...area, ...figure }))
  return fc
    .record({
      image: fc.constantFrom('![A plan](/pictures/7.png)', { text: '![Two subnets](https://example.com/a.svg)' }),
      width: fc.constant(200),
      height: fc.constant(150),
      areas: fc.array(anyArea, { minLength: 2, maxLength: 6 }),
    })
    .map((body) => ({ type: 'hot-spot', body }))
}

/** A hot spot with one right area, as a file of ours gives it. */
export const exampleHotSpot = {
  type: 'hot-spot',
  id: 'example-hot-spot',
  question: 'Where does the NAT gateway belong?',
  explanation: 'It needs a **route** to the internet gateway.',
  domain: 'Networking',
  body: {
    image: { text: '![A VPC with a public and a private subnet](/pictures/vpc.svg)' },
    width: 400,
    height: 200,
    areas: [
      { id: 'public', text: 'Public subnet', shape: 'rect', numbers: [10, 10, 190, 190], isRight: true },
      { id: 'private', text: 'Private subnet', shape: 'rect', numbers: [210, 10, 390, 190], isRight: false },
      { id: 'router', text: 'Router', shape: 'circle', numbers: [200, 100, 8], isRight: false },
    ],
  },
  otherKey: { type: 'hot-spot', areaIds: ['private'] },
}
