import { expect, test } from 'vitest'
import { readBank, writeBank } from '../../formats/bank.ts'
import { judgeQuestion } from '../../questions.ts'
import { typeWordingRemarks } from '../check-registry.ts'
import { changeParts, editProblems, toEdited, toGiven, toQuestionEdit } from '../edit-registry.ts'
import { answerByKey } from '../form-registry.tsx'
import { answerProblem, forTaking, pointsOf, shuffleShapes } from '../grading-registry.ts'
import type { Answer } from '../question-types.schema.ts'
import { countParts, isKeyDoubtful } from '../statistics-registry.ts'
import { exampleHotSpot } from './any-hot-spot.fixture.ts'
import { draggedNumbers, withCorner } from './area-drawing.ts'
import { HotSpotQuestion } from './hot-spot.schema.ts'

const example = HotSpotQuestion.parse(judgeQuestion(exampleHotSpot).question)
const two = { ...example, areas: example.areas.map((area) => ({ ...area, isRight: area.id !== 'private' })) }
const chosen = (...areaIds: string[]): Answer => ({ type: 'hot-spot', areaIds })
const [first, second] = exampleHotSpot.body.areas
const sentencesOf = (body: object) =>
  judgeQuestion({ ...exampleHotSpot, body: { ...exampleHotSpot.body, ...body } }).reasons.map(
    ({ sentence }) => sentence,
  )
const withFirst = (area: object) => sentencesOf({ areas: [{ ...first, ...area }, second] })

test('all right areas and no other are right; partial credit takes away for wrong ones', () => {
  const partial = (...ids: string[]) => pointsOf(two, chosen(...ids), 'partial')
  expect([partial('public', 'router'), partial('public'), partial('public', 'private')]).toEqual([60, 30, 0])
  expect(pointsOf(two, chosen('public'), 'all-or-nothing')).toBe(0)
})

test('a press or a key chooses the one area, and adds or takes back one of several', () => {
  const [one, many] = [forTaking(example), forTaking(two)]
  expect(answerByKey(one, chosen('public'), 1)).toEqual(chosen('private'))
  expect(answerByKey(many, chosen('public'), 1)).toEqual(chosen('private', 'public'))
  expect(answerByKey(many, chosen('public'), 0)).toBeNull()
  expect(answerByKey(one, null, 3)).toBeUndefined()
})

test('an answer that names no area of the image, or two of one, is refused', () => {
  const [shuffled] = shuffleShapes([example], { seed: 1, shufflesQuestions: false })
  if (shuffled === undefined) throw new Error('no shape')
  expect(answerProblem(shuffled.shape, chosen('zebra'))).toBe('unknown-part')
  expect(answerProblem(shuffled.shape, chosen('private', 'public'))).toBe('too-many')
})

test('areas outside the image, without a size or without a shape are refused, each by its name', () => {
  const outside = 'The area "Public subnet" lies outside the image or has no size.'
  for (const numbers of [
    [-1, 0, 10, 10],
    [0, 0, 500, 10],
    [10, 10, 10, 50],
    [10, 10, 50],
  ])
    expect(withFirst({ numbers })).toEqual([outside])
  expect(withFirst({ shape: 'circle', numbers: [5, 5, 6] })).toEqual([outside])
  expect(withFirst({ shape: 'circle', numbers: [5, 5, 0] })).toEqual([outside])
  expect(withFirst({ shape: 'polygon', numbers: [0, 0, 10, 10, 20, 20] })).toEqual([outside])
  expect(withFirst({ shape: 'polygon', numbers: [0, 0, 10, 0, 5] })).toEqual([outside])
  const unclear = 'The area "Public subnet" has no shape that can be read: rect, circle or polygon, with its numbers.'
  expect(withFirst({ shape: 'star' })).toEqual([unclear])
  expect(withFirst({ numbers: '10, ten' })).toEqual([unclear])
  expect(withFirst({ numbers: '10, 10, 50, 50' })).toEqual([])
})

test('one picture with its size, names that differ, and a right area are asked for', () => {
  expect(sentencesOf({ image: 'a plan' })).toEqual([
    'The question needs one picture, as Markdown: ![What it shows](address).',
  ])
  expect(sentencesOf({ width: 0 })).toContain('The picture needs a width between 1 and 4,000 pixels.')
  expect(sentencesOf({ areas: [first] })).toEqual(['The question needs two to twenty areas.'])
  expect(withFirst({ text: '' })).toEqual(['Area 1 has no text.'])
  expect(withFirst({ text: 'Private subnet' })).toEqual(['Two parts of the question say the same: Private subnet'])
  expect(withFirst({ isRight: false })).toEqual(['No answer is marked as right.'])
})

test('an area within another one is found by the checks', () => {
  expect(typeWordingRemarks(example)).toEqual([])
  const nested = {
    ...example,
    areas: example.areas.map((area) => (area.id === 'router' ? { ...area, numbers: [50, 50, 8] } : area)),
  }
  expect(typeWordingRemarks(nested).map(({ sentence }) => sentence)).toEqual([
    'An area lies within another one, so that a press could mean either: Router',
  ])
})

test('a drag draws a rectangle or a circle, presses draw the corners of a polygon', () => {
  expect(draggedNumbers('rect', [50.4, 40], [10, 80])).toBe('10, 40, 50, 80')
  expect(draggedNumbers('circle', [50, 50], [53, 54])).toBe('50, 50, 5')
  expect(withCorner(withCorner('', [1, 2]), [3.6, 4])).toBe('1, 2, 4, 4')
})

test('the editor changes picture and areas, and names a row that is empty or foreign', () => {
  const drawn = changeParts(toEdited(example), {
    type: 'hot-spot',
    kind: 'change-area',
    place: 0,
    changed: { numbers: '0, 0, 20, 20' },
  })
  const edit = drawn && toQuestionEdit(drawn.edited)
  if (edit?.type !== 'hot-spot') throw new Error('not a hot spot')
  const given = judgeQuestion({ ...exampleHotSpot, ...toGiven(edit, example) }).question
  expect(HotSpotQuestion.parse(given).areas[0]?.numbers).toEqual([0, 0, 20, 20])
  const [a, b, c] = edit.areas
  expect(editProblems({ ...edit, areas: [{ ...a!, text: ' ' }, { ...b!, id: 'other' }, c!] }, example)).toEqual([
    { field: 'areas.0.text', message: 'Name of area A has no text.' },
    { field: 'areas.1.text', message: 'This does not belong to the question.' },
  ])
})

test('each area has its share, and a wrong one that is preferred makes the key doubtful', () => {
  const parts = countParts(example, [
    { answer: chosen('public'), count: 2 },
    { answer: chosen('private'), count: 3 },
  ])
  expect(parts.map(({ count }) => count)).toEqual([2, 3, 0])
  expect(isKeyDoubtful('hot-spot', parts)).toBe(true)
})

const file = (path: string, text: string) => ({ path, bytes: new TextEncoder().encode(text) })

test('a hotspot interaction of QTI 2 is read with its object, shapes and labels', () => {
  const xml = `<?xml version="1.0"?><assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="h" title="h">
    <responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>B</value></correctResponse></responseDeclaration>
    <itemBody><hotspotInteraction responseIdentifier="R" maxChoices="1"><prompt>Where?</prompt>
      <object type="image/png" data="https://example.com/map.png" width="200" height="100">A map</object>
      <hotspotChoice identifier="A" shape="circle" coords="20,20,10" hotspotLabel="North"/>
      <hotspotChoice identifier="B" shape="poly" coords="100,10,120,10,110,40"/>
    </hotspotInteraction></itemBody>
    <modalFeedback outcomeIdentifier="F" identifier="x" showHide="show">There.</modalFeedback></assessmentItem>`
  const read = [...readBank([file('item.xml', xml)])].flatMap((step) =>
    step.kind === 'question' ? [step.question] : [],
  )
  expect(read[0]?.reasons).toEqual([])
  const question = HotSpotQuestion.parse(read[0]?.question)
  expect(question).toMatchObject({ image: '![A map](https://example.com/map.png)', width: 200, height: 100 })
  expect(question.areas.map(({ text, shape, isRight }) => [text, shape, isRight])).toEqual([
    ['North', 'circle', false],
    ['B', 'polygon', true],
  ])
})

test('QTI carries a hot spot whole; Moodle and GIFT tell that they lose it', () => {
  const facts = { title: 'Exam', slug: 'exam', order: 1, timeLimitMinutes: 60, passingScore: 70, isFreeTrial: false }
  const exam = { courseTitle: 'Course', facts, questions: [example], images: new Map() }
  const lossesIn = (format: 'qti-2' | 'qti-3' | 'moodle-xml' | 'gift', questions = [example]) =>
    writeBank(format, [{ ...exam, questions }])
      .losses.filter(({ questionId }) => questionId !== '')
      .map(({ sentence }) => sentence)
  expect(lossesIn('qti-2')).toEqual([])
  expect(lossesIn('qti-3')).toEqual([])
  const [first, ...others] = example.areas
  if (first === undefined) throw new Error('no area')
  const finer = { ...example, areas: [{ ...first, numbers: [10.5, ...first.numbers.slice(1)] }, ...others] }
  expect(lossesIn('qti-2', [finer])).toEqual(['Its answers come back changed.'])
  expect(lossesIn('moodle-xml')).toEqual(['It does not come back as a question.'])
  expect(lossesIn('gift')).toEqual(['It does not come back as a question.'])
})
