import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBank } from '../bank.ts'

const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures/qti-1-kinds.xml')))
const read = [...readBank([{ path: 'kinds.xml', bytes }])].flatMap((step) =>
  step.kind === 'question' ? [step.question] : [],
)
const at = (line: number) => read.find((one) => one.line === line)
const ordered = (line: number) => {
  const question = at(line)?.question
  if (question?.type !== 'ordering') throw new Error('This is no ordering.')
  return question.orderedIds.map((id) => question.items.find((item) => item.id === id)?.text)
}
const matched = (line: number) => {
  const question = at(line)?.question
  if (question?.type !== 'matching') throw new Error('This is no matching.')
  return question.prompts.map(({ text, optionId }) => [text, question.options.find(({ id }) => id === optionId)?.text])
}

test('texts to write are short answers, each way to capitalize them once, and a part of a text is a wildcard', () => {
  expect(at(5)?.question).toMatchObject({ type: 'short-answer', forms: [{ text: 'DNS' }, { text: 'name server' }] })
  expect(at(120)?.question).toMatchObject({ type: 'short-answer', forms: [{ text: '*Route 53*' }] })
})

test('numbers have the bounds that the file gives them', () => {
  const numbers = [27, 38, 131].map((line) => at(line)?.question)
  expect(at(16)?.question).toMatchObject({ type: 'numerical', value: '256', tolerance: '1' })
  expect(numbers).toMatchObject([
    { value: '7', tolerance: '1' },
    { value: '8', tolerance: '0.5' },
    { value: '256', tolerance: '6' },
  ])
  expect(at(38)?.reasons.map(({ code }) => code)).toContain('key-uncertain')
})

test('orders are read as Canvas, Blackboard and D2L write them, and steps that no condition names stay out', () => {
  expect(ordered(49)).toEqual(['First', 'Second', 'Third'])
  expect(at(49)?.question).toMatchObject({ items: [{}, {}, {}, { text: 'Never' }] })
  expect(ordered(142)).toEqual(['First', 'Second', 'Third'])
  expect(ordered(165)).toEqual(['Egg', 'Young', 'Adult'])
})

test('matchings are read with texts in their lists or beside them, and their stems have none of these', () => {
  expect(matched(60)).toEqual([
    ['SSH', '22'],
    ['HTTPS', '443'],
  ])
  expect(at(60)?.question).toMatchObject({
    stem: 'Which port has which protocol?',
    options: [{ text: '22' }, { text: '443' }, { text: '53' }],
  })
  expect(matched(153)).toEqual([
    ['IP', 'network'],
    ['TCP', 'transport'],
  ])
  expect(at(153)?.question?.stem).toBe('Match each layer.')
})

test('a choice of Blackboard has its texts, and the best score makes its option right', () => {
  expect(at(109)?.question).toMatchObject({
    stem: 'Which store keeps **objects**?',
    options: [
      { text: 'Block store', isRight: false },
      { text: 'Object store', isRight: true },
    ],
  })
})

test('what no type can hold is refused with what does not fit', () => {
  const why = read.flatMap(({ question, reasons: [first] }) => (question === undefined ? [first?.facts[0]] : []))
  expect(why).toEqual([
    '2 different lists of answers',
    'a text to write for which no answer gives points, such as an essay',
    '2 texts to write',
    'response_xy',
  ])
})

test('a package of Canvas is read although its description of the test is a quiz', () => {
  const description =
    '<?xml version="1.0"?><quiz identifier="g1" xmlns="http://canvas.instructure.com/xsd/cccv1p0"></quiz>'
  const files = [
    { path: 'g1/assessment_meta.xml', bytes: Buffer.from(description) },
    { path: 'g1/g1.xml', bytes },
  ]
  const questions = [...readBank(files)].filter(({ kind }) => kind === 'question')
  expect(questions).toHaveLength(read.length)
})

test('a question that loses a formula is for review, because its text then says something else', () => {
  const item = (text: string) => `<assessmentItem identifier="i1" title="A formula">
    <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier">
      <correctResponse><value>a</value></correctResponse></responseDeclaration>
    <itemBody><p>${text}</p><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1">
      <simpleChoice identifier="a">4</simpleChoice><simpleChoice identifier="b">5</simpleChoice></choiceInteraction></itemBody>
    <modalFeedback outcomeIdentifier="F" identifier="a" showHide="show">Two and two are four.</modalFeedback></assessmentItem>`
  const verdicts = ['What is two and two?', 'What is <m:math xmlns:m="m"><m:mi>x</m:mi></m:math> here?'].map((text) => {
    const steps = [...readBank([{ path: 'item.xml', bytes: Buffer.from(item(text)) }])]
    return steps.flatMap((step) => (step.kind === 'question' ? step.question.reasons.map(({ code }) => code) : []))
  })
  expect(verdicts[1]?.filter((code) => verdicts[0]?.includes(code) !== true)).toEqual(['formula-missing'])
})
