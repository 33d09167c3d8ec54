import { asChoice } from '../../../../tests/support/choices.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { columnsOf, nearestFormats, readBank, recognise } from './bank.ts'
import { wordLost } from './formats.copy.ts'
import type { ImportFormat, ReadQuestion, ReadStep, SourceFile } from './formats.schema.ts'

const folder = join(import.meta.dirname, 'fixtures')

/** The faults of each fixture: line, verdict, and the codes of its reasons but for a missing explanation. */
const expected: Record<string, { format: ImportFormat; verdicts: string[]; findings?: string[] }> = {
  'own.md': {
    format: 'markdown',
    verdicts: ['8 good', '19 refused right-answer-missing'],
  },
  'own.json': {
    format: 'json',
    verdicts: ['14 good', '23 refused right-answer-unknown', '31 refused key-taken'],
    findings: ['5 field-wrong'],
  },
  'practice-test.csv': {
    format: 'udemy-csv',
    verdicts: [
      '2 good',
      '3 good',
      '4 refused right-answer-unknown',
      '5 refused answer-empty',
      '6 refused quote-unclosed',
      '7 good',
      '8 good',
      '9 needs-review repeated',
      '10 needs-review type-contradicts-key',
      '11 refused type-unsupported',
      '12 good',
    ],
  },
  'table.csv': {
    format: 'csv',
    verdicts: [
      '2 good',
      '3 good',
      '4 good',
      '5 refused right-answer-unknown',
      '6 refused question-empty',
      '7 needs-review cells-too-many',
    ],
  },
  'numbered.md': {
    format: 'markdown-numbered',
    verdicts: [
      '5 needs-review',
      '16 good',
      '31 refused right-answer-unknown',
      '39 needs-review',
      '46 needs-review',
      '54 refused right-answer-missing',
    ],
    findings: ['3 text-outside-questions'],
  },
  'numbered-headings.md': {
    format: 'markdown-numbered',
    verdicts: [
      '3 good',
      '15 needs-review',
      '25 good',
      '41 refused right-answer-unknown',
      '50 refused right-answer-missing',
    ],
  },
  'numbered-details.md': {
    format: 'markdown-numbered',
    verdicts: ['1 good', '16 good', '31 refused answer-empty'],
  },
  'numbered-folded.md': {
    format: 'markdown-numbered',
    verdicts: ['1 good', '13 needs-review', '30 refused right-answer-missing'],
  },
  'checked.md': {
    format: 'markdown-checked',
    verdicts: [
      '5 needs-review',
      '12 good',
      '26 refused right-answer-missing',
      '31 refused answer-empty answer-empty right-answer-missing',
      '35 needs-review picture-missing',
    ],
    findings: ['3 text-outside-questions'],
  },
  'question-files': {
    format: 'markdown-files',
    verdicts: ['7 good', '5 good', '4 refused syntax-broken'],
  },
  'aiken.txt': {
    format: 'aiken',
    verdicts: [
      '1 needs-review',
      '6 good',
      '13 refused right-answer-unknown',
      '18 refused right-answer-missing',
      '22 needs-review',
    ],
  },
  'gift.txt': {
    format: 'gift',
    verdicts: [
      '4 good',
      '11 needs-review',
      '17 good',
      '19 needs-review',
      '21 needs-review',
      '23 needs-review',
      '25 needs-review',
      '27 refused type-unsupported',
      '29 refused syntax-broken',
      '31 needs-review',
      '33 needs-review',
      '35 needs-review',
      '37 refused type-unsupported',
    ],
  },
  'gift-kinds.txt': {
    format: 'gift',
    verdicts: [
      '6 needs-review',
      '8 needs-review',
      '10 needs-review',
      '12 needs-review',
      '14 good',
      '17 good',
      '19 good',
      '27 needs-review',
      '34 needs-review',
      '36 needs-review',
      '38 needs-review key-uncertain',
      '40 needs-review',
      '43 needs-review',
      '45 needs-review',
      '51 needs-review',
      '53 good',
      '55 needs-review',
      '57 needs-review',
      '59 needs-review',
      '62 needs-review',
      '68 good',
      '77 needs-review',
      '79 needs-review',
      '81 needs-review',
      '83 needs-review',
      '85 needs-review',
      '87 good',
      '92 needs-review key-uncertain',
      '95 needs-review',
      '97 needs-review',
      '99 needs-review',
      '101 needs-review',
      '103 needs-review',
      '105 needs-review',
      '107 needs-review',
      '110 needs-review',
      '112 needs-review',
      '115 needs-review',
      '122 needs-review',
      '128 needs-review',
      '131 refused type-unsupported',
      '133 refused type-unsupported',
      '135 refused type-unsupported',
      '138 refused syntax-broken',
      '140 refused number-wrong',
      '142 refused right-answer-missing',
      '144 refused parts-count parts-count',
      '146 refused type-unsupported',
      '148 refused part-empty',
    ],
  },
  'moodle.xml': {
    format: 'moodle-xml',
    verdicts: [
      '6 good',
      '15 needs-review',
      '22 needs-review',
      '27 refused type-unsupported',
      '30 refused syntax-broken',
      '33 needs-review',
      '39 needs-review entity-unknown',
      '45 refused syntax-broken',
      '50 refused right-answer-missing',
    ],
  },
  'moodle-clozes.xml': {
    format: 'moodle-xml',
    verdicts: [
      '4 good',
      '4 good',
      '4 needs-review',
      '4 needs-review',
      '4 needs-review',
      '10 needs-review',
      '10 needs-review',
      '10 needs-review',
      '10 needs-review',
      '16 refused type-unsupported',
      '20 needs-review',
      '20 needs-review',
      '24 refused gap-of-cloze number-wrong',
      '24 refused gap-of-cloze part-without-answer',
      '24 refused gap-of-cloze parts-count',
      '24 refused gap-of-cloze tolerance-negative',
      '24 refused gap-of-cloze answer-empty',
      '24 needs-review',
      '28 needs-review',
      '28 needs-review',
      '32 refused type-unsupported',
      '36 refused type-unsupported',
      '40 needs-review',
      '44 needs-review',
      '44 needs-review',
    ],
    findings: ['4 clozes-apart'],
  },
  'moodle-kinds.xml': {
    format: 'moodle-xml',
    verdicts: [
      '3 needs-review',
      '3 needs-review',
      '13 needs-review',
      '13 needs-review',
      '21 refused type-unsupported',
      '29 refused type-unsupported',
      '35 refused type-unsupported',
      '42 refused area-outside',
      '42 refused area-outside',
      '50 refused type-unsupported',
      '58 good',
      '61 good',
      '64 needs-review',
      '67 needs-review',
      '70 needs-review',
      '70 needs-review',
      '73 needs-review',
      '76 refused type-unsupported',
      '79 good',
      '84 refused type-unsupported',
    ],
    findings: ['70 clozes-apart'],
  },
  'moodle-types.xml': {
    format: 'moodle-xml',
    verdicts: [
      '3 needs-review',
      '11 needs-review',
      '16 refused parts-count part-without-answer',
      '21 refused parts-count parts-count',
      '25 refused part-repeated',
      '30 needs-review',
      '36 refused part-repeated',
      '42 refused parts-count',
      '47 needs-review',
      '54 refused parts-count gap-unknown',
      '59 refused parts-count',
      '64 refused parts-count',
      '68 needs-review',
      '74 refused part-repeated part-repeated',
      '79 good',
      '82 needs-review',
      '85 refused part-without-answer',
      '88 refused number-wrong',
      '91 needs-review',
      '91 needs-review',
      '94 needs-review',
      '99 refused number-wrong',
      '103 refused tolerance-negative',
      '107 refused part-empty',
      '111 needs-review',
      '118 refused part-empty',
      '122 refused parts-count',
      '126 needs-review',
      '131 refused right-answer-missing',
      '136 refused type-unsupported',
      '140 refused type-unsupported',
    ],
    findings: ['91 clozes-apart'],
  },
  'qti-1.xml': {
    format: 'qti-1',
    verdicts: ['5 good', '24 needs-review', '39 refused type-unsupported', '45 refused right-answer-unknown'],
  },
  'qti-1-kinds.xml': {
    format: 'qti-1',
    verdicts: [
      '5 needs-review',
      '16 needs-review',
      '27 needs-review',
      '38 needs-review key-uncertain',
      '49 needs-review',
      '60 needs-review',
      '73 refused type-unsupported',
      '86 refused type-unsupported',
      '97 refused type-unsupported',
      '109 needs-review',
      '120 needs-review',
      '131 needs-review',
      '142 needs-review',
      '153 needs-review',
      '165 needs-review',
      '177 refused type-unsupported',
    ],
  },
  'qti-2.xml': { format: 'qti-2', verdicts: ['2 good'] },
  'qti-2-items': {
    format: 'qti-2',
    verdicts: [
      '2 good',
      '2 refused right-answer-unknown',
      '2 refused right-answer-missing',
      '2 needs-review type-contradicts-key',
      '2 refused right-answer-missing parts-count',
      '2 refused type-unsupported',
      '2 refused syntax-broken',
      '2 needs-review entity-unknown',
      '3 needs-review entity-unknown',
      '2 needs-review picture-missing',
      '2 refused answer-empty',
      '2 refused answers-too-many',
      '2 good',
    ],
    findings: ['1 entities-left-aside', '1 files-left-aside'],
  },
  'qti-2-1-package': {
    format: 'qti-2',
    verdicts: ['2 good', '2 needs-review', '2 good', ...Array.from({ length: 7 }, () => '2 needs-review')],
  },
  'qti-2-2-package': {
    format: 'qti-2',
    verdicts: [...Array.from({ length: 4 }, () => '2 needs-review'), '2 good', '2 needs-review', '2 needs-review'],
  },
  'qti-2-faults': {
    format: 'qti-2',
    verdicts: [
      '2 refused right-answer-missing parts-count',
      '2 refused part-repeated',
      '2 refused right-answer-unknown parts-count',
      '2 refused type-unsupported',
      '2 refused part-without-answer',
      '2 refused part-without-answer',
      '2 refused part-without-answer',
      '2 refused area-outside',
      '2 refused area-unclear',
      '2 needs-review picture-missing',
      '2 refused number-wrong',
      '2 refused tolerance-negative',
      '2 needs-review key-uncertain',
      '2 refused type-unsupported',
      '2 refused type-unsupported',
      '2 refused type-unsupported',
      '2 needs-review',
    ],
    findings: ['1 file-unreadable', '1 file-unreadable'],
  },
  'qti-3-items': {
    format: 'qti-3',
    verdicts: [
      '2 good',
      '2 good',
      '2 refused right-answer-unknown',
      '2 refused parts-count',
      '2 refused question-empty parts-count parts-count part-without-answer',
      '2 refused syntax-broken',
      '2 refused syntax-broken',
      '2 refused question-empty',
      '2 needs-review repeated',
      '2 needs-review all-answers-right',
      '2 needs-review answer-repeated',
      '2 good',
    ],
  },
  'voted.json': {
    format: 'voted-json',
    verdicts: [
      '4 needs-review',
      '12 needs-review key-disputed',
      '19 refused syntax-broken',
      '24 good',
      '35 refused right-answer-unknown',
    ],
    findings: ['21 file-unreadable'],
  },
}

function fixture(name: string): SourceFile[] {
  const names = name.includes('.') ? [name] : readdirSync(join(folder, name)).map((file) => `${name}/${file}`)
  return names.map((path) => ({
    path,
    bytes: new Uint8Array(readFileSync(join(folder, path))),
  }))
}

function questionsOf(steps: ReadStep[]): ReadQuestion[] {
  return steps.flatMap((step) => (step.kind === 'question' ? [step.question] : []))
}

function read(name: string): ReadQuestion[] {
  return questionsOf([...readBank(fixture(name))])
}

test('every fixture has its faults told', () => {
  expect(Object.keys(expected).sort()).toEqual(readdirSync(folder).sort())
})

test.each(Object.entries(expected))('%s is recognised, and each question has its verdict', (name, told) => {
  expect(recognise(fixture(name))?.format).toBe(told.format)
  const steps = [...readBank(fixture(name))]
  const verdicts = questionsOf(steps).map(({ line, verdict, reasons }) =>
    [line, verdict, ...reasons.map(({ code }) => code).filter((code) => code !== 'explanation-empty')].join(' '),
  )
  expect(verdicts).toEqual(told.verdicts)
  const findings = steps.flatMap((step) =>
    step.kind === 'finding' ? [`${step.finding.line} ${step.finding.code}`] : [],
  )
  expect(findings).toEqual(told.findings ?? [])
  for (const { reasons, verdict } of questionsOf(steps)) expect(reasons.length > 0).toBe(verdict !== 'good')
})

test.each(Object.entries(expected))('%s is recognised when it is pasted, without a name that says so', (name, told) => {
  const [first] = fixture(name)
  expect(recognise([{ path: 'Pasted text', bytes: first?.bytes ?? new Uint8Array() }])?.format).toBe(told.format)
})

test.each([
  ['names of its own', 'What,This,That,Right\nWhich?,A queue,"A store, large",A\nWhat?,One,Two,B\n', 'csv'],
  ['cells from a spreadsheet', 'Frage\tEins\tZwei\tRichtig\nWelche?\tDies\tDas\t1\n', 'csv'],
  ['a policy in a cell', 'Ask;A;B;Key\nWhich {"Effect": "Allow"}?;This;That;A\n', 'csv'],
  ['a letter', 'Dear all, as I said, the bank comes soon.\nPlease wait, and do not write.\n', null],
  ['rows of different width', 'One,Two,Three\nOnly one\nTwo,of them\n', null],
  ['GIFT with commas', 'Red, green, blue, which is a colour? {\n=All of them\n~None\n}\n', 'gift'],
])('text with %s is taken for what it is', (_what, text, format) => {
  expect(recognise([{ path: 'Pasted text', bytes: strToU8(text) }])?.format ?? null).toBe(format)
})

test.each(Object.keys(expected))('%s read twice gives the same keys', (name) => {
  expect(read(name).map(({ key }) => key)).toEqual(read(name).map(({ key }) => key))
})

test('explanations of single answers are joined under the text of the answer', () => {
  const [first] = read('practice-test.csv')
  expect(first?.question?.explanation).toBe(
    'Objects lie in buckets.\n\n#### Answer by answer\n\n- **Bucket store**: It keeps objects.\n- **Block store**: It keeps blocks.',
  )
})

test('HTML becomes Markdown, its scripts are gone, and both are told', () => {
  const last = read('practice-test.csv').at(-1)
  expect(last?.question?.stem).toBe('Which **tag** is bold?')
  expect(last?.lost).toEqual([{ code: 'script', facts: [] }])
  const unsafe = read('moodle.xml')[5]
  expect(unsafe?.question?.stem).toBe('Is it <safe>?')
  expect(unsafe?.lost).toContainEqual({ code: 'script', facts: [] })
})

test('a picture inside a Moodle file is brought along', () => {
  const [first] = read('moodle.xml')
  expect(first?.question?.stem).toBe('Which store keeps **objects**?\n\n![A bucket](picture:a-b.png)')
  expect(first?.images.map(({ name, bytes }) => [name, bytes[0]])).toEqual([['a-b.png', 0x89]])
})

test('a formula in a cell is text, and goes out as text', () => {
  const formula = read('practice-test.csv')[6]
  expect(asChoice(formula?.question).options.map(({ text }) => text)).toEqual(['=1+1', '-1'])
})

test('facts for which the bank has no field are reported for each question', () => {
  expect(read('table.csv')[0]?.lost.map(wordLost)).toEqual(['The column "Owner" is not kept.'])
  expect(read('gift.txt')[10]?.lost.map(wordLost)).toContain(
    'Partial credit is not kept: a question is right or wrong as a whole.',
  )
})

test('the columns of a table are shown with what they probably hold', () => {
  const columns = columnsOf(fixture('table.csv'))
  expect(columns?.header).toEqual([
    'No',
    'Question',
    'Option A',
    'Option B',
    'Option C',
    'Correct Answer',
    'Explanation',
    'Topic',
    'Owner',
  ])
  expect(columns?.mapping).toEqual({
    question: 1,
    answer_a: 2,
    answer_b: 3,
    answer_c: 4,
    final_answer: 5,
    explanation: 6,
    domain: 7,
  })
  expect(columns?.rows).toHaveLength(6)
})

test('a table as people write it is read without a choice, and a column that counts its rows is no loss', () => {
  const rows =
    'Nr,Question text,A,B,Right,Why,Topic,Level\n1,Which?,This,That,b,Because.,Words,easy\nX,What?,One,Two,a,,,\n'
  const table: SourceFile = { path: 'mine.csv', bytes: strToU8(rows) }
  const [first, second] = questionsOf([...readBank([table], { format: 'csv' })])
  expect(first?.question).toMatchObject({
    stem: 'Which?',
    explanation: 'Because.',
    domain: 'Words',
    difficulty: 'easy',
  })
  expect(asChoice(first?.question).options.map(({ isRight }) => isRight)).toEqual([false, true])
  expect(first?.lost).toEqual([])
  expect(second?.lost.map(wordLost)).toEqual(['The column "Nr" is not kept.'])
})

test('a mapping that somebody chose is followed', () => {
  const table: SourceFile = {
    path: 'x.csv',
    bytes: strToU8('Eins,Zwei,Drei,Vier\nWhich?,This,That,2\n'),
  }
  const mapping = { question: 0, answer_a: 1, answer_b: 2, final_answer: 3 }
  const [question] = questionsOf([...readBank([table], { format: 'csv', mapping })])
  expect(asChoice(question?.question).options.map(({ text, isRight }) => [text, isRight])).toEqual([
    ['This', false],
    ['That', true],
  ])
})

const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>A</t></is></c><c r="C1" t="inlineStr"><is><t>B</t></is></c><c r="D1" t="inlineStr"><is><t>C</t></is></c><c r="E1" t="inlineStr"><is><t>Correct answer</t></is></c></row>
<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><v>0.30000000000000004</v></c><c r="C3" s="1"><v>0.25</v></c><c r="D3" t="b"><v>1</v></c><c r="E3"><v>2</v></c></row>
<row r="4"><c r="A4" t="inlineStr"><is><r><t>When </t></r><r><t>was it?</t></r></is></c><c r="B4" s="2"><v>45292</v></c><c r="C4" t="str"><v>=1+1</v></c><c r="E4" t="inlineStr"><is><t>A</t></is></c></row>
</sheetData></worksheet>`

function workbook(): SourceFile {
  const parts: Record<string, string> = {
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Empty" r:id="r1"/><sheet name="Bank" r:id="r2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    'xl/sharedStrings.xml': '<sst><si><t>Question</t></si><si><t>Which&#10;share?</t></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd.mm.yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': '<worksheet><sheetData/></worksheet>',
    'xl/worksheets/sheet2.xml': sheet,
  }
  const bytes = zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])))
  return { path: 'bank.xlsx', bytes }
}

test('a workbook is read from its first sheet with data, numbers as they are shown', () => {
  expect(recognise([workbook()])?.format).toBe('xlsx')
  expect(columnsOf([workbook()])?.header).toEqual(['Question', 'A', 'B', 'C', 'Correct answer'])
  const questions = questionsOf([...readBank([workbook()])])
  expect(
    questions.map(({ line, question }) => [line, question?.stem, asChoice(question).options.map(({ text }) => text)]),
  ).toEqual([
    [3, 'Which\nshare?', ['0.3', '25%', 'TRUE']],
    [4, 'When was it?', ['2024-01-01', '=1+1']],
  ])
  expect(asChoice(questions[0]?.question).options.map(({ isRight }) => isRight)).toEqual([false, true, false])
})

test('a package of QTI is read in the order of its test, with what the manifest says of each item', () => {
  const item = new TextDecoder().decode(fixture('qti-2.xml')[0]?.bytes)
  const parts: Record<string, string> = {
    'imsmanifest.xml': `<manifest><resources><resource identifier="r" href="items/b.xml"><metadata><lom><general><keyword><string>needs-review</string></keyword></general><educational><difficulty><value>difficult</value></difficulty></educational><relation><resource><description><string>https://docs.example.com/</string></description></resource></relation><classification><taxonPath><taxon><entry><string>Storage</string></entry></taxon></taxonPath></classification></lom></metadata><file href="items/b.xml"/></resource></resources></manifest>`,
    'tests/test.xml':
      '<assessmentTest title="Stores"><timeLimits maxTime="5400"/><testPart><assessmentSection><assessmentItemRef href="../items/b.xml"/><assessmentItemRef href="../items/a.xml"/><assessmentItemRef href="../items/none.xml"/></assessmentSection></testPart></assessmentTest>',
    'items/a.xml': item,
    'items/b.xml': item.replace('<code>files</code>', '<img src="../pictures/a.png" alt="files"/>'),
    'pictures/a.png': '\u0089PNG',
    'read-me.txt': 'Nothing.',
  }
  const bytes = zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])))
  const steps = [...readBank([{ path: 'package.zip', bytes }])]
  expect(steps.filter(({ kind }) => kind !== 'question')).toMatchObject([
    { kind: 'exam', facts: { title: 'Stores', timeLimitMinutes: 90 } },
    {
      kind: 'finding',
      finding: { code: 'file-unreadable', file: 'items/none.xml' },
    },
    {
      kind: 'finding',
      finding: { code: 'files-left-aside', file: 'read-me.txt' },
    },
  ])
  const [first, second] = questionsOf(steps)
  expect(first?.question).toMatchObject({
    stem: 'A company has ![files](picture:a.png).\n\nWhich two stores keep them?',
    domain: 'Storage',
    difficulty: 'hard',
    url: 'https://docs.example.com/',
    needsReview: true,
  })
  expect(first?.images.map(({ name }) => name)).toEqual(['a.png'])
  expect(second?.file).toBe('items/a.xml')
})

test('parts of QTI that cannot be kept are reported', () => {
  const lostIn = (name: string, file: string) =>
    read(name)
      .find((question) => question.file.endsWith(file))
      ?.lost.map(wordLost)
  expect(lostIn('qti-2-items', '13-script.xml')).toEqual(['A script in its text was taken out.'])
  expect(lostIn('qti-3-items', '02-mapped.xml')).toEqual([
    'Partial credit is not kept: a question is right or wrong as a whole.',
  ])
  expect(lostIn('qti-3-items', '12-table-and-svg.xml')).toEqual(['The element <svg> in its text was taken out.'])
})

test('an import has each question once, whichever file repeats it', () => {
  const [first] = fixture('aiken.txt')
  if (!first) throw new Error('the fixture is not there')
  const again = questionsOf([...readBank([first, { ...first, path: 'later.txt' }])]).filter(
    ({ file }) => file === 'later.txt',
  )
  // Those that were refused say nothing that could be compared.
  expect(again.map(({ reasons }) => reasons[0]?.code)).toEqual([
    'repeated',
    'repeated',
    'key-taken',
    'key-taken',
    'repeated',
  ])
  expect(again[0]?.reasons[0]?.sentence).toBe('The same question stands before: aiken.txt, line 1')
})

test('a key that another question had before is refused, and so are other right answers to the same question', () => {
  const json = (...explanations: string[]) =>
    JSON.stringify(
      explanations.map((explanation) => ({
        id: 'one',
        question: 'Which?',
        answer_a: 'This',
        answer_b: 'That',
        final_answer: 'A',
        explanation,
      })),
    )
  const told = (path: string, text: string) =>
    questionsOf([...readBank([{ path, bytes: strToU8(text) }])]).map(({ verdict, reasons: [first] }) => [
      verdict,
      first?.code,
      first?.sentence,
    ])
  expect(told('own.json', json('Why.', 'Why.', 'Otherwise.'))).toEqual([
    ['good', undefined, undefined],
    ['needs-review', 'repeated', 'The same question stands before: own.json, line 1'],
    ['refused', 'key-taken', 'Another question before this one has the key "one": own.json, line 1'],
  ])
  const aiken = (letter: string) => `Which?\nA. This\nB. That\nANSWER: ${letter}\nEXPLANATION: ${letter}\n\n`
  expect(told('aiken.txt', aiken('A') + aiken('A') + aiken('B'))).toEqual([
    ['good', undefined, undefined],
    ['needs-review', 'repeated', 'The same question stands before: aiken.txt, line 1'],
    ['refused', 'key-taken', 'The same question stands before, with other right answers: aiken.txt, line 1'],
  ])
})

test('a bank is recognised whose questions begin after a long preface', () => {
  const preface = Array.from({ length: 3000 }, (_, at) => `- [Chapter ${at}](#chapter-${at}) is about many things.`)
  const question = '### Which service stores objects?\n\n- [ ] Amazon EBS\n- [x] Amazon S3\n'
  const long = {
    path: 'README.md',
    bytes: strToU8(`# A bank\n\n${preface.join('\n')}\n\n${question}`),
  }
  expect(recognise([long])?.format).toBe('markdown-checked')
  expect(questionsOf([...readBank([long])]).map(({ verdict }) => verdict)).toEqual(['needs-review'])
  expect(recognise([{ path: 'README.md', bytes: strToU8(preface.join('\n')) }])).toBeNull()
})

test('numbered questions are read as people letter them, name their key, and fold it away', () => {
  const optionsIn = (name: string) =>
    read(name).map(({ question }) =>
      question === undefined
        ? 'refused'
        : asChoice(question)
            .options.map(({ text, isRight }) => `${isRight ? '*' : ''}${text}`)
            .join('; '),
    )
  const button = '![A button](https://example.com/button.png)'
  expect(optionsIn('numbered-headings.md')).toEqual([
    'Amazon EBS; *Amazon S3; Amazon EFS',
    '*AWS Lambda; Amazon S3; *AWS Fargate',
    `*\`\`\`sh\nls\n\`\`\`; \`\`\`sh\npwd\n\`\`\`; ${button}`,
    'refused',
    'refused',
  ])
  expect(optionsIn('numbered-details.md')).toEqual([
    'Amazon EBS; *Amazon S3',
    '*AWS Lambda; Amazon S3; *AWS Fargate',
    'refused',
  ])
  const plan = '![A plan](https://example.com/a.png)'
  expect(optionsIn('numbered-folded.md')).toEqual([
    `Amazon EBS; *Amazon S3; ${plan}`,
    '*1; *2; *3; *4; *5; *6; *7; 8',
    'refused',
  ])
  const explanations = [...read('numbered-headings.md'), ...read('numbered-details.md')].map(
    ({ question }) => question?.explanation,
  )
  expect(explanations).toEqual([
    'Amazon S3 stores objects.',
    '',
    'It lists them.',
    undefined,
    undefined,
    'Amazon S3 stores objects.\nThe answer: it depends on nothing else.',
    'Both run code.',
    undefined,
  ])
})

test('it is said in which line of which file the sign of a format stands', () => {
  const preface = Array.from({ length: 3000 }, (_, at) => `- [Chapter ${at}](#chapter-${at}) is about many things.`)
  const later = `${preface.join('\n')}\n\n### Which service stores objects?\n\n- [ ] Amazon EBS\n- [x] Amazon S3\n`
  const placeOf = (text: string, path = 'bank.txt') => {
    const { file, line } = recognise([{ path, bytes: strToU8(text) }]) ?? {}
    return [file, line]
  }
  expect(placeOf(later, 'README.md')).toEqual(['README.md', 3004])
  expect(placeOf('// A comment\n\nWhat is\nit? {=a ~b}\n')).toEqual(['bank.txt', 4])
  expect(placeOf('\n\nQuestion,A,B,Right\nWhich?,This,That,A\n')).toEqual(['bank.txt', 3])
  const long = `{"about": "${'x'.repeat(100_000)}",\n"items": [\n{"question": "Which?", "answer": "A"}]}`
  expect(placeOf(long)).toEqual(['bank.txt', 3])
  const zip = zipSync({
    'notes.txt': strToU8('Nothing.'),
    'b/quiz.xml': strToU8('<?xml version="1.0"?>\n<quiz></quiz>'),
  })
  const packed = recognise([{ path: 'all.zip', bytes: zip }])
  expect([packed?.file, packed?.line]).toEqual(['b/quiz.xml', 2])
  expect(recognise([workbook()])?.line).toBeNull()
})

test.each([
  ['lettered answers with a key in words', '1. What is it?\na) One\nb) Two\nKey - b\n', 'markdown-numbered'],
  ['boxes without a heading', 'What is it\n[x] one\n[ ] two\n', 'markdown-checked'],
  ['elements in another root', '<root><question><text>a</text></question></root>', 'moodle-xml'],
  ['fields under other names', '{"items":[{"prompt":"a","options":["b"]}]}', 'voted-json'],
  ['a letter', 'Dear all, please wait.\nThank you.\n', undefined],
])('a text with %s is none of the formats, and is offered the one that is nearest', (_what, text, nearest) => {
  const files = [{ path: 'Pasted text', bytes: strToU8(text) }]
  expect(recognise(files)).toBeNull()
  expect(nearestFormats(files)[0]).toBe(nearest)
})

test('an option is code below its mark, indented or not, or a picture alone', () => {
  const boxed =
    '### Which runs?\n\n- [ ]\n```sh\nls  -l\n```\n- [x]\n  ```sh\n  pwd\n  ```\n- [ ] ![A plan](https://example.com/a.png)\n'
  const numbered =
    '1. Which runs?\n   - A.\n```sh\nls  -l\n```\n   - B. ![A plan](https://example.com/a.png)\n\nCorrect answer: A\n'
  const optionsIn = (path: string, text: string) => {
    const [read] = questionsOf([...readBank([{ path, bytes: strToU8(text) }])])
    return asChoice(read?.question).options.map((option) => option.text)
  }
  const picture = '![A plan](https://example.com/a.png)'
  expect(optionsIn('boxed.md', boxed)).toEqual(['```sh\nls  -l\n```', '```sh\npwd\n```', picture])
  expect(optionsIn('numbered.md', numbered)).toEqual(['```sh\nls  -l\n```', picture])
})
