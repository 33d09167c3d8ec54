import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { EXAMPLES } from '../../types/examples.fixture.ts'
import type { Question } from '../../types/question-types.schema.ts'
import { judgeQuestion } from '../../questions.ts'
import { prepareFormat, readBank, writeBank } from '../bank.ts'
import type { ExamToWrite } from '../formats.schema.ts'
import { FIELD_MARK } from './anki-note-type.ts'
import { readSqlite, rowsOfQuery } from './sqlite.ts'

await prepareFormat('anki')

const NOW = new Date('2026-11-24T12:00:00Z')

function aQuestion(given: Readonly<Record<string, unknown>>, id: string): Question {
  const { question } = judgeQuestion({ ...given, id })
  if (question === undefined) throw new Error('the question was refused')
  return question
}

const choice = {
  question: 'Which `service` stores <b>objects</b> for \\\\(x\\\\) & [sound:a.mp3]?',
  answer_a: 'Amazon EBS',
  answer_b: 'Amazon S3 <script>',
  answer_c: 'AWS Lambda',
  final_answer: 'B',
  explanation: 'S3 stores **objects**.',
  domain: 'Cloud Concepts',
  difficulty: 'hard',
  url: 'https://docs.example.com/s3',
}

function anExam(questions: Question[], title = 'Practice :: Exam 1'): ExamToWrite {
  const facts = {
    title,
    slug: 'practice-exam-1',
    order: 1,
    timeLimitMinutes: 90,
    passingScore: 70,
    isFreeTrial: false,
  }
  return { facts, courseTitle: 'A course', questions, images: new Map() }
}

function written(exams: ExamToWrite[], now = NOW) {
  const [file] = writeBank('anki', exams, now).files
  const entries = unzipSync(file?.bytes ?? new Uint8Array())
  const rows = (sql: string) =>
    readSqlite(entries['collection.anki2'] ?? new Uint8Array(), (database) => [...rowsOfQuery(database, sql, 1000)])
  return { path: file?.path, entries, rows }
}

test('a package has a deck for the exam below the deck of its course, and a new card for each question', () => {
  const questions = [aQuestion(choice, 'one'), aQuestion({ ...choice, question: 'Another?' }, 'two')]
  const { path, entries, rows } = written([anExam(questions)])
  expect(path).toBe('practice-exam-1.apkg')
  expect(Object.keys(entries)).toEqual(['collection.anki2', 'media'])
  const [[version, decks, models]] = rows('SELECT ver, decks, models FROM col') as [[number, string, string]]
  expect(version).toBe(11)
  const known = Object.values(JSON.parse(decks) as Record<string, { id: number; name: string }>)
  expect(known.map(({ name }) => name)).toEqual(['Default', 'A course', 'A course::Practice : Exam 1'])
  const deck = known[2]?.id
  expect(rows('SELECT did, type, queue, due FROM cards')).toEqual([
    [deck, 0, 0, 1],
    [deck, 0, 0, 2],
  ])
  const [model] = Object.values(JSON.parse(models) as Record<string, { flds: { name: string }[] }>)
  expect(model?.flds.map(({ name }) => name)).toEqual(['Front', 'Back', 'Altocert'])
})

test('the front asks with lettered options, the back answers and explains, and no text is markup or a command of Anki', () => {
  const { rows } = written([anExam([aQuestion(choice, 'one')])])
  const [[fields, tags]] = rows('SELECT flds, tags FROM notes') as [[string, string]]
  const [front, back] = fields.split(FIELD_MARK)
  expect(front).toBe(
    '<p>Which <code>service</code> stores &lt;b&gt;objects&lt;/b&gt; for \\<span></span>(x\\<span></span>) &amp; &#91;sound:a.mp3]?</p>' +
      '<ol type="A"><li>Amazon EBS</li><li>Amazon S3 &lt;script&gt;</li><li>AWS Lambda</li></ol>',
  )
  expect(back).toBe(
    '<p><b>Right answer</b></p><ul><li><b>B</b> Amazon S3 &lt;script&gt;</li></ul><p>S3 stores <strong>objects</strong>.</p>' +
      '<p><a href="https://docs.example.com/s3">https://docs.example.com/s3</a></p>',
  )
  expect(tags).toBe(' domain::Cloud_Concepts difficulty::hard ')
})

test.each(Object.entries(EXAMPLES))(
  '%s: a card never shows its answer in front and always on the back',
  (type, given) => {
    const question = aQuestion(given, 'one')
    const { rows } = written([anExam([question])])
    const [[fields]] = rows('SELECT flds FROM notes') as [[string]]
    const [front = '', back = ''] = fields.split(FIELD_MARK)
    expect(front).not.toContain('Right answer')
    expect(back).toContain('Right answer')
    expect(question.type).toBe(type)
    // The stem is in front, the explanation behind.
    expect(front).toMatch(/^<p>/)
    expect(back).toContain('</strong>')
    expect(front).not.toContain('</strong>')
  },
)

test('a question that is exported again, changed and from another exam, is the same note for Anki, and newer', () => {
  const guids = ({ rows }: ReturnType<typeof written>) => rows('SELECT guid, mod FROM notes') as [string, number][]
  const [[first, then]] = guids(written([anExam([aQuestion(choice, 'one')])])) as [[string, number]]
  const changed = aQuestion({ ...choice, question: 'Which one?', final_answer: 'A' }, 'one')
  const later = new Date(NOW.getTime() + 60_000)
  const [[second, since]] = guids(written([anExam([changed], 'Another exam')], later)) as [[string, number]]
  expect(second).toBe(first)
  expect(since).toBe(then + 60)
  const [[other]] = guids(written([anExam([aQuestion(choice, 'two')])])) as [[string, number]]
  expect(other).not.toBe(first)
})

test('a card that was changed in Anki says so when it is read, and the question is as it was exported', () => {
  const question = aQuestion(choice, 'one')
  const { entries } = written([anExam([question])])
  const collection = entries['collection.anki2'] ?? new Uint8Array()
  const changed = readSqlite(collection, (database) => {
    database.run(
      `UPDATE notes SET flds = replace(flds, '<li>AWS Lambda', '<li>AWS Fargate'), tags = ' mine domain::Other '`,
    )
    return database.export()
  })
  const read = (bytes: Uint8Array) =>
    [...readBank([{ path: 'collection.anki2', bytes }])].flatMap((step) =>
      step.kind === 'question' ? [step.question] : [],
    )
  expect(read(collection)[0]).toMatchObject({ question, lost: [] })
  const [back] = read(changed)
  expect(back?.question).toEqual(question)
  expect(back?.lost).toEqual([
    { code: 'tag', facts: ['mine'] },
    { code: 'card', facts: [] },
  ])
})

test('an exported card begins with the case study of its question and its pictures, and is read again without remarks about them', () => {
  const address = `/pictures/${'a'.repeat(64)}.webp`
  const tabs = [
    { id: 't1', title: 'Situation', body: 'Letters arrive.' },
    { id: 't2', title: 'Plan', body: `![A plan](${address})` },
  ]
  const own = { ...aQuestion(choice, 'one'), caseStudy: 'claims' }
  const exam = {
    ...anExam([own, aQuestion({ ...choice, question: 'Another?' }, 'two')]),
    caseStudies: [{ id: 'claims', title: 'Claims', tabs }],
    images: new Map([[address, { name: 'plan.webp', bytes: Uint8Array.from([1, 2, 3]) }]]),
  }
  const fronts = written([exam])
    .rows('SELECT flds FROM notes')
    .map(([fields]) => String(fields).split(FIELD_MARK)[0] ?? '')
  expect(fronts[0]).toMatch(
    /^<h3>Case study: Claims<\/h3><h4>Situation<\/h4><p>Letters arrive\.<\/p><h4>Plan<\/h4>.*src="plan\.webp".*<hr><p>Which/,
  )
  expect(fronts[1]).not.toContain('Claims')
  const { files, losses } = writeBank('anki', [exam], NOW)
  expect(losses.map(({ sentence }) => sentence)).toContain('Its case studies are not carried.')
  const steps = [...readBank(files)]
  expect(steps.filter(({ kind }) => kind === 'finding')).toEqual([])
  expect(steps.flatMap((step) => (step.kind === 'question' ? [step.question.lost] : []))).toEqual([[], []])
})
