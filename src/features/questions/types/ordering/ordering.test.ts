import { expect, test } from 'vitest'
import { judgeQuestion } from '../../questions.ts'
import { readBank, writeBank } from '../../formats/bank.ts'
import { typeWordingRemarks } from '../check-registry.ts'
import { changeParts, editProblems, partActionOf, toEdited, toQuestionEdit } from '../edit-registry.ts'
import { answerByKey, struckByKey } from '../form-registry.tsx'
import { answerProblem, forTaking, isComplete, pointsOf, shuffleShapes } from '../grading-registry.ts'
import { Answer, type Question } from '../question-types.schema.ts'
import { countParts, isKeyDoubtful } from '../statistics-registry.ts'
import { exampleOrdering } from './any-ordering.fixture.ts'
import { answerWithItem } from './ordering-grading.ts'
import { swapped } from './ordering-key-form.tsx'
import { OrderingQuestion } from './ordering.schema.ts'

const example = OrderingQuestion.parse(judgeQuestion(exampleOrdering).question)
const ordered = (...itemIds: string[]): Answer => ({ type: 'ordering', itemIds })
const bodyOf = (body: unknown) => judgeQuestion({ ...exampleOrdering, body })
const sentencesOf = (body: unknown) => bodyOf(body).reasons.map(({ sentence }) => sentence)

test('only every step at its place is right; partial credit is the share of steps at their places', () => {
  const partial = (...ids: string[]) => pointsOf(example, ordered(...ids), 'partial')
  expect(partial('policy', 'role', 'copy')).toBe(60)
  expect(partial('policy', 'copy', 'role')).toBe(20)
  expect(partial('policy', 'role')).toBe(40)
  expect(partial('policy', 'role', 'public')).toBe(40)
  expect(partial('role', 'copy', 'policy')).toBe(0)
  expect(pointsOf(example, ordered('policy', 'role'), 'all-or-nothing')).toBe(0)
})

test('what a learner leaves as it stands is never the right order', () => {
  const three: Question = { ...example, items: example.items.slice(0, 3) }
  for (let seed = 0; seed < 50; seed++) {
    const [shuffled] = shuffleShapes([three], { seed, shufflesQuestions: false })
    expect(shuffled?.shape).not.toMatchObject({ itemIds: three.orderedIds })
  }
})

test('an answer with unknown, repeated or too many steps is refused', () => {
  const [shuffled] = shuffleShapes([example], { seed: 1, shufflesQuestions: false })
  if (shuffled === undefined) throw new Error('no shape')
  expect(answerProblem(shuffled.shape, ordered('policy', 'zebra'))).toBe('unknown-part')
  expect(answerProblem(shuffled.shape, ordered('policy', 'role', 'copy', 'public'))).toBe('too-many')
  expect(answerProblem(shuffled.shape, { type: 'choice', optionIds: ['policy'] })).toBe('unknown-part')
  expect(Answer.safeParse(ordered('policy', 'policy')).success).toBe(false)
  expect(Answer.safeParse(ordered()).success).toBe(false)
})

test('an item goes to the place that is chosen, and those behind it move back', () => {
  const taking = { stepCount: 3 }
  const given = { type: 'ordering' as const, itemIds: ['a', 'b', 'c'] }
  expect(answerWithItem(taking, null, 'a', 0)).toEqual(ordered('a'))
  expect(answerWithItem(taking, given, 'c', 0)).toEqual(ordered('c', 'a', 'b'))
  expect(answerWithItem(taking, given, 'd', 1)).toEqual(ordered('a', 'd', 'b'))
  expect(answerWithItem(taking, given, 'b', null)).toEqual(ordered('a', 'c'))
  expect(answerWithItem(taking, { ...given, itemIds: ['a'] }, 'a', null)).toBeNull()
})

test('a letter puts its item behind the others, and takes it out again', () => {
  const question = forTaking(example)
  expect(answerByKey(question, null, 3)).toEqual(ordered('public'))
  expect(answerByKey(question, ordered('public'), 0)).toEqual(ordered('public', 'policy'))
  expect(answerByKey(question, ordered('public', 'policy'), 3)).toEqual(ordered('policy'))
  const full = ordered('public', 'policy', 'role')
  expect(answerByKey(question, full, 2)).toBe(full)
  expect(answerByKey(question, null, 4)).toBeUndefined()
  expect([struckByKey(question, 3), struckByKey(question, 4)]).toEqual(['public', null])
  expect([isComplete(question, full), isComplete(question, ordered('role'))]).toEqual([true, false])
})

test('too few, too many, empty and equal steps are refused, each with a sentence', () => {
  expect(sentencesOf({ steps: ['a', 'b'] })).toEqual(['The question needs three to eight steps.'])
  expect(sentencesOf({ steps: [...'abcdefghi'] })).toEqual(['The question needs three to eight steps.'])
  expect(sentencesOf({ steps: ['a', ' ', 'c'] })).toEqual(['Step 2 has no text.'])
  expect(sentencesOf({ steps: ['a', 'b', 'c'], distractors: ['b'] })).toEqual([
    'Two parts of the question say the same: b',
  ])
  expect(sentencesOf({ steps: ['a', 'b', 'c'], distractors: [...'defgh'] })).toEqual([
    'The question needs at most four steps that stay out.',
  ])
  expect(sentencesOf({ steps: 'a' })).toContain('The parts of the question can\'t be read: "steps" is not a list.')
  expect(sentencesOf([])[0]).toBe("The parts of the question can't be read: it is not an object.")
  expect(sentencesOf(undefined)[0]).toBe("The parts of the question can't be read: it has none.")
  expect(sentencesOf({ steps: ['a', 'b', 3] })).toEqual(['Step 3 has no text.'])
})

test('a part keeps its id; a second part with it, or a wrong one, gets another, which is told', () => {
  const steps = [
    { id: 'one', text: 'a' },
    { id: 'one', text: 'b' },
    { id: 'not an id', text: 'c' },
  ]
  const { verdict, question, reasons } = bodyOf({ steps })
  expect(verdict).toBe('needs-review')
  expect(reasons.map(({ code }) => code)).toEqual(['answer-id-replaced', 'answer-id-replaced'])
  expect(new Set(OrderingQuestion.parse(question).orderedIds).size).toBe(3)
})

test('a step that tells its place, and two steps that say the same, are found by the checks', () => {
  const remarksOf = (steps: string[]) => {
    const { question } = bodyOf({ steps })
    return question === undefined ? [] : typeWordingRemarks(question).map(({ code }) => code)
  }
  expect(remarksOf(['Create a key', 'Finally, rotate it', 'Use it'])).toEqual(['step-tells-place'])
  expect(remarksOf(['1. Create a key', 'Rotate it', 'Use it'])).toEqual(['step-tells-place'])
  expect(remarksOf(['Create a key', 'create a key.', 'Use it'])).toEqual(['order-ambiguous'])
  expect(remarksOf(['Create the first key', 'Rotate it', 'Use it'])).toEqual([])
})

test('the editor moves steps, and names a row that is empty or of another question', () => {
  const edited = toEdited(example)
  const action = partActionOf(edited, { kind: 'move-part', by: -1, key: 'copy' })
  const moved = action === null ? null : changeParts(edited, action)
  expect(moved?.focusedKey).toBe('copy')
  expect(moved && toQuestionEdit(moved.edited)).toMatchObject({
    steps: [{ id: 'policy' }, { id: 'copy' }, { id: 'role' }],
  })
  const edit = toQuestionEdit(edited)
  if (edit.type !== 'ordering') throw new Error('not an ordering')
  const wrong = {
    ...edit,
    steps: [...edit.steps.slice(0, 2), { id: 'other', text: 'x' }],
    distractors: [{ id: null, text: ' ' }],
  }
  expect(editProblems(wrong, example)).toEqual([
    { field: 'steps.2.text', message: 'This does not belong to the question.' },
    { field: 'distractors.0.text', message: 'Step 1 that stays out has no text.' },
  ])
})

test('an item of another answer key changes places with the one that had its place', () => {
  expect(swapped(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'b', 'a'])
  expect(swapped(['a', 'b', 'c'], 'd', 1)).toEqual(['a', 'd', 'c'])
  expect(swapped(['a', 'b', 'c'], 'b', null)).toEqual(['a', 'c'])
})

test('steps count where they stand right, and a distractor where it is placed at all', () => {
  const parts = countParts(example, [
    { answer: ordered('policy', 'role', 'copy'), count: 3 },
    { answer: ordered('public', 'role', 'policy'), count: 5 },
  ])
  expect(parts.map(({ count }) => count)).toEqual([3, 8, 3, 5])
  expect(isKeyDoubtful('ordering', parts)).toBe(true)
})

const file = (path: string, text: string) => ({ path, bytes: new TextEncoder().encode(text) })

test('an ordering of Moodle is read in the order of its answers', () => {
  const xml = `<quiz><question type="ordering"><name><text>Boot</text></name>
    <questiontext format="html"><text><![CDATA[<p>Boot a server.</p>]]></text></questiontext>
    <generalfeedback><text>Because.</text></generalfeedback><layouttype>VERTICAL</layouttype>
    <answer fraction="1"><text>Firmware</text></answer><answer fraction="2"><text>Loader</text></answer>
    <answer fraction="3"><text>Kernel</text></answer></question></quiz>`
  const read = [...readBank([file('quiz.xml', xml)])].flatMap((step) =>
    step.kind === 'question' ? [step.question] : [],
  )
  expect(read[0]?.reasons).toEqual([])
  const question = OrderingQuestion.parse(read[0]?.question)
  expect(question.items.map(({ text }) => text)).toEqual(['Firmware', 'Loader', 'Kernel'])
})

test('QTI carries an ordering whole; Moodle tells that it loses the steps that stay out, GIFT that it loses the question', () => {
  const exam = {
    courseTitle: 'Course',
    facts: { title: 'Exam', slug: 'exam', order: 1, timeLimitMinutes: 60, passingScore: 70, isFreeTrial: false },
    questions: [example],
    images: new Map(),
  }
  const lossesIn = (format: 'qti-2' | 'qti-3' | 'moodle-xml' | 'gift') =>
    writeBank(format, [exam])
      .losses.filter(({ questionId }) => questionId !== '')
      .map(({ sentence }) => sentence)
  expect(lossesIn('qti-2')).toEqual([])
  expect(lossesIn('qti-3')).toEqual([])
  expect(lossesIn('moodle-xml')).toContain('Its answers come back changed.')
  expect(lossesIn('gift')).toEqual(['It does not come back as a question.'])
})
