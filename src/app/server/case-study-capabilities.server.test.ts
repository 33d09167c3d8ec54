import { randomUUID } from 'node:crypto'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { asChoice } from '../../../tests/support/choices.ts'
import { aCourse, anExam, aQuestion } from '../../../tests/support/build-course.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess } from '../../../tests/support/users.ts'
import type { AttemptView, ReviewView } from '../../features/attempts/attempts.schema.ts'
import type { OfflineExam } from '../../features/attempts/offline-exams/offline-exams.schema.ts'
import { listReports } from '../../features/attempts/reports/question-reports-queries.server.ts'
import { getStatistics } from '../../features/attempts/statistics/statistics-queries.server.ts'
import { STATISTICS_FLOOR } from '../../features/attempts/statistics/statistics.ts'
import { getCurrentExam } from '../../features/authoring/drafts/drafts-queries.server.ts'
import { chooseSample } from '../../features/catalogue/contents/course-contents.ts'
import PrintPage from '../../features/exchange/exports/print-page.tsx'
import { shownCaseStudies } from '../../features/questions/case-studies/case-blocks.ts'
import { getExamCaseStudies, getExamQuestions } from '../../features/catalogue/catalogue-queries.server.ts'
import type { CaseStudy } from '../../features/questions/case-studies/case-study.schema.ts'
import type { DrillView } from '../../features/study/study.schema.ts'

/*
 * The table of capabilities of case studies: each mode gives the questions of one together, in their order, with the case study once.
 * Files and judging have their own tests in features/questions/case-studies.
 */

const app = await startApp()
const { db } = app.services.database
const course = await aCourse(db)
const BODY = 'The scenario of this case.'
const caseStudy: CaseStudy = {
  id: 'cs-1',
  title: 'A case',
  tabs: [
    { id: 't1', title: 'Situation', body: BODY },
    { id: 't2', title: 'Exhibit', body: `![A plan](/pictures/${'a'.repeat(64)}.svg)` },
  ],
}
const questions = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => ({
  ...aQuestion(number),
  ...(number >= 4 && number <= 6 && { caseStudy: 'cs-1' }),
}))
const ownIds = questions.slice(3, 6).map(({ id }) => id)
const exam = await anExam(db, course.id, { questions, caseStudies: [caseStudy], isFreeTrial: true })
const student = await aStudent(app)
await giveAccess(app, student, course.id)

const placesOf = (ids: readonly string[]) => ownIds.map((id) => ids.indexOf(id))
function expectTogether(ids: readonly string[]) {
  const [first = -1] = placesOf(ids)
  expect(first).toBeGreaterThanOrEqual(0)
  expect(placesOf(ids)).toEqual([first, first + 1, first + 2])
}

async function start(browser: typeof student.browser, mode: string): Promise<AttemptView> {
  return (await browser.post('/api/attempts', { examSlug: exam.slug, mode })).body as AttemptView
}

const sentOnce = (reply: unknown) => JSON.stringify(reply).split(BODY).length - 1

test('a case study is stored beside the questions and read back', async () => {
  expect(await getExamCaseStudies(db, exam.id)).toEqual([caseStudy])
})

test.each(['practice', 'timed', 'preview'])(
  '%s: together, in order, with the case study once and no key',
  async (mode) => {
    const view = await start(mode === 'preview' ? app.visitor() : student.browser, mode)
    expectTogether(view.questions.map(({ id }) => id))
    expect(view.caseStudies).toEqual([{ ...caseStudy, questionIds: ownIds }])
    expect(sentOnce(view)).toBe(1)
    expect(JSON.stringify(view)).not.toContain('SECRET')
  },
)

test('many timed orders take no case study apart', async () => {
  for (let turn = 0; turn < 12; turn++) {
    const other = await aStudent(app)
    await giveAccess(app, other, course.id)
    const view = await start(other.browser, 'timed')
    expectTogether(view.questions.map(({ id }) => id))
    expect(view.caseStudies).toHaveLength(1)
  }
})

test('resuming gives the same order with the case study, and the review has it once', async () => {
  const begun = await start(student.browser, 'timed')
  const resumed = (await student.browser.get(`/api/attempts/${begun.id}`)).body as AttemptView
  expect(resumed.questions.map(({ id }) => id)).toEqual(begun.questions.map(({ id }) => id))
  expect(resumed.caseStudies).toEqual(begun.caseStudies)
  await student.browser.post(`/api/attempts/${begun.id}/finish`, {})
  const review = (await student.browser.get(`/api/attempts/${begun.id}/review`)).body as ReviewView
  expect(review.caseStudies).toEqual([{ ...caseStudy, questionIds: ownIds }])
  expect(sentOnce(review)).toBe(1)
  expect(review.result.questionCount).toBe(questions.length)
})

test('an exam on the device has its case studies and their pictures', async () => {
  const offline = (await student.browser.get(`/api/offline-exams/${exam.slug}`)).body as OfflineExam
  expectTogether(offline.questions.map(({ id }) => id))
  expect(offline.caseStudies).toEqual([{ ...caseStudy, questionIds: ownIds }])
})

test('a drill keeps a case study together, draws it whole if it fits, and shows it with a single question', async () => {
  const drill = async (count: number, replaces?: string) =>
    (await student.browser.post('/api/drills', { courseSlug: course.slug, filters: { count }, replaces }))
      .body as DrillView
  let view = await drill(4)
  for (let turn = 0; turn < 8; turn++) {
    const own = view.questions.filter(({ caseStudyAt }) => caseStudyAt !== null)
    const places = own.map(({ question }) => ownIds.indexOf(question.id))
    expect(places).toEqual(places.toSorted())
    expect(own.map(({ place }) => place)).toEqual(own.map((_, at) => (own[0]?.place ?? 0) + at))
    expect(view.questions).toHaveLength(4)
    expect(view.caseStudies).toEqual(own.length === 0 ? [] : [caseStudy])
    view = await drill(4, view.id)
  }
})

test('the question to try on the course page belongs to no case study', () => {
  expect(chooseSample(questions)?.caseStudy).toBeUndefined()
  expect(chooseSample(questions.slice(3, 6))).toBeNull()
})

test('the printed exam has the case study once, before its questions', async () => {
  const loaded = {
    exam: await getCurrentExam(db, exam.id),
    questions,
    caseStudies: shownCaseStudies(await getExamCaseStudies(db, exam.id), questions),
    isKey: false,
  }
  const routes = [{ id: 'print', path: '/', Component: PrintPage, loader: () => null }]
  const router = createMemoryRouter(routes, { hydrationData: { loaderData: { print: loaded } } })
  const text = renderToStaticMarkup(createElement(RouterProvider, { router }))
  expect(text.split(BODY)).toHaveLength(2)
  expect(text).toContain('Questions 4 to 6 are about this case study.')
  expect(text.indexOf(BODY)).toBeGreaterThan(text.indexOf(questions[2]?.stem ?? ''))
  expect(text.indexOf(BODY)).toBeLessThan(text.indexOf(questions[3]?.stem ?? ''))
})

test("a user's own data names the case studies of the questions of their attempts, without texts", async () => {
  const learner = await aStudent(app)
  await giveAccess(app, learner, course.id)
  const { id } = await start(learner.browser, 'timed')
  const file = (await learner.browser.get('/api/profiles/me/data')).body as { data: Record<string, unknown[]> }
  const [row, ...others] = file.data['case_studies'] ?? []
  expect(row).toEqual({ attempt_id: id, case_study_id: 'cs-1', title: 'A case', question_ids: ownIds })
  expect(others).toEqual([])
  expect(sentOnce(file)).toBe(0)
})

test('a report of a question says of which case study it is, and one of another question says nothing', async () => {
  const learner = await aStudent(app)
  await giveAccess(app, learner, course.id)
  const { id } = await start(learner.browser, 'practice')
  for (const question of [questions[0], questions[3]])
    await learner.browser.put(`/api/attempts/${id}/reports/${question?.id}`, { reason: 'unclear' })
  const { reports } = await listReports(db, { state: 'open', after: null })
  expect(reports.map((report) => [report.questionId, report.caseStudy])).toEqual([
    [questions[0]?.id, null],
    [questions[3]?.id, 'A case'],
  ])
})

test('the statistics of a question say of which case study it is', async () => {
  const finish = async () => {
    const learner = await aStudent(app)
    await giveAccess(app, learner, course.id)
    const { id } = await start(learner.browser, 'practice')
    const finished = { state: 'finished', finished_at: new Date(), finished_by: 'learner' } as const
    const result = JSON.stringify({ answeredCount: questions.length, questionCount: questions.length })
    await db
      .updateTable('attempts')
      .set({ ...finished, result, score_percent: '0', is_passed: false })
      .where('id', '=', id)
      .execute()
  }
  for (let turn = 0; turn < STATISTICS_FLOOR; turn++) await finish()
  const { items } = await getStatistics(db, { id: exam.id, familyId: exam.id, now: app.clock.now() })
  const named = items.filter((item) => item.caseStudy !== null)
  expect(named.map((item) => [item.questionId, item.caseStudy])).toEqual(ownIds.map((id) => [id, 'A case']))
})

test('a corrected answer key regrades a question of a case study, which stays in it', async () => {
  const grouped = await anExam(db, course.id, { questions, caseStudies: [caseStudy] })
  const learner = await aStudent(app)
  await giveAccess(app, learner, course.id)
  const { id } = (await learner.browser.post('/api/attempts', { examSlug: grouped.slug, mode: 'practice' }))
    .body as AttemptView
  await learner.browser.post(`/api/attempts/${id}/finish`, {})
  const admin = await anAdmin(app)
  const question = asChoice(questions[3]!)
  const [wasRight, other] = [
    question.options.find(({ isRight }) => isRight),
    question.options.find(({ isRight }) => !isRight),
  ]
  const corrected = await admin.browser.post(`/api/exams/${grouped.id}/questions/${question.id}/key`, {
    id: randomUUID(),
    answerKey: { type: 'choice', optionIds: [other?.id] },
    wasAnswerKey: { type: 'choice', optionIds: [wasRight?.id] },
    reason: 'It was wrong.',
    explanation: null,
  })
  expect(corrected.status).toBe(200)
  const review = (await learner.browser.get(`/api/attempts/${id}/review`)).body as ReviewView
  expect(review.caseStudies).toEqual([{ ...caseStudy, questionIds: ownIds }])
  const stored = asChoice((await getExamQuestions(db, grouped.id))[3]!)
  expect(stored).toMatchObject({ caseStudy: 'cs-1' })
  expect(stored.options.filter(({ isRight }) => isRight).map((option) => option.id)).toEqual([other?.id])
})
