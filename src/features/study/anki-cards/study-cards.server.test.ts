import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { selecting } from '../../../../tests/support/answers.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../../tests/support/build-course.ts'
import { startApp, type Visitor } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess } from '../../../../tests/support/users.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { findDraftQuestion } from '../../authoring/drafts/drafts-queries.server.ts'
import { readSqlite, loadSqlite, rowsOfQuery } from '../../questions/formats/anki/sqlite.ts'
import { FIELD_MARK } from '../../questions/formats/anki/anki-note-type.ts'

await loadSqlite()
const app = await startApp()
const { db } = app.services.database

async function aLearner() {
  const course = await aCourse(db)
  const exam = await anExam(db, course.id, { questions: [1, 2, 3, 4].map((number) => aQuestion(number)) })
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  return { course, exam, student, browser: student.browser }
}

async function take(browser: Visitor, exam: BuiltExam, wrong: readonly number[]) {
  const { id } = (await browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })).body as { id: string }
  const answers = Object.fromEntries(
    exam.questions.map(({ id, options }, place) => {
      const answer = selecting(options[wrong.includes(place) ? 1 : 0]!.id)
      return [id, { answer, isFlagged: false, seq: 1, writer: 'w' }]
    }),
  )
  expect((await browser.post(`/api/attempts/${id}/finish`, { writer: 'w', answers })).status).toBe(200)
}

async function download(browser: Visitor, slug: string) {
  const reply = await fetch(`${app.url}/api/cards?course=${slug}`, { headers: { cookie: browser.cookies } })
  expect(reply.status).toBe(200)
  const bytes = new Uint8Array(await reply.arrayBuffer())
  const collection = unzipSync(bytes)['collection.anki2'] ?? new Uint8Array()
  const rows = readSqlite(collection, (database) => [...rowsOfQuery(database, 'SELECT flds, tags FROM notes', 100)])
  const cards = rows.map(([fields]) => String(fields).split(FIELD_MARK))
  return { name: reply.headers.get('content-disposition'), cards }
}

test('a learner downloads the missed questions of a course as cards for Anki, with answers and without what authors see', async () => {
  const { course, exam, browser } = await aLearner()
  await take(browser, exam, [1, 2])
  const { name, cards } = await download(browser, course.slug)
  expect(name).toBe(`attachment; filename="${course.slug}-cards.apkg"`)
  expect(cards.map(([front]) => /Question number \d/.exec(front ?? '')?.[0])).toEqual([
    'Question number 2',
    'Question number 3',
  ])
  for (const [front, back, own] of cards) {
    expect(front).not.toContain('Right answer')
    expect(back).toContain('Right answer')
    expect(own).toBe('')
  }
})

test('a question that was changed since is exported as it was shown, because nobody has shown the new answer key', async () => {
  const { course, exam, browser } = await aLearner()
  await take(browser, exam, [0])
  const admin = await anAdmin(app)
  const [first] = exam.questions
  const stem = 'A new question under the key of an old one?'
  const draft = `/api/exams/${exam.id}/draft`
  expect((await admin.browser.post(draft)).status).toBe(200)
  const options = first!.options.map(({ id, text, isRight }) => ({ id, text, isRight: !isRight }))
  const edit = { stem, options, explanation: 'Because.' }
  const { version } = (await findDraftQuestion(db, { familyId: exam.id, questionId: first!.id }))!
  const edited = await admin.browser.put(`${draft}/questions/${first!.id}`, { question: edit, version })
  expect(edited.status).toBe(200)
  const { body } = await admin.browser.get(`/api/exams/${exam.id}`)
  const current = (body as { draft: { version: number } }).draft.version
  expect((await admin.browser.post(`${draft}/publish`, { version: current })).status).toBe(200)
  const { cards } = await download(browser, course.slug)
  expect(cards).toHaveLength(1)
  expect(cards[0]?.[0]).toContain('Question number 1')
  expect(JSON.stringify(cards)).not.toContain('A new question')
})

test('there are no cards for a guest, without access, after access, of an unknown course, or when nothing was missed', async () => {
  const { course, exam, student, browser } = await aLearner()
  const path = `/api/cards?course=${course.slug}`
  expect(await browser.get(path)).toMatchObject({ status: 409, body: { error: { code: 'cards.none' } } })
  expect((await browser.get('/api/cards')).status).toBe(400)
  expect((await browser.get('/api/cards?course=nowhere')).status).toBe(404)
  expect((await app.visitor().get(path)).status).toBe(401)
  expect((await (await aStudent(app)).browser.get(path)).status).toBe(403)
  await take(browser, exam, [0])
  expect((await download(browser, course.slug)).cards).toHaveLength(1)
  await db
    .updateTable('access_periods')
    .set({ ends_at: after(app.clock.now(), -DAY_MS), starts_at: after(app.clock.now(), -2 * DAY_MS) })
    .where('user_id', '=', student.id)
    .execute()
  expect(await browser.get(path)).toMatchObject({ status: 403, body: { error: { code: 'access.ended' } } })
})

test('the front of a card begins with the whole case study of its question, as it was in that version', async () => {
  const course = await aCourse(db)
  const tab = (id: string, title: string, body: string) => ({ id, title, body })
  const tabs = [tab('t1', 'Situation', 'Letters **arrive**.'), tab('t2', 'Exhibit', '[sound:a.mp3] & more')]
  const questions = [1, 2, 3].map((number) => ({
    ...aQuestion(number),
    ...(number < 3 && { caseStudy: 'claims' }),
  }))
  const exam = await anExam(db, course.id, { questions, caseStudies: [{ id: 'claims', title: 'Claims', tabs }] })
  const student = await aStudent(app)
  const { browser } = student
  await giveAccess(app, student, course.id)
  await take(browser, exam, [1, 2])
  const fronts = (await download(browser, course.slug)).cards.map(([front]) => front ?? '')
  const scenario =
    '<h3>Case study: Claims</h3><h4>Situation</h4><p>Letters <strong>arrive</strong>.</p>' +
    '<h4>Exhibit</h4><p>&#91;sound:a.mp3] &amp; more</p><hr>'
  expect(fronts.map((front) => front.startsWith(`${scenario}<p>Question number 2?</p>`))).toEqual([true, false])
  expect(fronts[1]).not.toContain('Claims')
})
