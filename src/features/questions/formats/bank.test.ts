import { comparedPartsOf } from '../types/check-registry.ts'
import { canWrite } from '../types/format-registry.ts'
import type { Question } from '../types/question-types.schema.ts'
import { strToU8 } from 'fflate'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyQuestion } from '../any-question.fixture.ts'
import { unpack } from './archive.ts'
import type { CourseFacts } from '../questions.schema.ts'
import { prepareFormat, readBank, recognise, writeBank } from './bank.ts'
import { lossSentences } from './formats.copy.ts'
import { markdownToHtml } from './markup/markdown-to-html.ts'
import {
  type ExamToWrite,
  EXPORT_FORMATS,
  type ExportFormat,
  type ReadQuestion,
  type SourceFile,
} from './formats.schema.ts'

await prepareFormat('anki')

const anyQuestions = fc.uniqueArray(anyQuestion, { selector: ({ id }) => id, minLength: 1, maxLength: 4 })

function anExam(questions: Question[]): ExamToWrite {
  const facts = {
    title: 'Practice Exam 1',
    slug: 'practice-exam-1',
    order: 1,
    timeLimitMinutes: 90,
    passingScore: 70,
    isFreeTrial: false,
  }
  return { facts, courseTitle: 'A course', questions, images: new Map() }
}

function questionsIn(files: SourceFile[]): ReadQuestion[] {
  return [...readBank(files)].flatMap((step) => (step.kind === 'question' ? [step.question] : []))
}

const file = (text: string, path = 'questions.txt'): SourceFile => ({ path, bytes: strToU8(text) })

test('our own formats come back without loss, and so do the questions of an Anki package', () => {
  for (const format of ['json', 'markdown', 'anki'] as const) {
    fc.assert(
      fc.property(anyQuestions, (questions) => {
        const { files, losses } = writeBank(format, [anExam(questions)])
        expect(losses.filter(({ questionId }) => questionId !== '')).toEqual([])
        expect(questionsIn(files).map(withoutDoubt)).toEqual(questions)
      }),
      { numRuns: 100 },
    )
  }
})

/** Code that holds what reads like a question comes back as it was, and is doubted: the end of the code before it may be missing. */
function withoutDoubt({ question, reasons }: ReadQuestion) {
  const isDoubted = reasons.length > 0 && reasons.every(({ code }) => code === 'fence-holds-question')
  return isDoubted ? { ...question, needsReview: false } : question
}

test('code that holds what reads like a question comes back from our Markdown as it was, for an admin to look at', () => {
  const explanation = '~~~ md\n## not-a-key\n- [ ] not an answer\n~~~'
  const [plain] = fc.sample(anyQuestion, { numRuns: 1, seed: 1 })
  const question = { ...plain!, explanation, needsReview: false }
  const [read] = questionsIn(writeBank('markdown', [anExam([question])]).files)
  expect(read?.reasons.map(({ code }) => code)).toEqual(['fence-holds-question'])
  expect(read?.question).toEqual({ ...question, needsReview: true })
})

const anyFacts: fc.Arbitrary<CourseFacts> = fc.record({
  title: fc.string({ minLength: 1, maxLength: 60 }).map((text) => `A ${text.replaceAll(/[<>\s]+/g, ' ')}`.trim()),
  category: fc.constantFrom('practitioner' as const, 'specialty' as const, null),
  priceCents: fc.integer({ min: 0, max: 999_999 }),
  blueprint: fc.constantFrom<CourseFacts['blueprint']>(null, {
    code: 'X-1',
    minutes: 90,
    questions: 65,
    passingScore: 700,
    source: 'https://example.com/',
    domains: [{ name: 'Only: one', weight: 100 }],
    curve: [[50, 560]],
  }),
  description: fc.constantFrom('', 'Plain.', 'Two lines.\n\n---\n\n# and: a rule'),
  imageUrl: fc.constantFrom('', '/pictures/a.webp', 'https://example.com/a.png'),
})

test('a course with its exams comes back with all that is said of it, in both of our formats', () => {
  for (const format of ['json', 'markdown'] as const)
    fc.assert(
      fc.property(anyFacts, anyFacts, anyQuestions, fc.boolean(), (one, other, questions, isPartial) => {
        const exams = [one, other].flatMap((facts, place) => {
          const course = { slug: `course-${place + 1}`, facts }
          const exam = anExam(
            questions.map((question) => ({ ...question, id: `${question.id.slice(0, 90)}.${place}` })),
          )
          const slug = place === 0 ? 'course' : 'practice-exam-2'
          const scoring = isPartial ? { scoringPolicy: 'partial' as const } : {}
          return [{ ...exam, courseTitle: facts.title, course, facts: { ...exam.facts, slug, ...scoring } }]
        })
        const { files, losses } = writeBank(format, exams)
        expect(losses).toEqual([])
        const steps = [...readBank(files)]
        expect(steps.filter(({ kind }) => kind === 'finding')).toEqual([])
        expect(
          steps.flatMap((step) => (step.kind === 'course' ? [{ slug: step.slug, facts: step.facts }] : [])),
        ).toEqual(exams.map(({ course }) => course))
        expect(
          steps.flatMap((step) => (step.kind === 'exam' ? [{ course: step.course, facts: step.facts }] : [])),
        ).toEqual(exams.map(({ course, facts }) => ({ course: course.slug, facts })))
      }),
      { numRuns: 40 },
    )
})

test.each(EXPORT_FORMATS)(
  '%s: what comes back is what went out, but for the losses that are told',
  (format) => {
    fc.assert(
      fc.property(anyQuestions, (questions) => {
        const { files, losses } = writeBank(format, [anExam(questions)])
        const written = questions.filter((question) => canWrite(format, question))
        const back = written.length === 0 ? [] : questionsIn(files)
        expect(written.length === 0 ? format : recognise(files)?.format).toBe(format)
        expect(back).toHaveLength(written.length)
        for (const question of questions) {
          const place = written.indexOf(question)
          const told = losses.filter(({ questionId }) => questionId === question.id).map(({ sentence }) => sentence)
          expect(kept(back[place]?.question, told, format)).toEqual(kept(question, told, format))
        }
      }),
      { numRuns: 100 },
    )
  },
  120_000,
)

/** The parts of a question with what the answer key says of them. Only the order of parts that stay out means nothing. */
function saidBy(question: Question, seen: (text: string) => string | undefined): string[] {
  const said = comparedPartsOf(question).map(({ text, keyValue }) => `${keyValue}: ${seen(text)}`)
  const isOut = (one: string) => one.startsWith('out: ')
  return [...said.filter((one) => !isOut(one)), ...said.filter(isOut).sort()]
}

/** The fields of a question that no loss was told of; keys and ids are told of for the exam. */
function kept(question: Question | undefined, told: string[], format: ExportFormat): unknown {
  // QTI holds HTML: there the texts are the same when they are shown the same.
  const seen = (text: string | undefined) => (format.startsWith('qti-') ? markdownToHtml(text ?? '') : text)
  if (told.includes(lossSentences.whole) || told.includes(lossSentences.repeat)) return null
  const has = (kind: keyof typeof lossSentences) => !told.includes(lossSentences[kind])
  return {
    stem: has('stem') && seen(question?.stem),
    answers: has('answers') && question !== undefined && saidBy(question, seen),
    explanation: has('explanation') && seen(question?.explanation),
    domain: has('domain') && question?.domain,
    difficulty: has('difficulty') && question?.difficulty,
    url: has('url') && question?.url,
    verified: has('verified') && [question?.verifiedOn, question?.guide],
  }
}

test.each(['json', 'markdown', 'moodle-xml', 'qti-2', 'qti-3', 'anki'] as const)('%s carries pictures', (format) => {
  const [question] = questionsIn([file(ordinary.replace('Which {two}', '![A plan](/pictures/7)\n\nWhich'), 'exam.md')])
  if (!question?.question) throw new Error('the question was not read')
  const image = { name: 'plan.png', bytes: Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 255]) }
  const exam = { ...anExam([question.question]), images: new Map([['/pictures/7', image]]) }
  const { files, losses } = writeBank(format, [exam])
  expect(losses.map(({ sentence }) => sentence)).not.toContain(lossSentences.stem)
  expect(losses.map(({ sentence }) => sentence)).not.toContain(lossSentences.images)
  const [back] = questionsIn(files)
  expect(back?.question?.stem).toContain('![A plan](picture:plan.png)')
  expect(back?.images.map(({ name, bytes }) => [name, [...bytes]])).toEqual([['plan.png', [...image.bytes]]])
})

test.each(['udemy-csv', 'gift'] as const)('%s says that it does not carry pictures', (format) => {
  const [question] = questionsIn([file(ordinary.replace('Which {two}', '![A plan](/pictures/7)\n\nWhich'), 'exam.md')])
  if (!question?.question) throw new Error('the question was not read')
  const images = new Map([['/pictures/7', { name: 'plan.png', bytes: Uint8Array.from([1]) }]])
  const { losses } = writeBank(format, [{ ...anExam([question.question]), images }])
  expect(losses.map(({ sentence }) => sentence)).toContain(lossSentences.images)
})

const usual: Record<ExportFormat, (keyof typeof lossSentences)[]> = {
  json: [],
  markdown: [],
  'udemy-csv': ['difficulty', 'url', 'verified'],
  gift: ['url', 'verified'],
  'moodle-xml': ['url', 'verified'],
  'qti-2': ['verified'],
  'qti-3': ['verified'],
  anki: [],
}

test.each(EXPORT_FORMATS)('%s: an ordinary question loses nothing but what the format has no place for', (format) => {
  const [question] = questionsIn([file(ordinary, 'exam.md')]).map(({ question }) => question)
  if (!question) throw new Error('the question was not read')
  const { losses } = writeBank(format, [anExam([question])])
  const told = losses.filter(({ questionId }) => questionId !== '').map(({ sentence }) => sentence)
  expect(told).toEqual(usual[format].map((kind) => lossSentences[kind]))
})

test.each(EXPORT_FORMATS)('%s: it says that a key is lost only where the file does not have it', (format) => {
  const [question] = questionsIn([file(ordinary, 'exam.md')]).map(({ question }) => question)
  if (!question) throw new Error('the question was not read')
  const { files, losses } = writeBank(format, [anExam([{ ...question, id: 'a-key-of-its-own' }])])
  const holdsKey = unpack(files).files.some(({ bytes }) => Buffer.from(bytes).toString().includes('a-key-of-its-own'))
  const told = losses.filter(({ questionId }) => questionId === '').map(({ sentence }) => sentence)
  expect(told.includes(lossSentences.keys)).toBe(!holdsKey)
  const holdsIds = format === 'json' || format === 'markdown' || format === 'anki'
  expect(told.includes(lossSentences.optionIds)).toBe(holdsKey && !holdsIds)
})

const ordinary = `---
title: Practice Exam 1
slug: practice-exam-1
time_limit: 90
passing_score: 70
---

## q-1

A company keeps **objects** of \`10 GB\` in *one* place:

\`\`\`json
{ "a": [1, 2], "b": "x < y && z" }
\`\`\`

- durable
- cheap, e.g. 3 * 4 = 12 and 50 %

Which {two} services fit? Choose two.

- [x] Amazon S3: objects
- [ ] AWS Lambda ~ functions # not storage
- [x] Amazon EFS \`mount\`
- [ ] = Amazon Route 53

domain: Cloud Concepts
difficulty: hard
url: https://docs.example.com/a?b=c&d=e
verified_on: 2026-11-24
guide: CLF-C02 1.0

### Explanation

Objects belong in [object storage](https://docs.example.com/).

1. The first reason
2. The second

> A quote.
`
