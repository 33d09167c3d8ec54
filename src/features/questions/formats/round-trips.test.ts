import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyQuestionOf, plainQuestionOf } from '../any-question.fixture.ts'
import { anyExamWithCaseStudy } from '../case-studies/any-case-study.fixture.ts'
import { IMAGE_SCHEME, imagesShownBy, withAddresses } from '../image-addresses.ts'
import { comparedPartsOf } from '../types/check-registry.ts'
import { textsOf } from '../types/content-registry.ts'
import { canWrite } from '../types/format-registry.ts'
import { Question } from '../types/question-types.schema.ts'
import { aPng, imagesAt } from './any-image.fixture.ts'
import { prepareFormat, readBank, recognise, writeBank } from './bank.ts'
import { type LossKind, lossSentences } from './formats.copy.ts'
import { type ExamToWrite, EXPORT_FORMATS, type ExportFormat, type ReadQuestion } from './formats.schema.ts'
import { markdownToHtml } from './markup/markdown-to-html.ts'

/*
 * Each type goes out in each format and comes back. What it may lose stands in a table, so that a format which forgets a type, or a type
 * which forgets a format, is seen. How texts of any kind survive is measured in both directions: what is told to be lost may differ,
 * everything else is the same.
 */

await prepareFormat('anki')

type Type = Question['type']
const TYPES = Question.options.map((option): Type => option.shape.type.value)

/** What the parts of a type may lose in a format; null if the format has no place for the type. */
type Lost = Record<Type, readonly LossKind[] | null>

const NOTHING: Lost = {
  choice: [],
  'drop-down': [],
  'hot-spot': [],
  matching: [],
  numerical: [],
  ordering: [],
  'short-answer': [],
}
// Others' formats have no place for what a source suggests.
const CHOICE = ['suggested', 'mostVoted', 'order'] as const satisfies readonly LossKind[]

const QTI: Lost = {
  ...NOTHING,
  choice: ['suggested', 'mostVoted'],
  // Whole pixels.
  'hot-spot': ['answers'],
  // Its unit.
  numerical: ['answers'],
  // Its wildcards.
  'short-answer': ['answers'],
}

const LOST: Record<ExportFormat, Lost> = {
  json: NOTHING,
  markdown: NOTHING,
  anki: NOTHING,
  'qti-2': QTI,
  'qti-3': QTI,
  'moodle-xml': {
    ...NOTHING,
    choice: CHOICE,
    'hot-spot': ['answers'],
    // Whether an option may be used often, if none is.
    matching: ['reuse'],
    // The steps that stay out.
    ordering: ['answers'],
  },
  gift: {
    choice: CHOICE,
    'drop-down': null,
    'hot-spot': null,
    matching: ['reuse'],
    numerical: ['answers'],
    ordering: null,
    // That case matters, and an answer with an arrow, which would be a pair.
    'short-answer': ['answers', 'whole'],
  },
  'udemy-csv': {
    // It has six columns for options: one beyond them is gone, also if it was why the question needs review.
    choice: [...CHOICE, 'answers', 'needsReview', 'whole'],
    'drop-down': null,
    'hot-spot': null,
    matching: null,
    numerical: null,
    ordering: null,
    'short-answer': null,
  },
}

const cases = EXPORT_FORMATS.flatMap((format) => TYPES.map((type) => ({ format, type })))

function anExam(question: Question): ExamToWrite {
  const facts = { title: 'Exam', slug: 'exam', order: 1, timeLimitMinutes: 60, passingScore: 70, isFreeTrial: false }
  const size = 'width' in question ? aPng(question.width, question.height) : aPng(20, 10)
  return {
    facts,
    courseTitle: 'Course',
    questions: [question],
    images: imagesAt(imagesShownBy(textsOf(question)), size),
  }
}

/** The question as it comes back, and what was told to be lost. */
function thereAndBack(format: ExportFormat, question: Question) {
  const exam = anExam(question)
  const { files, losses } = writeBank(format, [exam])
  const told = losses.filter(({ questionId }) => questionId === question.id).map(({ sentence }) => sentence)
  if (!canWrite(format, question)) return { exam, told, back: undefined }
  expect(recognise(files)?.format).toBe(format)
  const back = [...readBank(files)].flatMap((step) => (step.kind === 'question' ? [step.question] : []))
  expect(back).toHaveLength(1)
  return { exam, told, back: back[0] }
}

test.each(cases)('$type in $format: plain words lose what the table says, and nothing else', ({ format, type }) => {
  const lost = LOST[format][type]
  fc.assert(
    fc.property(plainQuestionOf(type), (question) => {
      const { told, back } = thereAndBack(format, question)
      const allowed = (lost ?? ['whole']).map((kind): string => lossSentences[kind])
      expect(told.filter((sentence) => !allowed.includes(sentence))).toEqual([])
      expect(back === undefined).toBe(lost === null)
      const isGone = told.includes(lossSentences.whole)
      expect(back?.question?.type).toBe(isGone ? undefined : type)
    }),
    { numRuns: 20 },
  )
})

test.each(cases)(
  '$type in $format: any text comes back as it was, but for the losses that are told',
  ({ format, type }) => {
    fc.assert(
      fc.property(anyQuestionOf(type), (question) => {
        const { exam, told, back } = thereAndBack(format, question)
        expect(keptOf(back, told, { format, exam })).toEqual(keptOf({ question, images: [] }, told, { format, exam }))
      }),
      { numRuns: 15 },
    )
  },
)

/* A case study that is a text with a mark for each question is a cloze in Moodle's XML. */

const CLOZE_TYPES = ['choice', 'drop-down', 'numerical', 'short-answer'] as const

/** A case study in the form of a cloze, with questions of plain words. */
const anyCloze = fc
  .tuple(
    fc.array(
      fc.constantFrom(...CLOZE_TYPES).chain((type) => plainQuestionOf(type)),
      { minLength: 2, maxLength: 8 },
    ),
    fc.constantFrom('Hops', 'Hops & <b>*s*</b>'),
    fc.boolean(),
  )
  .map(([given, title, areNumbersPlain]) => {
    const caseStudy = {
      id: 'hops',
      title,
      tabs: [{ id: 'text', title: 'Text', body: given.map((_, at) => `Here ${at + 1} is [${at + 1}].`).join('\n\n') }],
    }
    const questions = given.map((question, at): Question => {
      const stem = `Here ${at + 1} is ${question.type === 'drop-down' ? '[[1]]' : '_____'}.`
      const shared = {
        id: `q${at}`,
        stem,
        explanation: 'Because.',
        domain: 'General',
        difficulty: 'hard',
        caseStudy: 'hops',
      }
      const plain = question.type === 'numerical' && areNumbersPlain ? { value: '4.5', tolerance: '0.5', unit: '' } : {}
      const gaps = question.type === 'drop-down' ? { gaps: question.gaps.slice(0, 1) } : {}
      return Question.parse({ ...question, ...shared, ...plain, ...gaps, needsReview: false })
    })
    return { ...anExam(questions[0] as Question), questions, caseStudies: [caseStudy] }
  })

test('a case study that is a text with gaps is a cloze in Moodle XML, and comes back whole', () => {
  const counts = { clozes: 0, others: 0 }
  fc.assert(
    fc.property(anyCloze, (exam) => {
      const { files, losses } = writeBank('moodle-xml', [exam])
      const steps = [...readBank(files)]
      const back = steps.flatMap((step) => (step.kind === 'question' ? [step.question.question] : []))
      const isCloze = steps.some(({ kind }) => kind === 'case-study')
      counts[isCloze ? 'clozes' : 'others'] += 1
      const told = losses.map(({ sentence }) => sentence)
      expect(told.includes(lossSentences.caseStudies)).toBe(!isCloze)
      expect(back.map((question) => question?.caseStudy)).toEqual(
        exam.questions.map(() => (isCloze ? 'hops' : undefined)),
      )
      expect(back.map((question) => question?.stem)).toEqual(exam.questions.map(({ stem }) => stem))
      // A gap has no unit, and reads plain decimals alone.
      const fits = (question: Question) =>
        question.type !== 'numerical' ||
        (question.unit === '' && /^-?[\d.]+$/.test(question.value + question.tolerance))
      expect(!isCloze || exam.questions.every(fits)).toBe(true)
      const partsOf = (question: Question) =>
        comparedPartsOf(question).map(({ text, keyValue }) => `${text}: ${keyValue}`)
      expect(back.map((question) => question && partsOf(question))).toEqual(exam.questions.map(partsOf))
    }),
    { numRuns: 60 },
  )
  expect(counts.clozes).toBeGreaterThan(0)
})

test('an exam with any case study tells what Moodle XML does not carry of it', () => {
  fc.assert(
    fc.property(anyExamWithCaseStudy, ({ caseStudy, questions }) => {
      const given = questions.filter((question) => canWrite('moodle-xml', question))
      const exam = { ...anExam(given[0] ?? (questions[0] as Question)), questions: given, caseStudies: [caseStudy] }
      const { files, losses } = writeBank('moodle-xml', [exam])
      const isBack = [...readBank(files)].some((step) => step.kind === 'case-study')
      expect(losses.some(({ sentence }) => sentence === lossSentences.caseStudies)).toBe(!isBack)
    }),
    { numRuns: 15 },
  )
})

type Shown = Pick<ReadQuestion, 'question' | 'images'>

/** What no loss was told of, in words that do not depend on ids, and with images by their names. */
function keptOf(
  read: Shown | undefined,
  told: readonly string[],
  { format, exam }: { format: ExportFormat; exam: ExamToWrite },
): unknown {
  const has = (...kinds: LossKind[]) => kinds.every((kind) => !told.includes(lossSentences[kind]))
  if (!has('whole')) return null
  const nameOf = (address: string) => {
    const image = exam.images.get(address)
    return image && IMAGE_SCHEME + image.name
  }
  const seen = (text = '') => {
    const named = nameOf(text) ?? withAddresses(text, nameOf)
    // QTI holds HTML: there the texts are the same when they are shown the same.
    return format.startsWith('qti-') ? markdownToHtml(named) : named
  }
  const question = read?.question
  const said =
    question === undefined ? [] : comparedPartsOf(question).map(({ text, keyValue }) => `${keyValue}: ${seen(text)}`)
  const isOut = (one: string) => one.startsWith('out: ')
  return {
    stem: has('stem', 'images') && seen(question?.stem),
    // Only the order of parts that stay out means nothing.
    answers: has('answers', 'images') && [...said.filter((one) => !isOut(one)), ...said.filter(isOut).sort()],
    explanation: has('explanation', 'images') && seen(question?.explanation),
    domain: has('domain') && question?.domain,
    difficulty: has('difficulty') && question?.difficulty,
    url: has('url') && question?.url,
  }
}
