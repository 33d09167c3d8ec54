import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyQuestionOf, plainQuestionOf } from '../any-question.fixture.ts'
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
