import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readBank, writeBank } from '../../formats/bank.ts'
import { wordLost } from '../../formats/formats.copy.ts'
import { parseExamMarkdown } from '../../formats/markdown/exam-markdown.ts'
import { judgeQuestion } from '../../questions.ts'
import { comparedPartsOf, typeWordingRemarks } from '../check-registry.ts'
import { toStored } from '../content-registry.ts'
import {
  changedTypeParts,
  editProblems,
  furtherProblems,
  leftOverOf,
  toEdited,
  toQuestionEdit,
} from '../edit-registry.ts'
import { changeParts, editedFromFile, partActionOf } from '../edit-registry.ts'
import { AnswerForm, answerByKey, struckByKey } from '../form-registry.tsx'
import { answerFromFields, answerProblem, forReview, forTaking, isComplete } from '../grading-registry.ts'
import { isRight, keyProblem, pointsOf, shuffleShapes } from '../grading-registry.ts'
import { printedKey } from '../print-registry.tsx'
import { AnswerKey } from '../question-edit.schema.ts'
import { Answer, type Question } from '../question-types.schema.ts'
import { answerLabel, AnswerReview } from '../review-registry.tsx'
import { countParts, isKeyDoubtful } from '../statistics-registry.ts'
import { exampleMatching } from './any-matching.fixture.ts'
import { EditedMatching } from './matching-edit.schema.ts'
import { answerWithPair } from './matching-grading.ts'
import { sentenceOf } from './matching-answer-form.tsx'
import { exchanged } from './matching-key-form.tsx'
import { MatchingQuestion } from './matching.schema.ts'

const example = MatchingQuestion.parse(judgeQuestion(exampleMatching).question)
const reusable: MatchingQuestion = { ...example, isReusable: true }
const matched = (pairs: Record<string, string>): Answer & { type: 'matching' } => ({
  type: 'matching',
  pairs: Object.entries(pairs).map(([promptId, optionId]) => ({ promptId, optionId })),
})
const bodyOf = (body: unknown, more = {}) => judgeQuestion({ ...exampleMatching, ...more, body })
const sentencesOf = (body: unknown) => bodyOf(body).reasons.map(({ sentence }) => sentence)
const prompts = (...letters: string[]) => letters.map((option, place) => ({ text: `Prompt ${place}`, option }))

test('only every prompt with its option is right; partial credit is the share of right prompts', () => {
  const partial = (pairs: Record<string, string>) => pointsOf(example, matched(pairs), 'partial')
  expect(partial({ hold: 'sqs', send: 'sns', steps: 'sfn' })).toBe(60)
  expect(partial({ hold: 'sqs', send: 'sns', steps: 'mq' })).toBe(40)
  expect(partial({ hold: 'sqs' })).toBe(20)
  expect(partial({ hold: 'sns', send: 'sqs' })).toBe(0)
  expect(pointsOf(example, matched({ hold: 'sqs', send: 'sns' }), 'all-or-nothing')).toBe(0)
  // One option for everything is right for its own prompt only.
  expect(partial({ hold: 'sqs', send: 'sqs', steps: 'sqs' })).toBe(20)
})

test('the options are shuffled, the prompts keep their order', () => {
  const orders = Array.from({ length: 20 }, (_, seed) => {
    const [shuffled] = shuffleShapes<Question>([example], { seed, shufflesQuestions: false })
    expect(shuffled?.shape).toMatchObject({ promptIds: ['hold', 'send', 'steps'] })
    return JSON.stringify(shuffled?.shape)
  })
  expect(new Set(orders).size).toBeGreaterThan(5)
})

test('an answer with unknown prompts or options, or with a prompt twice, is refused', () => {
  const shape = { type: 'matching' as const, promptIds: ['hold', 'send'], optionIds: ['sns', 'sqs'] }
  expect(answerProblem(shape, matched({ hold: 'zebra' }))).toBe('unknown-part')
  expect(answerProblem(shape, matched({ zebra: 'sqs' }))).toBe('unknown-part')
  expect(answerProblem(shape, { type: 'choice', optionIds: ['sqs'] })).toBe('unknown-part')
  expect(answerProblem(shape, null, ['hold'])).toBe('unknown-part')
  expect(answerProblem(shape, matched({ hold: 'sqs' }), ['sns'])).toBeNull()
  const twice = [
    { promptId: 'hold', optionId: 'sqs' },
    { promptId: 'hold', optionId: 'sns' },
  ]
  expect(Answer.safeParse({ type: 'matching', pairs: twice }).success).toBe(false)
  expect(Answer.safeParse({ type: 'matching', pairs: [] }).success).toBe(false)
  const nine = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`p${n}`, 'sqs']))
  expect(Answer.safeParse(matched(nine)).success).toBe(false)
})

test('an option that is used once leaves its prompt when another gets it; one that is used often stays', () => {
  const given = matched({ hold: 'sqs', send: 'sns' })
  expect(answerWithPair(example, given, 'send', 'sqs')).toEqual(matched({ send: 'sqs' }))
  expect(answerWithPair(reusable, given, 'send', 'sqs')).toEqual(matched({ hold: 'sqs', send: 'sqs' }))
  expect(answerWithPair(example, given, 'hold', null)).toEqual(matched({ send: 'sns' }))
  expect(answerWithPair(example, matched({ hold: 'sqs' }), 'hold', null)).toBeNull()
})

test('without scripts an option that is chosen twice is kept, and the form says what is wrong with it', () => {
  const question = forTaking(example)
  const posted = new URLSearchParams({ 'match.send': 'sqs', 'match.hold': 'sqs', 'match.steps': 'zebra' })
  const answer = answerFromFields(question, posted)
  expect(answer).toEqual(matched({ hold: 'sqs', send: 'sqs' }))
  expect(formOf(question, answer)).toContain('A is chosen more than once, and may be used once')
  expect(isComplete(question, matched({ hold: 'sqs', send: 'sqs', steps: 'sfn' }))).toBe(false)
  expect(isComplete(forTaking(reusable), matched({ hold: 'sqs', send: 'sqs', steps: 'sfn' }))).toBe(true)
})

test('a letter names the option of the first prompt without one, and takes an option back that is used once', () => {
  const question = forTaking(example)
  expect(answerByKey(question, null, 3)).toEqual(matched({ hold: 'mq' }))
  expect(answerByKey(question, matched({ hold: 'mq' }), 1)).toEqual(matched({ hold: 'mq', send: 'sns' }))
  expect(answerByKey(question, matched({ hold: 'mq', send: 'sns' }), 3)).toEqual(matched({ send: 'sns' }))
  expect(answerByKey(forTaking(reusable), matched({ hold: 'mq' }), 3)).toEqual(matched({ hold: 'mq', send: 'mq' }))
  const full = matched({ hold: 'sqs', send: 'sns', steps: 'sfn' })
  expect(answerByKey(question, full, 3)).toBe(full)
  expect(answerByKey(question, null, 4)).toBeUndefined()
  expect([struckByKey(question, 3), struckByKey(question, 4)]).toEqual(['mq', null])
})

function formOf(question: Parameters<typeof AnswerForm>[0]['question'], answer: Answer | null, isRevealed = false) {
  return renderToStaticMarkup(
    <AnswerForm
      question={question}
      answer={answer}
      struck={['mq']}
      revealed={isRevealed ? forReview(example) : null}
      isDisabled={false}
      onAnswer={() => undefined}
      onStrike={() => undefined}
    />,
  )
}

test('each prompt has a list of the options by letter, named by its text, and struck ones say so', () => {
  const html = formOf(forTaking(example), matched({ hold: 'sqs' }))
  expect(html.match(/<select/g)).toHaveLength(3)
  expect(html.match(/D\. Amazon MQ \(struck out\)/g)).toHaveLength(3)
  for (const [, ids = ''] of html.matchAll(/<select[^>]*aria-labelledby="([^"]+)"/g))
    for (const id of ids.split(' ')) expect(html).toContain(`id="${id}"`)
  expect(html).toContain('1 matched')
  expect(html).toContain('Used for 1')
  expect(formOf(forTaking(reusable), null)).toContain('an option may be used more than once')
})

test('a screen reader hears which prompt lost its option, and what was dragged, but not what its list says already', () => {
  const said = (before: Record<string, string>, after: Record<string, string>, isDragged = false) => {
    const [pairs, next] = [matched(before).pairs, matched(after).pairs]
    return sentenceOf(example, { pairs, next, promptId: 'send', isDragged })
  }
  expect(said({ hold: 'sqs' }, { send: 'sqs' })).toBe('Prompt 2: option A, which prompt 1 no longer has')
  expect(said({}, { send: 'sns' }, true)).toBe('Prompt 2: option B')
  expect([said({}, { send: 'sns' }), said({ send: 'sns' }, {})]).toEqual(['', ''])
})

test('a checked answer and its review say for each prompt what was chosen and what is right', () => {
  const answer = matched({ hold: 'sqs', send: 'mq' })
  const checked = formOf(forTaking(example), answer, true)
  expect(checked.match(/disabled=""/g)).toHaveLength(3)
  const reviewed = renderToStaticMarkup(<AnswerReview question={forReview(example)} answer={answer} />)
  for (const html of [checked, reviewed]) {
    expect(html).toContain('Your option, which is right: A')
    expect(html).toContain('Your option: D')
    expect(html).toContain('You chose no option')
    expect(html.match(/Right option: [BC]/g)).toHaveLength(2)
  }
  expect(answerLabel(forTaking(example), answer)).toBe('1: A, 2: D')
})

test('the printed options stand by their texts, and so do the letters of the key', () => {
  // Amazon MQ, Amazon SNS, Amazon SQS, AWS Step Functions
  expect(printedKey(example)).toBe('1: C, 2: B, 3: D')
})

test('a prompt without an option, an unknown one, and an option that two prompts have are refused', () => {
  const options = ['A', 'B', 'C']
  expect(sentencesOf({ options, prompts: [{ text: 'a' }, { text: 'b', option: 'A' }] })).toEqual([
    'Prompt 1 has no right answer.',
  ])
  expect(sentencesOf({ options, prompts: prompts('A', 'D') })).toEqual([
    'Prompt 2 names an answer that the question does not have.',
  ])
  expect(sentencesOf({ options, prompts: [{ text: 'a', optionId: 'zebra' }, ...prompts('A')] })).toEqual([
    'Prompt 1 names an answer that the question does not have.',
  ])
  expect(sentencesOf({ options, prompts: prompts('A', 'B', 'B') })).toEqual([
    '"B" is the right answer twice, and the question says that each is used once.',
  ])
  expect(sentencesOf({ options, prompts: prompts('A', 'B', 'B'), isReusable: true })).toEqual([])
})

test('too few, too many, empty and equal prompts and options are refused, each with a sentence', () => {
  const options = ['A', 'B']
  expect(sentencesOf({ options, prompts: prompts('A') })).toEqual(['The question needs two to eight prompts.'])
  const nine = { options, prompts: prompts(...'ABABABABA'), isReusable: true }
  expect(sentencesOf(nine)).toEqual(['The question needs two to eight prompts.'])
  expect(sentencesOf({ options: [...'ABCDEFGHIJK'], prompts: prompts('A', 'B') })).toEqual([
    'The question needs two to ten options.',
  ])
  expect(sentencesOf({ options: ['A', ' '], prompts: prompts('A', 'B') })).toEqual(['Option B has no text.'])
  expect(sentencesOf({ options: ['A', 'A'], prompts: prompts('A', 'B') })).toEqual([
    'Two parts of the question say the same: A',
  ])
  const same = [
    { text: 'a', option: 'A' },
    { text: 'a', option: 'B' },
  ]
  expect(sentencesOf({ options, prompts: same })).toEqual(['Two parts of the question say the same: a'])
  expect(sentencesOf({ options: 'A', prompts: prompts('A', 'B') })[0]).toBe(
    'The parts of the question can\'t be read: "options" is not a list.',
  )
  expect(sentencesOf(undefined)[0]).toBe("The parts of the question can't be read: it has none.")
})

test('ids are unique over prompts and options, and a second part with one gets another, which is told', () => {
  const { question, reasons } = bodyOf({
    prompts: [
      { id: 'one', text: 'a', optionId: 'two' },
      { id: 'b', text: 'b', optionId: 'one' },
    ],
    options: [
      { id: 'one', text: 'c' },
      { id: 'two', text: 'd' },
    ],
  })
  expect(reasons.map(({ code }) => code)).toEqual(['answer-id-replaced'])
  const { prompts: read, options } = MatchingQuestion.parse(question)
  expect(read.map(({ optionId }) => options.find(({ id }) => id === optionId)?.text)).toEqual(['d', 'c'])
})

test('equal pairs in another order are the same question', () => {
  const turned = { ...example, prompts: example.prompts.toReversed(), options: example.options.toReversed() }
  expect(toStored(turned).fingerprint).toBe(toStored(example).fingerprint)
  expect(toStored(reusable).fingerprint).not.toBe(toStored(example).fingerprint)
})

test('options and prompts that say the same, and a prompt that names its option, are found by the checks', () => {
  const remarksOf = (texts: string[], options: string[]) => {
    const { question } = bodyOf({ options, prompts: texts.map((text, at) => ({ text, option: 'ABC'[at] })) })
    return question === undefined ? [] : typeWordingRemarks(question).map(({ code }) => code)
  }
  expect(remarksOf(['Holds', 'Sends'], ['A queue', 'a queue.'])).toEqual(['options-alike'])
  expect(remarksOf(['Holds it', 'holds it!'], ['Queue', 'Topic'])).toEqual(['prompts-alike'])
  expect(remarksOf(['Keys of AWS KMS', 'Names'], ['AWS KMS', 'Amazon Route 53'])).toEqual(['prompt-names-option'])
  expect(remarksOf(['Holds', 'Sends'], ['Queue', 'Topic'])).toEqual([])
})

test('two questions whose prompts have each other’s options contradict each other by their parts', () => {
  const [mine, other] = [['A', 'B'] as const, ['B', 'A'] as const].map(([one, two]) => {
    const { question } = bodyOf({ options: ['Queue', 'Topic'], prompts: prompts(one, two) })
    return question === undefined ? [] : comparedPartsOf(question)
  })
  expect(mine?.map(({ text }) => text)).toEqual(other?.map(({ text }) => text))
  expect(mine?.map(({ keyValue }) => keyValue)).toEqual(['queue', 'topic'])
  expect(other?.map(({ keyValue }) => keyValue)).toEqual(['topic', 'queue'])
})

test('the editor moves rows, takes a removed option from its prompts, and names what is missing', () => {
  const edited = EditedMatching.parse(toEdited(example))
  const action = partActionOf(edited, { kind: 'move-part', by: -1, key: 'sns' })
  const moved = action === null ? null : changeParts(edited, action)
  expect(moved?.focusedKey).toBe('sns')
  expect(moved && toQuestionEdit(moved.edited)).toMatchObject({
    prompts: [{ option: 1 }, { option: 0 }, { option: 2 }],
  })
  const removed = changeParts(edited, { type: 'matching', list: 'options', change: { kind: 'remove', place: 0 } })
  const edit = removed && toQuestionEdit(removed.edited)
  if (edit?.type !== 'matching') throw new Error('not a matching')
  expect(edit.prompts.map(({ option }) => option)).toEqual([null, 0, 1])
  expect(furtherProblems(edit)).toEqual([{ field: 'prompts.0.option', message: 'Prompt 1 has no right answer.' }])
  const wrong = {
    ...edit,
    options: [
      { id: 'other', text: 'x' },
      { id: null, text: ' ' },
    ],
  }
  expect(editProblems(wrong, example)).toEqual([
    { field: 'options.0.text', message: 'This does not belong to the question.' },
    { field: 'options.1.text', message: 'Option B has no text.' },
  ])
})

test('new prompts and options have keys of their own', () => {
  const add = (edited: EditedMatching, list: 'prompts' | 'options') =>
    EditedMatching.parse(changeParts(edited, { type: 'matching', list, change: { kind: 'add' } })?.edited)
  const edited = EditedMatching.parse(toEdited(example))
  const grown = add(add(add(add(edited, 'prompts'), 'options'), 'prompts'), 'options')
  const keys = [...grown.prompts, ...grown.options].map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('a refused question of a file comes into the form with the options that could be read', () => {
  const fields = {
    type: 'matching',
    question: 'Match.',
    reuse: 'true',
    body: {
      prompts: [{ text: 'a', option: 'B' }, { text: 'b', option: 'Z' }, ...prompts(...'AAAAAAA')],
      options: [
        { text: 'c', letter: 'B' },
        { text: 'd', letter: 'A' },
      ],
    },
  }
  const form = EditedMatching.parse(editedFromFile(fields))
  const keyOf = (place: number) => form.options[place]?.key
  expect(form.prompts.slice(0, 3).map(({ optionKey }) => optionKey)).toEqual([keyOf(0), null, keyOf(1)])
  expect(form.isReusable).toBe(true)
  expect(leftOverOf(fields)?.texts).toEqual(['Prompt 6'])
})

test('another answer key exchanges options that are used once, and must have every prompt', () => {
  const pairs = matched({ hold: 'sqs', send: 'sns', steps: 'sfn' }).pairs
  expect(exchanged(example, pairs, 'hold', 'sns')).toEqual(matched({ hold: 'sns', send: 'sqs', steps: 'sfn' }).pairs)
  expect(exchanged(reusable, pairs, 'hold', 'sns')).toEqual(matched({ hold: 'sns', send: 'sns', steps: 'sfn' }).pairs)
  expect(keyProblem(example, matched({ hold: 'sqs', send: 'sns' }))).toBe('count')
  expect(keyProblem(example, matched({ hold: 'sns', send: 'sns', steps: 'sfn' }))).toBe('count')
  expect(keyProblem(reusable, matched({ hold: 'sns', send: 'sns', steps: 'sfn' }))).toBeNull()
  expect(keyProblem(example, matched({ hold: 'zebra', send: 'sns', steps: 'sfn' }))).toBe('unknown-part')
  const sent = AnswerKey.parse({ type: 'matching', pairs: pairs.toReversed() })
  expect(isRight(example, sent)).toBe(true)
})

test('the log tells prompts, options and answer key apart', () => {
  const changed = (now: Partial<MatchingQuestion>) => changedTypeParts(example, { ...example, ...now })
  expect(changed({ isReusable: true })).toEqual(['options'])
  expect(changed({ prompts: example.prompts.map((prompt) => ({ ...prompt, optionId: 'mq' })) })).toEqual(['key'])
  expect(changed({ prompts: example.prompts.map((prompt) => ({ ...prompt, text: 'x' })) })).toEqual(['prompts'])
})

test('each pair counts, and so does the wrong option that most learners chose', () => {
  const parts = countParts(example, [
    { answer: matched({ hold: 'sqs', send: 'sns' }), count: 3 },
    { answer: matched({ hold: 'mq', send: 'sns' }), count: 4 },
    { answer: matched({ hold: 'sfn' }), count: 1 },
  ])
  expect(parts.map(({ id, isRight, count }) => [id, isRight, count])).toEqual([
    ['hold', true, 3],
    ['hold>mq', false, 4],
    ['send', true, 7],
    ['steps', true, 0],
  ])
  expect(isKeyDoubtful('matching', parts)).toBe(true)
  expect(isKeyDoubtful('matching', parts.toSpliced(1, 1))).toBe(false)
})

const HEAD = '---\ntitle: Exam\nslug: exam\ntime_limit: 60\npassing_score: 70\n---\n\n'
const inMarkdown = (parts: string) => {
  const text = `${HEAD}## key\n\nMatch them.\n\n${parts}\n\n### Explanation\n\nBecause.\n`
  const [read] = parseExamMarkdown(text, 'exam.md').questions
  return { read, codes: read?.reasons.map(({ code }) => code) }
}

test('our Markdown has options under letters and prompts with the letter of theirs, in any order', () => {
  const { read } = inMarkdown('- [>C] Sends\n- [C] Topic\n- [A] Queue\n- [>A] Holds\n- [>C] Fans out\n\nreuse: true')
  const {
    prompts: [first],
    options,
    isReusable,
  } = MatchingQuestion.parse(read?.question)
  expect([first?.text, first?.optionId === options[0]?.id, isReusable]).toEqual(['Sends', true, true])
  expect(inMarkdown('- [A] Queue\n- [B] Topic\n- [>A] Holds\n- [>C] Sends').codes).toEqual(['part-unknown'])
  expect(inMarkdown('- [A] Queue\n- [A] Topic\n- [>A] Holds').codes).toContain('part-repeated')
  expect(inMarkdown('- [A] Queue\n- [B] Topic\n- [>A] Holds\n- [>A] Keeps').codes).toEqual(['part-answered-twice'])
  const unsure = inMarkdown('- [A] Queue\n- [B] Topic\n- [>A] Holds\n- [>B] Sends\n\nreuse: perhaps')
  expect([unsure.read?.verdict, unsure.codes]).toEqual(['needs-review', ['review-unknown']])
})

const file = (path: string, text: string) => ({ path, bytes: new TextEncoder().encode(text) })

function read(path: string, text: string) {
  const steps = [...readBank([file(path, text)])]
  const [first] = steps.flatMap((step) => (step.kind === 'question' ? [step.question] : []))
  const codes = first?.reasons.map(({ code }) => code).filter((code) => code !== 'explanation-empty')
  return { question: first?.question, codes, lost: first?.lost.map(wordLost) }
}

/** The pairs in words, and the options that no prompt has. */
function said(question: Question | undefined) {
  const { prompts: asked, options, isReusable } = MatchingQuestion.parse(question)
  const textOf = (optionId: string) => options.find(({ id }) => id === optionId)?.text
  return {
    pairs: asked.map(({ text, optionId }) => [text, textOf(optionId)]),
    left: options.filter(({ id }) => asked.every(({ optionId }) => optionId !== id)).map(({ text }) => text),
    isReusable,
  }
}

test('a matching of GIFT is read, and an option of two prompts may be used often', () => {
  const { question, codes, lost } = read(
    'quiz.gift',
    'Match them. {=A \\= 1 -> one =B -> two =C -> one = -> three #no}',
  )
  expect(codes).toEqual([])
  expect(said(question)).toEqual({
    pairs: [
      ['A = 1', 'one'],
      ['B', 'two'],
      ['C', 'one'],
    ],
    left: ['three'],
    isReusable: true,
  })
  expect(lost).toEqual(['The field "feedback" is not kept.'])
  expect(read('quiz.gift', 'Match them. {=A -> one =B}').codes).toContain('part-without-answer')
  expect(read('quiz.gift', 'Who wrote it? {=Somebody}').question?.type).toBe('short-answer')
  expect(read('quiz.gift', 'Which? {=a -> b ~c}').question?.type).toBe('choice')
})

const moodle = (type: string, parts: string) => `<quiz><question type="${type}"><name><text>Match</text></name>
  <questiontext format="html"><text>Match them.</text></questiontext><shuffleanswers>true</shuffleanswers>${parts}</question></quiz>`

test('matchings of Moodle are read, those to drag too, whose options have marks', () => {
  const sub = (prompt: string, option: string) =>
    `<subquestion format="html"><text><![CDATA[${prompt}]]></text><answer${option}</answer></subquestion>`
  const plain = moodle(
    'matching',
    sub('<p><b>Holds</b></p>', '><text>a &lt; *b*</text>') +
      sub('Sends', '><text>Topic</text>') +
      sub('', '><text>Bus</text>'),
  )
  expect(said(read('quiz.xml', plain).question)).toEqual({
    pairs: [
      ['**Holds**', 'a < \\*b\\*'],
      ['Sends', 'Topic'],
    ],
    left: ['Bus'],
    isReusable: false,
  })
  const dragged = moodle(
    'ddmatch',
    sub('One', ' format="html"><text><![CDATA[<code>1</code>]]></text>') + sub('Two', '><text>2</text>'),
  )
  expect(said(read('quiz.xml', dragged).question).pairs).toEqual([
    ['One', '`1`'],
    ['Two', '2'],
  ])
  expect(
    read('quiz.xml', moodle('matching', sub('One', '><text>1</text>') + sub('Two', '><text></text>'))).codes,
  ).toEqual(['parts-count', 'part-without-answer'])
})

const qti = (interaction: string, values: readonly string[]) => `<assessmentItem identifier="i">
  <responseDeclaration identifier="RESPONSE" cardinality="multiple" baseType="directedPair"><correctResponse>
  ${values.map((value) => `<value>${value}</value>`).join('')}</correctResponse></responseDeclaration>
  <itemBody>${interaction}</itemBody></assessmentItem>`

function matchInteraction(first: string, second: string, max = 1) {
  const set = (names: string) =>
    [...names].map(
      (name) => `<simpleAssociableChoice identifier="${name}" matchMax="${max}">${name}!</simpleAssociableChoice>`,
    )
  return `<matchInteraction responseIdentifier="RESPONSE"><prompt>Match them.</prompt>
    <simpleMatchSet>${set(first).join('')}</simpleMatchSet><simpleMatchSet>${set(second).join('')}</simpleMatchSet></matchInteraction>`
}

test('matches of QTI are read, whichever side has the prompts; two partners on both sides are no matching', () => {
  const usual = read('item.xml', qti(matchInteraction('AB', 'XYZ'), ['A Y', 'B X']))
  expect(said(usual.question)).toEqual({
    pairs: [
      ['A!', 'Y!'],
      ['B!', 'X!'],
    ],
    left: ['Z!'],
    isReusable: false,
  })
  const turned = read('item.xml', qti(matchInteraction('ABC', 'XYZ', 0), ['A X', 'A Y', 'B Z']))
  expect(said(turned.question)).toEqual({
    pairs: [
      ['X!', 'A!'],
      ['Y!', 'A!'],
      ['Z!', 'B!'],
    ],
    left: ['C!'],
    isReusable: true,
  })
  expect(read('item.xml', qti(matchInteraction('AB', 'XY'), ['A X', 'A Y', 'B X'])).codes).toContain('type-unsupported')
  expect(read('item.xml', qti(matchInteraction('AB', 'XY'), ['A X', 'B Q'])).codes).toEqual(['part-unknown'])
  expect(read('item.xml', qti(matchInteraction('AB', 'XY'), ['A X'])).codes).toEqual(['part-without-answer'])
})

test('associations of QTI are read, and gaps that stand in paragraphs of their own', () => {
  const choices = [...'ABCDE'].map(
    (name) => `<simpleAssociableChoice identifier="${name}" matchMax="1">${name}!</simpleAssociableChoice>`,
  )
  const associate = `<associateInteraction responseIdentifier="RESPONSE"><prompt>Pair.</prompt>${choices.join('')}</associateInteraction>`
  const { question } = read('item.xml', qti(associate, ['A D', 'C B']))
  expect(said(question)).toEqual({
    pairs: [
      ['A!', 'D!'],
      ['C!', 'B!'],
    ],
    left: ['E!'],
    isReusable: false,
  })
  const gaps = (text: string) => `<gapMatchInteraction responseIdentifier="RESPONSE"><prompt>Fill.</prompt>
    <gapText identifier="A" matchMax="1">queue</gapText><gapText identifier="B" matchMax="1">topic</gapText>${text}</gapMatchInteraction>`
  const apart = '<p>A <gap identifier="G1"/> holds.</p><ul><li>A <gap identifier="G2"/> sends.</li></ul>'
  expect(said(read('item.xml', qti(gaps(apart), ['A G1', 'B G2'])).question).pairs).toEqual([
    ['A … holds.', 'queue'],
    ['A … sends.', 'topic'],
  ])
  const together = '<p>A <gap identifier="G1"/> holds, a <gap identifier="G2"/> sends.</p>'
  expect(read('item.xml', qti(gaps(together), ['A G1', 'B G2'])).question).toMatchObject({
    type: 'drop-down',
    stem: 'Fill.\n\nA [[1]] holds, a [[2]] sends.',
    gaps: [
      { options: [{ text: 'queue', isRight: true }, { isRight: false }] },
      { options: [{ isRight: false }, { text: 'topic', isRight: true }] },
    ],
  })
  const around = read('item.xml', qti(gaps(`<p>Text.</p>${apart}`), ['A G1', 'B G2'])).question
  expect(around?.stem).toBe('Fill.\n\nText.\n\nA [[1]] holds.\n\n- A [[2]] sends.')
})

test('QTI, Moodle and GIFT carry a matching; Moodle and GIFT tell that they lose whether an option may be used often', () => {
  const lossesIn = (format: 'qti-2' | 'qti-3' | 'moodle-xml' | 'gift' | 'udemy-csv', question: Question) => {
    const facts = { title: 'Exam', slug: 'exam', order: 1, timeLimitMinutes: 60, passingScore: 70, isFreeTrial: false }
    return writeBank(format, [{ facts, courseTitle: 'A course', questions: [question], images: new Map() }])
      .losses.filter(({ questionId }) => questionId !== '')
      .map(({ sentence }) => sentence)
  }
  const lost = 'Whether an option may be used often is not carried.'
  for (const format of ['qti-2', 'qti-3', 'moodle-xml', 'gift'] as const) expect(lossesIn(format, example)).toEqual([])
  expect(lossesIn('qti-2', reusable)).toEqual([])
  expect(lossesIn('qti-3', reusable)).toEqual([])
  expect(lossesIn('moodle-xml', reusable)).toEqual([lost])
  expect(lossesIn('gift', reusable)).toEqual([lost])
  expect(lossesIn('udemy-csv', example)).toEqual(['It does not come back as a question.'])
})
