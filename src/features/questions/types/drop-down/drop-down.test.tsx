import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { gapsIn } from '../../../../lib/markdown.ts'
import { readBank, writeBank } from '../../formats/bank.ts'
import { parseExamMarkdown, printExamMarkdown } from '../../formats/markdown/exam-markdown.ts'
import { judgeQuestion } from '../../questions.ts'
import { comparedPartsOf, cueOptionsOf, typeWordingRemarks } from '../check-registry.ts'
import { withKeyOf } from '../content-registry.ts'
import { changeParts, editField, editProblems, partActionOf, toEdited, toQuestionEdit } from '../edit-registry.ts'
import { AnswerForm, answerByKey } from '../form-registry.tsx'
import {
  answerProblem,
  forReview,
  forTaking,
  isComplete,
  keyProblem,
  pointsOf,
  shuffleShapes,
} from '../grading-registry.ts'
import { PrintedParts, printedKey } from '../print-registry.tsx'
import { Answer, type Question } from '../question-types.schema.ts'
import { answerLabel, ReviewedStem } from '../review-registry.tsx'
import { countParts, isKeyDoubtful } from '../statistics-registry.ts'
import { StemText } from '../stem-registry.tsx'
import { stemWords } from '../stem-words-registry.ts'
import { exampleDropDown } from './any-drop-down.fixture.ts'
import { answerWithPick } from './drop-down-grading.ts'
import { labelOfOption } from './drop-down-review.tsx'
import { DropDownQuestion } from './drop-down.schema.ts'

const example = DropDownQuestion.parse(judgeQuestion(exampleDropDown).question)
const picking = (picks: Record<string, string>): Answer => ({
  type: 'drop-down',
  picks: Object.entries(picks).map(([gapId, optionId]) => ({ gapId, optionId })),
})
const key = picking({ keeper: 'kms', action: 'decrypt', class: 'deep' })
const gap = (right: string, ...wrong: string[]) => ({
  options: [{ text: right, isRight: true }, ...wrong.map((text) => ({ text }))],
})
const judged = (question: string, ...gaps: unknown[]) => judgeQuestion({ ...exampleDropDown, question, body: { gaps } })
const sentencesOf = (question: string, ...gaps: unknown[]) =>
  judged(question, ...gaps).reasons.map(({ sentence }) => sentence)

test('only the right choice in every gap is right; partial credit is the share of gaps with their right choice', () => {
  const partial = (picks: Record<string, string>) => pointsOf(example, picking(picks), 'partial')
  expect(partial({ keeper: 'kms', action: 'decrypt', class: 'deep' })).toBe(60)
  expect(partial({ keeper: 'kms', action: 'decrypt', class: 'standard' })).toBe(40)
  expect(partial({ keeper: 'kms' })).toBe(20)
  expect(partial({ keeper: 'iam' })).toBe(0)
  expect(partial({ class: 'kms' })).toBe(0)
  expect(pointsOf(example, picking({ keeper: 'kms', action: 'decrypt' }), 'all-or-nothing')).toBe(0)
  expect(pointsOf(example, key, 'all-or-nothing')).toBe(60)
})

test('an answer with an unknown gap, a choice of another gap or two choices for one gap is refused', () => {
  const [shuffled] = shuffleShapes([example], { seed: 1, shufflesQuestions: false })
  if (shuffled === undefined) throw new Error('no shape')
  const { shape } = shuffled
  expect(answerProblem(shape, picking({ keeper: 'kms' }))).toBeNull()
  expect(answerProblem(shape, picking({ zebra: 'kms' }))).toBe('unknown-part')
  expect(answerProblem(shape, picking({ keeper: 'decrypt' }))).toBe('unknown-part')
  expect(answerProblem(shape, { type: 'choice', optionIds: ['kms'] })).toBe('unknown-part')
  const twice = { gapId: 'keeper', optionId: 'kms' }
  expect(Answer.safeParse({ type: 'drop-down', picks: [twice, { ...twice, optionId: 'iam' }] }).success).toBe(false)
  expect(Answer.safeParse({ type: 'drop-down', picks: [] }).success).toBe(false)
})

test('the choices of each gap are shuffled when an exam starts, and stay in their gap', () => {
  const orders = Array.from({ length: 20 }, (_, seed) => {
    const [shuffled] = shuffleShapes([example], { seed, shufflesQuestions: false })
    if (shuffled?.shape.type !== 'drop-down') throw new Error('no shape')
    expect(shuffled.shape.gaps.map(({ optionIds }) => optionIds.toSorted())).toEqual([
      ['iam', 'kms'],
      ['any', 'decrypt', 'get'],
      ['deep', 'standard'],
    ])
    return JSON.stringify(shuffled.shape)
  })
  expect(new Set(orders).size).toBeGreaterThan(4)
})

test('a choice for a gap takes the place of the former one, and picks follow the gaps', () => {
  const taking = forTaking(example)
  if (taking.type !== 'drop-down') throw new Error('another type')
  const first = answerWithPick(taking, null, 'class', 'deep')
  expect(answerWithPick(taking, first, 'keeper', 'iam')).toEqual(picking({ keeper: 'iam', class: 'deep' }))
  expect(answerWithPick(taking, first, 'class', 'standard')).toEqual(picking({ class: 'standard' }))
  expect(answerWithPick(taking, first, 'class', null)).toBeNull()
  expect([isComplete(taking, key), isComplete(taking, picking({ class: 'deep' }))]).toEqual([true, false])
  expect(answerByKey(taking, null, 0)).toBeUndefined()
  expect(answerLabel(taking, key)).toBe('1: AWS KMS, 2: kms:Decrypt, 3: Deep Archive')
  expect(keyProblem(example, picking({ keeper: 'iam' }))).toBe('count')
})

function formOf(answer: Answer | null, isRevealed = false): string {
  return renderToStaticMarkup(
    <AnswerForm
      question={forTaking(example)}
      answer={answer}
      struck={[]}
      revealed={isRevealed ? forReview(example) : null}
      isDisabled={false}
      formId="exam"
      onAnswer={() => undefined}
      onStrike={() => undefined}
    />,
  )
}

test('a select stands in the place of each gap, in a sentence, in code and in a table', () => {
  const html = formOf(picking({ class: 'deep' }))
  expect(html.match(/<select/g)).toHaveLength(3)
  expect(html).toMatch(/kept by <span[^>]*><span[^>]*><select[^>]*aria-label="Gap 1"/)
  expect(html).toMatch(
    /<pre[^>]*><code>\{ &quot;Action&quot;: &quot;<span[^>]*><span[^>]*><select[^>]*aria-label="Gap 2"/,
  )
  expect(html).toMatch(/<td[^>]*><span[^>]*><span[^>]*><select[^>]*aria-label="Gap 3"/)
  expect(html).not.toContain('[[')
  expect(html).toContain('<option value="any">*</option>')
})

test('once it is checked, each gap says what was chosen and what is right, and so does its list', () => {
  const answer = picking({ keeper: 'iam', action: 'decrypt' })
  const checked = formOf(answer, true)
  for (const words of ['Your answer: AWS IAM', 'Right answer: AWS KMS', 'Your answer, right: kms:Decrypt'])
    expect(checked).toContain(words)
  expect(checked).toContain('Your answer: no choice')
  expect(checked).not.toContain('<select')
  const withheld = renderToStaticMarkup(<ReviewedStem question={forTaking(example)} answer={answer} className="" />)
  expect(withheld).toContain('Your answer: AWS IAM')
  expect(withheld).not.toContain('ight answer')
})

test('where nobody answers, a gap is a blank with its number, and only in a text with gaps', () => {
  const stem = 'Keys are in `[[1]]`, data in **[[2]]**.'
  expect(stemWords({ type: 'drop-down', stem })).toBe('Keys are in ____ (1), data in ____ (2).')
  expect(stemWords({ type: 'choice', stem })).toBe('Keys are in [[1]], data in [[2]].')
  expect(renderToStaticMarkup(<StemText question={example} />)).not.toContain('[[')
  const choice = renderToStaticMarkup(<StemText question={{ type: 'choice', stem: '`a = [[1]]`' }} />)
  expect(choice).toContain('a = [[1]]')
  expect(gapsIn('a [[2]] `b [[1]]` [c [[3]]](https://x.example) <i title="[[4]]">\n\n[[9]]')).toEqual([2, 1])
  expect(labelOfOption('`a` **b**')).toBe('a b')
})

test('the sheet has lettered choices and a line for each gap, and the key their letters', () => {
  const html = renderToStaticMarkup(<PrintedParts question={example} />)
  expect(html.match(/Gap \d/g)).toEqual(['Gap 1', 'Gap 2', 'Gap 3'])
  expect(printedKey(example)).toBe('1: A, 2: B, 3: B')
})

test('gaps and places that do not fit each other are refused, each with a sentence', () => {
  const two = gap('KMS', 'IAM')
  expect(sentencesOf('Use [[1]] and [[2]].', two)).toEqual([
    'The text has a place [[2]], and the question has no gap 2.',
  ])
  expect(sentencesOf('Use [[1]].', two, two)).toEqual([
    'Gap 2 has no place in the text: write [[2]] where it stands, outside links and HTML.',
  ])
  expect(sentencesOf('Use [[1]] or [[1]].', two)).toEqual(['The place [[1]] stands in the text more than once.'])
  expect(sentencesOf('Use it.')).toEqual(['The question needs one to eight gaps.'])
  const eight = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `[[${number}]]`).join(' ')
  expect(sentencesOf(eight, ...Array.from({ length: 9 }, () => two))).toEqual(['The question needs one to eight gaps.'])
  expect(judged(eight, ...Array.from({ length: 8 }, () => two)).verdict).toBe('good')
})

test('a gap without a right choice, with two, with too few, too many, empty or equal choices is refused', () => {
  expect(sentencesOf('[[1]]', { options: ['a', 'b'] })).toEqual(['Gap 1 has no right answer.'])
  expect(sentencesOf('[[1]]', { options: [...gap('a').options, ...gap('b').options] })).toEqual([
    'Gap 1 has more than one right choice.',
  ])
  expect(sentencesOf('[[1]]', gap('a'))).toEqual(['The question needs two to ten choices in gap 1.'])
  expect(sentencesOf('[[1]]', gap('a', ...'bcdefghijk'))).toEqual(['The question needs two to ten choices in gap 1.'])
  expect(sentencesOf('[[1]]', gap('a', ' '))).toEqual(['Choice 2 of gap 1 has no text.'])
  expect(sentencesOf('[[1]]', gap('a', 'b', 'b'))).toEqual(['Two parts of the question say the same: b'])
  expect(judged('[[1]] [[2]]', gap('a', 'b'), gap('b', 'a')).verdict).toBe('good')
})

test('a body that is no list of gaps is refused with the reason', () => {
  expect(judgeQuestion({ ...exampleDropDown, body: { gaps: 'a' } }).reasons[0]?.sentence).toBe(
    'The parts of the question can\'t be read: "gaps" is not a list.',
  )
  expect(sentencesOf('[[1]]', 'a')).toContain('The question needs two to ten choices in gap 1.')
  expect(sentencesOf('[[1]]', { options: 'a' })[0]).toBe(
    'The parts of the question can\'t be read: "options" is not a list.',
  )
})

test('an id that stands twice or is none is replaced, which is told', () => {
  const { question, reasons } = judged(
    '[[1]] [[2]]',
    { ...gap('a', 'b'), id: 'same' },
    { ...gap('c', 'd'), id: 'same' },
  )
  expect(reasons.map(({ code }) => code)).toEqual(['answer-id-replaced'])
  const { gaps } = DropDownQuestion.parse(question)
  const ids = gaps.flatMap(({ id, options }) => [id, ...options.map((option) => option.id)])
  expect(new Set(ids).size).toBe(6)
})

test('a text that tells its choice, choices that are alike and numbers out of order are found by the checks', () => {
  const remarksOf = (stem: string, ...gaps: unknown[]) => {
    const { question } = judged(stem, ...gaps)
    return question === undefined ? ['refused'] : typeWordingRemarks(question).map(({ code }) => code)
  }
  expect(remarksOf('AWS KMS keys are kept by [[1]].', gap('AWS KMS', 'AWS IAM'))).toEqual(['gap-tells-choice'])
  expect(remarksOf('AWS KMS or AWS IAM? [[1]]', gap('AWS KMS', 'AWS IAM'))).toEqual([])
  expect(remarksOf('[[1]]', gap('Amazon S3', 'amazon s3.'))).toEqual(['gap-choices-alike'])
  expect(remarksOf('[[2]] then [[1]]', gap('a', 'b'), gap('c', 'd'))).toEqual(['gaps-unordered'])
  const shared = judged('[[1]] [[2]]', gap('a', 'b'), gap('b', 'a')).question
  expect(shared && comparedPartsOf(shared).map(({ keyValue }) => keyValue)).toEqual(['right in 1', 'right in 2'])
  const single = judged('[[1]]', gap('a', 'b')).question
  expect(single && cueOptionsOf(single)).toHaveLength(2)
  expect(cueOptionsOf(example)).toBeNull()
})

test('in the editor the places in the text follow the gaps that are added and removed', () => {
  const edited = toEdited(judged('Use [[1]] and [[2]] now', gap('a', 'b'), gap('c', 'd')).question as Question)
  const added = changeParts(edited, { type: 'drop-down', kind: 'add-gap' })
  expect(added?.edited.stem).toBe('Use [[1]] and [[2]] now [[3]]')
  expect(added?.focusedKey).not.toBeNull()
  const removed = changeParts(edited, { type: 'drop-down', kind: 'remove-gap', gap: 0 })
  expect(removed?.edited.stem).toBe('Use  and [[1]] now')
  const right = changeParts(edited, { type: 'drop-down', kind: 'right', gap: 1, place: 1 })
  expect(right && toQuestionEdit(right.edited)).toMatchObject({
    gaps: [{}, { options: [{ isRight: false }, { isRight: true }] }],
  })
  const example2 = toEdited(example)
  expect(partActionOf(example2, { kind: 'move-part', by: 1, key: 'get' })).toMatchObject({
    gap: 1,
    change: { place: 0 },
  })
  const more = changeParts(example2, { type: 'drop-down', kind: 'options', gap: 0, change: { kind: 'add' } })
  expect(more?.focusedKey).toBe('keeper-new-0')
  const edit = toQuestionEdit(example2)
  if (edit.type !== 'drop-down') throw new Error('another type')
  const foreign = { ...edit, gaps: edit.gaps.map((one) => ({ ...one, id: 'other' })).slice(0, 1) }
  expect(editProblems(foreign, example)).toEqual([
    { field: 'gaps.0.options', message: 'This choice is not one of the gap.' },
  ])
  expect(editField('drop-down', 'body.gaps.1.options.2')).toBe('gaps.1.options.2.text')
  expect(editField('drop-down', 'body.gaps.1')).toBe('gaps.1.options')
})

test('each choice counts by itself, and a wrong one that more learners take makes the key doubtful', () => {
  const parts = countParts(example, [
    { answer: key, count: 3 },
    { answer: picking({ keeper: 'iam', action: 'decrypt' }), count: 5 },
  ])
  expect(parts.map(({ text, count }) => [text, count]).slice(0, 2)).toEqual([
    ['1: AWS KMS', 3],
    ['1: AWS IAM', 5],
  ])
  expect(isKeyDoubtful('drop-down', parts)).toBe(true)
  expect(isKeyDoubtful('drop-down', countParts(example, [{ answer: key, count: 2 }]))).toBe(false)
})

test('our Markdown keeps the id of a gap that has moved', () => {
  const moved = withKeyOf(example, 'moved')
  if (moved.type !== 'drop-down') throw new Error('another type')
  const [first, second, third] = moved.gaps
  const question = { ...moved, gaps: [second!, first!, third!] }
  const text = printExamMarkdown(exam([question]).facts, [question])
  expect(text).toContain(`- {1 #${second?.id}} \`s3:GetObject\``)
  expect(text).toContain('- {3x} Deep Archive')
  expect(parseExamMarkdown(text, 'exam.md').questions[0]?.question).toEqual(question)
})

const file = (path: string, text: string) => ({ path, bytes: new TextEncoder().encode(text) })
const read = (path: string, text: string) =>
  [...readBank([file(path, text)])].flatMap((step) => (step.kind === 'question' ? [step.question] : []))
const said = (question: Question | undefined) =>
  DropDownQuestion.parse(question).gaps.map(({ options }) =>
    options.map(({ text, isRight }) => (isRight ? `=${text}` : text)).join(' | '),
  )
const exam = (questions: Question[]) => ({
  courseTitle: 'Course',
  facts: { title: 'Exam', slug: 'exam', order: 1, timeLimitMinutes: 60, passingScore: 70, isFreeTrial: false },
  questions,
  images: new Map(),
})
const moodle = (type: string, text: string, more = '') => `<quiz><question type="${type}"><name><text>Keys</text></name>
  <questiontext format="html"><text><![CDATA[${text}]]></text></questiontext>
  <generalfeedback><text>Because.</text></generalfeedback>${more}</question></quiz>`

test('the groups of Moodle are the lists of the gaps, whose places name the right choice', () => {
  const choice = (name: string, text: string, group: number) =>
    `<${name}><text>${text}</text><group>${group}</group></${name}>`
  for (const [type, name] of [
    ['gapselect', 'selectoption'],
    ['ddwtos', 'dragbox'],
  ] as const) {
    const choices = [choice(name, 'KMS', 1), choice(name, 'S3', 2), choice(name, 'IAM', 1), choice(name, 'EBS', 2)]
    const [found] = read(
      'quiz.xml',
      moodle(type, '<p>Keys: [[3]]. Data: <b>[[2]]</b>, keys: [[1]].</p>', choices.join('')),
    )
    expect(found?.reasons).toEqual([])
    expect(found?.question?.stem).toBe('Keys: [[1]]. Data: **[[2]]**, keys: [[3]].')
    expect(said(found?.question)).toEqual(['KMS | =IAM', '=S3 | EBS', '=KMS | IAM'])
  }
})

test('a cloze question of Moodle with lists alone is read with what it says of each; with other gaps each list is a question', () => {
  const text = '<p>Keys: {1:MULTICHOICE:IAM#No.~=K\\}MS#Yes.~%50%S_3}. Data: {:MCH:%100%a &lt; b~c}.</p>'
  const [found] = read('quiz.xml', moodle('cloze', text))
  expect(found?.reasons).toEqual([])
  expect(found?.question?.stem).toBe('Keys: [[1]]. Data: [[2]].')
  expect(said(found?.question)).toEqual(['IAM | =K}MS | S_3', '=a < b | c'])
  expect(found?.question?.explanation).toBe('Because.\n\n#### Answer by answer\n\n- **IAM**: No.\n- **K}MS**: Yes.')
  expect(found?.lost.map(({ code }) => code)).toContain('credit')
  const [menu, number] = read('quiz.xml', moodle('cloze', '<p>{1:MULTICHOICE:=a~b} is {1:NUMERICAL:=3}</p>'))
  expect([menu?.question?.stem, said(menu?.question)]).toEqual(['[[1]] is [2]', ['=a | b']])
  expect(number?.question?.type).toBe('numerical')
})

test('the inline choices of one item of QTI 2 are gaps, each with its response', () => {
  const interaction = (response: string, ...texts: string[]) =>
    `<inlineChoiceInteraction responseIdentifier="${response}" shuffle="true">${texts
      .map((text) => `<inlineChoice identifier="${text}">${text}</inlineChoice>`)
      .join('')}</inlineChoiceInteraction>`
  const declaration = (response: string, inside: string) =>
    `<responseDeclaration identifier="${response}" cardinality="single" baseType="identifier">${inside}</responseDeclaration>`
  const xml = `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="gaps" title="gaps" adaptive="false" timeDependent="false">
    ${declaration('ONE', '<correctResponse><value>KMS</value></correctResponse>')}
    ${declaration('TWO', '<mapping><mapEntry mapKey="S3" mappedValue="1"/></mapping>')}
    <itemBody><p>Keys: ${interaction('ONE', 'IAM', 'KMS')}</p><pre>store ${interaction('TWO', 'S3', 'EBS')}</pre></itemBody>
  </assessmentItem>`
  const [found] = read('item.xml', xml)
  expect(found?.reasons.map(({ code }) => code)).toEqual(['explanation-empty'])
  expect(found?.question?.stem).toBe('Keys: [[1]]\n\n```\nstore [[2]]\n```')
  expect(said(found?.question)).toEqual(['IAM | =KMS', '=S3 | EBS'])
})

test('QTI and Moodle carry gaps whole; GIFT tells that it loses the question', () => {
  const plain = judged(exampleDropDown.question, gap('KMS', 'IAM'), gap('`a`', '`b`', 'c'), gap('x', 'y')).question
  if (plain === undefined) throw new Error('refused')
  const lossesIn = (format: 'qti-2' | 'qti-3' | 'moodle-xml' | 'gift') =>
    writeBank(format, [exam([plain])])
      .losses.filter(({ questionId }) => questionId !== '')
      .map(({ sentence }) => sentence)
  expect(lossesIn('qti-2')).toEqual([])
  expect(lossesIn('qti-3')).toEqual([])
  expect(lossesIn('moodle-xml')).toEqual([])
  expect(lossesIn('gift')).toEqual(['It does not come back as a question.'])
  // A list of QTI holds lines only. What is more in our Markdown is told, and still a question.
  const signs = judged(exampleDropDown.question, gap('*', '-', '1.'), gap('a\n\nb', 'c'), gap('x', 'y')).question
  if (signs === undefined) throw new Error('refused')
  for (const format of ['qti-2', 'qti-3'] as const) {
    const { files, losses } = writeBank(format, [exam([signs])])
    expect(losses.map(({ sentence }) => sentence)).toContain('Its answers come back changed.')
    const xml = new TextDecoder().decode(files.find(({ path }) => path.startsWith('items/'))?.bytes)
    for (const shown of ['>*<', '>-<', '>1.<', '>a<br/>b<']) expect(xml).toContain(shown)
  }
  const item = writeBank('qti-3', [exam([plain])]).files.find(({ path }) => path.startsWith('items/'))
  expect(new TextDecoder().decode(item?.bytes)).toMatch(
    /<qti-and>\s*<qti-match>\s*<qti-variable identifier="RESPONSE_1"\/>/,
  )
})

test('a missing word of GIFT stays a choice', () => {
  const [found] = read('quiz.gift', 'Objects are in {=S3 ~EBS ~EFS} buckets.')
  expect(found?.question?.type).toBe('choice')
})
