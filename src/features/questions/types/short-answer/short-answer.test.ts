import { expect, test } from 'vitest'
import { readBank, writeBank } from '../../formats/bank.ts'
import { judgeQuestion } from '../../questions.ts'
import { typeWordingRemarks } from '../check-registry.ts'
import { toSpecificationWithoutKey } from '../content-registry.ts'
import {
  changedTypeParts,
  changeParts,
  editProblems,
  partActionOf,
  toEdited,
  toQuestionEdit,
} from '../edit-registry.ts'
import { answerKeyOf, forTaking, pointsOf, withAnswerKey } from '../grading-registry.ts'
import { AnswerKey } from '../question-edit.schema.ts'
import type { Answer } from '../question-types.schema.ts'
import { countParts, isKeyDoubtful } from '../statistics-registry.ts'
import { exampleShortAnswer } from './any-short-answer.fixture.ts'
import { isAccepted } from './accepted-forms.ts'
import { ShortAnswerQuestion } from './short-answer.schema.ts'

const written = (text: string): Answer => ({ type: 'short-answer', text })
const bodyOf = (body: unknown) => judgeQuestion({ ...exampleShortAnswer, body })
const sentencesOf = (body: unknown) => bodyOf(body).reasons.map(({ sentence }) => sentence)
const questionOf = (forms: string[], isCaseSensitive = false) =>
  ShortAnswerQuestion.parse(bodyOf({ forms, isCaseSensitive }).question)
const accepts = (form: string, text: string, isCaseSensitive = false) =>
  isAccepted(text, { forms: [{ text: form }], isCaseSensitive })

test('case means nothing unless the question says so, and runs of blanks count as one', () => {
  expect(accepts('Route 53', '  route   53 ')).toBe(true)
  expect(accepts('Route 53', 'Route53')).toBe(false)
  expect(accepts('Route 53', 'route 53', true)).toBe(false)
  expect(accepts('Route 53', 'Route 53', true)).toBe(true)
  expect(accepts('Caf\u00e9', 'cafe\u0301')).toBe(true)
  expect([accepts('STRASSE', 'straße'), accepts('straße', 'Strasse'), accepts('straße', 'strasse', true)]).toEqual([
    true,
    true,
    false,
  ])
  // The small sigma at the end of a word is another letter.
  expect([
    accepts('\u039f\u0394\u039f\u03a3', '\u03bf\u03b4\u03bf\u03c3'),
    accepts('\u039f\u03a3*', '\u039f\u03a3\u0391'),
  ]).toEqual([true, true])
})

test('the signs that a telephone or a copied text has for ours make no difference', () => {
  expect(accepts("Amazon's", 'Amazon\u2019s', true)).toBe(true)
  expect(accepts('say "yes"', 'say \u201cyes\u201d')).toBe(true)
  expect(accepts('us-east-1', 'us\u2011east\u20131')).toBe(true)
  expect(accepts('Route 53', 'Route\u00a053\u200b')).toBe(true)
  expect(accepts('AWS', '\uff21\uff37\uff33', true)).toBe(true)
  // A wide asterisk is no wildcard.
  expect(accepts('a\uff0a', 'ab')).toBe(false)
})

test('an asterisk stands for any text, also none, and one with a backslash for itself', () => {
  expect(['Lambda', 'AWS Lambda', 'lambda function'].map((text) => accepts('*lambda*', text))).toEqual([
    true,
    true,
    true,
  ])
  expect([accepts('AWS *', 'aws s3'), accepts('AWS *', 's3'), accepts('*', 'x')]).toEqual([true, false, true])
  expect([accepts('s3:\\*', 's3:*'), accepts('s3:\\*', 's3:Get')]).toEqual([true, false])
  expect([accepts('a*b*c', 'a1b2b3c'), accepts('a*b*c', 'acb'), accepts('a.c', 'abc')]).toEqual([true, false, false])
})

test('a form with many wildcards is matched at once', () => {
  const begun = performance.now()
  expect(accepts('*a'.repeat(45) + '*b', 'a'.repeat(100))).toBe(false)
  expect(performance.now() - begun).toBeLessThan(1000)
})

test('any accepted form is right as a whole, with partial credit too', () => {
  const question = questionOf(['Route 53', 'Amazon Route*53'])
  const points = (text: string) => pointsOf(question, written(text), 'partial')
  expect(['route 53', 'Amazon Route 53', 'Amazon Route53', 'Route', 'Route 53!'].map(points)).toEqual([
    60, 60, 60, 0, 0,
  ])
})

test('neither learners nor guests receive a form', () => {
  const question = questionOf(['Secret', 'Hidden'])
  for (const sent of [forTaking(question), toSpecificationWithoutKey(question)])
    expect(JSON.stringify(sent)).not.toMatch(/secret|hidden/i)
})

test('no, empty, long, equal and too many forms are refused, each with a sentence', () => {
  const wanted = 'The question needs one to twenty accepted answers.'
  expect(sentencesOf({ forms: [] })).toEqual([wanted])
  expect(sentencesOf({})).toEqual([wanted])
  expect(sentencesOf({ forms: Array.from({ length: 21 }, (_, at) => `form ${at}`) })).toEqual([wanted])
  expect(sentencesOf({ forms: ['a', ' '] })).toEqual(['Accepted answer 2 has no text.'])
  expect(sentencesOf({ forms: ['a  b', 'a b'] })).toEqual(['Two parts of the question say the same: a b'])
  expect(sentencesOf({ forms: ['x'.repeat(101)] })).toEqual([
    'The question needs accepted answers of at most 100 characters.',
  ])
  expect(sentencesOf({ forms: 'a' })).toContain('The parts of the question can\'t be read: "forms" is not a list.')
  expect(sentencesOf({ forms: ['a'], isCaseSensitive: 'perhaps' })).toEqual([
    "The parts of the question can't be read: whether case matters is neither true nor false.",
  ])
})

test('a hundred thousand forms are refused as fast as a hundred', () => {
  const forms = Array.from({ length: 100_000 }, (_, at) => `form ${at}`)
  const begun = performance.now()
  expect(sentencesOf({ forms })).toEqual(['The question needs one to twenty accepted answers.'])
  expect(performance.now() - begun).toBeLessThan(1000)
})

test('another answer key replaces the first form, or moves the form that says it to the front', () => {
  const question = questionOf(['Route 53', 'R53', 'DNS'])
  const formsOf = (text: string) => {
    const changed = withAnswerKey(question, written(text))
    return changed?.type === 'short-answer' ? changed.forms.map((form) => form.text) : null
  }
  expect(formsOf('CloudFront')).toEqual(['CloudFront', 'R53', 'DNS'])
  expect(formsOf(' DNS ')).toEqual(['DNS', 'R53'])
  expect(formsOf('Route 53')).toEqual(['Route 53', 'R53', 'DNS'])
  expect(formsOf('Amazon\u2019s  DNS')).toEqual(['Amazon\u2019s DNS', 'R53', 'DNS'])
  expect(answerKeyOf(question)).toEqual({ type: 'short-answer', text: 'Route 53', others: ['R53', 'DNS'] })
})

test('another answer key may change, add and leave out the other forms, and forms keep their ids', () => {
  const question = questionOf(['Route 53', 'R53', 'DNS'])
  const idsOf = (forms: ShortAnswerQuestion['forms']) => Object.fromEntries(forms.map(({ id, text }) => [text, id]))
  const before = idsOf(question.forms)
  const key = AnswerKey.parse({ type: 'short-answer', text: 'DNS', others: [' R53 ', '', 'Zones', 'Names', 'DNS'] })
  const changed = ShortAnswerQuestion.parse(withAnswerKey(question, key))
  expect(changed.forms.map(({ text }) => text)).toEqual(['DNS', 'R53', 'Zones', 'Names'])
  const after = idsOf(changed.forms)
  expect([after['DNS'], after['R53'], after['Zones']]).toEqual([before['DNS'], before['R53'], before['Route 53']])
  expect(new Set(Object.values(after)).size).toBe(4)
  const tooMany = Array.from({ length: 20 }, (_, at) => `form ${at}`)
  expect(AnswerKey.safeParse({ type: 'short-answer', text: 'DNS', others: tooMany }).success).toBe(false)
  expect(AnswerKey.safeParse({ type: 'short-answer', text: 'DNS', others: ['x'.repeat(101)] }).success).toBe(false)
})

test('a form that another covers, and one that accepts everything, are found by the checks', () => {
  const remarks = (forms: string[], isCaseSensitive = false) =>
    typeWordingRemarks(questionOf(forms, isCaseSensitive)).map(({ sentence }) => sentence)
  expect(remarks(['Route 53', '*53'])).toEqual(['"*53" accepts already what "Route 53" accepts.'])
  expect(remarks(['aws *', 'a*'])).toEqual(['"a*" accepts already what "aws *" accepts.'])
  expect(remarks(['AWS', 'aws'])).toHaveLength(1)
  expect(remarks(['AWS', 'aws'], true)).toEqual([])
  expect(remarks(['a\\*', 'ab'])).toEqual([])
  expect(remarks(['a*', 'a\\*'])).toHaveLength(1)
  expect(remarks(['right', '* *'])).toEqual(['An accepted answer is only "*", so that every answer is right.'])
})

test('the editor moves forms, and names a form that is empty or of another question', () => {
  const question = questionOf(['one', 'two'])
  const edited = toEdited(question)
  const action = partActionOf(edited, { kind: 'move-part', by: -1, key: question.forms[1]?.id })
  const moved = action === null ? null : changeParts(edited, action)
  expect(moved && toQuestionEdit(moved.edited)).toMatchObject({ forms: [{ text: 'two' }, { text: 'one' }] })
  const cased = changeParts(edited, { type: 'short-answer', isCaseSensitive: true })
  expect(cased?.edited).toMatchObject({ isCaseSensitive: true })
  const edit = toQuestionEdit(edited)
  if (edit.type !== 'short-answer') throw new Error('not a short answer')
  const wrong = {
    ...edit,
    forms: [
      { id: 'other', text: 'x' },
      { id: null, text: ' ' },
    ],
  }
  expect(editProblems(wrong, question)).toEqual([
    { field: 'forms.0.text', message: 'This does not belong to the question.' },
    { field: 'forms.1.text', message: 'Accepted answer 2 has no text.' },
  ])
  expect(changedTypeParts(question, questionOf(['one', 'three']))).toEqual(['key'])
})

test('texts that differ only in case and blanks are counted together', () => {
  const parts = countParts(questionOf(['Route 53']), [
    { answer: written('Route 53'), count: 2 },
    { answer: written('route  53'), count: 1 },
    { answer: written('CloudFront'), count: 4 },
  ])
  expect(parts.map(({ text, isRight, count }) => [text, isRight, count])).toEqual([
    ['Right: Route 53', true, 3],
    ['cloudfront', false, 4],
    ['route 53', true, 3],
  ])
  expect(isKeyDoubtful('short-answer', parts)).toBe(true)
})

const file = (path: string, text: string) => ({ path, bytes: new TextEncoder().encode(text) })
const readFile = (path: string, text: string) =>
  [...readBank([file(path, text)])].flatMap((step) => (step.kind === 'question' ? [step.question] : []))
const keyIn = (path: string, text: string) =>
  readFile(path, text).map(({ question }) => {
    if (question?.type !== 'short-answer') return null
    return [question.forms.map((form) => form.text), question.isCaseSensitive]
  })

test('a block of GIFT with only right parts is a short answer', () => {
  const gift = 'Who? {=Ada =Ada *Lovelace #Yes. =%50%Lovelace ####Because.}\n\nThe {=sky =heaven} is blue.'
  expect(keyIn('quiz.gift', gift)).toEqual([
    [['Ada', 'Ada *Lovelace'], false],
    [['sky', 'heaven'], false],
  ])
  const [who, sky] = readFile('quiz.gift', gift)
  expect(who?.lost.map(({ code }) => code)).toEqual(['credit'])
  expect(sky?.question?.stem).toBe('The _____ is blue.')
})

test('a short answer of Moodle is read with its case', () => {
  const xml = `<quiz><question type="shortanswer"><questiontext format="html"><text>Who?</text></questiontext>
    <generalfeedback><text>Because.</text></generalfeedback><usecase>1</usecase>
    <answer fraction="100" format="moodle_auto_format"><text>A &lt;b&gt; \\*</text></answer>
    <answer fraction="100"><text>Ada*</text></answer><answer fraction="0"><text>*</text></answer></question></quiz>`
  expect(keyIn('quiz.xml', xml)).toEqual([[['A <b> \\*', 'Ada*'], true]])
})

test('a text entry of QTI 2 and 3 is read from its response or its mapping', () => {
  const item = (
    declared: string,
  ) => `<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="q" title="q">
    <qti-response-declaration identifier="R" cardinality="single" base-type="string">${declared}</qti-response-declaration>
    <qti-item-body><p>Who? <qti-text-entry-interaction response-identifier="R"/></p></qti-item-body></qti-assessment-item>`
  const correct = '<qti-correct-response><qti-value>Ada *</qti-value></qti-correct-response>'
  const entry = (key: string, value: number) =>
    `<qti-map-entry map-key="${key}" mapped-value="${value}" case-sensitive="false"/>`
  const mapping = `<qti-mapping default-value="0">${entry('Ada', 1)}${entry('Lady', 0.5)}</qti-mapping>`
  expect(keyIn('q.xml', item(correct))).toEqual([[['Ada \\*'], true]])
  expect(keyIn('q.xml', item(mapping))).toEqual([[['Ada'], false]])
  expect(readFile('q.xml', item(mapping))[0]?.lost.map(({ code }) => code)).toEqual(['credit'])
  expect(readFile('q.xml', item(''))[0]?.reasons.map(({ code }) => code)).toContain('parts-count')
})

test('Moodle carries a short answer whole; QTI tells that it loses wildcards, GIFT that it loses case', () => {
  const facts = { title: 'Exam', slug: 'exam', order: 1, timeLimitMinutes: 60, passingScore: 70, isFreeTrial: false }
  const lossesIn = (format: 'qti-2' | 'qti-3' | 'moodle-xml' | 'gift', question: ShortAnswerQuestion) => {
    const { losses } = writeBank(format, [{ courseTitle: 'Course', facts, questions: [question], images: new Map() }])
    return losses.flatMap(({ questionId, sentence }) => (questionId === '' ? [] : [sentence]))
  }
  const changed = ['Its answers come back changed.']
  expect(lossesIn('moodle-xml', questionOf(['a = {b} & "c"', 's3:\\* *'], true))).toEqual([])
  expect(lossesIn('qti-2', questionOf(['a = {b} & "c"', 's3:\\*'], true))).toEqual([])
  expect(lossesIn('qti-3', questionOf(['a = {b} & "c"', 's3:\\*'], true))).toEqual([])
  expect(lossesIn('qti-2', questionOf(['Route*53']))).toEqual(changed)
  expect(lossesIn('qti-3', questionOf(['Route*53']))).toEqual(changed)
  expect(lossesIn('gift', questionOf(['a = {b} # \\*', 'Route*53']))).toEqual([])
  expect(lossesIn('gift', questionOf(['a'], true))).toEqual(changed)
})
