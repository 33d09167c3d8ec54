import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { comparedPartsOf } from '../../types/check-registry.ts'
import { aPng } from '../any-image.fixture.ts'
import { judgeQuestion } from '../../questions.ts'
import { readBank, writeBank } from '../bank.ts'
import { toBase64 } from '../base64.ts'
import { wordLost } from '../formats.copy.ts'
import type { ExamToWrite } from '../formats.schema.ts'

/** A quiz with one cloze. @param more elements beside its text */
const aQuiz = (text: string, more = '', format = 'html') =>
  `<quiz><question type="cloze"><questiontext format="${format}"><text><![CDATA[${text}]]></text></questiontext>${more}</question></quiz>`

function readOf(xml: string) {
  const steps = [...readBank([{ path: 'quiz.xml', bytes: new TextEncoder().encode(xml) }])]
  return {
    caseStudies: steps.flatMap((step) => (step.kind === 'case-study' ? [step] : [])),
    questions: steps.flatMap((step) => (step.kind === 'question' ? [step.question] : [])),
    told: steps.flatMap((step) => (step.kind === 'finding' ? [step.finding.sentence] : [])),
  }
}

const bytes = readFileSync(join(import.meta.dirname, '../fixtures/moodle-clozes.xml'), 'utf8')

test('a text with gaps of several kinds is a case study: its scenario has a mark for each gap, its questions the lines', () => {
  const { caseStudies, questions, told } = readOf(bytes)
  const read = caseStudies.map(({ line, caseStudy: { id, title, tabs } }) => ({
    line,
    title,
    body: tabs.map(({ body }) => body),
    asks: questions
      .filter(({ input }) => input['case_study'] === id)
      .map(({ question, reasons, lost }) => {
        if (question === undefined) return `refused: ${reasons.map(({ sentence }) => sentence).join(' ')}`
        const parts = comparedPartsOf(question).map(({ text, keyValue }) => `${text}: ${keyValue}`)
        return [`${question.type}: ${question.stem}`, ...parts, ...lost.map(wordLost)].join(' | ')
      }),
  }))
  expect(read).toMatchInlineSnapshot(`
    [
      {
        "asks": [
          "short-answer: Bread needs _____ and [Gap 2]. | text: flour
    meal | Partial credit is not kept: a question is right or wrong as a whole. | The field "feedback" is not kept.",
          "drop-down: Bread needs [Gap 1] and [[1]]. | sand: wrong | water: right | oil: wrong",
          "numerical: It bakes for _____ minutes (not [7] or less) | number: 40 ± 5 | Partial credit is not kept: a question is right or wrong as a whole.",
          "short-answer: _____(grain) is [Gap 5]. | text: rye",
          "choice: \\[Gap 4](grain) is _____. | light: wrong | dark: right",
        ],
        "body": [
          "Bread needs [Gap 1] and [Gap 2].

    - It bakes for [Gap 3] minutes (not [7] or less)
    - \\[Gap 4](grain) is [Gap 5].",
        ],
        "line": 4,
        "title": "A loaf",
      },
      {
        "asks": [
          "numerical: Cups of flour & more: [1] is _____. | number: 125 ± 5 | That its gaps count differently is not kept: each is a question that counts once.",
          "numerical: Cups of flour & more: [2] is _____. | number: 250 ± 10",
          "numerical: Cups of flour & more: [3] is _____. | number: 0.5",
          "short-answer: Cups of flour & more: [4] is _____. | text: a \\{cup}",
        ],
        "body": [
          "| Cups | Grams |
    | --- | --- |
    | 1 | [1] |
    | 2 | [2] |

    \`\`\`
    salt = [3]
    milk = [4]
    \`\`\`",
        ],
        "line": 10,
        "title": "Cups of flour & more",
      },
      {
        "asks": [
          "choice: Both of _____ let it rise, \\[2](for hours). | yeast: right | sourdough: right | sand: wrong",
          "choice: Both of [1] let it rise, _____(for hours). | warmth: right | time: right | ice: wrong",
        ],
        "body": [
          "#### Both of [1] let it rise, \\[2](for hours).",
        ],
        "line": 20,
        "title": "Both again",
      },
      {
        "asks": [
          "refused: The fault is in gap 1 of the text. "hot" is not a number. The question has no explanation.",
          "refused: The fault is in gap 2 of the text. Gap 1 has no right answer. The question has no explanation.",
          "refused: The fault is in gap 3 of the text. The question needs one to twenty accepted answers. The question has no explanation.",
          "refused: The fault is in gap 4 of the text. The tolerance can't be below zero: -1 The question has no explanation.",
          "refused: The fault is in gap 5 of the text. The question has one answer; it needs at least two. The question has no explanation.",
          "short-answer: It is _____. | text: warm",
        ],
        "body": [
          "An oven has [1] degrees.

    It is [2].

    It burns [3].

    It has [4] doors.

    It is [5] of them.

    It is [6].",
        ],
        "line": 24,
        "title": "Faults",
      },
      {
        "asks": [
          "short-answer: Write _____ and choose [2]. | text: a < b && #c}
    ~d",
          "choice: Write [1] and choose _____. | <b>: wrong | **b**: right | \\&lt;: wrong",
        ],
        "body": [
          "Write [1] and choose [2].",
        ],
        "line": 28,
        "title": "Signs <b>",
      },
      {
        "asks": [
          "short-answer: _____ and [2] | text: salt",
          "short-answer: [1] and _____ | text: pepper",
        ],
        "body": [
          "[1] and [2]",
        ],
        "line": 44,
        "title": "One to write, one that is wrong",
      },
    ]
  `)
  expect(told).toEqual(['Read as case studies, with a question for each gap: 6 texts with several gaps.'])
})

test('a cloze that is none for an exam is refused once, with what does not fit', () => {
  const none = readOf(bytes).questions.filter(({ question, input }) => question === undefined && !input['case_study'])
  expect(none.map(({ line, reasons }) => `${line}: ${reasons[0]?.sentence}`)).toMatchInlineSnapshot(`
    [
      "16: The bank does not hold questions of this type: cloze with gaps of the kind MR_S",
      "32: The bank does not hold questions of this type: cloze with gaps of the kind ESSAY",
      "36: The bank does not hold questions of this type: cloze without a gap",
    ]
  `)
})

test('the general feedback, the tags and the feedback of its gap are with each question; a setting is told once', () => {
  const more = `<generalfeedback><text>Because.</text></generalfeedback><hint><text>Think.</text></hint>
    <tags><tag><text>hard</text></tag></tags><name><text>Two bytes</text></name><idnumber>bytes-1</idnumber>`
  const { caseStudies, questions } = readOf(aQuiz('A word has {1:NM:=16#Two bytes.} bits, or {1:SA:=two} bytes.', more))
  expect(caseStudies.map(({ caseStudy }) => [caseStudy.id, caseStudy.title])).toEqual([['bytes-1', 'Two bytes']])
  expect(questions.map(({ question }) => question)).toMatchObject([
    {
      caseStudy: 'bytes-1',
      difficulty: 'hard',
      explanation: 'Because.\n\n#### Answer by answer\n\n- **16**: Two bytes.',
    },
    { caseStudy: 'bytes-1', difficulty: 'hard', explanation: 'Because.' },
  ])
  expect(questions.map(({ lost }) => lost.map(wordLost))).toEqual([['The field "hint" is not kept.'], []])
})

test('more than eight gaps are several case studies of one text, and lists alone are too', () => {
  const gaps = (count: number, gap: string) => Array.from({ length: count }, () => gap).join(', ')
  const sizes = (text: string) => {
    const { caseStudies, questions } = readOf(aQuiz(`Name all: ${text}`))
    return caseStudies.map(({ caseStudy }) => {
      const own = questions.filter(({ question }) => question?.caseStudy === caseStudy.id)
      return `${caseStudy.title}: ${own.length}`
    })
  }
  expect(sizes(gaps(8, '{1:SA:=a}'))).toEqual(['Case study: 8'])
  expect(sizes(gaps(9, '{1:SA:=a}'))).toEqual(['Case study (1 of 2): 4', 'Case study (2 of 2): 5'])
  expect(sizes(gaps(8, '{1:MC:=a~b}'))).toEqual([])
  expect(sizes(gaps(17, '{1:MC:=a~b}'))).toEqual([
    'Case study (1 of 3): 5',
    'Case study (2 of 3): 6',
    'Case study (3 of 3): 6',
  ])
  expect(sizes(gaps(41, '{1:SA:=a}'))).toEqual([])
})

test('pictures stand in the scenario and in options, and a missing one is told by its place', () => {
  const file = (name: string) => `<file name="${name}" path="/" encoding="base64">${toBase64(aPng(20, 10))}</file>`
  const text = `<p><img src="@@PLUGINFILE@@/plan.png" alt="Plan"/> It has {1:NM:=2} doors.</p>
    <p>The exit is {1:MCV:=<img src="@@PLUGINFILE@@/east.png" alt="East"/>~west}.</p><p><img src="@@PLUGINFILE@@/gone.png"/></p>`
  const xml = aQuiz(text).replace('</questiontext>', `${file('plan.png')}${file('east.png')}</questiontext>`)
  const { caseStudies, questions, told } = readOf(xml)
  expect(caseStudies[0]?.images.map(({ name }) => name)).toEqual(['plan.png'])
  expect(caseStudies[0]?.caseStudy.tabs[0]?.body).toContain('![Plan](picture:plan.png) It has [1] doors.')
  expect(questions.map(({ question }) => question?.stem)).toEqual(['It has _____ doors.', 'The exit is _____.'])
  expect(questions[1]?.question).toMatchObject({ options: [{ text: '![East](picture:east.png)' }, { text: 'west' }] })
  expect(questions.map(({ images }) => images.map(({ name }) => name))).toEqual([[], ['east.png']])
  expect(told).toContain('The case study shows the picture "gone.png", which is not among the files.')
})

test('the same cloze twice is one case study whose questions are there already', () => {
  const one = aQuiz('{1:NM:=1} is less than {1:NM:=2}.')
  const { caseStudies, questions } = readOf(one.replace('</quiz>', one.replace(/<\/?quiz>/g, '') + '</quiz>'))
  expect(caseStudies.map(({ caseStudy }) => caseStudy.id)).toEqual([caseStudies[0]?.caseStudy.id])
  expect(questions.map(({ reasons }) => reasons.map(({ code }) => code).filter((code) => code === 'repeated'))).toEqual(
    [[], [], ['repeated'], ['repeated']],
  )
})

const facts = { title: 'Exam', slug: 'exam', order: 1, timeLimitMinutes: 60, passingScore: 70, isFreeTrial: false }

/** The case study of a text and its questions, with an exam around it. */
function examWith(body: string, asked: readonly object[], title = 'Packets & <hops>'): ExamToWrite {
  const questions = asked.map((one, at) => {
    const fields = { id: `q${at + 1}`, domain: 'Network', explanation: 'Shared.', case_study: 'hops', ...one }
    const { question, reasons } = judgeQuestion(fields)
    if (question === undefined) throw new Error(reasons.map(({ sentence }) => sentence).join(' '))
    return question
  })
  const caseStudies = [{ id: 'hops', title, tabs: [{ id: 'text', title: 'Text', body }] }]
  return { facts, courseTitle: 'Course', questions, caseStudies, images: new Map() }
}

function thereAndBack(exam: ExamToWrite) {
  const { files, losses } = writeBank('moodle-xml', [exam])
  const xml = new TextDecoder().decode(files[0]?.bytes)
  const types = [...xml.matchAll(/<question type="(\w+)">\s*<name>/g)].map(([, type]) => type)
  const told = losses.map(({ questionId, sentence }) => `${questionId}: ${sentence}`).slice(2)
  return { ...readOf(xml), xml, types, told }
}

const number = { type: 'numerical', question: 'A packet lives for _____ hops.', body: { value: '64', tolerance: '2' } }
const field = {
  type: 'short-answer',
  question: 'Its field is _____.',
  body: { forms: ['TTL', 'a & <b> \\* #}', 'time*'] },
}

test('a text with a mark for each question is written as a cloze, whatever signs its parts have', () => {
  const body =
    'A packet lives for [1] hops.\n\n- Its field is [2].\n- It is \\[3](so) in IPv6.\n\n```\nprotocol = [4]\n```\n\nAnd [5].'
  const said = 'Shared.\n\n#### Answer by answer\n\n- **64**: As `ip ~ #1}` says a\\b < c & \\&lt; so.'
  const exam = examWith(body, [
    { ...number, explanation: said },
    { ...field, body: { ...field.body, isCaseSensitive: true } },
    {
      question: 'It is _____(so) in IPv6.',
      answer_a: '=*one* ~ #',
      answer_b: '`two}`',
      answer_c: 'a < b & c\\d}',
      final_answer: 'AC',
    },
    {
      type: 'drop-down',
      question: 'Packets & \\<hops>: [4] is [[1]].',
      body: { gaps: [{ options: [{ text: '%50%x' }, { text: 'UDP', isRight: true }] }] },
    },
    { question: 'And _____.', answer_a: 'x', answer_b: 'y', final_answer: 'B', order: 'fixed' },
  ])
  const { xml, types, told, questions, caseStudies } = thereAndBack(exam)
  expect([types, told]).toEqual([['cloze'], []])
  expect(xml).toContain('{1:NUMERICAL:=64:2#As <code>ip &\\#126; \\#1\\}</code> says')
  expect(xml).toContain('{1:SHORTANSWER_C:=TTL~=a &amp; &lt;b> \\* \\#\\}~=time*}')
  expect(xml).toContain('{1:MULTIRESPONSE_S:==<em>one</em> &\\#126; \\#~<code>two\\}</code>~=a &amp;lt; b')
  expect(xml).toContain('{1:MULTICHOICE_S:%0%%50%x~=UDP}')
  expect(xml).toContain('{1:MULTICHOICE_V:x~=y}')
  expect(caseStudies[0]?.caseStudy).toMatchObject({ id: 'hops', title: 'Packets & <hops>', tabs: [{ body }] })
  expect(questions.map(({ question }) => question?.explanation)).toEqual([said, ...Array(4).fill('Shared.')])
})

test('a case study that a cloze does not carry whole is written as its questions, and the loss is told', () => {
  const body = 'A packet lives for [1] hops.\n\nIts field is [2].'
  const lost = [
    ': Its case studies are not carried.',
    'q1: The case study that it belongs to is not carried.',
    'q2: The case study that it belongs to is not carried.',
  ]
  const asked = (one: object, other: object = {}) =>
    examWith(body, [
      { ...number, ...one },
      { ...field, ...other },
    ])
  for (const exam of [
    examWith('A packet lives for [1] hops.\n\nIts field is [3].', [number, field]),
    examWith('A packet lives for some hops.', [number, field]),
    asked({ question: 'How long does a packet live?' }),
    asked({ body: { value: '64', tolerance: '2', unit: 'hops' } }),
    asked({}, { explanation: 'Another one.' }),
    asked({}, { body: { forms: ['~TTL'] } }),
    asked({}, { body: { forms: ['TTL\\'] } }),
    asked({}, { difficulty: 'hard' }),
  ]) {
    const { types, told } = thereAndBack(exam)
    expect([types, told]).toEqual([['numerical', 'shortanswer'], lost])
  }
  expect(thereAndBack(asked({})).types).toEqual(['cloze'])
})
