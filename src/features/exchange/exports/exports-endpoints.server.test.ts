import type { Question } from '../../questions/types/question-types.schema.ts'
import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { anAdmin, type SignedIn } from '../../../../tests/support/users.ts'
import { prepareFormat, readBank } from '../../questions/formats/bank.ts'
import { EXPORT_FORMATS, type SourceFile } from '../../questions/formats/formats.schema.ts'
import { storeStudySheet } from '../../catalogue/study-sheets/study-sheets-commands.server.ts'
import { SHEET_SECTIONS } from '../../questions/formats/markdown/study-sheet-markdown.ts'
import { storeImageOfFile } from '../../catalogue/images/images-commands.server.ts'
import { beginDraft } from '../../authoring/drafts/drafts-commands.server.ts'
import type { ImportView, StoredImport } from '../imports/imports.schema.ts'
import type { Losses } from './exports.schema.ts'

await prepareFormat('anki')
const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const course = await aCourse(db)
const first = await anExam(db, course.id, { questions: [aQuestion(1), aQuestion(2), aQuestion(3, { right: 2 })] })
const second = await anExam(db, course.id, { questions: [aQuestion(4)] })

async function download(query: string): Promise<{ name: string; bytes: Uint8Array }> {
  const reply = await fetch(`${app.url}/api/exports?${query}`, { headers: { cookie: admin.browser.cookies } })
  expect(reply.status).toBe(200)
  const name = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ?? ''
  return { name, bytes: new Uint8Array(await reply.arrayBuffer()) }
}

const read = (files: SourceFile[]) =>
  [...readBank(files)].flatMap((step) =>
    step.kind === 'question' && step.question.question ? [step.question.question] : [],
  )

test.each(EXPORT_FORMATS)('a course exported as %s reads back with the same questions', async (format) => {
  const { name, bytes } = await download(`course=${course.id}&format=${format}`)
  const back = read([{ path: name, bytes }])
  const all = [...first.questions, ...second.questions]
  expect(back.map(({ stem }) => stem).sort()).toEqual(all.map(({ stem }) => stem).sort())
  const losses = (await admin.browser.get(`/api/exports/losses?course=${course.id}&format=${format}`)).body as Losses
  expect(losses.questionCount).toBe(4)
  const byKey = (questions: Question[]) => questions.toSorted((a, b) => a.id.localeCompare(b.id))
  const isOurs = format === 'json' || format === 'markdown'
  expect(isOurs ? byKey(back) : []).toEqual(isOurs ? byKey(all) : [])
  expect(losses.losses.length > 0).toBe(!isOurs)
})

test('several files are one archive, a single file is itself', async () => {
  const archive = await download(`course=${course.id}&format=markdown`)
  expect(archive.name).toBe(`${course.slug}-markdown.zip`)
  expect(Object.keys(unzipSync(archive.bytes)).sort()).toEqual(
    ['course.md', `${first.slug}.md`, `${second.slug}.md`].map((name) => `${course.slug}/${name}`).sort(),
  )
  expect((await download(`exam=${first.id}&format=gift`)).name).toMatch(/\.gift(\.txt)?$|\.txt$/)
})

test('an export of selected questions holds only those', async () => {
  const chosen = first.questions[1]!
  const { bytes, name } = await download(`exam=${first.id}&questions=${chosen.id}&format=json`)
  expect(read([{ path: name, bytes }])).toEqual([chosen])
})

test('courses and exams are exported together, each exam once, with the facts of the courses', async () => {
  const other = await aCourse(db)
  const lone = await anExam(db, other.id, { questions: [aQuestion(21)] })
  const { name, bytes } = await download(`course=${course.id}&exam=${lone.id},${first.id}&format=markdown`)
  expect(name).toBe('questions-markdown.zip')
  expect(Object.keys(unzipSync(bytes)).sort()).toEqual(
    [
      `${course.slug}/course.md`,
      `${course.slug}/${first.slug}.md`,
      `${course.slug}/${second.slug}.md`,
      `${lone.slug}.md`,
    ].sort(),
  )
})

test('an export holds the draft on request, or else the published version', async () => {
  const exam = await anExam(db, (await aCourse(db)).id, { questions: [aQuestion(31), aQuestion(32)] })
  await beginDraft(db, { examId: exam.id, actorId: admin.id, now: app.clock.now() })
  const out = await admin.browser.post(`/api/exams/${exam.id}/draft/remove`, { questionIds: [exam.questions[0]!.id] })
  expect(out.status).toBe(200)
  const leaving = async (version: string) => {
    const { name, bytes } = await download(`exam=${exam.id}&format=json&version=${version}`)
    return read([{ path: name, bytes }]).map(({ id }) => id)
  }
  expect(await leaving('published')).toEqual(exam.questions.map(({ id }) => id))
  expect(await leaving('draft')).toEqual([exam.questions[1]!.id])
})

const elsewhere = await startApp()
const boss = await anAdmin(elsewhere)

test.each([
  ['json', 40],
  ['markdown', 50],
] as const)(
  'a whole course exported as %s and imported into another catalogue exports identically from there',
  async (format, number) => {
    const image = await sharp({ create: { width: 24, height: 16, channels: 3, background: '#0a5' } })
      .png()
      .toBuffer()
    const { address } = (await send(app, admin, '/api/images', image)) as { address: string }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 ${number}"><rect width="4" height="4"/></svg>`
    const drawing = await storeImageOfFile(db, Buffer.from(svg), { actorId: admin.id, now: app.clock.now() })
    const whole = await aCourse(db, { title: `Whole: "${format}" & more` })
    const facts = {
      description: 'Two lines,\n\n---\n\nand a rule.',
      category: 'specialty',
      price: 49.99,
      image_url: 'https://pictures.example.com/badge.svg',
      blueprint: {
        code: 'WHL-C01',
        minutes: 130,
        questions: 65,
        passingScore: 750,
        source: 'https://example.com/guide',
        domains: [
          { name: 'Design: one', weight: 60 },
          { name: 'Operations', weight: 40 },
        ],
        curve: [[50, 560]],
      },
    }
    expect((await admin.browser.patch(`/api/courses/${whole.id}`, facts)).status).toBe(200)
    const shown = {
      ...aQuestion(number + 1),
      stem: `What does it show?\n\n![A field](${address})`,
      explanation: `A square:\n\n![A square](${drawing.address})`,
    }
    await anExam(db, whole.id, { questions: [shown, aQuestion(number + 2, { right: 2 })], isFreeTrial: true })
    const last = await anExam(db, whole.id, { questions: [aQuestion(number + 3), aQuestion(number + 4)] })
    await db
      .updateTable('test_questions')
      .set({ scoring_policy: 'partial', position: 2 })
      .where('id', '=', last.id)
      .execute()
    const out = await download(`course=${whole.id}&format=${format}`)

    const { id } = (await send(elsewhere, boss, `/api/imports?name=${out.name}`, out.bytes)) as { id: string }
    const view = async () => (await boss.browser.get(`/api/imports/${id}`)).body as ImportView
    await expect.poll(async () => (await view()).state, { timeout: 60_000 }).toBe('read')
    expect(await view()).toMatchObject({ findings: [], courses: [{ slug: whole.slug }], exams: [{}, {}] })
    const target = { kind: 'own-courses' }
    const stored = await boss.browser.post(`/api/imports/${id}/store`, { target, withReview: true })
    const { courseId, added } = stored.body as StoredImport
    expect(added).toBe(4)

    const reply = await fetch(`${elsewhere.url}/api/exports?course=${courseId}&format=${format}`, {
      headers: { cookie: boss.browser.cookies },
    })
    const again = new Uint8Array(await reply.arrayBuffer())
    expect(contentOf(again)).toEqual(contentOf(out.bytes))
    // Storing again stores nothing.
    const twice = await boss.browser.post(`/api/imports/${id}/store`, { target, withReview: true })
    expect(twice).toMatchObject({ status: 409, body: { error: { code: 'import.nothing' } } })
  },
  // Each application starts a process of its own, from the sources.
  120_000,
)

async function send(to: TestApp, by: SignedIn, path: string, bytes: Uint8Array): Promise<unknown> {
  const reply = await fetch(to.url + path, {
    method: 'POST',
    headers: { origin: to.url, cookie: by.browser.cookies, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  expect(reply.status).toBe(200)
  return reply.json()
}

/** The files of an archive, without the time at which it was made. */
function contentOf(bytes: Uint8Array): unknown {
  if (bytes[0] !== 0x50) return new TextDecoder().decode(bytes)
  return Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([path, held]) => [path, Buffer.from(held).toString('latin1')]),
  )
}

test('an export of missing or no questions is refused with a sentence', async () => {
  const empty = await aCourse(db)
  expect(await admin.browser.get(`/api/exports?course=${empty.id}&format=json`)).toMatchObject({ status: 409 })
  const both = `/api/exports?course=${course.id}&exam=${first.id}&questions=${first.questions[0]!.id}&format=json`
  expect(await admin.browser.get(both)).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'questions' }] } },
  })
  const nowhere = `/api/exports?course=${crypto.randomUUID()}&format=json`
  expect(await admin.browser.get(nowhere)).toMatchObject({ status: 404 })
  expect(await admin.browser.get('/api/exports?format=json')).toMatchObject({ status: 400 })
  expect(await admin.browser.get(`/api/exports?exam=${first.id}&format=docx`)).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'format' }] } },
  })
  expect(await admin.browser.get(`/api/exports?exam=${first.id}&questions=none&format=json`)).toMatchObject({
    status: 409,
    body: { error: { code: 'export.nothing' } },
  })
})

test.each(['markdown', 'json'])(
  'study sheets leave the shop with their course as %s and come back word for word',
  async (format) => {
    const own = await aCourse(db)
    await anExam(db, own.id, { questions: [aQuestion(91)] })
    const sheet = {
      slug: 'data-protection',
      domain: 'Data Protection',
      order: 1,
      guide: 'SCS-C03',
      verifiedOn: '2026-11-22',
      sources: ['https://docs.example.com/kms'],
      body: SHEET_SECTIONS.map((title) => `## ${title}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |`).join('\n\n'),
    }
    await storeStudySheet(db, own.id, sheet, app.clock.now())
    const { name, bytes } = await download(`course=${own.id}&format=${format}`)
    const courses = [...readBank([{ path: name, bytes }])].filter((step) => step.kind === 'course')
    expect(courses.map(({ sheets }) => sheets)).toEqual([[sheet]])
  },
)
