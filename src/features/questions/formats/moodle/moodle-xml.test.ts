import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { strFromU8 } from 'fflate'
import { exampleHotSpot } from '../../types/hot-spot/any-hot-spot.fixture.ts'
import { comparedPartsOf } from '../../types/check-registry.ts'
import { judgeQuestion } from '../../questions.ts'
import { aPng, imagesAt } from '../any-image.fixture.ts'
import { readBank, writeBank } from '../bank.ts'
import { lossSentences } from '../formats.copy.ts'
import type { AttachedImage } from '../formats.schema.ts'
import { imageSizeOf } from '../image-size.ts'

const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures/moodle-kinds.xml')))
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

test('a text with one gap is the question that its gap asks, and one with lists alone has drop-downs', () => {
  const questions = read.slice(-11).map(({ question }) => question)
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
    { type: 'numerical', stem: 'A byte has _____ bits and is [2].', value: '8' },
    { type: 'choice', stem: 'A byte has [1] bits and is _____.' },
    {
      type: 'choice',
      stem: 'Both _____ are right.',
      options: [
        { text: 'a', isRight: true },
        { text: 'b', isRight: true },
        { text: 'c', isRight: false },
      ],
      order: 'fixed',
    },
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
    'cloze without a gap',
    'calculated',
  ])
})

test('the size of an image is read from its beginning, and cut bytes have none', () => {
  const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 17, 8, 0, 30, 0, 40, 3]
  expect(imageSizeOf(Uint8Array.from(jpeg))).toEqual({ width: 40, height: 30 })
  expect(imageSizeOf(new TextEncoder().encode('GIF89a\u0010\u0000\u0008\u0000'))).toEqual({ width: 16, height: 8 })
  for (let length = 0; length < 16; length += 1) expect(imageSizeOf(Uint8Array.from(jpeg.slice(0, length)))).toBeNull()
  const svg = (attributes: string) =>
    imageSizeOf(new TextEncoder().encode(`<?xml version="1.0"?>\n<svg ${attributes}/>`))
  expect(svg('viewBox="0 0 30 20"')).toEqual({ width: 30, height: 20 })
  expect(svg('viewBox="0 0 30 20" width="90px" height="60.4"')).toEqual({ width: 90, height: 60 })
  expect([svg('width="100%" height="100%"'), svg('width="0" height="5"'), svg('')]).toEqual([null, null, null])
})

test('the size of a WebP is read, however it is packed', async () => {
  const image = () => sharp({ create: { width: 300, height: 7, channels: 4, background: '#3468c080' } })
  const packed = await Promise.all([
    image().webp({ lossless: true }).toBuffer(),
    image().removeAlpha().webp().toBuffer(),
    image().webp().toBuffer(),
  ])
  expect(packed.map((bytes) => bytes.toString('latin1', 12, 16))).toEqual(['VP8L', 'VP8 ', 'VP8X'])
  for (const bytes of packed) {
    expect(imageSizeOf(bytes)).toEqual({ width: 300, height: 7 })
    expect(imageSizeOf(bytes.subarray(0, 29))).toBeNull()
  }
})

test('each type of Moodle is read to the question that it is, and each fault is told by its part', () => {
  const file = new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures/moodle-types.xml')))
  const questions = [...readBank([{ path: 'types.xml', bytes: file }])].flatMap((step) =>
    step.kind === 'question' ? [step.question] : [],
  )
  const good = questions.flatMap(({ question }) => {
    if (question === undefined) return []
    const parts = comparedPartsOf(question).map(({ text, keyValue }) => `${text.replaceAll('\n', ', ')}: ${keyValue}`)
    return [`${question.type}: ${question.stem} | ${parts.join('; ')}`]
  })
  expect(good).toMatchInlineSnapshot(`
    [
      "matching: What does each animal give? | A sheep: wool; A cow: milk; A goat: milk; honey: out",
      "matching: Which young belongs to which? | A dog: a puppy; A cat: a kitten",
      "ordering: Put the meals in order. | Breakfast: 1; Lunch: 2; Supper: 3",
      "drop-down: Bees make [[1]], spiders make [[2]]. | honey: right in 1; wax paper: wrong; wool: wrong; webs: right in 2",
      "drop-down: A [[1]] sings, a [[2]] barks. | bird: right in 1; dog: right in 2; stone: wrong",
      "drop-down: Ants are [[1]] and [[2]]. | large: wrong; small: right in 1; many: right in 2; few: wrong",
      "numerical: A spider has _____ legs. | number: 8",
      "numerical: Two to write: _____ and [2]. | number: 1",
      "short-answer: Two to write: [1] and _____. | text: one",
      "numerical: How heavy is a hen? | number: 2.5 ± 0.5 kg",
      "short-answer: Which bird cannot fly? | text: penguin
    the ostrich*",
      "choice: A bat is a bird. | True: wrong; False: right",
    ]
  `)
  const refused = questions.filter(({ question }) => question === undefined)
  const told = refused.map(({ line, reasons }) => {
    const faults = reasons.filter(({ code }) => code !== 'explanation-empty')
    return `${line}: ${faults.map(({ sentence }) => sentence.replace('The bank does not hold questions of this type:', 'no type:')).join(' ')}`
  })
  expect(told).toMatchInlineSnapshot(`
    [
      "16: The question needs two to ten options. Prompt 2 has no right answer.",
      "21: The question needs two to eight prompts. The question needs two to ten options.",
      "25: Two parts of the question say the same: A horse",
      "36: Two parts of the question say the same: Sow",
      "42: The question needs three to eight steps.",
      "54: The question needs one to eight gaps. The text has a place [[7]], and the question has no gap 7.",
      "59: The question needs one to eight gaps.",
      "64: The question needs two to ten choices in gap 1.",
      "74: Two parts of the question say the same: same Two parts of the question say the same: same",
      "85: Gap 1 has no right answer.",
      "88: "some" is not a number.",
      "99: "heavy" is not a number.",
      "103: The tolerance can't be below zero: -1",
      "107: The right number has no text.",
      "118: Accepted answer 1 has no text.",
      "122: The question needs one to twenty accepted answers.",
      "131: No answer is marked as right.",
      "136: no type: calculatedmulti",
      "140: no type: description",
    ]
  `)
})

const facts = { title: 'Exam', slug: 'exam', order: 1, timeLimitMinutes: 60, passingScore: 70, isFreeTrial: false }

/** A question as Moodle's XML, with what was told to be lost, and as it comes back. */
function thereAndBack(given: object, images: ReadonlyMap<string, AttachedImage> = new Map()) {
  const question = judgeQuestion(given).question
  if (question === undefined) throw new Error('refused')
  const exam = { facts, courseTitle: 'Course', questions: [question], images }
  const { files, losses } = writeBank('moodle-xml', [exam])
  const back = [...readBank(files)].flatMap((step) => (step.kind === 'question' ? [step.question] : []))
  const told = losses.filter(({ questionId }) => questionId !== '').map(({ sentence }) => sentence)
  return { xml: strFromU8(files[0]?.bytes ?? new Uint8Array()), told, back }
}

test('a hot spot becomes markers on its image for right and for other areas, which come back as one question', () => {
  const images = imagesAt(['/pictures/vpc.svg'], aPng(400, 200))
  const { xml, told, back } = thereAndBack(exampleHotSpot, images)
  expect(xml).toContain('<question type="ddmarker">')
  expect(xml).toContain('<drag><no>1</no><text>Here</text><noofdrags>1</noofdrags></drag>')
  expect(xml).toContain('<drag><no>2</no><text>Not here</text><noofdrags>2</noofdrags></drag>')
  expect(xml).toContain('<shape>rectangle</shape><coords>10,10;180,180</coords><choice>1</choice>')
  expect(xml).toContain('<shape>circle</shape><coords>200,100;8</coords><choice>2</choice>')
  expect(told).toEqual([])
  expect(back).toHaveLength(1)
  expect(back[0]?.question).toMatchObject({
    image: '![A VPC with a public and a private subnet](picture:vpc.svg)',
    width: 400,
    areas: exampleHotSpot.body.areas.map(({ text, shape, numbers, isRight }) => ({ text, shape, numbers, isRight })),
  })
})

test('areas are scaled to the image itself, and a hot spot without its image is told to be lost', () => {
  const larger = thereAndBack(exampleHotSpot, imagesAt(['/pictures/vpc.svg'], aPng(800, 400)))
  expect(larger.xml).toContain('<coords>20,20;360,360</coords>')
  expect(larger.told).toEqual([lossSentences.answers])
  expect(larger.back[0]?.question).toMatchObject({ width: 800, height: 400, areas: [{ isRight: true }, {}, {}] })
  const without = thereAndBack(exampleHotSpot)
  expect(without.told).toEqual([lossSentences.whole])
  expect(without.back[0]?.reasons[0]?.sentence).toMatch(/ddmarker without its image$/)
})

test('markers called Here and Not here ask one question in which every area may be right', () => {
  const areas = exampleHotSpot.body.areas.map((area) => ({ ...area, isRight: true }))
  const given = { ...exampleHotSpot, body: { ...exampleHotSpot.body, areas } }
  const { told, back } = thereAndBack(given, imagesAt(['/pictures/vpc.svg'], aPng(400, 200)))
  expect(told).toEqual([])
  expect(back.map(({ question }) => question)).toMatchObject([{ areas: areas.map(() => ({ isRight: true })) }])
})

test('a statement that is true or false is one in Moodle, unless its order or its words say otherwise', () => {
  const statement = (more: object) => ({
    id: 'statement',
    question: 'A mask has 32 bits.',
    explanation: 'It has.\n\n#### Answer by answer\n\n- **False**: Count them.',
    domain: 'Networking',
    answer_a: 'True',
    answer_b: 'False',
    final_answer: 'A',
    ...more,
  })
  for (const [more, type] of [
    [{}, 'truefalse'],
    [{ final_answer: 'B' }, 'truefalse'],
    [{ order: 'fixed' }, 'multichoice'],
    [{ answer_a: 'False', answer_b: 'True' }, 'multichoice'],
    [{ answer_c: 'Neither' }, 'multichoice'],
  ] as const) {
    const { xml, told, back } = thereAndBack(statement(more))
    expect([xml.match(/<question type="(\w+)">\s*<name>/)?.[1], told]).toEqual([type, []])
    expect(back[0]?.question).toMatchObject({ explanation: statement({}).explanation })
  }
})

/** A text with gaps, by the lists of their choices. A right choice begins with `=`. */
const dropDown = (explanation: string, ...lists: string[][]) => ({
  type: 'drop-down',
  id: 'gaps',
  question: lists.map((_, at) => `Gap ${at + 1} is [[${at + 1}]].`).join(' '),
  explanation,
  domain: 'Networking',
  body: {
    gaps: lists.map((texts) => ({
      options: texts.map((text) => ({ text: text.replace(/^=/, ''), isRight: text.startsWith('=') })),
    })),
  },
})

test('gaps with one list are words to drag, with a list each menus, and with a word on each choice a cloze', () => {
  const said = 'Both.\n\n#### Answer by answer\n\n- **UDP**: It is *fast*, see #1}.\n- **TCP**: ~ Slow.'
  for (const [given, type] of [
    [dropDown('Both.', ['=TCP', 'UDP', 'IP'], ['TCP', '=UDP', 'IP']), 'ddwtos'],
    [dropDown('Both.', ['=TCP', 'UDP'], ['=TCP', 'UDP']), 'gapselect'],
    [dropDown('Both.', ['=TCP', 'UDP'], ['UDP', '=TCP']), 'gapselect'],
    [dropDown('Both.', ['=a<b>', 'b'], ['a<b>', '=b']), 'gapselect'],
    [dropDown('One.', ['=TCP', 'UDP']), 'gapselect'],
    [dropDown(said, ['=TCP', 'UDP'], ['UDP', '=TCP']), 'cloze'],
    [dropDown(said, ['=![TCP](/pictures/tcp.png)', 'UDP'], ['UDP', '=TCP']), 'gapselect'],
  ] as const) {
    const { xml, told, back } = thereAndBack(given)
    expect([xml.match(/<question type="(\w+)">\s*<name>/)?.[1], told]).toEqual([type, []])
    expect(back.map(({ question }) => question)).toMatchObject([
      { stem: given.question, explanation: given.explanation, gaps: given.body.gaps },
    ])
  }
})
