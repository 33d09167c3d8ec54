import { strToU8 } from 'fflate'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { prepareFormat, readBank, writeBank } from '../formats/bank.ts'
import { lossSentences } from '../formats/formats.copy.ts'
import { type ExamToWrite, EXPORT_FORMATS } from '../formats/formats.schema.ts'
import { parseExamMarkdown } from '../formats/markdown/exam-markdown.ts'
import { anyExamWithCaseStudy } from './any-case-study.fixture.ts'
import { blocksOf } from './case-blocks.ts'
import { judgeCaseStudies } from './case-studies.ts'
import type { CaseStudy } from './case-study.schema.ts'
import { markdownToHtml } from '../formats/markup/markdown-to-html.ts'
import { wordFinding } from '../formats/formats.copy.ts'

const facts = { title: 'One', slug: 'one', order: 1, timeLimitMinutes: 90, passingScore: 70, isFreeTrial: false }

const head = '---\ntitle: One\nslug: one\norder: 1\ntime_limit: 90\npassing_score: 70\n---\n'

const scenario = `# claims

title: A claims department

### Situation

Letters arrive.

#### How many

| week | letters |
| ---- | ------- |
| 1    | 40,000  |

### Exhibit

\`\`\`json
## no question
{ "a": 1 }
\`\`\`
`

const aQuestion = (key: string, fact = '') => `## ${key}

Which service of ${key}?

- [ ] AWS Lambda
- [x] Amazon S3

domain: Cloud Concepts
url: https://docs.aws.amazon.com/
${fact}

### Explanation

Amazon S3 keeps objects.
`

const read = (...parts: string[]) => parseExamMarkdown([head, ...parts].join('\n'), 'exam.md')
const own = 'case_study: claims'

test('a case study is read with its tabs, and its questions name it', () => {
  const { findings, caseStudies, questions } = read(
    aQuestion('q1'),
    scenario,
    aQuestion('q2', own),
    aQuestion('q3', own),
  )
  expect(findings).toEqual([])
  expect(caseStudies).toMatchObject([
    {
      caseStudy: {
        id: 'claims',
        title: 'A claims department',
        tabs: [
          { title: 'Situation', body: expect.stringContaining('#### How many\n\n| week | letters |') },
          { title: 'Exhibit', body: '```json\n## no question\n{ "a": 1 }\n```' },
        ],
      },
    },
  ])
  expect(questions.map(({ question }) => question?.caseStudy)).toEqual([undefined, 'claims', 'claims'])
  expect(questions.flatMap(({ reasons }) => reasons)).toEqual([])
})

test.each<[string, string[], string]>([
  ['fewer than two questions', [scenario, aQuestion('q1', own)], 'case-study-without-questions'],
  ['no question at all', [aQuestion('q1'), scenario], 'case-study-without-questions'],
  [
    'more than eight questions',
    [scenario, ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => aQuestion(`q${number}`, own))],
    'case-study-crowded',
  ],
  [
    'questions that stand apart',
    [scenario, aQuestion('q1', own), aQuestion('q2'), aQuestion('q3', own)],
    'case-study-apart',
  ],
  ['a key that is used twice', [scenario, scenario, aQuestion('q1', own), aQuestion('q2', own)], 'case-study-taken'],
  [
    'no title',
    [scenario.replace('title: A claims department', 'title:'), aQuestion('q1', own), aQuestion('q2', own)],
    'case-study-untitled',
  ],
  ['no tab', ['# claims\n\ntitle: Nothing\n', aQuestion('q1', own), aQuestion('q2', own)], 'case-study-tabs'],
  [
    'a tab without text',
    [scenario.replace('Letters arrive.', '').replace(/#### [^#]*/, ''), aQuestion('q1', own), aQuestion('q2', own)],
    'case-study-tab-empty',
  ],
  [
    'a case study that holds one',
    [scenario.replace('Letters arrive.', 'case_study: other'), aQuestion('q1', own), aQuestion('q2', own)],
    'case-study-nested',
  ],
  [
    'a line before the first tab',
    [scenario.replace('### Situation', 'A stray line.\n\n### Situation'), aQuestion('q1', own), aQuestion('q2', own)],
    'case-study-stray',
  ],
])('%s is told with its line, and every question is still read', (_name, parts, code) => {
  const { findings, questions } = read(...parts)
  const [finding] = findings
  expect(findings.map((found) => found.code)).toEqual([code])
  expect(finding?.line).toBeGreaterThan(7)
  expect(finding?.sentence).toBe(wordFinding(finding?.code ?? 'no-questions', finding?.facts ?? []))
  expect(questions.length).toBe(parts.filter((part) => part.startsWith('## ')).length)
  expect(questions.every(({ question }) => question !== undefined)).toBe(true)
})

test('a question that names no case study of its exam is read by itself and needs review', () => {
  const [read1] = read(aQuestion('q1', 'case_study: other')).questions
  expect(read1).toMatchObject({ verdict: 'needs-review', reasons: [{ code: 'case-study-unknown' }] })
  expect(read1?.question?.caseStudy).toBeUndefined()
})

test('a heading of level 1 in a file of a former build is still a text', () => {
  const { caseStudies, findings, questions } = read(
    aQuestion('q1').replace('Amazon S3 keeps objects.', 'Amazon S3 keeps objects.\n\n# Notes\n\nMore.'),
  )
  expect([caseStudies, findings]).toEqual([[], []])
  expect(questions[0]?.question?.explanation).toBe('Amazon S3 keeps objects.\n\n# Notes\n\nMore.')
})

const anExam = (caseStudy: CaseStudy, questions: ExamToWrite['questions']): ExamToWrite => ({
  facts,
  courseTitle: 'A course',
  caseStudies: [caseStudy],
  questions,
  images: new Map(),
})

test.each(['json', 'markdown'] as const)('%s holds a case study with its questions, there and back', (format) => {
  fc.assert(
    fc.property(anyExamWithCaseStudy, ({ caseStudy, questions }) => {
      const { files, losses } = writeBank(format, [anExam(caseStudy, questions)])
      expect(losses).toEqual([])
      const steps = [...readBank(files)]
      expect(steps.flatMap((step) => (step.kind === 'finding' ? [step.finding] : []))).toEqual([])
      expect(steps.flatMap((step) => (step.kind === 'case-study' ? [step.caseStudy] : []))).toEqual([caseStudy])
      expect(steps.flatMap((step) => (step.kind === 'question' ? [step.question.question] : []))).toEqual(questions)
    }),
    { numRuns: 150 },
  )
})

test.each(['qti-2', 'qti-3'] as const)('%s holds a case study as a shared stimulus, there and back', (format) => {
  fc.assert(
    fc.property(anyExamWithCaseStudy, ({ caseStudy, questions }) => {
      const { files, losses } = writeBank(format, [anExam(caseStudy, questions)])
      const steps = [...readBank(files)]
      const back = steps.flatMap((step) => (step.kind === 'case-study' ? [step.caseStudy] : []))
      // HTML shows nothing of some texts, such as an empty heading; they are told.
      const sentences: readonly string[] = [lossSentences.caseStudies, lossSentences.caseStudyTexts]
      const isTold = losses.some(({ sentence }) => sentences.includes(sentence))
      const shown = ({ id, title, tabs }: CaseStudy) => [
        id,
        title,
        tabs.map((tab) => ({ ...tab, body: markdownToHtml(tab.body) })),
      ]
      const isSame = JSON.stringify(back.map(shown)) === JSON.stringify([shown(caseStudy)])
      expect(isSame).toBe(!isTold)
      // Also of a question whose other parts the format cannot hold.
      const named = steps.flatMap((step) => (step.kind === 'question' ? [step.question.input['case_study']] : []))
      expect(named).toEqual(questions.map((question) => question.caseStudy))
    }),
    { numRuns: 30 },
  )
})

test.each(['qti-2', 'qti-3'] as const)('a case study of texts, tables and code loses nothing in %s', (format) => {
  const { caseStudies, questions } = read(scenario, aQuestion('q1', own), aQuestion('q2', own))
  const written = questions.flatMap(({ question }) => question ?? [])
  const { losses } = writeBank(format, [anExam(caseStudies[0]!.caseStudy, written)])
  expect(losses.map(({ sentence }) => sentence).filter((sentence) => /case study|case studies/.test(sentence))).toEqual(
    [],
  )
})

const anItem = (name: string, stimulus = '') => ({
  path: `items/${name}.xml`,
  bytes: strToU8(`<?xml version="1.0"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="${name}" title="${name}">
  <responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>b</value></correctResponse></responseDeclaration>
  ${stimulus === '' ? '' : `<assessmentStimulusRef identifier="s" href="../shared/${stimulus}.xml"/>`}
  <itemBody><p>Which service of ${name}?</p><choiceInteraction responseIdentifier="R" maxChoices="1">
    <simpleChoice identifier="a">AWS Lambda</simpleChoice><simpleChoice identifier="b">Amazon S3</simpleChoice>
  </choiceInteraction></itemBody>
</assessmentItem>`),
})

const aStimulus = {
  path: 'shared/plan.xml',
  bytes: strToU8(`<?xml version="1.0"?>
<assessmentStimulus xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="_1 plan" title="A plan">
  <stimulusBody><p>Letters arrive.</p><p><img src="plan.png" alt="A plan"/></p></stimulusBody>
</assessmentStimulus>`),
}
const aPicture = { path: 'shared/plan.png', bytes: Uint8Array.from([1, 2, 3]) }

test('items of QTI 2 in a row that share a stimulus are a case study of one tab, with its picture', () => {
  const steps = [...readBank([anItem('a', 'plan'), anItem('b', 'plan'), anItem('c'), aStimulus, aPicture])]
  expect(steps.filter(({ kind }) => kind === 'finding')).toEqual([])
  expect(steps.filter(({ kind }) => kind === 'case-study')).toMatchObject([
    {
      caseStudy: {
        id: '1-plan',
        title: 'A plan',
        tabs: [{ title: 'A plan', body: 'Letters arrive.\n\n![A plan](picture:plan.png)' }],
      },
      images: [{ name: 'plan.png' }],
    },
  ])
  const named = steps.flatMap((step) => (step.kind === 'question' ? [step.question.question?.caseStudy] : []))
  expect(named).toEqual(['1-plan', '1-plan', undefined])
})

test('a stimulus of one item, or of items that stand apart, is read in front of each stem', () => {
  const apart = [anItem('a', 'plan'), anItem('b'), anItem('c', 'plan'), aStimulus, aPicture]
  for (const [files, holders] of [
    [apart, [0, 2]],
    [[anItem('a', 'plan'), anItem('b'), aStimulus, aPicture], [0]],
  ] as const) {
    const steps = [...readBank([...files])]
    expect(steps.map(({ kind }) => kind)).not.toContain('case-study')
    const stems = steps.flatMap((step) => (step.kind === 'question' ? [step.question.question?.stem ?? ''] : []))
    const whole = /^Letters arrive\.\n\n!\[A plan\]\(picture:plan\.png\)\n\nWhich service/
    expect(stems.flatMap((stem, place) => (whole.test(stem) ? [place] : []))).toEqual([...holders])
  }
})

test('a stimulus that is not there is told once, and its items are read', () => {
  const steps = [...readBank([anItem('a', 'plan'), anItem('b', 'plan')])]
  const told = steps.flatMap((step) => (step.kind === 'finding' ? [step.finding.sentence] : []))
  expect(told).toEqual([expect.stringContaining('an item names this stimulus, and it is not there')])
  expect(steps.filter(({ kind }) => kind === 'question').length).toBe(2)
})

const CARRYING: readonly string[] = ['json', 'markdown', 'qti-2', 'qti-3']

test.each(EXPORT_FORMATS.filter((format) => !CARRYING.includes(format)))(
  '%s tells that it does not carry case studies',
  async (format) => {
    await prepareFormat(format)
    const { caseStudies, questions } = read(scenario, aQuestion('q1', own), aQuestion('q2', own))
    const [caseStudy] = caseStudies
    if (!caseStudy) throw new Error('nothing was read')
    const written = questions.flatMap(({ question }) => question ?? [])
    const { losses } = writeBank(format, [anExam(caseStudy.caseStudy, written)])
    const told = losses.map(({ questionId, sentence }) => [questionId, sentence])
    expect(told).toContainEqual(['', lossSentences.caseStudies])
    expect(told).toContainEqual(['q1', lossSentences.caseStudy])
  },
)

test('faults of case studies in JSON are told with their lines, and pictures come along', () => {
  const question = (id: string, caseStudy?: string) => ({
    id,
    question: `Which service of ${id}?`,
    answer_a: 'AWS Lambda',
    answer_b: 'Amazon S3',
    final_answer: 'B',
    explanation: 'It keeps objects.',
    case_study: caseStudy,
  })
  const tab = { title: 'One', body: '![A plan](/pictures/1)' }
  const bank = {
    format: 'altocert-questions',
    version: 1,
    exams: [
      {
        title: 'One',
        slug: 'one',
        time_limit: 90,
        passing_score: 70,
        free_trial: false,
        order: 1,
        case_studies: [
          { id: 'good', title: 'Good', tabs: [tab] },
          { id: 'good', title: 'Good again', tabs: [tab] },
          {
            id: 'bad',
            title: '',
            tabs: [
              { title: '', body: '' },
              { ...tab, case_study: 'good' },
            ],
          },
          { id: 'bad key', title: 'Bad', tabs: [tab] },
          'nonsense',
        ],
        questions: [question('q1', 'good'), question('q2'), question('q3', 'good'), question('q4', 'none')],
        pictures: [{ address: '/pictures/1', name: 'plan.png', base64: 'AAAA' }],
      },
    ],
  }
  const steps = [...readBank([{ path: 'bank.json', bytes: strToU8(JSON.stringify(bank, null, 2)) }])]
  const found = steps.flatMap((step) => (step.kind === 'finding' ? [step.finding] : []))
  expect(found.map(({ code }) => code).sort()).toEqual([
    'case-study-apart',
    'case-study-key',
    'case-study-key',
    'case-study-nested',
    'case-study-tab-empty',
    'case-study-taken',
    'case-study-untitled',
    'case-study-without-questions',
  ])
  expect(found.every(({ line }) => line >= 1)).toBe(true)
  expect(steps.filter(({ kind }) => kind === 'case-study')).toMatchObject([
    { caseStudy: { id: 'good', tabs: [{ body: '![A plan](picture:plan.png)' }] }, images: [{ name: 'plan.png' }] },
    { caseStudy: { id: 'bad', title: 'bad', tabs: [{ title: 'One' }] } },
  ])
  const questions = steps.flatMap((step) => (step.kind === 'question' ? [step.question] : []))
  expect(questions.map((one) => one.question?.caseStudy)).toEqual(['good', undefined, 'good', undefined])
  expect(questions[3]?.reasons.map(({ code }) => code)).toContain('case-study-unknown')
})

test('questions of one case study are one block, whatever stands between them', () => {
  const [a, b, c, d] = [{ id: 'a', caseStudy: 'x' }, { id: 'b' }, { id: 'c', caseStudy: 'x' }, { id: 'd' }] as const
  expect(blocksOf([a, b, c, d])).toEqual([[a, c], [b], [d]])
  expect(judgeCaseStudies([], [a])).toMatchObject([{ code: 'case-study-named-wrongly', questionId: 'a' }])
})
