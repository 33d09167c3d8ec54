import { asChoice } from '../../../../../tests/support/choices.ts'
import { derivePartId } from '../../types/parts/part-ids.ts'
import type { Question } from '../../types/question-types.schema.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyQuestion, anyText } from '../../any-question.fixture.ts'
import type { CourseFacts, ExamFacts } from '../../questions.schema.ts'
import { parseCourseMarkdown, parseExamMarkdown, printCourseMarkdown, printExamMarkdown } from './exam-markdown.ts'

const head = `---
title: Practice Exam 1                       # what a learner reads
slug: clf-practice-exam-1
order: 1
time_limit: 90
passing_score: 70
free_trial: true
---
`

const exam: ExamFacts = {
  title: 'Practice Exam 1',
  slug: 'clf-practice-exam-1',
  order: 1,
  timeLimitMinutes: 90,
  passingScore: 70,
  isFreeTrial: true,
}

const whole = `## clf-1-001

A company wants to keep objects. Which service meets the requirement?

- [ ] AWS Lambda
- [x] Amazon S3
- [ ] An answer of two lines
  goes on indented by two spaces
- [ ] Amazon Route 53

domain: Cloud Concepts
difficulty: medium
url: https://docs.aws.amazon.com/s3/

### Explanation

Amazon S3 keeps objects.
`

function readOne(body: string) {
  const { findings, questions } = parseExamMarkdown(`${head}\n${body}`, 'exam.md')
  expect(findings).toEqual([])
  expect(questions).toHaveLength(1)
  const [read] = questions
  if (!read) throw new Error('nothing was read')
  return { ...read, codes: read.reasons.map(({ code, line }) => [code, line]) }
}

test('the documented example is read as it says', () => {
  const { exam: facts, findings, questions } = parseExamMarkdown(`${head}\n${whole}`, 'content/clf/exam.md')
  expect(findings).toEqual([])
  expect(facts).toEqual(exam)
  expect(questions).toMatchObject([
    {
      key: 'clf-1-001',
      line: 10,
      verdict: 'good',
      reasons: [],
      question: {
        id: 'clf-1-001',
        stem: 'A company wants to keep objects. Which service meets the requirement?',
        options: [
          { text: 'AWS Lambda', isRight: false },
          { id: derivePartId('clf-1-001', 'Amazon S3'), text: 'Amazon S3', isRight: true },
          { text: 'An answer of two lines\ngoes on indented by two spaces', isRight: false },
          { text: 'Amazon Route 53', isRight: false },
        ],
        explanation: 'Amazon S3 keeps objects.',
        domain: 'Cloud Concepts',
        needsReview: false,
        url: 'https://docs.aws.amazon.com/s3/',
        difficulty: 'medium',
      },
    },
  ])
})

test('questions that were printed and read again are the same questions', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyQuestion, { selector: ({ id }) => id, minLength: 1, maxLength: 4 }), (questions) => {
      const read = parseExamMarkdown(printExamMarkdown(exam, questions), 'exam.md')
      expect(read.findings).toEqual([])
      expect(read.questions.map(({ question }) => question)).toEqual(questions)
      for (const { reasons, question } of read.questions) {
        expect(question?.needsReview === true || reasons.length === 0).toBe(true)
      }
    }),
    { numRuns: 400 },
  )
})

test('a file with the line ends of Windows or a byte order mark holds the same questions', () => {
  fc.assert(
    fc.property(anyQuestion, (question) => {
      const printed = `\uFEFF${printExamMarkdown(exam, [question]).replaceAll('\n', '\r\n')}`
      expect(parseExamMarkdown(printed, 'exam.md')).toMatchObject({ exam, findings: [], questions: [{ question }] })
    }),
    { numRuns: 100 },
  )
})

test('an exam that was printed and read again has the same facts', () => {
  const anyExam = fc.record({
    title: fc
      .oneof(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.constantFrom('yes', '1.0', '# x', '- a', '---', "it's: {x}"),
      )
      .map((text) => text.trim())
      .filter((text) => text !== ''),
    slug: fc.constantFrom('a', 'clf-practice-exam-1', '1-2-3', '007', '1e3', 'null'),
    order: fc.integer({ min: 0, max: 10_000 }),
    timeLimitMinutes: fc.integer({ min: 1, max: 1440 }),
    passingScore: fc.integer({ min: 0, max: 100 }),
    isFreeTrial: fc.boolean(),
  })
  fc.assert(
    fc.property(anyExam, (facts) => {
      expect(parseExamMarkdown(printExamMarkdown(facts, []), 'exam.md').exam).toEqual(facts)
    }),
  )
})

test('no text makes the reader throw, and every heading of a question gets a verdict', () => {
  const anyFile = fc.array(
    fc.oneof(anyText, fc.constantFrom(head, whole, '---', '## q', '&a [*a, *a]', 'a: &a [*a]')),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(anyFile, fc.boolean(), (parts, hasHead) => {
      const text = (hasHead ? head : '') + parts.join('\n')
      const { questions } = parseExamMarkdown(text, 'exam.md')
      for (const { verdict, reasons, question } of questions) {
        expect(verdict === 'refused').toBe(question === undefined)
        expect(verdict !== 'refused' || reasons.length > 0).toBe(true)
      }
      parseCourseMarkdown(text, 'course.md')
    }),
    { numRuns: 400 },
  )
})

test('every word of a file is in a question, a fact, a case study, or a reason with its line', () => {
  const words = fc.array(
    fc.tuple(
      fc.constantFrom('', '  ', '- [ ] ', '- [x] ', '- ', '# ', '### ', 'domain: ', 'Level: ', '> '),
      fc.nat(9999),
    ),
    {
      minLength: 1,
      maxLength: 15,
    },
  )
  fc.assert(
    fc.property(words, (lines) => {
      const body = lines.map(([mark, number], at) => `${mark}word${number}n${at}`)
      const { questions, caseStudies, findings } = parseExamMarkdown(`${head}\n## q\n${body.join('\n')}\n`, 'exam.md')
      const [read] = questions
      const kept = JSON.stringify([read?.input, caseStudies, findings])
      const reasonLines = new Set(read?.reasons.map(({ line }) => line))
      for (const [at, line] of body.entries()) {
        const word = /word\w+/.exec(line)?.[0] ?? ''
        expect(kept.includes(word) || reasonLines.has(11 + at) ? '' : line).toBe('')
      }
    }),
    { numRuns: 500 },
  )
})

test('inside fenced code nothing is a mark', () => {
  const code = '```md\n## not a question\n- [x] not an answer\ndomain: no\n\\## stays escaped\n```'
  const read = readOne(`## q\n\nWhat is wrong?\n\n${code}\n\n- [x] a\n- [ ] b\n\n### Explanation\n\n${code}\n`)
  expect(read.question).toMatchObject({ stem: `What is wrong?\n\n${code}`, explanation: code })
})

test('fenced code without an end is reported at the line where it began', () => {
  const broken = '## q1\n\nstem\n\n```json\n\n- [x] a\n- [ ] b\n\n### Explanation\n\nBecause.\n'
  const { questions } = parseExamMarkdown(`${head}\n${broken}\n${whole}\n\`\`\`\nx\n\`\`\`\n`, 'exam.md')
  expect(questions[0]?.reasons[0]).toMatchObject({ code: 'fence-holds-question', line: 14 })
  expect(questions[0]?.verdict).toBe('refused')
})

test('fenced code that no line of the file ends costs no other question', () => {
  const broken = '## q1\n\nstem\n\n```json\n\n- [x] a\n- [ ] b\n\n### Explanation\n\nBecause.\n'
  const { questions } = parseExamMarkdown(`${head}\n${broken}\n${whole}`, 'exam.md')
  expect(questions.map(({ key, verdict }) => [key, verdict])).toEqual([
    ['q1', 'good'],
    ['clf-1-001', 'good'],
  ])
})

test('one bad question never costs its neighbours', () => {
  const bad = '## bad\n\nNo answers here.\n\n## worse key !\n\n- [x]\n\n'
  const { questions } = parseExamMarkdown(`${head}\n${whole}\n${bad}${whole.replace('001', '002')}`, 'exam.md')
  expect(questions.map(({ key, verdict, line }) => [key, verdict, line])).toEqual([
    ['clf-1-001', 'good', 10],
    ['bad', 'refused', 28],
    ['worse key !', 'refused', 32],
    ['clf-1-002', 'good', 36],
  ])
})

test('a fact that the type of a question does not have is told with its line, wherever it stands', () => {
  const told = (text: string) => readOne(`## q\n\n${text}\n\n### Explanation\n\ne\n`)
  const steps = '- [1] Plan\n- [2] Do\n- [3] Check'
  expect(told(`stem\n\n${steps}\n\ndomain: D\norder: fixed`).codes).toEqual([['fact-unused', 19]])
  expect(told(`tolerance: 1\n\nstem\n\n- [x] a\n- [ ] b\n\norder: fixed`).codes).toEqual([['fact-unused', 12]])
  expect(told('stem\n\n- [=] 42\n\ntolerance: 1\nunit: GB\ndifficulty: easy').codes).toEqual([])
  expect(told('stem\n\n- [~] S3\n\ncase: true\nreuse: true').codes).toEqual([['fact-unused', 17]])
  expect(told(`stem\n\n${steps}\n\norder: fixed`).verdict).toBe('needs-review')
})

test('a second question with the same key is refused', () => {
  const { questions } = parseExamMarkdown(`${head}\n${whole}\n${whole}`, 'exam.md')
  expect(questions.map(({ verdict, reasons }) => [verdict, reasons.map(({ code, line }) => [code, line])])).toEqual([
    ['good', []],
    ['refused', [['key-taken', 28]]],
  ])
})

test('a line that belongs to nothing refuses the question and is named', () => {
  expect(readOne('## q\n\nstem\n\n- [x] a\n- [ ] b\n\nChoose two.\n\n### Explanation\n\ne\n').codes).toEqual([
    ['line-stray', 17],
  ])
  expect(readOne('## q\n\nstem\n\n- [x] a\n- [ ] b\n- c\n\n### Explanation\n\ne\n').codes).toEqual([
    ['answer-not-indented', 16],
  ])
})

test('a misspelt fact is named, and its question is for review', () => {
  const read = readOne(
    '## q\n\nstem\n\n- [x] a\n- [ ] b\n\ndificulty: hard\nDomain: Here\nurl: x\nurl: y\n\n### Explanation\n\ne\n',
  )
  expect(read.codes).toEqual([
    ['fact-unknown', 17],
    ['fact-twice', 20],
  ])
  expect(read.question).toMatchObject({ needsReview: true, domain: 'Here', url: 'x' })
})

test('marks inside a text are kept as text and named', () => {
  const read = readOne('## q\n\n# Big\n\nstem\n\n- [x] a\n- [ ] b\n\n### Explanation\n\ne\n\n### More\n\n- [ ] f\n')
  expect(read.codes).toEqual([
    ['mark-inside-text', 12],
    ['mark-inside-text', 23],
    ['mark-inside-text', 25],
  ])
  expect(read.question).toMatchObject({ stem: '# Big\n\nstem', explanation: 'e\n\n### More\n\n- [ ] f' })
})

test('an almost-checkbox never silently becomes part of the stem', () => {
  expect(readOne('## q\n\nstem\n\n- [] a\n- [x] b\n- [ ] c\n\n### Explanation\n\ne\n').codes).toEqual([
    ['mark-inside-text', 14],
  ])
})

test('thirty answers are refused', () => {
  const options = Array.from({ length: 30 }, (_, at) => `- [${at === 28 ? 'x' : ' '}] answer ${at}`)
  expect(readOne(`## q\n\nstem\n\n${options.join('\n')}\n\n### Explanation\n\ne\n`)).toMatchObject({
    verdict: 'refused',
    codes: [['answers-too-many', 10]],
  })
})

test('an id is written only where it is not the derived one', () => {
  const { question } = readOne('## q\n\nstem\n\n- [x] a {#kept}\n- [ ] b\n\n### Explanation\n\ne\n')
  expect(asChoice(question).options.map(({ id, text }) => [id, text])).toEqual([
    ['kept', 'a'],
    [derivePartId('q', 'b'), 'b'],
  ])
  expect(printExamMarkdown(exam, question ? [question] : [])).toContain('\n- [x] a {#kept}\n- [ ] b\n')
})

test('the id is written below an answer that ends in fenced code, so that the code still ends', () => {
  const option = '```json\n{}\n```'
  const { question } = readOne(
    '## q\n\nstem\n\n- [x] ```json\n  {}\n  ```\n  {#kept}\n- [ ] b\n\n### Explanation\n\ne\n',
  )
  expect(asChoice(question).options[0]).toEqual({ id: 'kept', text: option, isRight: true })
  expect(printExamMarkdown(exam, question ? [question] : [])).toContain('\n- [x] ```json\n  {}\n  ```\n  {#kept}\n')
})

test('text before the first question is reported', () => {
  expect(parseExamMarkdown(`${head}\nHello\n\n${whole}`, 'exam.md').findings).toEqual([
    {
      code: 'text-before-questions',
      severity: 'error',
      file: 'exam.md',
      line: 10,
      facts: ['Hello'],
      sentence: 'This text stands before the first question and belongs to none: Hello',
    },
  ])
})

test('a wrong field of the head costs no other, and its line is named', () => {
  const odd = head.replace('time_limit: 90', 'time_limit: ninety').replace('order: 1', 'odrer: 1')
  const read = parseExamMarkdown(`${odd}\n${whole}`, 'content/clf/practice-exam-1.md')
  expect(read.exam).toEqual({ ...exam, timeLimitMinutes: 60 })
  expect(read.findings.map(({ code, severity, line }) => [code, severity, line])).toEqual([
    ['field-unknown', 'warning', 4],
    ['field-wrong', 'error', 5],
  ])
})

test('a head that can not be read still leaves the questions', () => {
  for (const broken of [
    '',
    '---\n',
    '---\n\ttitle: x\n---\n',
    '---\n- a\n---\n',
    '---\ntitle: [\n---\n',
    '---\na: &a [*a]\n---\n',
  ]) {
    const read = parseExamMarkdown(`${broken}\n${whole}`, 'content/clf/practice-exam-1.md')
    expect(read.findings).not.toEqual([])
    expect(read.exam).toMatchObject({ title: 'practice-exam-1', slug: 'practice-exam-1' })
    expect(read.questions.map(({ verdict }) => verdict)).toEqual(['good'])
  }
})

test('a file of ten thousand broken fences is read in linear time', () => {
  const started = process.cpuUsage()
  parseExamMarkdown(`${head}\n## q\n${'```a\n~~~\n'.repeat(10_000)}`, 'exam.md')
  parseExamMarkdown(`${head}\n## q\n${'```a\n'.repeat(20_000)}`, 'exam.md')
  // Quadratic time would take minutes.
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000)
})

const course = `---
title: AWS Certified Cloud Practitioner
category: practitioner
price: 19.99
blueprint:
  code: CLF-C02
  minutes: 90
  questions: 65
  passing_score: 700
  source: https://aws.amazon.com/certification/certified-cloud-practitioner/
  domains:
    - { name: Cloud Concepts, weight: 24 }
    - { name: Security and Compliance, weight: 76 }
  guide: CLF-C02 1.0
---

What the course is.

Two paragraphs.
`

const courseFacts: CourseFacts = {
  title: 'AWS Certified Cloud Practitioner',
  category: 'practitioner',
  priceCents: 1999,
  blueprint: {
    code: 'CLF-C02',
    minutes: 90,
    questions: 65,
    passingScore: 700,
    source: 'https://aws.amazon.com/certification/certified-cloud-practitioner/',
    domains: [
      { name: 'Cloud Concepts', weight: 24 },
      { name: 'Security and Compliance', weight: 76 },
    ],
    guide: 'CLF-C02 1.0',
  },
  description: 'What the course is.\n\nTwo paragraphs.',
  imageUrl: '',
}

test('the points of a curve are read and printed, and refused where they do not rise', () => {
  const withCurve = (curve: [number, number][]) => ({
    ...courseFacts,
    blueprint: { ...courseFacts.blueprint!, curve },
  })
  const rising = withCurve([
    [40, 500],
    [85.5, 900],
  ])
  expect(parseCourseMarkdown(printCourseMarkdown(rising), 'course.md')).toEqual({ course: rising, findings: [] })
  for (const curve of [
    [],
    [[0, 500]],
    [[40, 100]],
    [[40, 500.5]],
    [
      [40, 500],
      [50, 500],
    ],
    [
      [50, 500],
      [40, 600],
    ],
  ]) {
    const text = printCourseMarkdown(withCurve(curve as [number, number][]))
    expect(parseCourseMarkdown(text, 'course.md').course).toMatchObject({ blueprint: null })
  }
})

test('a course is read with its price in cents and its blueprint', () => {
  expect(parseCourseMarkdown(course, 'content/clf/course.md')).toEqual({ course: courseFacts, findings: [] })
})

test('a course that was printed and read again is the same course', () => {
  expect(parseCourseMarkdown(printCourseMarkdown(courseFacts), 'course.md').course).toEqual(courseFacts)
  const bare = { ...courseFacts, category: null, blueprint: null, description: '', priceCents: 0 }
  const drawn = { ...courseFacts, imageUrl: 'https://pictures.example.com/a.webp?x=1#y' }
  expect(parseCourseMarkdown(printCourseMarkdown(drawn), 'course.md').course).toEqual(drawn)
  expect(parseCourseMarkdown(printCourseMarkdown(bare), 'course.md').course).toEqual(bare)
})

test('every price of the shop can be written and read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999 }), (priceCents) => {
      expect(
        parseCourseMarkdown(printCourseMarkdown({ ...courseFacts, priceCents }), 'course.md').course?.priceCents,
      ).toBe(priceCents)
    }),
  )
})

test('an invalid field of a course is reported with its line', () => {
  const codesOf = (changed: string) =>
    parseCourseMarkdown(changed, 'course.md').findings.map(({ code, line, sentence }) => [code, line, sentence])
  expect(codesOf(course.replace('19.99', '19.999'))[0]?.slice(0, 2)).toEqual(['field-wrong', 4])
  expect(codesOf(course.replace('19.99', '-1'))[0]?.slice(0, 2)).toEqual(['field-wrong', 4])
  expect(codesOf(course.replace('19.99', '10000'))[0]?.slice(0, 2)).toEqual(['field-wrong', 4])
  expect(codesOf(course.replace('price: 19.99\n', ''))).toEqual([['field-missing', 1, 'The head has no "price".']])
  expect(codesOf(course.replace('Practitioner', '<b>'))).toEqual([
    ['field-wrong', 2, "The head's title: must not contain < or >"],
  ])
  expect(codesOf(course.replace('76', '75'))).toEqual([
    ['field-wrong', 5, "The head's blueprint: domains the weights of the domains must sum to 100"],
  ])
  expect(codesOf(`${course}${'x'.repeat(2000)}`)[0]?.slice(0, 2)).toEqual(['field-wrong', 16])
  expect(parseCourseMarkdown(course.replace('76', '75'), 'course.md').course).toMatchObject({ blueprint: null })
  expect(parseCourseMarkdown(course.replace('19.99', 'free'), 'course.md').course).toBeNull()
})

test('the printed form is the documented one', () => {
  const question = parseExamMarkdown(`${head}\n${whole}`, 'exam.md').questions[0]?.question as Question
  expect(printExamMarkdown(exam, [question])).toBe(`${head.replace(/ +#.*/, '')}\n${whole}`)
})
