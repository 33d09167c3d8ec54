import { asChoice } from '../../../../tests/support/choices.ts'
import { strFromU8, strToU8, zipSync } from 'fflate'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../any-question.fixture.ts'
import { nearestFormats, prepareFormat, readBank, recognise } from './bank.ts'
import {
  IMPORT_FORMATS,
  type ImportFormat,
  type ReadQuestion,
  type ReadStep,
  type SourceFile,
} from './formats.schema.ts'
import { csvOf, rowsOf, safeCell, textOfCell } from './tables/table-reader.ts'
import { decodeText } from './text-decoding.ts'

await prepareFormat('anki')

const HEADER = 'Question,Question Type,Answer Option 1,Answer Option 2,Correct Answers,Overall Explanation,Domain'
const ROW = 'Which?,multiple-choice,This,That,1,Because.,General'

function steps(text: string | Uint8Array, format?: ImportFormat, path = 'questions.txt'): ReadStep[] {
  return [...readBank([{ path, bytes: typeof text === 'string' ? strToU8(text) : text }], { format })]
}

function questions(read: ReadStep[]): ReadQuestion[] {
  return read.flatMap((step) => (step.kind === 'question' ? [step.question] : []))
}

function findings(read: ReadStep[]): string[] {
  return read.flatMap((step) => (step.kind === 'finding' ? [step.finding.code] : []))
}

function zip(files: Record<string, Uint8Array>, path = 'bank.zip'): SourceFile {
  return { path, bytes: zipSync(files) }
}

test.each(IMPORT_FORMATS)('%s: no content makes the reader throw, and each question has a verdict', (format) => {
  const piece = fc.oneof(
    anyText,
    fc.constantFrom(
      HEADER,
      ROW,
      '"',
      '{',
      '[{"question": "a", "options": ["b", "c"]',
      '=~#}',
      '{T',
      '$CATEGORY: a/b',
      '::',
      'A. b',
      'ANSWER: A',
      '<question type="multichoice">',
      '</question>',
      '<item><presentation><response_lid>',
      '<qti-assessment-item><qti-item-body><qti-choice-interaction>',
      '<assessmentItem><itemBody>',
      '<![CDATA[',
      '<!--',
      '&lol;',
      '1. a',
      '   - A. b',
      '<details>',
      'Correct answer: A',
      '### a',
      '- [x] b',
      '---',
    ),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => String.fromCharCode(...bytes)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), fc.constantFrom('\n', ''), (pieces, between) => {
      for (const { verdict, reasons, question, line, key } of questions(steps(pieces.join(between), format))) {
        expect(verdict === 'refused').toBe(question === undefined)
        expect(verdict !== 'refused' || reasons.length > 0).toBe(true)
        expect(line).toBeGreaterThan(0)
        expect(typeof key).toBe('string')
      }
    }),
    { numRuns: 100 },
  )
})

test('any bytes are read as some text, and recognising them never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(typeof decodeText(bytes).text).toBe('string')
      recognise([{ path: 'x', bytes }])
      steps(bytes)
    }),
    { numRuns: 300 },
  )
})

test('what the encodings of the world make of the same table is the same questions', () => {
  const text = `${HEADER}\r\nGröße – “which”?,multiple-choice,This €,That,1,Because.,General\r\n`
  const units = (big: boolean, mark: boolean) => {
    const all = (mark ? '\uFEFF' : '') + text
    return Uint8Array.from(
      [...all].flatMap((sign) => {
        const code = sign.charCodeAt(0)
        return big ? [code >> 8, code & 255] : [code & 255, code >> 8]
      }),
    )
  }
  const windows = Uint8Array.from([...text], (sign) => {
    const special = { '€': 0x80, '“': 0x93, '”': 0x94, '–': 0x96 }[sign]
    return special ?? sign.charCodeAt(0)
  })
  const written: [Uint8Array, string[]][] = [
    [strToU8(text), []],
    [strToU8(`\uFEFF${text}`), []],
    [strToU8(text.replaceAll('\r\n', '\r')), []],
    [units(false, true), ['encoding-taken']],
    [units(true, true), ['encoding-taken']],
    [units(false, false), ['encoding-taken']],
    [units(true, false), ['encoding-taken']],
    [windows, ['encoding-taken']],
  ]
  for (const [bytes, told] of written) {
    const read = steps(bytes)
    expect(findings(read)).toEqual(told)
    expect(questions(read).map(({ question }) => question?.stem)).toEqual(['Größe – “which”?'])
    expect(asChoice(questions(read)[0]?.question).options[0]?.text).toBe('This €')
  }
})

test('a lone quote damages its own row only, wherever it is', () => {
  const rows = [ROW, ROW.replace('Which', 'Who'), ROW.replace('Which', 'What')]
  for (const [at] of rows.entries()) {
    const broken = rows.map((row, place) => (place === at ? `"${row.replace('Which', 'Lone')}` : row))
    const verdicts = questions(steps([HEADER, ...broken].join('\n'))).map(({ verdict, line }) => [line, verdict])
    expect(verdicts).toEqual(rows.map((_, place) => [place + 2, place === at ? 'refused' : 'good']))
  }
})

test('every table that is written is read again, cell by cell, and no cell of it is a formula', () => {
  const cell = fc.oneof(anyText, fc.constantFrom('=1+1', "'=1", '@x', '-1', '\tx', '"', 'a"b', ',', ''), fc.string())
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
      const plain = rows.map((row) => ['x', ...row.map((text) => text.replace(/\r\n?/g, '\n'))])
      const written = csvOf(plain.map((row) => row.map(safeCell))).replace(/\r\n/g, '\n')
      const read = [...rowsOf(written, ',')].map(({ cells }) => cells)
      expect(read.map((row) => row.map(textOfCell))).toEqual(plain)
      for (const row of read) for (const text of row) expect(text).not.toMatch(/^[=+\-@\t\r]/)
    }),
    { numRuns: 300 },
  )
})

test('a table of ten thousand columns is reported, and its known columns are read', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `extra ${at}`).join(',')
  const read = steps(`${HEADER},${many}\n${ROW}\n${ROW.replace('Which', 'Who')},${many}\n`)
  expect(findings(read)).toEqual(['columns-too-many'])
  expect(questions(read).map(({ verdict }) => verdict)).toEqual(['good', 'good'])
})

test('entities of a DOCTYPE are never followed', () => {
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at};`.repeat(10)}">`).join('')
  const question = (text: string) =>
    `<question type="multichoice"><questiontext><text>${text}</text></questiontext><single>true</single><answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer></question>`
  const read = steps(
    `<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY lol0 "lol">${laughs}<!ENTITY file SYSTEM "file:///etc/passwd">]><quiz>${question('&lol9;')}${question('&file;')}${question('Whole?')}</quiz>`,
  )
  expect(findings(read)).toEqual(['entities-left-aside'])
  expect(questions(read).map(({ question }) => question?.stem)).toEqual(['\\&lol9;', '\\&file;', 'Whole?'])
})

test('an archive that would unpack to too much is refused before it does', () => {
  const bomb = withSize(zip({ 'a.csv': strToU8(HEADER) }).bytes, 300 * 2 ** 20)
  expect(findings([...readBank([{ path: 'bomb.zip', bytes: bomb }])])).toEqual(['archive-refused'])
})

test('an entry that packs more than text ever does is refused, and its neighbours are read', () => {
  const csv = strToU8(`${HEADER}\n${ROW}\n`)
  const read = [...readBank([zip({ 'good.csv': csv, 'bomb.csv': new Uint8Array(5 * 2 ** 20) })])]
  expect(findings(read)).toEqual(['entry-refused'])
  expect(questions(read).map(({ verdict }) => verdict)).toEqual(['good'])
})

test('an entry that holds more than its archive says costs no more than it says', () => {
  const bomb = withSize(zip({ 'lie.csv': new Uint8Array(5 * 2 ** 20) }).bytes, 1000)
  expect(findings([...readBank([{ path: 'lie.zip', bytes: bomb }])])).toContain('entry-refused')
})

test('an archive of many damaged files is given up after some of them', () => {
  const archive = zip(
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}.csv`, new Uint8Array(5000)])),
  ).bytes
  const view = new DataView(archive.buffer)
  for (let at = 0; at < archive.length - 46; at += 1) {
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1000, true)
  }
  const told = findings([...readBank([{ path: 'lies.zip', bytes: archive }])])
  expect(told.filter((code) => code === 'entry-refused')).toHaveLength(20)
  expect(told).toContain('archive-refused')
})

test('paths that lead out of an archive, archives in archives and damaged ones are told', () => {
  const csv = strToU8(`${HEADER}\n${ROW}\n`)
  const inner = zip({ 'x.csv': csv }).bytes
  const read = [...readBank([zip({ '../evil.csv': csv, 'C:/evil.csv': csv, 'inner.zip': inner, 'good.csv': csv })])]
  expect(findings(read)).toEqual(['entry-refused', 'entry-refused', 'entry-refused'])
  expect(questions(read)).toHaveLength(1)
  expect(findings([...readBank([{ path: 'cut.zip', bytes: inner.slice(0, inner.length - 10) }])])).toContain(
    'archive-refused',
  )
})

test('a text of ten megabytes on one line is refused by name, and the next row is read', () => {
  const long = ROW.replace('Which?', `"${'x'.repeat(10 * 2 ** 20)}"`)
  const read = questions(steps(`${HEADER}\n${long}\n${ROW}\n`))
  expect(read.map(({ line, verdict, reasons }) => [line, verdict, reasons.map(({ code }) => code)])).toEqual([
    [2, 'refused', ['text-too-long', 'question-empty']],
    [3, 'good', []],
  ])
})

test('one answer and thirty answers are refused with their number', () => {
  const thirty = Array.from({ length: 30 }, (_, at) => `~answer ${at}`).join(' ')
  const read = questions(steps(`One? {~alone ####e}\n\nThirty? {=right ${thirty} ####e}\n`, 'gift'))
  expect(read.map(({ reasons }) => reasons.map(({ sentence }) => sentence))).toEqual([
    ['The question has one answer; it needs at least two.', 'No answer is marked as right.'],
    ['The question has 31 answers; at most twelve are possible.'],
  ])
  const [lonely] = questions(steps('Only one?\nA. Yes\nANSWER: A\n', 'aiken'))
  expect(lonely?.reasons[0]?.sentence).toBe('The question has one answer; it needs at least two.')
})

/**
 * Each is repeated: what a pattern that backtracks, or a search that starts again, would choke on. Those that make a
 * question of every few characters are kept shorter, for each question takes its time.
 */
const ONE_QUESTION = 2 ** 20
const MANY_QUESTIONS = 2 ** 16

const hostile: [ImportFormat, string, number][] = [
  ['udemy-csv', '"', ONE_QUESTION],
  ['udemy-csv', '"a\n', MANY_QUESTIONS],
  ['udemy-csv', '\n""x', MANY_QUESTIONS],
  ['udemy-csv', '"a""', ONE_QUESTION],
  ['csv', '\t', ONE_QUESTION],
  ['csv', '"a,', ONE_QUESTION],
  ['csv', '"a":1,', MANY_QUESTIONS],
  ['gift', '{', ONE_QUESTION],
  ['gift', '\\', ONE_QUESTION],
  ['gift', '::a', ONE_QUESTION],
  ['gift', '{=\n\n', MANY_QUESTIONS],
  ['gift', '{~a#', ONE_QUESTION],
  ['anki', '#html:true\n{{c1::', ONE_QUESTION],
  ['anki', '#html:true\nA. a<br>', ONE_QUESTION],
  ['anki', '#html:true\na\tb\n', MANY_QUESTIONS],
  ['aiken', 'A. a\n', ONE_QUESTION],
  ['aiken', 'a\n\nANSWER: A\n', ONE_QUESTION],
  ['moodle-xml', '<question ', MANY_QUESTIONS],
  ['moodle-xml', '<question><![CDATA[', MANY_QUESTIONS],
  ['moodle-xml', '<question><a>', MANY_QUESTIONS],
  ['moodle-xml', '<!--', ONE_QUESTION],
  ['qti-1', '<item><presentation>', MANY_QUESTIONS],
  ['qti-2', '<assessmentItem><itemBody>', MANY_QUESTIONS],
  ['qti-3', '<qti-assessment-item ', MANY_QUESTIONS],
  ['json', '[{"questions":', ONE_QUESTION],
  ['json', '[{"id":"a",', ONE_QUESTION],
  ['json', '{"id":"', ONE_QUESTION],
  ['voted-json', '[{"question":"a"},', ONE_QUESTION],
  ['voted-json', '[[[[', ONE_QUESTION],
  ['markdown', '## a\n```\n', MANY_QUESTIONS],
  ['markdown-numbered', '1. a\n<details>\n', ONE_QUESTION],
  ['markdown-numbered', '<summary', ONE_QUESTION],
  ['markdown-numbered', '1. ', ONE_QUESTION],
  ['markdown-checked', '### a\n- [x] ![![\n', MANY_QUESTIONS],
  ['markdown-checked', '#', ONE_QUESTION],
  ['markdown-checked', '### a\n~~~\n', MANY_QUESTIONS],
  ['markdown-files', '- [x] a\n>', ONE_QUESTION],
  ['markdown-files', '---\n', ONE_QUESTION],
]

test.each(hostile)('%s: %j again and again takes no longer than its size asks', (format, piece, size) => {
  const text = piece.repeat(Math.ceil(size / piece.length))
  const { large, most } = timesOf(text, (bytes) => Array.from(readBank([{ path: 'x', bytes }], { format })))
  expect(large).toBeLessThan(most)
})

const Q = '{"question":"Which?","final_answer":"A","answer_a":'
/** Between a beginning and an end, what a pattern that looks for the end of a text tries again at each place. */
const hostileInside: [ImportFormat, string, string, string][] = [
  ['markdown-checked', '### a\n- [x] ', '\n', '- [ ] b'],
  ['markdown-checked', '### a', ' ', 'b\n- [x] a\n- [ ] b'],
  ['markdown-numbered', '# a', ' ', 'b\n1. a\n- A. a\n- B. b'],
  ['markdown-numbered', '1. a\n- A. a\n- B. b\nCorrect answer: A', ' ', 'b'],
  ['markdown-numbered', '---\n', 'a\n', ''],
  ['markdown', '---\ntitle: a\ndomain: a\nsources: []\n---\n## a', ' ', 'b'],
  ['voted-json', `[${Q}"<b>a`, '<br>', 'a</b>","answer_b":"b"}]'],
  ['voted-json', `[${Q}"a`, ' ', 'a","answer_b":"b"}]'],
]

test.each(hostileInside)(
  '%s: %j and %j again and again before %j take no longer than their size asks',
  (...written) => {
    const [format, begin, piece, end] = written
    const readOf = (bytes: Uint8Array) => Array.from(readBank([{ path: 'x', bytes }], { format }))
    const { large, most } = timesOf(piece.repeat(MANY_QUESTIONS / piece.length), (bytes) =>
      readOf(strToU8(`${begin}${strFromU8(bytes)}${end}`)),
    )
    expect(large).toBeLessThan(most)
  },
)

test.each(['\t', ' ', '- ', '#', '{', '=', ','])(
  'the formats nearest to %j again and again are found in no longer than its size asks',
  (piece) => {
    const text = piece.repeat(MANY_QUESTIONS / piece.length)
    const { large, most } = timesOf(text, (bytes) => nearestFormats([{ path: 'x', bytes }]))
    expect(large).toBeLessThan(most)
  },
)

/** The time that a text takes, and the most that it may, by the time of an eighth of it. */
function timesOf(text: string, read: (bytes: Uint8Array) => unknown): { large: number; most: number } {
  const timeOf = (bytes: Uint8Array) => {
    // Of the processor, not of the clock: others use the machine too.
    const started = process.cpuUsage()
    read(bytes)
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1000
  }
  const small = timeOf(strToU8(text.slice(0, text.length / 8)))
  const large = timeOf(strToU8(text))
  // Eight times the text, and with room for a busy machine: quadratic time would be 64 times as long.
  return { large, most: 24 * Math.max(small, 30) }
}

/** A workbook of one sheet, whose first question has this row number and this format of its text, which is a number. */
function workbook({ row = '2', format = '0', sheets = 1, body = '' }) {
  const cell = (text: string) => `<c t="str"><v>${text}</v></c>`
  const head = `<row r="1">${['question', 'option a', 'option b', 'answer'].map(cell).join('')}</row>`
  const first = `<row r="${row}"><c s="0"><v>1.5</v></c>${['This', 'That', 'A'].map(cell).join('')}</row>`
  return zipSync({
    'xl/workbook.xml': strToU8(`<workbook><sheets>${'<sheet r:id="r1"/>'.repeat(sheets)}</sheets></workbook>`),
    'xl/_rels/workbook.xml.rels': strToU8('<Relationships><Relationship Id="r1" Target="sheet1.xml"/></Relationships>'),
    'xl/styles.xml': strToU8(
      `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${format}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
    ),
    'xl/sheet1.xml': strToU8(`<worksheet><sheetData>${body || head + first}</sheetData></worksheet>`),
  })
}

test.each(['3000000000', '1.5', '-5', '0', 'Infinity', 'x'])(
  'a row of a workbook that says it is number %s has the number of its place',
  (row) => expect(questions(steps(workbook({ row }), 'xlsx')).map(({ line }) => line)).toEqual([2]),
)

test('a number with more decimals than a spreadsheet shows is read', () => {
  const format = `0.${'0'.repeat(200)}`
  const [read] = questions(steps(workbook({ format }), 'xlsx'))
  expect(read?.question?.stem).toBe(`1.5${'0'.repeat(29)}`)
})

test('a sheet that a workbook names again and again is looked at once', () => {
  const timeOf = (bytes: Uint8Array) => {
    const started = process.cpuUsage()
    steps(bytes, 'xlsx')
    return process.cpuUsage(started).user / 1000
  }
  const body = '<row></row>'.repeat(2000)
  const [once, often] = [1, 5000].map((sheets) => workbook({ sheets, body }))
  timeOf(once!)
  expect(timeOf(often!)).toBeLessThan(24 * Math.max(timeOf(once!), 30))
})

test('a bank of JSON on one line is read as fast as on many', () => {
  const bank = Array.from({ length: 10_000 }, (_, at) => ({
    id: `q-${at}`,
    question: 'Which?',
    answer_ids: {},
    about: 'x'.repeat(1000),
  }))
  const timeOf = (text: string) => {
    const started = process.cpuUsage()
    const read = questions(steps(text, 'json'))
    expect(read).toHaveLength(bank.length)
    return process.cpuUsage(started).user
  }
  const onMany = timeOf(JSON.stringify(bank, null, 1))
  expect(timeOf(JSON.stringify(bank))).toBeLessThan(2 * onMany)
})

/** The same archive, whose directory says another size of its only file. */
function withSize(archive: Uint8Array, size: number): Uint8Array {
  const copy = Uint8Array.from(archive)
  const entry = indexOf(copy, [0x50, 0x4b, 0x01, 0x02])
  new DataView(copy.buffer).setUint32(entry + 24, size, true)
  return copy
}

function indexOf(bytes: Uint8Array, needle: number[]): number {
  return bytes.findIndex((_, at) => needle.every((byte, place) => bytes[at + place] === byte))
}
