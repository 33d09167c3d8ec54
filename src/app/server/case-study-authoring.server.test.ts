import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../tests/support/build-course.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { anAdmin } from '../../../tests/support/users.ts'
import { getExamCaseStudies, getExamQuestions } from '../../features/catalogue/catalogue-queries.server.ts'
import {
  getCurrentExam,
  listDraftCaseStudies,
  listDraftQuestions,
} from '../../features/authoring/drafts/drafts-queries.server.ts'
import type { DraftChanges, SavedQuestion } from '../../features/authoring/drafts/drafts.schema.ts'
import type { ImportView, StoredImport } from '../../features/exchange/imports/imports.schema.ts'
import { StoredLost } from '../../features/exchange/imports/stored-lost.schema.ts'
import { isRunning } from '../../features/exchange/imports/imports.ts'
import type { CaseStudy } from '../../features/questions/case-studies/case-study.schema.ts'
import { editOf } from '../../features/questions/types/edit-registry.ts'

/* The capabilities of case studies for authors: drafts, versions, order, import and export. */

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const course = await aCourse(db)
const caseStudy: CaseStudy = {
  id: 'cs-1',
  title: 'A case',
  tabs: [{ id: 't1', title: 'Situation', body: 'The scenario of this case.' }],
}

function aBank() {
  return [1, 2, 3, 4].map((number) => ({
    ...aQuestion(number),
    ...((number === 2 || number === 3) && { caseStudy: 'cs-1' }),
  }))
}
const anExamWithCaseStudy = () => anExam(db, course.id, { questions: aBank(), caseStudies: [caseStudy] })

const call = (method: string, exam: BuiltExam, path: string, body: object = {}) =>
  admin.browser.call(method, `/api/exams/${exam.id}/draft${path}`, body)
async function beginDraft(exam: BuiltExam) {
  expect((await call('POST', exam, '')).status).toBe(200)
}
async function publish(exam: BuiltExam) {
  const { version } = (await admin.browser.get(`/api/exams/${exam.id}/draft/changes`)).body as DraftChanges
  return call('POST', exam, '/publish', { version })
}

test('a draft begins with the case studies of its exam, an edit of a question keeps its own, and publishing keeps all', async () => {
  const exam = await anExamWithCaseStudy()
  await beginDraft(exam)
  expect(await listDraftCaseStudies(db, exam.id)).toEqual([caseStudy])
  const [, second] = exam.questions
  if (second === undefined) throw new Error('no question')
  // As pages of an earlier build send it.
  const { caseStudy: _caseStudy, ...edit } = editOf(second)
  const row = await db
    .selectFrom('exam_draft_questions')
    .where('question_id', '=', second.id)
    .select('row_version')
    .executeTakeFirstOrThrow()
  const saved = await call('PUT', exam, `/questions/${second.id}`, {
    question: { ...edit, stem: 'Another text?' },
    version: row.row_version,
  })
  expect((saved.body as SavedQuestion).question.caseStudy).toBe('cs-1')
  expect((await publish(exam)).status).toBe(200)
  const { id } = await getCurrentExam(db, exam.id)
  expect(id).not.toBe(exam.id)
  expect(await getExamCaseStudies(db, id)).toEqual([caseStudy])
  expect((await getExamQuestions(db, id)).map((question) => question.caseStudy)).toEqual([
    undefined,
    'cs-1',
    'cs-1',
    undefined,
  ])
})

test('an order that takes a case study apart is refused with a sentence, and one that moves it whole is not', async () => {
  const exam = await anExamWithCaseStudy()
  await beginDraft(exam)
  const [one, two, three, four] = exam.questions.map(({ id }) => id)
  const torn = await call('PUT', exam, '/order', { questionIds: [two, one, three, four] })
  expect(torn).toMatchObject({ status: 409, body: { error: { code: 'batch.case-study' } } })
  expect(JSON.stringify(torn.body)).toContain('A case')
  expect((await call('PUT', exam, '/order', { questionIds: [two, three, one, four] })).status).toBe(200)
})

test('a draft whose case study has one question is not published, and the refusal names it', async () => {
  const exam = await anExamWithCaseStudy()
  await beginDraft(exam)
  const [, two] = exam.questions.map(({ id }) => id)
  expect((await call('POST', exam, '/remove', { questionIds: [two] })).status).toBe(200)
  const refused = await publish(exam)
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'draft.case-studies' } } })
  expect(JSON.stringify(refused.body)).toContain('A case')
})

test('questions that are moved where their case study is not leave it, which is told, and an undo gives it back', async () => {
  const exam = await anExamWithCaseStudy()
  const other = await anExam(db, course.id)
  await beginDraft(exam)
  const [, two, three] = exam.questions.map(({ id }) => id)
  const moved = await call('POST', exam, '/send', { questionIds: [two, three], toExamId: other.id, as: 'move' })
  expect(moved).toMatchObject({
    status: 200,
    body: { left: [two, three].map((questionId) => ({ questionId, caseStudyId: 'cs-1', title: 'A case' })) },
  })
  const join = { [two ?? '']: 'cs-1', [three ?? '']: 'cs-1' }
  const back = await admin.browser.post(`/api/exams/${other.id}/draft/send`, {
    questionIds: [two, three],
    toExamId: exam.id,
    as: 'move',
    join,
  })
  expect(back).toMatchObject({ status: 200, body: { left: [] } })
  expect((await listDraftQuestions(db, exam.id)).map((question) => question.caseStudy)).toEqual([
    undefined,
    undefined,
    'cs-1',
    'cs-1',
  ])
})

test('a changed case study is a change of the draft', async () => {
  const exam = await anExamWithCaseStudy()
  await beginDraft(exam)
  const changed = [{ ...caseStudy, title: 'Another title' }]
  await db
    .updateTable('exam_drafts')
    .set({ case_studies: JSON.stringify(changed) })
    .where('family_id', '=', exam.id)
    .execute()
  const { body } = await admin.browser.get(`/api/exams/${exam.id}/draft/changes`)
  expect((body as DraftChanges).caseStudies).toEqual(['Another title'])
})

async function imported(text: string | Uint8Array<ArrayBuffer>, name: string): Promise<ImportView> {
  const reply = await fetch(`${app.url}/api/imports?name=${name}`, {
    method: 'POST',
    headers: { origin: app.url, cookie: admin.browser.cookies, 'content-type': 'application/octet-stream' },
    body: text,
  })
  const { id } = (await reply.json()) as ImportView
  await expect
    .poll(async () => isRunning(((await admin.browser.get(`/api/imports/${id}`)).body as ImportView).state), {
      timeout: 60_000,
    })
    .toBe(false)
  return (await admin.browser.get(`/api/imports/${id}`)).body as ImportView
}

test.each(['markdown', 'json'])(
  '%s: an exported case study is imported into a new exam and into a draft',
  async (format) => {
    const exam = await anExamWithCaseStudy()
    const exported = await fetch(`${app.url}/api/exports?exam=${exam.id}&format=${format}`, {
      headers: { cookie: admin.browser.cookies },
    })
    const text = await exported.text()
    expect(text.split('The scenario of this case.')).toHaveLength(2)
    // Other keys and texts: the bank has these questions already.
    const other = text.replaceAll('q-', 'r-').replaceAll('Question number', `In ${format}, question`)
    const view = await imported(other, `bank.${format === 'json' ? 'json' : 'md'}`)
    expect(view.findings).toEqual([])
    const target = {
      kind: 'new-exam',
      courseId: course.id,
      exam: { title: 'New', timeLimitMinutes: 30, passingScore: 70 },
    }
    const stored = await admin.browser.post(`/api/imports/${view.id}/store`, { target, withReview: true })
    expect(stored.status).toBe(200)
    const [added] = (stored.body as StoredImport).exams
    const { id } = await getCurrentExam(db, added?.id ?? '')
    expect(await getExamCaseStudies(db, id)).toEqual([caseStudy])
    expect((await getExamQuestions(db, id)).filter((question) => question.caseStudy === 'cs-1')).toHaveLength(2)

    const into = await anExam(db, course.id)
    const once = await imported(other.replaceAll('r-', 's-').replaceAll('In ', 'Into a draft in '), `again.${format}`)
    const kept = await admin.browser.post(`/api/imports/${once.id}/store`, {
      target: { kind: 'exam', examId: into.id },
      withReview: true,
    })
    expect(kept.status).toBe(200)
    expect(await listDraftCaseStudies(db, into.id)).toEqual([caseStudy])
    const line = await db
      .selectFrom('audit_log')
      .where('subject_id', '=', into.id)
      .where('action', '=', 'exam.draft.case-study.add')
      .select(['before', 'after'])
      .executeTakeFirstOrThrow()
    expect(line).toEqual({ before: null, after: caseStudy })
  },
)

test('a picture of a case study that cannot be stored is told at its first question, which needs review', async () => {
  const question = (key: string) =>
    `## ${key}\n\nWhich picture of ${key} is lost?\n\n- [x] This of ${key}\n- [ ] That of ${key}\n\ncase_study: office\n\n### Explanation\n\nBecause of ${key}.\n`
  const scenario = '# office\n\ntitle: An office\n\n### Plan\n\nThe plan.\n\n![A plan](images/plan.png)\n'
  const head = '---\ntitle: Lost\nslug: lost\norder: 1\ntime_limit: 90\npassing_score: 70\n---\n'
  const text = [head, scenario, question('lost-1'), question('lost-2')].join('\n')
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
  const view = await imported(zipSync({ 'lost.md': strToU8(text), 'images/plan.png': png }), 'lost.zip')
  const into = await anExam(db, course.id)
  const target = { kind: 'exam', examId: into.id }
  const stored = await admin.browser.post(`/api/imports/${view.id}/store`, { target, withReview: true })
  expect(stored.status).toBe(200)
  const rows = await db
    .selectFrom('import_questions')
    .where('import_id', '=', view.id)
    .orderBy('place')
    .select('lost')
    .execute()
  const told = rows.map(({ lost }) => z.array(StoredLost).parse(lost))
  expect(told).toEqual([
    [expect.stringMatching(/^In the case study "An office": The image .+ could not be stored/)],
    [],
  ])
  const added = (await listDraftQuestions(db, into.id)).filter(({ id }) => id.startsWith('lost-'))
  expect(added.map(({ needsReview }) => needsReview)).toEqual([true, false])
})
