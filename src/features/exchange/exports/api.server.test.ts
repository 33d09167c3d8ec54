import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/app.ts'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/catalogue.ts'
import { anAdmin } from '../../../../tests/support/people.ts'
import { readBank } from '../../questions/formats/bank.ts'
import { EXPORT_FORMATS, type SourceFile } from '../../questions/formats/schema.ts'
import type { Question } from '../../questions/schema.ts'
import type { Losses } from './schema.ts'

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

test.each(EXPORT_FORMATS)('a course leaves as %s, and what comes back says the same', async (format) => {
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

test('several files leave as one archive, one file as itself', async () => {
  const archive = await download(`course=${course.id}&format=markdown`)
  expect(archive.name).toBe(`${course.slug}-markdown.zip`)
  expect(Object.keys(unzipSync(archive.bytes)).sort()).toEqual([`${first.slug}.md`, `${second.slug}.md`].sort())
  expect((await download(`exam=${first.id}&format=gift`)).name).toMatch(/\.gift(\.txt)?$|\.txt$/)
})

test('a selection leaves alone', async () => {
  const chosen = first.questions[1]!
  const { bytes, name } = await download(`exam=${first.id}&questions=${chosen.id}&format=json`)
  expect(read([{ path: name, bytes }])).toEqual([chosen])
})

test('what is not there, or names nothing, is refused with a sentence', async () => {
  const empty = await aCourse(db)
  expect(await admin.browser.get(`/api/exports?course=${empty.id}&format=json`)).toMatchObject({ status: 404 })
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
