import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aCourse, anExam } from '../../tests/support/build-course.ts'
import { aDatabase } from '../../tests/support/test-database.ts'
import { listDraftQuestions } from '../features/authoring/drafts/drafts-queries.server.ts'
import { runOn } from './altocert.fixture.ts'

const { db, url } = await aDatabase()
const course = await aCourse(db)

const run = (...args: string[]) => runOn(url, ...args)

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'altocert-import-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const aiken = (name: string) => `${name}: which one keeps objects?
A. Amazon S3
B. AWS Lambda
ANSWER: A

${name}: which one has no such answer?
A. Amazon S3
B. AWS Lambda
ANSWER: D
`

test('a file that cannot be imported is reported in one sentence', async () => {
  const file = join(await aFolder(), 'empty.csv')
  await writeFile(file, '')
  expect(await run('import', file, '--dry-run')).toMatchObject({
    code: 1,
    errors: 'altocert: The file is empty.',
  })
})

test('import adds files to an exam; a dry run stores nothing', async () => {
  const folder = await aFolder()
  const exam = await anExam(db, course.id)
  const file = join(folder, 'quiz.txt')
  await writeFile(file, aiken('first'))
  const dry = await run('import', file, '--dry-run', '--json')
  expect(dry.code).toBe(1)
  expect(JSON.parse(dry.output)).toMatchObject({ state: 'read', format: 'aiken', readCount: 2, stored: null })
  expect(await db.selectFrom('imports').select('id').execute()).toEqual([])

  const stored = await run('import', file, '--into', exam.slug, '--with-review')
  expect(stored.code).toBe(1)
  expect(stored.output).toContain('quiz.txt:6: refused')
  expect(stored.output).toContain('1 added, 0 changed')
  expect(stored.progress.join('')).toContain('%')
  expect(await listDraftQuestions(db, exam.id)).toHaveLength(exam.questions.length + 1)
  const again = await run('import', file, '--into', exam.slug, '--with-review')
  expect(again.output).toContain('Nothing stored.')
  expect(again.output).toContain('1 there')
})

test('import turns a folder into a new exam, and its export imports again without changes', async () => {
  const folder = await aFolder()
  await mkdir(join(folder, 'in/deeper'), { recursive: true })
  await writeFile(join(folder, 'in/one.txt'), aiken('one').split('\n\n')[0] ?? '')
  await writeFile(join(folder, 'in/deeper/two.txt'), aiken('two').split('\n\n')[0] ?? '')
  const made = await run('import', join(folder, 'in'), '--course', course.slug, '--exam', 'From files', '--with-review')
  expect([made.code, made.output]).toEqual([0, expect.stringContaining('2 added, 0 changed: From files (2)')])
  const written = await run('export', 'from-files', '--format', 'json', '--out', folder, '--json')
  expect(written.code).toBe(0)
  const { file, questionCount, losses } = JSON.parse(written.output) as Record<string, unknown>
  expect([questionCount, losses]).toEqual([2, []])
  expect(JSON.parse(await readFile(String(file), 'utf8'))).toMatchObject({ exams: [{ slug: 'from-files' }] })
  const back = await run('import', String(file), '--into', 'from-files', '--json')
  expect([back.code, JSON.parse(back.output)]).toMatchObject([0, { counts: { there: { open: 2 } }, stored: null }])
})

test('wrong usage exits with 2 and says what is wrong', async () => {
  const folder = await aFolder()
  const file = join(folder, 'quiz.txt')
  await writeFile(file, aiken('wrong'))
  for (const [args, sentence] of [
    [['import'], 'name files'],
    [['import', file], 'name a target'],
    [['import', file, '--into', 'no-such-exam'], 'there is no exam "no-such-exam"'],
    [['import', file, '--course', course.slug], 'needs a title'],
    [['import', file, '--dry-run', '--format', 'docx'], 'the formats are'],
    [['import', '/nowhere/at/all', '--dry-run'], 'no such file'],
    [['export', course.slug, '--format', 'json'], '--out'],
    [['export', 'no-such-course', '--format', 'json', '--out', folder], 'no course and no exam'],
  ] as const) {
    const { code, errors } = await run(...args)
    expect([args, code, errors]).toEqual([args, 2, expect.stringContaining(sentence)])
  }
})
