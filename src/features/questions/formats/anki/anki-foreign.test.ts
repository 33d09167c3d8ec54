import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { comparedPartsOf } from '../../types/check-registry.ts'
import { prepareFormat, readBank, recognise } from '../bank.ts'
import type { ReadStep, SourceFile } from '../formats.schema.ts'
import { FIELD_MARK } from './anki-note-type.ts'
import { createSqlite, insertRows } from './sqlite.ts'

await prepareFormat('anki')

type Note = { readonly fields: string[]; readonly tags?: string }

/** A collection of one note type. With `isNew` as Anki writes it since schema 18. */
function aCollection(names: string[], notes: Note[], isNew = false): Uint8Array {
  return createSqlite((database) => {
    database.run('CREATE TABLE col (id integer primary key, models text, decks text)')
    database.run('CREATE TABLE notes (id integer primary key, mid integer, tags text, flds text)')
    database.run('CREATE TABLE cards (id integer primary key, nid integer, did integer)')
    const models = { 5: { flds: names.map((name) => ({ name })) } }
    const decks = { 7: { name: 'AWS::Networks' } }
    const texts = isNew ? ['', ''] : [JSON.stringify(models), JSON.stringify(decks)]
    insertRows(database, 'col', [[1, ...texts]])
    if (isNew) {
      database.run(
        'CREATE TABLE fields (ntid integer, ord integer, name text, config blob, PRIMARY KEY (ntid, ord)) without rowid',
      )
      database.run('CREATE TABLE decks (id integer primary key, name text)')
      insertRows(
        database,
        'fields',
        names.map((name, place) => [5, place, name, null]),
      )
      insertRows(database, 'decks', [[7, `AWS${FIELD_MARK}Networks`]])
    }
    insertRows(
      database,
      'notes',
      notes.map(({ fields, tags = '' }, place) => [place + 1, 5, tags, fields.join(FIELD_MARK)]),
    )
    insertRows(
      database,
      'cards',
      notes.map((_, place) => [place + 1, place + 1, 7]),
    )
  })
}

/** A frame of zstd whose blocks are not compressed (RFC 8878, 3.1.1). */
function zstd(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x58)]
  for (let at = 0; at === 0 || at < bytes.length; at += 100_000) {
    const block = bytes.subarray(at, at + 100_000)
    const head = (block.length << 3) | (at + 100_000 >= bytes.length ? 1 : 0)
    parts.push(Uint8Array.of(head & 255, (head >> 8) & 255, head >> 16), block)
  }
  return Uint8Array.from(Buffer.concat(parts))
}

const packaged = (files: Record<string, Uint8Array>): SourceFile[] => [{ path: 'deck.apkg', bytes: zipSync(files) }]
const inPackage = (names: string[], notes: Note[]) => packaged({ 'collection.anki2': aCollection(names, notes) })
const questions = (steps: Iterable<ReadStep>) =>
  [...steps].flatMap((step) => (step.kind === 'question' ? [step.question] : []))
const findings = (steps: Iterable<ReadStep>) =>
  [...steps].flatMap((step) => (step.kind === 'finding' ? [step.finding.sentence] : []))

/** What a note becomes: its text, its parts with what the answer key says of them, its explanation. */
function readAs(names: string[], ...fields: string[]) {
  const [read] = questions(readBank(inPackage(names, [{ fields }])))
  const { question, reasons = [], lost = [] } = read ?? {}
  return {
    stem: question?.stem,
    parts: question === undefined ? [] : comparedPartsOf(question).map(({ text, keyValue }) => `${keyValue}: ${text}`),
    explanation: question?.explanation,
    refused: question === undefined ? reasons.map(({ sentence }) => sentence) : [],
    lost: lost.map(({ code, facts }) => [code, ...facts].join(' ')),
  }
}

test('options in fields of their own are a choice, whether the key is letters, numbers, marks or a text', () => {
  const names = ['Question', 'Option A', 'Option B', 'Option C', 'Answer', 'Explanation', 'Page']
  const expected = {
    stem: 'Which **store**?',
    parts: ['wrong: EBS', 'right: S3', 'wrong: EFS'],
    explanation: 'Because.',
    refused: [],
    lost: ['field Page'],
  }
  for (const key of ['B', 'b.', '2', '0 1 0', 'S3', 'Answer: B', 'The correct answer is <b>B</b>'])
    expect({ key, ...readAs(names, 'Which <b>store</b>?', 'EBS', 'S3', 'EFS', key, 'Because.', '12') }).toEqual({
      key,
      ...expected,
    })
  const both = readAs(names, 'Which?', 'EBS', 'S3', 'EFS', 'A, C', '', '')
  expect(both.parts).toEqual(['right: EBS', 'wrong: S3', 'right: EFS'])
  expect(readAs(names, 'Which?', 'EBS', 'S3', 'EFS', 'none of them', '', '').refused).toEqual([
    'The bank does not hold questions of this type: options of which the answer names none',
  ])
})

test('options that are listed in the front are a choice; what the back says besides is its explanation', () => {
  const expected = ['wrong: EBS', 'right: S3', 'wrong: EFS']
  const fronts = [
    'Which store?<br>A. EBS<br>B. S3<br>C. EFS',
    '<div>Which store?</div><div>a) EBS</div><div>b) S3</div><div>c) EFS</div>',
    'Which store?<ol><li>EBS</li><li>S3</li><li>EFS</li></ol>',
  ]
  for (const front of fronts) {
    const read = readAs(['Front', 'Back'], front, 'B. S3<br><br>It stores objects.')
    expect({ front, ...read }).toMatchObject({ front, stem: 'Which store?', parts: expected, refused: [] })
    expect(read.explanation).toBe('It stores objects.')
  }
})

test('a front with a short plain back, and a text with one cloze, are short answers', () => {
  const basic = readAs(['Front', 'Back'], 'What resolves names?', '<div><b>Route&nbsp;53</b></div>')
  expect(basic).toMatchObject({ stem: 'What resolves names?', refused: [] })
  expect(basic.parts.join()).toContain('route 53')
  const cloze = readAs(['Text', 'Back Extra'], '{{c1::Amazon S3::a service}} stores objects.', 'Really.')
  expect(cloze).toMatchObject({ stem: '_____ (a service) stores objects.', explanation: 'Really.', refused: [] })
  expect(cloze.parts.join()).toContain('amazon s3')
})

test('any other note is refused by itself with a sentence, and the next one is read', () => {
  const long = 'x'.repeat(101)
  const notes = [
    { fields: ['Front', long] },
    { fields: ['Front', '<img src="a.png">'] },
    { fields: ['Front', 'one<br>two'] },
    { fields: ['Alone', ''] },
    { fields: ['', ''] },
    { fields: ['{{c1::One}} and {{c2::two}}', ''] },
    { fields: [`{{c1::${long}}}`, ''] },
    { fields: ['What?', 'That'], tags: ' domain::Cloud_Concepts difficulty::hard leech ' },
  ]
  const read = questions(readBank(inPackage(['Front', 'Back'], notes)))
  expect(read.map(({ question }) => question !== undefined)).toEqual([...Array.from({ length: 7 }, () => false), true])
  for (const { reasons } of read.slice(0, 7)) expect(reasons.map(({ code }) => code)).toContain('type-unsupported')
  expect(read[7]).toMatchObject({
    line: 8,
    question: { domain: 'Cloud Concepts', difficulty: 'hard' },
    lost: [{ code: 'tag', facts: ['leech'] }],
  })
})

test('a newer package is read from its compressed collection, and its images by their names', () => {
  const collection = aCollection(['Front', 'Back'], [{ fields: ['Which? <img src="plan.png">', 'This'] }], true)
  const name = strToU8('plan.png')
  const media = Uint8Array.from([10, name.length + 2, 10, name.length, ...name])
  const files = packaged({
    'collection.anki2': aCollection(['Front', 'Back'], [{ fields: ['Please update Anki', 'now'] }]),
    'collection.anki21b': zstd(collection),
    meta: Uint8Array.of(8, 3),
    media: zstd(media),
    0: zstd(Uint8Array.of(1, 2, 3)),
  })
  expect(recognise(files)?.format).toBe('anki')
  const steps = [...readBank(files)]
  expect(findings(steps)).toEqual([])
  expect(steps[0]).toMatchObject({ kind: 'exam', facts: { title: 'Networks' } })
  const [read, ...others] = questions(steps)
  expect(others).toEqual([])
  expect(read?.question?.stem).toBe('Which? ![](picture:plan.png)')
  expect(read?.images.map(({ bytes }) => [...bytes])).toEqual([[1, 2, 3]])
})

test('a text that Anki exported is recognized by its first lines, and read with its tags and decks', () => {
  const text = [
    '#separator:tab',
    '#html:true',
    '#deck column:1',
    '#tags column:4',
    'AWS::Names\tWhat resolves names?\tRoute 53\tdifficulty::easy',
    'AWS::Stores\t"Which ""store""?<br>A. S3\n<br>B. EBS"\tA\t',
  ].join('\n')
  const files = [{ path: 'notes.txt', bytes: strToU8(text) }]
  expect(recognise(files)?.format).toBe('anki')
  const steps = [...readBank(files)]
  expect(steps.flatMap((step) => (step.kind === 'exam' ? [step.facts.title] : []))).toEqual(['Names', 'Stores'])
  const read = questions(steps)
  expect(read.map(({ line, question }) => [line, question?.stem, question?.difficulty])).toEqual([
    [5, 'What resolves names?', 'easy'],
    [6, 'Which "store"?', ''],
  ])
  const plain = '#separator:semicolon\n#html:false\n1 < 2?;yes <b>'
  const [other] = questions(readBank([{ path: 'notes.txt', bytes: strToU8(plain) }]))
  expect(other?.question?.stem).toBe('1 < 2?')
})

test.each([
  ['a collection that is no database', { 'collection.anki2': strToU8('no database') }, 'not an SQLite database'],
  ['a cut one', { 'collection.anki2': aCollection(['Front'], []).subarray(0, 700) }, 'damaged'],
  [
    'one without tables',
    { 'collection.anki2': createSqlite((database) => void database.run('CREATE TABLE a (b)')) },
    'no table col, notes, cards',
  ],
  ['wrong zstd', { 'collection.anki21b': zstd(aCollection(['Front'], [])).subarray(0, 5000) }, 'damaged'],
  ['zstd that unpacks without end', { 'collection.anki21b': zstdBomb() }, 'unpacks to more'],
  ['a view under the name of a table', { 'collection.anki2': withView() }, 'no table notes'],
  ['a computed column', { 'collection.anki2': withComputed() }, 'no table notes'],
])('%s gives a finding and no question', (_, files, sentence) => {
  const source = packaged(files)
  expect(recognise(source)?.format).toBe('anki')
  const steps = [...readBank(source)]
  expect(questions(steps)).toEqual([])
  expect(findings(steps).join()).toContain(sentence)
})

test('a truncated package is refused as an archive', () => {
  const [file] = inPackage(['Front', 'Back'], [{ fields: ['What?', 'That'] }])
  const cut = { path: 'deck.apkg', bytes: file!.bytes.subarray(0, file!.bytes.length - 30) }
  expect(findings(readBank([cut])).join()).toContain('The archive was not opened')
})

test('ten thousand notes are all read', () => {
  const notes = Array.from({ length: 10_000 }, (_, number) => ({ fields: [`What is ${number}?`, `number ${number}`] }))
  const read = questions(readBank(inPackage(['Front', 'Back'], notes)))
  expect(read).toHaveLength(10_000)
  expect(read.every(({ question }) => question !== undefined)).toBe(true)
}, 60_000)

/** Blocks that each repeat one byte: four bytes for a hundred thousand. */
function zstdBomb(): Uint8Array {
  const block = (isLast: boolean) => {
    const head = (100_000 << 3) | 2 | (isLast ? 1 : 0)
    return [head & 255, (head >> 8) & 255, head >> 16, 65]
  }
  const blocks = Array.from({ length: 3000 }, (_, at) => block(at === 2999)).flat()
  return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, ...blocks])
}

function withView(): Uint8Array {
  return createSqlite((database) => {
    database.run('CREATE TABLE col (id, models, decks)')
    database.run('CREATE TABLE cards (id, nid, did)')
    database.run(
      `CREATE VIEW notes AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 1 AS mid, '' AS tags, 'a' AS flds FROM n`,
    )
  })
}

function withComputed(): Uint8Array {
  return createSqlite((database) => {
    database.run('CREATE TABLE col (id, models, decks)')
    database.run('CREATE TABLE cards (id, nid, did)')
    database.run('CREATE TABLE notes (id, mid, tags, flds AS (hex(zeroblob(100000000))))')
  })
}
