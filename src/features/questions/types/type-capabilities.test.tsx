import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { plainText } from '../../../lib/markdown.ts'
import { aPng, imagesAt } from '../formats/any-image.fixture.ts'
import { prepareFormat, readBank, writeBank } from '../formats/bank.ts'
import { EXPORT_FORMATS } from '../formats/formats.schema.ts'
import { lossSentences } from '../formats/formats.copy.ts'
import { parseExamMarkdown, printExamMarkdown } from '../formats/markdown/exam-markdown.ts'
import { IMAGE_SCHEME, imagesShownBy } from '../image-addresses.ts'
import { judgeQuestion } from '../questions.ts'
import { EXAMPLES } from './examples.fixture.ts'
import { comparedPartsOf, kindOf, KIND_WORDS } from './check-registry.ts'
import {
  contentText,
  fromStored,
  partTextsOf,
  textsOf,
  toSpecification,
  SpecificationQuestion,
  SpecificationQuestionWithoutKey,
  toSpecificationWithoutKey,
  toStored,
  withKeyOf,
} from './content-registry.ts'
import {
  editOf,
  editedFromFile,
  namedTexts,
  summaryOf,
  toGiven,
  toCorrection,
  typeName,
  withAllRows,
} from './edit-registry.ts'
import { AnswerForm } from './form-registry.tsx'
import { canWrite } from './format-registry.ts'
import {
  answerFromFields,
  answerKeyOf,
  answerProblem,
  arranged,
  forReview,
  forTaking,
  isComplete,
  isRight,
  isRightInReview,
  keyProblem,
  pointsOf,
  shuffleShapes,
  withAnswerKey,
} from './grading-registry.ts'
import { AnswerKey } from './question-edit.schema.ts'
import { Answer, AnswerShape, Question, QuestionForReview, QuestionForTaking } from './question-types.schema.ts'
import { PrintedParts, printedKey } from './print-registry.tsx'
import { answerLabel, AnswerReview } from './review-registry.tsx'
import { countParts, statisticsLabels } from './statistics-registry.ts'
import { POINTS } from './type-grading.ts'

/*
 * The table of types and capabilities: each type has an example, and every capability holds for each of them. A type without an
 * example does not compile.
 */
await prepareFormat('anki')

const questions = Object.values(EXAMPLES).map((example) => {
  const { question, reasons } = judgeQuestion(example)
  if (question === undefined) throw new Error(JSON.stringify(reasons))
  return question
})

const capabilities: Record<string, (question: Question) => void> = {
  'is stored and read': (question) => {
    const stored: unknown = JSON.parse(JSON.stringify(toStored(question)))
    expect(fromStored(stored)).toEqual(question)
    const inOtherOrder: unknown = Object.fromEntries(Object.entries(toStored(question)).toReversed())
    expect(contentText(fromStored(inOtherOrder))).toBe(contentText(question))
    expect(withKeyOf(question, 'other').id).toBe('other')
    expect(toStored(withKeyOf(question, 'other')).fingerprint).toBe(toStored(question).fingerprint)
  },
  'comes back from the specification’s fields': (question) => {
    const written = SpecificationQuestion.parse(JSON.parse(JSON.stringify(toSpecification(question))))
    expect(judgeQuestion(written).question).toEqual(question)
  },
  'goes to guests without its answer key': (question) => {
    const sent = SpecificationQuestionWithoutKey.parse(toSpecificationWithoutKey(question))
    const again = toSpecificationWithoutKey(withOtherKey(question))
    expect(sent).toEqual(again)
    expect(JSON.stringify(sent)).not.toContain(question.explanation)
  },
  'is taken without its answer key': (question) => {
    const [shuffled] = shuffleShapes([question], { seed: 3, shufflesQuestions: false })
    const shape = AnswerShape.parse(shuffled?.shape)
    const taken = QuestionForTaking.parse(forTaking(arranged(question, shape)))
    expect(taken).toEqual(forTaking(arranged(question, shape)))
    expect(taken).toEqual(forTaking(arranged(withOtherKey(question), shape)))
    expect(answerProblem(shape, answerKeyOf(question))).toBeNull()
    expect(answerProblem(shape, null)).toBeNull()
    expect(isComplete(taken, answerKeyOf(question))).toBe(true)
  },
  'is graded': (question) => {
    const key = Answer.parse(answerKeyOf(question))
    expect(pointsOf(question, key, 'all-or-nothing')).toBe(POINTS)
    expect(pointsOf(question, key, 'partial')).toBe(POINTS)
    expect(pointsOf(question, null, 'partial')).toBe(0)
    const other = answerKeyOf(withOtherKey(question))
    expect(isRight(question, other)).toBe(false)
    expect(pointsOf(question, other, 'partial')).toBeLessThan(POINTS)
    const review = QuestionForReview.parse(forReview(question))
    expect(isRightInReview(review, key)).toBe(true)
    expect(isRightInReview(review, other)).toBe(false)
  },
  'is regraded by another answer key': (question) => {
    const other = withOtherKey(question)
    expect(keyProblem(question, answerKeyOf(question))).toBeNull()
    expect(withAnswerKey(question, AnswerKey.parse(answerKeyOf(question)))).toEqual(question)
    expect(isRight(other, answerKeyOf(other))).toBe(true)
    expect(Question.parse(other)).toEqual(other)
  },
  'is answered by a form without scripts': (question) => {
    const taken = forTaking(question)
    const key = Answer.parse(answerKeyOf(question))
    const html = renderToStaticMarkup(formOf(taken, key))
    // A grip is no control without scripts.
    for (const [grip] of html.matchAll(/class="[^"]*cursor-grab[^"]*"/g)) expect(grip).toContain('scriptless:hidden')
    expect(answerFromFields(taken, postedFields(html))).toEqual(key)
    expect(answerFromFields(taken, new URLSearchParams())).toBeNull()
  },
  'is answered, checked and reviewed on screens': (question) => {
    const taken = forTaking(question)
    const review = forReview(question)
    const other = answerKeyOf(withOtherKey(question))
    const open = renderToStaticMarkup(formOf(taken, null))
    const checked = renderToStaticMarkup(formOf(taken, other, review))
    const reviewed = renderToStaticMarkup(<AnswerReview question={review} answer={other} />)
    const withheld = renderToStaticMarkup(<AnswerReview question={taken} answer={other} />)
    for (const text of visibleTexts(question))
      for (const html of [open, checked, reviewed, withheld]) expect(html).toContain(text)
    expect(checked).toContain('text-bad')
    expect(reviewed).toContain('text-bad')
    expect(withheld).not.toContain('text-bad')
    expect(open).not.toContain('text-good')
    expect(answerLabel(taken, other)).not.toBe('')
  },
  'is printed with lines to write on, and its answer key apart': (question) => {
    const html = renderToStaticMarkup(<PrintedParts question={question} />)
    for (const text of visibleTexts(question)) expect(html).toContain(text)
    expect(html).toContain('border')
    expect(printedKey(question)).not.toBe('')
  },
  'is edited': (question) => {
    const edit = editOf(question)
    const given = { ...shared(question), ...toGiven(edit, question) }
    expect(judgeQuestion(given).question).toEqual(question)
    expect(typeName(question.type)).not.toBe('')
    expect(summaryOf(question)).not.toBe('')
    expect(
      namedTexts(question)
        .map(({ text }) => text)
        .sort(),
    ).toEqual(partTextsOf(question).sort())
  },
  'is corrected from a file': (question) => {
    const form = withAllRows(editedFromFile(EXAMPLES[question.type]))
    const corrected = judgeQuestion({ ...shared(question), ...toGiven(toCorrection(form), null) }).question
    expect(corrected && textsOf(corrected)).toEqual(textsOf(question))
  },
  'is counted by its parts': (question) => {
    const parts = countParts(question, [{ answer: answerKeyOf(question), count: 2 }])
    expect(parts.some(({ isRight, count }) => isRight && count === 2)).toBe(true)
    expect(statisticsLabels(question.type).parts).not.toBe('')
  },
  'is compared with others': (question) => {
    expect(comparedPartsOf(question).length).toBeGreaterThan(0)
    expect(KIND_WORDS[kindOf(question)]).toMatch(/^\w/)
  },
  'comes back from our Markdown': (question) => {
    const text = printExamMarkdown(EXAM, [question])
    const { findings, questions: read } = parseExamMarkdown(text, 'exam.md')
    expect([findings, read[0]?.reasons]).toEqual([[], []])
    expect(read[0]?.question).toEqual(question)
  },
  'comes back from every format that has a place for it, and the others say that they leave it out': (question) => {
    for (const format of ['json', 'markdown', 'anki'] as const) expect(canWrite(format, question)).toBe(true)
    for (const format of EXPORT_FORMATS) {
      const exam = { courseTitle: 'Course', facts: EXAM, questions: [question], images: imagesOf(question) }
      const { files, losses } = writeBank(format, [exam])
      const told = losses.filter(({ questionId }) => questionId === question.id).map(({ sentence }) => sentence)
      if (!canWrite(format, question)) expect(told).toEqual([lossSentences.whole])
      else {
        const [step, ...more] = [...readBank(files)].filter(({ kind }) => kind === 'question')
        const back = step?.kind === 'question' ? step.question.question : undefined
        expect([format, back?.type, more]).toEqual([format, question.type, []])
        if (!told.includes(lossSentences.answers)) expect(saidBy(back)).toEqual(saidBy(question, imagesOf(question)))
      }
    }
  },
}

/** What the answer key says of the parts. */
function saidBy(question: Question | undefined, images = imagesOf(undefined)): string[] {
  const nameOf = (text: string) => {
    const image = images.get(text)
    return image === undefined ? plainText(text) : `${IMAGE_SCHEME}${image.name}`
  }
  return question === undefined
    ? []
    : comparedPartsOf(question)
        .map(({ text, keyValue }) => `${nameOf(text)}: ${keyValue}`)
        .sort()
}

/** The images that a question shows, in the size of which it says they are. */
function imagesOf(question: Question | undefined) {
  if (question === undefined || !('width' in question)) return imagesAt([], aPng(1, 1))
  return imagesAt(imagesShownBy(textsOf(question)), aPng(question.width, question.height))
}

const EXAM = {
  title: 'Exam',
  slug: 'exam',
  order: 1,
  timeLimitMinutes: 60,
  passingScore: 70,
  isFreeTrial: false,
}

/** Texts as they stand in HTML: those with marks of Markdown come in pieces. */
function visibleTexts(question: Question): string[] {
  return partTextsOf(question).filter((text) => /^[\w .,-]+$/.test(text))
}

/** The question with the key that its example names as wrong. */
function withOtherKey(question: Question): Question {
  const { otherKey } = EXAMPLES[question.type]
  const other = withAnswerKey(question, Answer.parse(otherKey))
  if (other === null) throw new Error(`the other key of ${question.id} does not fit`)
  return other
}

function shared({ id, stem, explanation, domain, url, difficulty, needsReview }: Question) {
  return { id, question: stem, explanation, domain, url, difficulty, needs_review: needsReview }
}

function formOf(question: QuestionForTaking, answer: Answer | null, revealed: QuestionForReview | null = null) {
  return (
    <AnswerForm
      question={question}
      answer={answer}
      struck={[]}
      revealed={revealed}
      isDisabled={false}
      formId="exam"
      onAnswer={() => undefined}
      onStrike={() => undefined}
    />
  )
}

/** What a browser posts of the controls in a form as React renders them on the server. */
function postedFields(html: string): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [tag] of html.matchAll(/<input[^>]*>/g)) {
    const isButton = /type="(?:radio|checkbox)"/.test(tag)
    if (!isButton || /checked=""/.test(tag)) append(fields, tag, /value="([^"]*)"/.exec(tag)?.[1] ?? '')
  }
  for (const [, tag = '', options = ''] of html.matchAll(/<select([^>]*)>(.*?)<\/select>/gs))
    append(fields, tag, /<option value="([^"]*)" selected=""/.exec(options)?.[1] ?? '')
  return fields
}

function append(fields: URLSearchParams, tag: string, value: string): void {
  const name = /name="([^"]*)"/.exec(tag)?.[1]
  if (name !== undefined && tag.includes('form="exam"')) fields.append(name, value)
}

for (const question of questions)
  for (const [name, prove] of Object.entries(capabilities))
    test(`the type ${question.type} ${name}`, () => {
      expect.hasAssertions()
      prove(question)
    })

test('every type has an example', () => {
  const types = Question.options.map((option) => option.shape.type.value)
  expect(questions.map(({ type }) => type).sort()).toEqual(types.toSorted())
})
