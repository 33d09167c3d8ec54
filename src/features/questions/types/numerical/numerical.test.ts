import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readBank, writeBank } from '../../formats/bank.ts'
import { wordLost } from '../../formats/formats.copy.ts'
import { judgeQuestion } from '../../questions.ts'
import { comparedPartsOf, typeWordingRemarks } from '../check-registry.ts'
import { toSpecificationWithoutKey } from '../content-registry.ts'
import { changedTypeParts, editField, toEdited, toQuestionEdit } from '../edit-registry.ts'
import { AnswerForm, answerByKey } from '../form-registry.tsx'
import { answerKeyOf, answerProblem, forTaking, keyProblem, pointsOf, withAnswerKey } from '../grading-registry.ts'
import { AnswerKey } from '../question-edit.schema.ts'
import { Answer } from '../question-types.schema.ts'
import { countParts, isKeyDoubtful } from '../statistics-registry.ts'
import { exampleNumerical } from './any-numerical.fixture.ts'
import { printDecimal, readDecimal } from './decimal-numbers.ts'
import { NumericalQuestion } from './numerical.schema.ts'

const written = (text: string): Answer => ({ type: 'numerical', text })
const bodyOf = (body: unknown) => judgeQuestion({ ...exampleNumerical, body })
const sentencesOf = (body: unknown) => bodyOf(body).reasons.map(({ sentence }) => sentence)
const questionOf = (value: string, tolerance = '0', unit = '') =>
  NumericalQuestion.parse(bodyOf({ value, tolerance, unit }).question)
const read = (text: string) => {
  const number = readDecimal(text)
  return number && printDecimal(number)
}

test('a number may have a decimal point or comma, and separators of thousands', () => {
  expect(['0.25', '0,25', ',25', '.25', '+0.25', ' 0.25 ', '2.5e-1', '25E-2'].map(read)).toEqual(Array(8).fill('0.25'))
  const million = ['1000000', '1,000,000', '1.000.000', '1 000 000', "1'000'000", '1\u202f000\u00a0000', '1e6']
  expect(million.map(read)).toEqual(Array(7).fill('1000000'))
  expect(['1,234.5', '1.234,5', '1 234,5', '1234,5'].map(read)).toEqual(Array(4).fill('1234.5'))
  expect(['\u22125', '- 5', '\u20135'].map(read)).toEqual(['-5', '-5', '-5'])
})

test('a comma with three digits behind it separates thousands, unless a zero or more than three digits stand before it', () => {
  expect(['1,234', '123,456', '0,125', '1234,567', '1,5', '1,2345'].map(read)).toEqual([
    '1234',
    '123456',
    '0.125',
    '1234.567',
    '1.5',
    '1.2345',
  ])
  expect(read('1.234')).toBe('1.234')
})

test('signs of other keyboards, invisible ones and powers of ten are read', () => {
  expect(['\uff11\uff12\uff0e\uff15', '\u201112.5', '12.5\u200b', '\u202d12.5\u202c'].map(read)).toEqual([
    '12.5',
    '-12.5',
    '12.5',
    '12.5',
  ])
  expect(['1.5x10^6', '1,5 × 10^6', '1.5*10**6', '1.5E+6', '1.5e06'].map(read)).toEqual(Array(5).fill('1500000'))
  expect(['x10^6', '1.5x10', '1.5^6', '1.5x9^2'].map(read)).toEqual(Array(4).fill(null))
  // Micro has two signs.
  expect(pointsOf(questionOf('5', '0', '\u00b5s'), written('5 \u03bcs'), 'partial')).toBe(60)
})

test('the form says how a number is read where people read it differently, and how to write one', () => {
  const noteOf = (text: string, unit = '') => {
    const question = forTaking(questionOf('1', '0', unit))
    const html = renderToStaticMarkup(
      createElement(AnswerForm, {
        question,
        answer: written(text),
        struck: [],
        revealed: null,
        isDisabled: false,
        onAnswer: () => undefined,
        onStrike: null,
      }),
    )
    // No keyboard of digits: some have no minus.
    expect(html).not.toContain('inputMode')
    return /role="status"[^>]*>([^<]*)</.exec(html)?.[1]
  }
  expect(['1,500', '1,5', '1 000', '1e3'].map((text) => noteOf(text))).toEqual([
    'Read as 1500.',
    'Read as 1.5.',
    'Read as 1000.',
    'Read as 1000.',
  ])
  expect(['1500', '-0.5', '5.', '12'].map((text) => noteOf(text))).toEqual(['', '', '', ''])
  expect([noteOf('50 GiB', 'GiB'), noteOf('1,5 GiB', 'GiB')]).toEqual(['', 'Read as 1.5.'])
  const point = 'The point is read as a decimal point. For thousands write 1500.'
  expect(['1.500', '1.500 GiB', '-1.500'].map((text) => noteOf(text, 'GiB'))).toEqual([point, point, point])
  expect(['1.50', '0.500', '1.5000'].map((text) => noteOf(text))).toEqual(['', '', ''])
  expect(noteOf('many')).toBe('This is not read as a number. Write it like 1234.5, 1 234,5 or 1.2e6.')
  expect(noteOf('50 GB', 'GiB')).toContain('This is not read as a number in GiB.')
})

test('what is no number is read as none', () => {
  const odd = [
    '',
    '-',
    '.',
    'five',
    '5 or 6',
    '1,00,000',
    '12 34',
    '1.2.3',
    '1,2.3,4',
    '1e999',
    '5²',
    '0x10',
    '1 000,000.5.',
  ]
  expect(odd.map(read)).toEqual(odd.map(() => null))
})

test('an answer at the edge of the tolerance is right, exactly', () => {
  const question = questionOf('0.3', '0.1')
  const points = (text: string) => pointsOf(question, written(text), 'partial')
  expect(['0.2', '0.4', '0,4', '0.40'].map(points)).toEqual([60, 60, 60, 60])
  expect(['0.19', '0.4000000000000000000001', '', 'abc'].map(points)).toEqual([0, 0, 0, 0])
})

test('the unit may be left out and stand on either side, and a wrong one is wrong', () => {
  const points = (text: string, unit: string) => pointsOf(questionOf('50', '0', unit), written(text), 'all-or-nothing')
  expect(['50', '50 GiB', '50GiB', '50.0  GiB'].map((text) => points(text, 'GiB'))).toEqual([60, 60, 60, 60])
  expect(['50 GB', '50 gib', '50 MiB', 'GiB'].map((text) => points(text, 'GiB'))).toEqual([0, 0, 0, 0])
  expect(['$50', '50 $'].map((text) => points(text, '$'))).toEqual([60, 60])
  expect(points('50 %', '')).toBe(0)
})

test('a written answer is not blank, not long, and crosses nothing out', () => {
  expect(Answer.safeParse(written('  ')).success).toBe(false)
  expect(Answer.safeParse(written('1'.repeat(101))).success).toBe(false)
  expect(Answer.safeParse(written('1\0')).success).toBe(false)
  expect(Answer.parse(written(' 42 '))).toEqual(written(' 42 '))
  expect(answerProblem({ type: 'numerical' }, written('1'))).toBeNull()
  expect(answerProblem({ type: 'numerical' }, null, ['part'])).toBe('unknown-part')
  expect(answerByKey(forTaking(questionOf('1')), null, 0)).toBeUndefined()
})

test('neither learners nor guests receive the number', () => {
  const question = questionOf('98765', '4321', 'ms')
  for (const sent of [forTaking(question), toSpecificationWithoutKey(question)]) {
    expect(JSON.stringify(sent)).toContain('ms')
    expect(JSON.stringify(sent)).not.toMatch(/98765|4321/)
  }
})

test('a wrong number, a tolerance below zero and a missing number are refused, each with a sentence', () => {
  expect(sentencesOf({ value: 'many' })).toEqual(['"many" is not a number.'])
  expect(sentencesOf({ value: true })).toEqual(['"boolean" is not a number.'])
  expect(sentencesOf({ value: '1', tolerance: 'x' })).toEqual(['"x" is not a number.'])
  expect(sentencesOf({ value: '1', tolerance: '-0.5' })).toEqual(["The tolerance can't be below zero: -0.5"])
  expect(sentencesOf({ value: ' ' })).toEqual(['The right number has no text.'])
  expect(sentencesOf({ value: '1', unit: '5' })).toEqual(['The question needs a unit that begins with no digit.'])
  expect(sentencesOf({ value: '1', unit: 'x'.repeat(21) })).toEqual([
    'The question needs a unit of at most twenty characters.',
  ])
  expect(sentencesOf('7')[0]).toBe("The parts of the question can't be read: it is not an object.")
  expect(questionOf('1,500').value).toBe('1500')
  expect(bodyOf({ value: 0.1, tolerance: 0 }).question).toMatchObject({ value: '0.1', tolerance: '0', unit: '' })
})

test('another answer key is another number or tolerance, and what is none does not fit', () => {
  const question = questionOf('50', '0.5', 'GiB')
  expect(withAnswerKey(question, written('51,5 GiB'))).toEqual({ ...question, value: '51.5' })
  expect(keyProblem(question, written('51 MiB'))).toBe('unknown-part')
  expect(answerKeyOf(question)).toEqual({ type: 'numerical', text: '50', tolerance: '0.5' })
  const wider = { type: 'numerical', text: '50', tolerance: ' 1,50 ' }
  expect(withAnswerKey(question, AnswerKey.parse(wider))).toEqual({ ...question, tolerance: '1.50' })
  expect(withAnswerKey(question, AnswerKey.parse({ ...wider, tolerance: '' }))).toEqual({ ...question, tolerance: '0' })
  for (const tolerance of ['-1', 'much', '1'.repeat(101)])
    expect(AnswerKey.safeParse({ ...wider, tolerance }).error?.issues[0]?.message).toBe(
      'Write the tolerance as a number that is not below zero.',
    )
})

test('a tolerance as great as the number is found, and another number is another key', () => {
  const codes = (question: NumericalQuestion) => typeWordingRemarks(question).map(({ code }) => code)
  expect(codes(questionOf('5', '5'))).toEqual(['tolerance-wide'])
  expect(codes(questionOf('-5', '6'))).toEqual(['tolerance-wide'])
  expect(codes(questionOf('0', '1'))).toEqual([])
  expect(codes(questionOf('5', '4.99'))).toEqual([])
  expect(comparedPartsOf(questionOf('5'))).not.toEqual(comparedPartsOf(questionOf('6')))
  expect(comparedPartsOf(questionOf('5.0', '0.10'))).toEqual(comparedPartsOf(questionOf('5', '0.1')))
})

test('the editor keeps what is typed, and names the field of a problem', () => {
  const question = questionOf('50', '0.5', 'GiB')
  expect(toQuestionEdit(toEdited(question))).toMatchObject({ value: '50', tolerance: '0.5', unit: 'GiB' })
  expect(['body', 'body.tolerance', 'body.other'].map((field) => editField('numerical', field))).toEqual([
    'value',
    'tolerance',
    null,
  ])
  expect(changedTypeParts(question, questionOf('50', '1', 'GiB'))).toEqual(['key'])
  expect(changedTypeParts(question, questionOf('50', '0.5', 'MiB'))).toEqual(['unit'])
})

test('numbers that are written differently are counted together, the ten most frequent ones', () => {
  const question = questionOf('50', '0.5', 'GiB')
  const given = [
    { answer: written('50'), count: 2 },
    { answer: written('50 GiB'), count: 2 },
    { answer: written('50.0'), count: 1 },
    { answer: written('50.5'), count: 1 },
    { answer: written('100'), count: 7 },
    ...Array.from({ length: 12 }, (_, at) => ({ answer: written(`${at + 200}`), count: 1 })),
  ]
  const parts = countParts(question, given)
  expect(parts.slice(0, 3).map(({ text, isRight, count }) => [text, isRight, count])).toEqual([
    ['Right: 50 ± 0.5 GiB', true, 6],
    ['100', false, 7],
    ['50', true, 5],
  ])
  expect(parts).toHaveLength(11)
  expect(isKeyDoubtful('numerical', parts)).toBe(true)
})

const file = (path: string, text: string) => ({ path, bytes: new TextEncoder().encode(text) })
const readFile = (path: string, text: string) =>
  [...readBank([file(path, text)])].flatMap((step) => (step.kind === 'question' ? [step.question] : []))
const keyIn = (path: string, text: string) =>
  readFile(path, text).map(({ question }) => {
    if (question?.type !== 'numerical') return null
    return [question.value, question.tolerance, question.unit]
  })

test('numbers of GIFT are read with a tolerance, as a range, and with weights', () => {
  const gift = [
    'How many? {#42:0.5 ####Because.}',
    'Between? {#1..2}',
    'Negative? {#-3.5..-1}',
    'Weighed? {#=1822:0 #Yes. =%50%1822:2 #Nearly. ~#No.}',
    'Plain? {#7#Well done.}',
    'Odd? {#many}',
  ]
  expect(keyIn('quiz.gift', gift.join('\n\n'))).toEqual([
    ['42', '0.5', ''],
    ['1.5', '0.5', ''],
    ['-2.25', '1.25', ''],
    ['1822', '0', ''],
    ['7', '0', ''],
    null,
  ])
  const [weighed, plain, odd] = readFile('quiz.gift', gift.slice(3).join('\n\n'))
  expect(weighed?.lost.map(wordLost)).toEqual([
    'Partial credit is not kept: a question is right or wrong as a whole.',
    'The field "feedback" is not kept.',
  ])
  expect(plain?.question?.explanation).toContain('Well done.')
  expect(odd?.reasons.map(({ code }) => code)).toContain('number-wrong')
})

test('a number of Moodle is read with its tolerance and unit', () => {
  const xml = `<quiz><question type="numerical"><questiontext format="html"><text>How big?</text></questiontext>
    <generalfeedback><text>So big.</text></generalfeedback>
    <answer fraction="100"><text>42</text><tolerance>0.5</tolerance><feedback><text></text></feedback></answer>
    <answer fraction="0"><text>*</text><tolerance>0</tolerance></answer>
    <units><unit><multiplier>1</multiplier><unit_name>GiB</unit_name></unit></units></question></quiz>`
  expect(keyIn('quiz.xml', xml)).toEqual([['42', '0.5', 'GiB']])
  const two = xml.replace('fraction="0"><text>*', 'fraction="100"><text>43')
  expect(readFile('quiz.xml', two)[0]?.reasons.map(({ sentence }) => sentence)).toEqual([
    'Which answers are right is not quite clear: 43 is right too',
  ])
})

test('a number of QTI is read with an absolute or relative tolerance', () => {
  const item = (
    equal: string,
  ) => `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="q" title="q">
    <responseDeclaration identifier="R" cardinality="single" baseType="float"><correctResponse><value>200</value></correctResponse></responseDeclaration>
    <itemBody><p>Of all <textEntryInteraction responseIdentifier="R"/> are used.</p></itemBody>
    <responseProcessing><responseCondition><responseIf><equal ${equal}><variable identifier="R"/><correct identifier="R"/></equal></responseIf></responseCondition></responseProcessing>
    </assessmentItem>`
  expect(keyIn('q.xml', item('toleranceMode="absolute" tolerance="0.5 0.5"'))).toEqual([['200', '0.5', '']])
  expect(keyIn('q.xml', item('toleranceMode="relative" tolerance="1"'))).toEqual([['200', '2', '']])
  expect(keyIn('q.xml', item('toleranceMode="exact"'))).toEqual([['200', '0', '']])
  const [uneven] = readFile('q.xml', item('toleranceMode="absolute" tolerance="1 2"'))
  expect(uneven?.reasons.map(({ code }) => code)).toContain('key-uncertain')
  expect(uneven?.question?.stem).toBe('Of all _____ are used.')
})

test('Moodle carries a number whole; QTI and GIFT tell that they lose the unit', () => {
  const facts = { title: 'Exam', slug: 'exam', order: 1, timeLimitMinutes: 60, passingScore: 70, isFreeTrial: false }
  const lossesIn = (format: 'qti-2' | 'qti-3' | 'moodle-xml' | 'gift' | 'udemy-csv', unit: string) => {
    const exam = { courseTitle: 'Course', facts, questions: [questionOf('-0.50', '0.1', unit)], images: new Map() }
    const { losses } = writeBank(format, [exam])
    return losses.flatMap(({ questionId, sentence }) => (questionId === '' ? [] : [sentence]))
  }
  expect(lossesIn('moodle-xml', 'GiB')).toEqual([])
  expect(lossesIn('qti-2', '')).toEqual([])
  expect(lossesIn('qti-3', '')).toEqual([])
  expect(lossesIn('gift', '')).toEqual([])
  expect(lossesIn('qti-2', 'GiB')).toEqual(['Its answers come back changed.'])
  expect(lossesIn('qti-3', 'GiB')).toEqual(['Its answers come back changed.'])
  expect(lossesIn('gift', 'GiB')).toEqual(['Its answers come back changed.'])
  expect(lossesIn('udemy-csv', '')).toEqual(['It does not come back as a question.'])
})
