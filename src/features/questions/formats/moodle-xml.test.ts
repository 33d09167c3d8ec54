import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBank } from './bank.ts'
import { imageSizeOf } from './image-size.ts'

const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, 'fixtures/moodle-kinds.xml')))
const read = [...readBank([{ path: 'kinds.xml', bytes }])].flatMap((step) =>
  step.kind === 'question' ? [step.question] : [],
)
const at = (line: number) => read.filter((one) => one.line === line)

test('markers on an image become a question each: their place is right, those of other markers are wrong', () => {
  const [router, server] = at(3)
  expect(router?.question).toMatchObject({
    type: 'hot-spot',
    stem: 'Where does each one stand?\n\n**The router**',
    image: '![plan.png](picture:plan.png)',
    width: 400,
    height: 300,
    areas: [
      { text: 'Area 1', shape: 'circle', numbers: [100, 100, 20], isRight: true },
      { text: 'Area 2', shape: 'rect', numbers: [200, 50, 280, 90], isRight: false },
      { text: 'Area 3', shape: 'polygon', numbers: [10, 200, 60, 200, 30, 250], isRight: false },
    ],
  })
  expect(server?.question).toMatchObject({ areas: [{ isRight: false }, { isRight: true }, { isRight: true }] })
  expect(router?.images.map(({ name }) => name)).toEqual(['plan.png'])
  expect(at(3)).toHaveLength(2)
})

test('pictures that are dragged onto an image give their places their size', () => {
  expect(at(13).map(({ question }) => question)).toMatchObject([
    {
      stem: 'Where do the parts go?\n\n**A switch**',
      areas: [
        { text: 'Upper place', shape: 'rect', numbers: [20, 30, 80, 70], isRight: true },
        { text: 'Lower place', shape: 'rect', numbers: [20, 200, 80, 240], isRight: false },
      ],
    },
    { stem: 'Where do the parts go?\n\n**A rack**', areas: [{ isRight: false }, { isRight: true }] },
  ])
})

test('a text with one gap to write into is a number or a short answer, and one with lists alone has drop-downs', () => {
  const questions = read.slice(-10).map(({ question }) => question)
  expect(questions.flatMap((question) => question ?? [])).toMatchObject([
    {
      type: 'numerical',
      value: '64',
      tolerance: '2',
      explanation: '#### Answer by answer\n\n- **64**: Right.',
    },
    { type: 'short-answer', forms: [{ text: 'DNS' }, { text: 'Domain Name System' }], isCaseSensitive: false },
    { type: 'short-answer', forms: [{ text: 'ETag' }], isCaseSensitive: true },
    { type: 'drop-down', stem: '[[1]] keeps no order, [[2]] does.' },
    {
      type: 'choice',
      options: [
        { text: 'True', isRight: false },
        { text: 'False', isRight: true },
      ],
    },
  ])
})

test('what no type can hold is refused once, with what does not fit', () => {
  const refused = read.filter(({ question }) => question === undefined)
  const why = refused.map(({ reasons: [first] }) => first?.sentence.replace(/^.*of this type: /, ''))
  expect([...new Set(why)]).toEqual([
    'ddimageortext whose markers are texts, so that its places have no size',
    'ddmarker whose places are all of one marker, so that no other area is wrong',
    'ddmarker without its image',
    'The area "Area 2" lies outside the image or has no size.',
    'ddmarker whose place "Area 2" has no shape that can be read',
    'multianswer with the gaps 1 NM, 1 MCV; a text has one gap to write into, or gaps with lists alone',
    'multianswer with the gaps 1 MULTIRESPONSE; a text has one gap to write into, or gaps with lists alone',
    'multianswer without a gap',
    'calculated',
  ])
})

test('the size of an image is read from its beginning, and cut bytes have none', () => {
  const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 17, 8, 0, 30, 0, 40, 3]
  expect(imageSizeOf(Uint8Array.from(jpeg))).toEqual({ width: 40, height: 30 })
  expect(imageSizeOf(new TextEncoder().encode('GIF89a\u0010\u0000\u0008\u0000'))).toEqual({ width: 16, height: 8 })
  for (let length = 0; length < 16; length += 1) expect(imageSizeOf(Uint8Array.from(jpeg.slice(0, length)))).toBeNull()
  expect(imageSizeOf(new TextEncoder().encode('<svg width="9" height="9"/>'))).toBeNull()
})
