import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { startApp, type Visitor } from '../../../../tests/support/start-app.ts'
import { anAdmin } from '../../../../tests/support/users.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { editOf } from '../../questions/types/edit-registry.ts'
import { listDraftCaseStudies } from '../drafts/drafts-queries.server.ts'
import type { DraftChanges, DraftQuestionView, SavedQuestion } from '../drafts/drafts.schema.ts'
import type { CaseStudyList, CaseStudyView } from './draft-case-studies.schema.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const colleague = await anAdmin(app)
const course = await aCourse(db)

const claims: CaseStudy = {
  id: 'claims',
  title: 'A claims department',
  tabs: [
    { id: 't1', title: 'Situation', body: 'Letters arrive.' },
    { id: 't2', title: 'Exhibit', body: '```json\n{}\n```' },
  ],
}

/** An exam with a draft: of four questions, the second and the third name the case study. */
async function aDraft(options: { isNamed?: boolean } = {}) {
  const { isNamed = true } = options
  const questions = [1, 2, 3, 4].map((number) => ({
    ...aQuestion(number),
    ...(isNamed && (number === 2 || number === 3) && { caseStudy: 'claims' }),
  }))
  const exam = await anExam(db, course.id, { questions, caseStudies: isNamed ? [claims] : [] })
  expect((await admin.browser.post(`/api/exams/${exam.id}/draft`)).status).toBe(200)
  return exam
}
type Exam = Awaited<ReturnType<typeof aDraft>>

const pathOf = (exam: Exam, id = '') => `/api/exams/${exam.id}/draft/case-studies${id === '' ? '' : `/${id}`}`
const viewOf = async (exam: Exam, id: string) => (await admin.browser.get(pathOf(exam, id))).body as CaseStudyView
const put = (exam: Exam, edit: object, version: number, visitor: Visitor = admin.browser) =>
  visitor.put(pathOf(exam, 'claims'), { caseStudy: edit, version })
const remove = (exam: Exam, id: string, version: number) => admin.browser.call('DELETE', pathOf(exam, id), { version })
const linesOf = (exam: Exam) =>
  db
    .selectFrom('audit_log')
    .where('subject_id', '=', exam.id)
    .where('action', 'like', 'exam.draft.case-study%')
    .orderBy('id')
    .select(['action', 'actor_id', 'before', 'after'])
    .execute()

test('a case study is added once under its key, in the form of the bank', async () => {
  const exam = await aDraft({ isNamed: false })
  const edit = { title: ' A plan ', tabs: [{ title: 'Situation', body: 'Letters arrive.\r\n' }] }
  const add = () => admin.browser.post(pathOf(exam), { caseStudy: edit, id: 'plan' })
  const [first, again] = [await add(), await add()]
  expect(first.status).toBe(200)
  expect(again.body).toEqual(first.body)
  const stored = await listDraftCaseStudies(db, exam.id)
  expect(stored).toMatchObject([
    { id: 'plan', title: 'A plan', tabs: [{ title: 'Situation', body: 'Letters arrive.' }] },
  ])
  const { caseStudies } = (await admin.browser.get(pathOf(exam))).body as CaseStudyList
  expect(caseStudies).toMatchObject([{ questionNumbers: [], problems: [expect.stringContaining('two to eight')] }])
})

test('tabs are added, moved, renamed and removed, and those that stay keep their ids', async () => {
  const exam = await aDraft()
  const { version } = await viewOf(exam, 'claims')
  const [situation, exhibit] = claims.tabs
  const edit = {
    title: 'Claims',
    tabs: [
      { ...exhibit, title: 'Format' },
      { id: 't9', title: 'People', body: 'Two clerks.' },
    ],
  }
  const saved = await put(exam, edit, version)
  expect(saved).toMatchObject({ status: 200, body: { questionNumbers: [2, 3], problems: [] } })
  expect(await listDraftCaseStudies(db, exam.id)).toEqual([
    {
      id: 'claims',
      title: 'Claims',
      tabs: [
        { id: 't2', title: 'Format', body: exhibit?.body },
        { id: 't9', title: 'People', body: 'Two clerks.' },
      ],
    },
  ])
  expect(JSON.stringify(saved.body)).not.toContain(situation?.body)
  const { body } = await admin.browser.get(`/api/exams/${exam.id}/draft/changes`)
  expect((body as DraftChanges).caseStudies).toEqual(['Claims'])
})

test('of two admins who save one case study the second is refused with the stored one, and a draft in review has moved on', async () => {
  const exam = await aDraft()
  const { version } = await viewOf(exam, 'claims')
  const { version: reviewed } = (await admin.browser.get(`/api/exams/${exam.id}/draft/changes`)).body as DraftChanges
  expect((await put(exam, { ...claims, title: 'Mine' }, version)).status).toBe(200)
  const refused = await put(exam, { ...claims, title: 'Theirs' }, version, colleague.browser)
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { code: 'draft.changed-elsewhere', facts: { stored: { caseStudy: { title: 'Mine' } } } } },
  })
  const late = await admin.browser.post(`/api/exams/${exam.id}/draft/publish`, { version: reviewed })
  expect(late).toMatchObject({ status: 409, body: { error: { code: 'draft.moved-on' } } })
  // A change of another part of the draft is no conflict.
  const now = await viewOf(exam, 'claims')
  await admin.browser.post(`/api/exams/${exam.id}/draft/mark`, {
    questionIds: [exam.questions[0]!.id],
    needsReview: true,
  })
  expect((await put(exam, { ...claims, title: 'Later' }, now.version)).status).toBe(200)
})

test.each<[string, object, string]>([
  ['without a title', { ...claims, title: ' ' }, 'title'],
  ['with a title that is too long', { ...claims, title: 'x'.repeat(201) }, 'title'],
  ['without a tab', { ...claims, tabs: [] }, 'tabs'],
  ['with nine tabs', { ...claims, tabs: Array.from({ length: 9 }, () => ({ title: 'A', body: 'B' })) }, 'tabs'],
  ['with a tab without a name', { ...claims, tabs: [{ title: '', body: 'B' }] }, 'tabs.0.title'],
  ['with a tab without a text', { ...claims, tabs: [claims.tabs[0], { title: 'A', body: ' ' }] }, 'tabs.1.body'],
])('a case study %s is refused at its field, and nothing is stored', async (_name, edit, field) => {
  const exam = await aDraft()
  const { version } = await viewOf(exam, 'claims')
  const refused = await put(exam, edit, version)
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'case-study.refused' } } })
  expect((refused.body as { error: { fields: { field: string }[] } }).error.fields.map((one) => one.field)).toEqual([
    field,
  ])
  expect(await listDraftCaseStudies(db, exam.id)).toEqual([claims])
})

test('a case study that questions name is not deleted, and the sentence gives their numbers; without them it is', async () => {
  const exam = await aDraft()
  const { version } = await viewOf(exam, 'claims')
  const refused = await remove(exam, 'claims', version)
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'case-study.used' } } })
  expect(JSON.stringify(refused.body)).toContain('2, 3')
  for (const question of exam.questions.slice(1, 3)) {
    const path = `/api/exams/${exam.id}/draft/questions/${question.id}`
    const stored = (await admin.browser.get(path)).body as DraftQuestionView
    const edit = { ...editOf(question), caseStudy: '' }
    const saved = await admin.browser.put(path, { question: edit, version: stored.version })
    expect((saved.body as SavedQuestion).question.caseStudy).toBeUndefined()
  }
  expect((await remove(exam, 'claims', version)).status).toBe(200)
  expect(await listDraftCaseStudies(db, exam.id)).toEqual([])
  expect((await remove(exam, 'claims', version)).status).toBe(404)
})

test('a question chooses a case study of its draft, and one that the draft lacks is refused at its field', async () => {
  const exam = await aDraft()
  const [first] = exam.questions
  const path = `/api/exams/${exam.id}/draft/questions/${first!.id}`
  const { version } = (await admin.browser.get(path)).body as DraftQuestionView
  const choose = (caseStudy: string) => admin.browser.put(path, { question: { ...editOf(first!), caseStudy }, version })
  const refused = await choose('elsewhere')
  expect(refused).toMatchObject({ status: 400, body: { error: { fields: [{ field: 'caseStudy' }] } } })
  expect((await choose('claims')).status).toBe(200)
  expect(await viewOf(exam, 'claims')).toMatchObject({ questionNumbers: [1, 2, 3], problems: [] })
})

test('the audit log has the case study before and after each change', async () => {
  const exam = await aDraft()
  const { version } = await viewOf(exam, 'claims')
  const changed = { ...claims, title: 'Claims' }
  await put(exam, changed, version)
  const plan = { title: 'A plan', tabs: [{ id: 't1', title: 'Situation', body: 'Letters.' }] }
  const added = (await admin.browser.post(pathOf(exam), { caseStudy: plan, id: 'plan' })).body as CaseStudyView
  await remove(exam, 'plan', added.version)
  expect(await linesOf(exam)).toMatchObject([
    { action: 'exam.draft.case-study', actor_id: admin.id, before: claims, after: changed },
    { action: 'exam.draft.case-study.add', before: null, after: { id: 'plan', ...plan } },
    { action: 'exam.draft.case-study.delete', before: { id: 'plan', ...plan }, after: null },
  ])
})
