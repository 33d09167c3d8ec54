import type { Question } from '../../questions/types/question-types.schema.ts'
import { strToU8, zipSync } from 'fflate'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { anAdmin } from '../../../../tests/support/users.ts'
import { listDraftCaseStudies, listDraftQuestions } from '../../authoring/drafts/drafts-queries.server.ts'
import { getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { writeBank } from '../../questions/formats/bank.ts'
import type { ExportFormat } from '../../questions/formats/formats.schema.ts'
import type { ExamId } from '../../../lib/ids.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { Markdown } from '../../../ui/markdown-text.tsx'
import { listImported, listLost } from './imports-queries.server.ts'
import { isRunning } from './imports.ts'
import type { ImportView, StoredImport } from './imports.schema.ts'
import { deleteImportBytes } from './imports-commands.server.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const by = { actorId: admin.id, now: app.clock.now() }

const gift = `::One:: Which service keeps objects? {
=Amazon S3
~AWS Lambda
#### Amazon S3 keeps objects.
}

::Two:: Which one has no answer? {
}

::Three:: Which service runs code? {
=AWS Lambda
~Amazon S3
}
`

async function send(text: string | Uint8Array, name: string, visitor: Visitor = admin.browser): Promise<ImportView> {
  const reply = await fetch(`${app.url}/api/imports?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { origin: app.url, cookie: visitor.cookies, 'content-type': 'application/octet-stream' },
    body: text as BodyInit,
  })
  expect(reply.status).toBe(200)
  return untilRead(((await reply.json()) as ImportView).id)
}

async function untilRead(id: string): Promise<ImportView> {
  return expect
    .poll(
      async () => {
        const view = (await admin.browser.get(`/api/imports/${id}`)).body as ImportView
        return isRunning(view.state) ? null : view
      },
      { timeout: 110_000, interval: 100 },
    )
    .not.toBeNull()
    .then(async () => (await admin.browser.get(`/api/imports/${id}`)).body as ImportView)
}

const everything = { verdict: 'all', outcome: 'all', page: 1 } as const
const store = async (id: string, target: object, withReview = true) =>
  admin.browser.post(`/api/imports/${id}/store`, { target, withReview })

/** Makes the questions of each test unique. */
const named = (text: string, name: string) => text.replaceAll('Which', `${name}: which`)

function written(format: ExportFormat, questions: Question[], slug: string): string {
  const facts = { title: 'An exam', slug, order: 1, timeLimitMinutes: 30, passingScore: 70, isFreeTrial: false }
  const { files } = writeBank(format, [{ facts, courseTitle: 'A course', questions, images: new Map() }])
  return new TextDecoder().decode(files[0]?.bytes)
}

test('the parts that the bank cannot hold are stored as codes and shown in words; sentences of earlier builds stay', async () => {
  const head = 'Question,Question Type,Answer Option 1,Answer Option 2,Correct Answers,Owner,Team'
  const rows = ['Lost one?,multiple-choice,Yes,No,1,Ana,Red', 'Lost two?,multiple-choice,Yes,No,2,Ben,Blue']
  const view = await send([head, ...rows].join('\n'), 'lost.csv')
  const { questions } = await listImported(db, view.id, everything)
  expect(questions[0]!.lost).toEqual(['The column "Owner" is not kept.', 'The column "Team" is not kept.'])
  expect(await listLost(db, view.id)).toEqual([{ sentence: 'The column "Owner" is not kept.', count: 2 }])

  const lost = [
    'The tag "a" is not kept.',
    { code: 'image-animated', name: 'abc' },
    { code: 'image-refused', name: 'def', failure: 'picture.broken' },
  ]
  await db
    .updateTable('import_questions')
    .set({ lost: JSON.stringify(lost) })
    .where('import_id', '=', view.id)
    .execute()
  const sentences = [
    'The tag "a" is not kept.',
    'The image abc is animated; its first frame was kept.',
    'The image def could not be stored: This image is damaged and could not be read.',
  ]
  expect((await listImported(db, view.id, everything)).questions[1]!.lost).toEqual(sentences)
  expect((await listLost(db, view.id)).map(({ sentence }) => sentence).toSorted()).toEqual(sentences.toSorted())
})

test('a dry run gives each question its verdict, file, line and reasons, and does not change the bank', async () => {
  const before = await db.selectFrom('test_questions').select('id').execute()
  const view = await send(named(gift, 'dry'), 'quiz.gift')
  expect(view).toMatchObject({
    state: 'read',
    format: 'gift',
    readCount: 3,
    percent: 100,
    counts: { good: { open: 1 }, 'needs-review': { open: 1 }, refused: { open: 1 } },
  })
  const { questions } = await listImported(db, view.id, everything)
  expect(questions.map(({ verdict, file, line }) => [verdict, file, line])).toEqual([
    ['good', 'quiz.gift', 1],
    ['refused', 'quiz.gift', 7],
    ['needs-review', 'quiz.gift', 10],
  ])
  expect(questions.every(({ verdict, reasons }) => verdict === 'good' || reasons.length > 0)).toBe(true)
  expect(await db.selectFrom('test_questions').select('id').execute()).toEqual(before)
})

test('questions are stored in the draft of an exam; the same file again changes nothing', async () => {
  const course = await aCourse(db)
  const exam = await anExam(db, course.id)
  const view = await send(named(gift, 'twice'), 'twice.gift')
  const stored = (await store(view.id, { kind: 'exam', examId: exam.id })).body as StoredImport
  expect(stored).toMatchObject({ added: 2, changed: 0, exams: [{ id: exam.id }] })
  const drafted = await listDraftQuestions(db, exam.id)
  expect(drafted.map(({ stem }) => stem)).toEqual([
    ...exam.questions.map(({ stem }) => stem),
    'twice: which service keeps objects?',
    'twice: which service runs code?',
  ])
  expect(await getExamQuestions(db, exam.id)).toHaveLength(exam.questions.length)

  const again = await send(named(gift, 'twice'), 'twice.gift')
  expect(again.counts).toMatchObject({ good: { open: 0 }, 'needs-review': { open: 0 }, there: { open: 2 } })
  expect((await store(again.id, { kind: 'exam', examId: exam.id })).status).toBe(409)
  expect(await listDraftQuestions(db, exam.id)).toHaveLength(drafted.length)
})

test('a dry run says where it found the sign of the format, and offers the nearest formats where it found none', async () => {
  const known = await send(`// One bank\n\n${named(gift, 'place')}`, 'place.gift')
  expect(known.sign).toBe('Detected as GIFT: answers in braces, marked with = and ~ (place.gift, line 3).')
  const unknown = await send('1. place: what is it?\na) One\nb) Two\nKey - b\n', 'place.txt')
  expect(unknown).toMatchObject({
    state: 'failed',
    format: null,
    sign: null,
    nearest: ['markdown-numbered', 'aiken'],
  })
  const again = await admin.browser.post(`/api/imports/${unknown.id}/read`, {
    format: 'aiken',
  })
  expect(again.status).toBe(200)
  expect(await untilRead(unknown.id)).toMatchObject({
    format: 'aiken',
    sign: null,
    nearest: ['markdown-numbered'],
  })
  await db.updateTable('imports').set({ sign: 'gift' }).where('id', '=', known.id).execute()
  const stored = (await admin.browser.get(`/api/imports/${known.id}`)).body as ImportView
  expect([stored.sign, stored.nearest]).toEqual(['Detected as GIFT: answers in braces, marked with = and ~.', []])
})

test('a question that a file repeats is already there, and is stored once', async () => {
  const exam = await anExam(db, (await aCourse(db)).id)
  const text = named(gift, 'repeat').replace(/^::Two::.*?\n\n/ms, '')
  const view = await send(`${text}\n${text}`, 'repeat.gift')
  expect(view.counts).toMatchObject({ good: { open: 1 }, there: { open: 2 }, refused: { open: 0 } })
  const { questions } = await listImported(db, view.id, { ...everything, verdict: 'there' })
  expect(questions[0]?.reasons.map(({ sentence }) => sentence)).toEqual([
    'The same question stands before: repeat.gift, line 1',
  ])
  const target = { kind: 'exam', examId: exam.id }
  expect((await store(view.id, target)).body).toMatchObject({ added: 2 })
  expect(await listDraftQuestions(db, exam.id)).toHaveLength(exam.questions.length + 2)
  expect((await store(view.id, target)).status).toBe(409)
})

test('a file stored by two admins at once is stored once', async () => {
  const exam = await anExam(db, (await aCourse(db)).id)
  const [first, second] = [await send(named(gift, 'race'), 'a.gift'), await send(named(gift, 'race'), 'b.gift')]
  const target = { kind: 'exam', examId: exam.id }
  const replies = await Promise.all([store(first.id, target), store(second.id, target)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await listDraftQuestions(db, exam.id)).toHaveLength(exam.questions.length + 2)
})

test('a new course is a draft with the exams that the file names, and the shop does not list it', async () => {
  const questions = [aQuestion(701), aQuestion(702)]
  const view = await send(written('json', questions, 'brand-new-exam'), 'bank.json')
  const reply = await store(view.id, {
    kind: 'new-course',
    course: { title: 'A course of an import', description: 'About it.', category: 'associate', price: '19.99' },
    exam: { title: 'An exam', timeLimitMinutes: 45, passingScore: 72 },
  })
  const { courseId, exams } = reply.body as StoredImport
  const course = await db
    .selectFrom('courses')
    .where('id', '=', courseId ?? '')
    .select(['title', 'description', 'slug', 'status', 'price', 'user_id'])
    .executeTakeFirstOrThrow()
  expect(course).toEqual({
    title: 'A course of an import',
    description: 'About it.',
    slug: 'a-course-of-an-import',
    status: 'draft',
    price: '19.99',
    user_id: admin.id,
  })
  const after = (await admin.browser.get(`/api/imports/${view.id}`)).body as ImportView
  expect(after.target?.course).toEqual({ id: courseId, slug: 'a-course-of-an-import', status: 'draft' })
  const [exam] = exams
  expect(await getExamQuestions(db, exam?.id as ExamId)).toEqual(questions)
  const listed = (await app.visitor().get('/api/courses')).body as { courses: { title: string }[] }
  expect(listed.courses.map(({ title }) => title)).not.toContain('A course of an import')
})

test('the case studies of a file that describes no exam are stored with their questions, and the report says what became one', async () => {
  const { id: examId } = await anExam(db, (await aCourse(db)).id)
  const cloze = `<question type="cloze"><name><text>Hops</text></name>
    <questiontext format="html"><text><![CDATA[<p>A packet lives for {1:NM:=64} hops and has {2:SA:=TTL} in its head.</p>]]></text></questiontext>
  </question>`
  const view = await send(`<quiz>${cloze}</quiz>`, 'hops.xml')
  expect(view.findings.map(({ sentence }) => sentence)).toEqual([
    'Read as case studies, with a question for each gap: 1 text with several gaps.',
  ])
  expect((await store(view.id, { kind: 'exam', examId })).body).toMatchObject({ added: 2 })
  const questions = await listDraftQuestions(db, examId)
  expect(await listDraftCaseStudies(db, examId)).toMatchObject([
    { title: 'Hops', tabs: [{ title: 'Text', body: 'A packet lives for [1] hops and has [2] in its head.' }] },
  ])
  expect(questions.flatMap(({ caseStudy, stem }) => (caseStudy === undefined ? [] : [stem]))).toEqual([
    'A packet lives for _____ hops and has [2] in its head.',
    'A packet lives for [1] hops and has _____ in its head.',
  ])
})

test('our own formats change the questions behind their keys, in the draft of their exam', async () => {
  const exam = await anExam(db, (await aCourse(db)).id, { questions: [aQuestion(711), aQuestion(712), aQuestion(713)] })
  const [first, ...rest] = exam.questions
  if (first === undefined) throw new Error('The exam has questions.')
  const unchanged = await send(written('markdown', [...exam.questions], exam.slug), 'exam.md')
  expect(unchanged.counts.there.open).toBe(3)
  const corrected = { ...first, explanation: 'A better explanation.' }
  const added = aQuestion(714)
  const view = await send(written('markdown', [corrected, ...rest, added], exam.slug), 'exam.md')
  expect(view.counts).toMatchObject({ changed: { open: 1 }, there: { open: 2 }, good: { open: 1 } })
  const stored = (await store(view.id, { kind: 'own-places' })).body as StoredImport
  expect(stored).toMatchObject({ added: 1, changed: 1, exams: [{ id: exam.id }] })
  expect(await listDraftQuestions(db, exam.id)).toEqual([corrected, ...rest, added])
})

test('a corrected question is stored where the others are; another one is dismissed', async () => {
  const exam = await anExam(db, (await aCourse(db)).id)
  const view = await send(`${named(gift, 'mend')}\n::Four:: mend: which is empty? {}\n`, 'mend.gift')
  expect(view.counts.refused.open).toBe(2)
  await store(view.id, { kind: 'exam', examId: exam.id })
  const { questions } = await listImported(db, view.id, { ...everything, verdict: 'refused' })
  const [first, second] = questions.map(({ place }) => place)
  const question = {
    stem: 'mend: which one has no answer?',
    options: [
      { text: 'This one', isRight: true },
      { text: 'That one', isRight: false },
    ],
    explanation: 'It was corrected.',
  }
  const wrong = await admin.browser.post(`/api/imports/${view.id}/questions/${first}/correct`, {
    question: { ...question, stem: '' },
  })
  expect(wrong).toMatchObject({ status: 400, body: { error: { fields: [{ field: 'stem' }] } } })
  const corrected = await admin.browser.post(`/api/imports/${view.id}/questions/${first}/correct`, { question })
  expect(corrected.body).toMatchObject({ outcome: 'stored', verdict: 'good' })
  expect((await listDraftQuestions(db, exam.id)).at(-1)?.stem).toBe(question.stem)
  const twice = await admin.browser.post(`/api/imports/${view.id}/questions/${first}/correct`, { question })
  expect(twice.status).toBe(409)

  const dismissed = await admin.browser.post(`/api/imports/${view.id}/dismiss`, { places: [second] })
  expect(dismissed.body).toEqual({ dismissed: 1 })
  const tooLarge = await admin.browser.post(`/api/imports/${view.id}/dismiss`, { places: [2 ** 31] })
  expect(tooLarge.status).toBe(400)
  const after = (await admin.browser.get(`/api/imports/${view.id}`)).body as ImportView
  expect(after.counts.refused).toEqual({ open: 0, stored: 0, dismissed: 1 })
})

test('a table waits until its columns are assigned', async () => {
  const table = 'What,First,Second,Key,Why\nmapped: which is first?,This,That,A,Because.\n'
  const view = await send(table, 'table.csv')
  expect(view).toMatchObject({ state: 'mapping', columns: { header: ['What', 'First', 'Second', 'Key', 'Why'] } })
  const mapping = { question: 0, answer_a: 1, answer_b: 2, final_answer: 3, explanation: 4 }
  await admin.browser.post(`/api/imports/${view.id}/read`, { mapping })
  expect(await untilRead(view.id)).toMatchObject({ state: 'read', counts: { good: { open: 1 } } })
})

test('a pasted table is recognized without a file name', async () => {
  const view = await send('What,First,Second,Right\npasted: which?,This,That,A\n', 'Pasted text')
  expect(view).toMatchObject({ state: 'mapping', columns: { header: ['What', 'First', 'Second', 'Right'] } })
  const mapping = { question: 0, answer_a: 1, answer_b: 2, final_answer: 3 }
  await admin.browser.post(`/api/imports/${view.id}/read`, { mapping })
  expect(await untilRead(view.id)).toMatchObject({ state: 'read', counts: { 'needs-review': { open: 1 } } })
})

test('an upload that is too large is refused while it arrives', async () => {
  const stream = async (name: string, size: number, headers: Record<string, string> = {}) => {
    const megabyte = new Uint8Array(1024 * 1024).fill(65)
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= size) return controller.close()
        sent += 1
        controller.enqueue(megabyte)
      },
    })
    return fetch(`${app.url}/api/imports?name=${name}`, {
      method: 'POST',
      headers: { origin: app.url, cookie: admin.browser.cookies, ...headers },
      body,
      duplex: 'half',
    } as RequestInit)
  }
  const reply = await stream('endless.md', 52)
  expect(reply.status).toBe(413)
  expect(((await reply.json()) as { error: { message: string } }).error.message).toContain('50 MB')
  const left = await db.selectFrom('imports').where('name', '=', 'endless.md').select('id').execute()
  expect(left).toEqual([])
})

test('a file of unknown format is kept and can be read as a chosen format', async () => {
  const view = await send('nothing that anybody knows', 'letter.txt')
  expect(view).toMatchObject({ state: 'failed', hasBytes: true })
  expect(view.problem).toContain('not recognized')
  await admin.browser.post(`/api/imports/${view.id}/read`, { format: 'aiken' })
  expect((await untilRead(view.id)).format).toBe('aiken')
})

test('a canceled import stores nothing and can be read again', async () => {
  const view = await send(named(gift, 'off'), 'off.gift')
  // Nobody reads it: a waiting one would be read at once.
  await db.updateTable('imports').set({ state: 'reading' }).where('id', '=', view.id).execute()
  const off = await admin.browser.post(`/api/imports/${view.id}/cancel`)
  expect(off.body).toMatchObject({ state: 'cancelled', counts: { good: { open: 0 } } })
  expect((await store(view.id, { kind: 'own-places' })).status).toBe(409)
  await admin.browser.post(`/api/imports/${view.id}/read`, {})
  expect(await untilRead(view.id)).toMatchObject({ state: 'read', readCount: 3 })
})

test('the bytes of an import are removed after 30 days, and its result stays', async () => {
  const view = await send(named(gift, 'old'), 'old.gift')
  await deleteImportBytes(db, new Date(by.now.getTime() + 31 * DAY_MS))
  expect((await admin.browser.get(`/api/imports/${view.id}`)).body).toMatchObject({ hasBytes: false, readCount: 3 })
  const reply = await admin.browser.post(`/api/imports/${view.id}/read`, {})
  expect(reply).toMatchObject({ status: 409, body: { error: { code: 'import.bytes-gone' } } })
})

test('every action of an admin on an import is in the audit log', async () => {
  const exam = await anExam(db, (await aCourse(db)).id)
  const view = await send(named(gift, 'audit'), 'audit.gift')
  await store(view.id, { kind: 'exam', examId: exam.id })
  await admin.browser.post(`/api/imports/${view.id}/dismiss`, {})
  await admin.browser.call('DELETE', `/api/imports/${view.id}`)
  const lines = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', view.id)
    .orderBy('id')
    .select(['action', 'actor_id'])
    .execute()
  expect(lines.map(({ action }) => action)).toEqual(['import.begin', 'import.store', 'import.dismiss', 'import.delete'])
  expect(new Set(lines.map(({ actor_id: actor }) => actor))).toEqual(new Set([admin.id]))
})

test('hostile files fail with a sentence and do not affect other files', async () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "${'x'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}">]><quiz>&c;</quiz>`
  const views = [
    await send(bomb, 'bomb.xml'),
    await send('﻿Question,Question Type\r\n"a lone quote', 'quote.csv'),
    await send('\u0000\u0001\u0002', 'noise.bin'),
    await send('## key-\u0000\n\nA stem with \\u0000 and \uFFFD?\n', 'nul.md'),
  ]
  for (const view of views) expect(['read', 'failed', 'mapping']).toContain(view.state)
  expect(await send(named(gift, 'after'), 'after.gift')).toMatchObject({ state: 'read', readCount: 3 })
})

/** A zip whose directory claims that its first file unpacks to so many bytes. */
function claiming(bytes: Uint8Array, size: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  for (let at = 0; at < bytes.length - 46; at += 1)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, size, true)
  return bytes
}

const findingsOf = ({ findings }: ImportView) => [...new Set(findings.map(({ code }) => code))].sort()

test('an uploaded zip bomb is refused by its name, and the files beside it are read', async () => {
  const zeros = new Uint8Array(5 * 2 ** 20)
  const good = strToU8(named(gift, 'beside'))
  const packed = await send(zipSync({ 'good.gift': good, 'bomb.gift': zeros }), 'packed.zip')
  expect([packed.state, packed.readCount, findingsOf(packed)]).toEqual(['read', 3, ['entry-refused']])
  const huge = await send(claiming(zipSync({ 'a.gift': good }), 300 * 2 ** 20), 'huge.zip')
  expect([huge.readCount, findingsOf(huge)]).toEqual([0, ['archive-refused']])
  const lie = await send(claiming(zipSync({ 'lie.gift': zeros }), 1000), 'lie.zip')
  expect([lie.readCount, findingsOf(lie)]).toEqual([0, ['entry-refused']])
  const nested = await send(
    zipSync({ 'inner.zip': zipSync({ 'bomb.gift': zeros }), '../out.gift': good }),
    'nested.zip',
  )
  expect([nested.readCount, findingsOf(nested)]).toEqual([0, ['entry-refused']])
  expect(await send(named(gift, 'after bombs'), 'after.gift')).toMatchObject({ state: 'read', readCount: 3 })
})

test('hostile Markdown that is uploaded is stored and rendered as plain text, in no time', async () => {
  const marks = ['> ', '- ', '*a_ ', '[a][', '<script>alert(1)</script>', '![x](javascript:alert(1))']
  const exam = await anExam(db, (await aCourse(db)).id)
  const text = marks.map((mark, at) => `Hostile ${at}? ${mark.repeat(3000)}\nA. This\nB. That\nANSWER: A\n`).join('\n')
  const view = await send(text, 'hostile.txt')
  expect(view).toMatchObject({ state: 'read', readCount: marks.length })
  expect((await store(view.id, { kind: 'exam', examId: exam.id })).status).toBe(200)
  const stems = (await listDraftQuestions(db, exam.id))
    .map(({ stem }) => stem)
    .filter((stem) => stem.startsWith('Hostile'))
  expect(stems).toHaveLength(marks.length)
  const started = process.cpuUsage()
  for (const stem of stems) {
    const page = renderToStaticMarkup(createElement(Markdown, { text: stem }))
    expect(page).not.toMatch(/<(script|img|a)\b/)
  }
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000)
})

test('a file that exhausts the memory fails alone, not the server', async () => {
  const answers = '{"text":"a"},'.repeat(700_000)
  const hungry = `{"questions":[{"question":"q","answers":[${answers}{"text":"a"}]}]}`
  expect(await send(hungry, 'hungry.json')).toMatchObject({
    state: 'failed',
    problem: 'The file needs more memory than an import may take. Send it in parts.',
  })
  expect(await send(named(gift, 'after all'), 'after.gift')).toMatchObject({ state: 'read', readCount: 3 })
  // Filling the memory takes long on a busy machine.
})
