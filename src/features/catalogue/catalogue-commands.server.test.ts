import { asChoice } from '../../../tests/support/choices.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion } from '../../../tests/support/build-course.ts'
import { anAdmin, aStudent, giveAccess } from '../../../tests/support/users.ts'
import type { CourseId, ExamId } from '../../lib/ids.ts'
import { cents } from '../../lib/money.ts'
import { addQuestion } from '../authoring/drafts/draft-questions-commands.server.ts'
import { getCurrentExam, listExamRecords, listLatestExams } from '../authoring/drafts/drafts-queries.server.ts'
import { beginDraft } from '../authoring/drafts/drafts-commands.server.ts'
import { findCourse, getCourseFacts, getExamQuestions, listAdminCourses } from './catalogue-queries.server.ts'
import { COURSES_ON_PAGE } from './catalogue.ts'
import { CourseFilter, type AdminCourses, type CourseDependents, type Duplicated } from './catalogue.schema.ts'
import { addCourse, switchFreeTrial } from './catalogue-commands.server.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const by = { actorId: admin.id, now: app.clock.now() }
const edit = (stem: string) => ({
  type: 'choice' as const,
  stem,
  options: [
    { id: null, text: 'Right', isRight: true },
    { id: null, text: 'Wrong', isRight: false },
  ],
  explanation: 'Because.',
  domain: 'One',
  url: 'https://example.com/',
  needsReview: false,
})

test("the admin's list is searched, filtered, sorted and paged, and every course is on exactly one page", async () => {
  for (let number = 0; number < COURSES_ON_PAGE + 5; number += 1)
    await addCourse(db, {
      title: `Paged 100% course ${number}`,
      description: '',
      priceCents: cents(number * 100),
      category: number % 2 === 0 ? 'associate' : null,
      blueprint: null,
      ownerId: null,
      now: by.now,
    })
  const list = async (query: string) => (await admin.browser.get(`/api/admin/courses?${query}`)).body as AdminCourses
  const first = await list('search=paged+course&sort=title')
  const second = await list('search=paged+course&sort=title&page=2')
  expect(first).toMatchObject({ foundCount: COURSES_ON_PAGE + 5, page: 1, pageCount: 2 })
  expect(first.courses).toHaveLength(COURSES_ON_PAGE)
  const ids = [...first.courses, ...second.courses].map(({ id }) => id)
  expect(new Set(ids).size).toBe(COURSES_ON_PAGE + 5)
  expect((await list('search=paged&page=99')).page).toBe(2)
  // A wildcard character is matched literally.
  expect((await list('search=100%25')).foundCount).toBe(COURSES_ON_PAGE + 5)
  expect((await list('search=1%250')).foundCount).toBe(0)
  expect((await list('search=paged&level=none')).foundCount).toBe(Math.floor((COURSES_ON_PAGE + 5) / 2))
  expect((await list('search=paged&status=draft')).foundCount).toBe(0)
  expect((await list('search=paged&sort=price')).courses[0]?.priceCents).toBe((COURSES_ON_PAGE + 4) * 100)
  const withExam = first.courses[7]!
  await anExam(db, withExam.id as CourseId)
  expect((await list('search=paged&sort=exams')).courses[0]?.id).toBe(withExam.id)
  // Invalid values are ignored.
  expect((await list('search=paged&sort=nonsense&page=-3&level=x')).foundCount).toBe(COURSES_ON_PAGE + 5)
})

test('a copy is a draft with its own slugs, exams and answer keys, and a repeated request makes one copy', async () => {
  const course = await aCourse(db, { title: 'To be copied' })
  const exam = await anExam(db, course.id, { questions: [aQuestion(1, { right: 2 })] })
  await beginDraft(db, { examId: exam.id, ...by })
  await addQuestion(db, { examId: exam.id, edit: edit('Only in the draft?'), ...by })
  const id = randomUUID()
  const ask = () => admin.browser.post(`/api/admin/courses/${course.id}/duplicate`, { id })
  const made = (await ask()).body as Duplicated
  expect(made).toEqual({ id, title: 'To be copied (copy)', slug: 'to-be-copied-copy' })
  expect((await ask()).body).toEqual(made)
  expect(await getCourseFacts(db, id)).toMatchObject({ status: 'draft', priceCents: 1999, category: 'associate' })
  expect(await findCourse(db, made.slug)).toBeNull()
  const [copied, ...more] = await listLatestExams(db, id)
  expect(more).toEqual([])
  expect(copied!.slug).toBe(`${exam.slug}-copy`)
  expect(copied!.questions.map(({ stem }) => stem)).toEqual(['Question number 1?', 'Only in the draft?'])
  const original = exam.questions[0]!
  const copy = copied!.questions[0]!
  expect(asChoice(copy).options.map(({ text, isRight }) => [text, isRight])).toEqual(
    original.options.map(({ text, isRight }) => [text, isRight]),
  )
  expect(copy.id).not.toBe(original.id)
  expect(asChoice(copy).options.some(({ id }) => asChoice(original).options.some((one) => one.id === id))).toBe(false)
  expect((await getExamQuestions(db, exam.id)).map((question) => question.id)).toEqual([original.id])
})

test('an admin orders the exams, and unnamed exams come last', async () => {
  const course = await aCourse(db)
  const exams = [await anExam(db, course.id), await anExam(db, course.id), await anExam(db, course.id)]
  const order = async () => (await listExamRecords(db, course.id)).map(({ id }) => id)
  const [a, b, c] = (await order()) as [ExamId, ExamId, ExamId]
  const put = (examIds: unknown) => admin.browser.put(`/api/admin/courses/${course.id}/exam-order`, { examIds })
  expect((await put([c, a])).status).toBe(200)
  expect(await order()).toEqual([c, a, b])
  expect((await put([c, a, b])).status).toBe(200)
  expect(await order()).toEqual([c, a, b])
  const stranger = await anExam(db, (await aCourse(db)).id)
  expect((await put([stranger.id])).status).toBe(404)
  expect((await put([])).status).toBe(400)
  expect(exams).toHaveLength(3)
})

test('the records that depend on a course are listed, and decide whether it is deleted or withdrawn', async () => {
  const ask = async (id: string) =>
    (await admin.browser.get(`/api/admin/courses/${id}/dependents`)).body as CourseDependents
  const course = await aCourse(db)
  const exam = await anExam(db, course.id, { isFreeTrial: true })
  await beginDraft(db, { examId: exam.id, ...by })
  expect(await ask(course.id)).toEqual({
    exams: 1,
    questions: 4,
    drafts: 1,
    owners: 0,
    formerOwners: 0,
    attempts: 0,
    guestAttempts: 0,
    orders: 0,
    outcome: 'deleted',
  })
  const owner = await aStudent(app)
  await giveAccess(app, owner, course.id)
  await owner.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })
  expect(await ask(course.id)).toMatchObject({ owners: 1, attempts: 1, outcome: 'withdrawn' })
  const { rowVersion } = await getCourseFacts(db, course.id)
  const reply = await admin.browser.call('DELETE', `/api/courses/${course.id}?row_version=${rowVersion}`)
  expect(reply.body).toEqual({ done: true, outcome: 'withdrawn' })
  expect((await owner.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' })).status).toBe(200)
  expect((await ask(randomUUID())) as object).toMatchObject({ error: { code: 'course.not-found' } })
})

test('a course is published with its reviewed drafts, all or nothing', async () => {
  const id = randomUUID()
  await admin.browser.post('/api/courses', { id, title: 'Built step by step', price: '9.00', status: 'draft' })
  const publish = async (drafts: { examId: string; version: number }[]) => {
    const { rowVersion } = await getCourseFacts(db, id)
    return admin.browser.post(`/api/admin/courses/${id}/publish`, { rowVersion, drafts })
  }
  expect((await publish([])).body).toMatchObject({ error: { code: 'course.no-exams' } })
  const examId = randomUUID()
  await admin.browser.post('/api/test_questions', { id: examId, course_id: id, test_name: 'First' })
  expect((await publish([])).body).toMatchObject({ error: { code: 'draft.no-questions' } })
  await beginDraft(db, { examId, ...by })
  await addQuestion(db, { examId, edit: edit('One?'), ...by })
  const [seen] = await listLatestExams(db, id)
  await addQuestion(db, { examId, edit: edit('Two?'), ...by })
  const drafts = [{ examId, version: seen!.draftVersion! }]
  expect((await publish(drafts)).body).toMatchObject({ error: { code: 'draft.moved-on' } })
  expect(await findCourse(db, 'built-step-by-step')).toBeNull()
  const [now] = await listLatestExams(db, id)
  expect((await publish([{ examId, version: now!.draftVersion! }])).status).toBe(200)
  expect(await findCourse(db, 'built-step-by-step')).toMatchObject({ totalExams: 1, totalQuestions: 2 })
  const current = await getCurrentExam(db, examId)
  expect((await getExamQuestions(db, current.id)).map(({ stem }) => stem)).toEqual(['One?', 'Two?'])
  const stale = await admin.browser.post(`/api/admin/courses/${id}/publish`, { rowVersion: 1, drafts: [] })
  expect(stale.body).toMatchObject({ error: { code: 'course.moved-on' } })
  await switchFreeTrial(db, { examId: current.id, isFreeTrial: true, ...by })
  expect((await app.visitor().get('/api/courses/built-step-by-step')).status).toBe(200)
})

test('a course stores its blueprint, and an incomplete one is refused by field', async () => {
  const { id } = await aCourse(db)
  const blueprint = {
    code: 'SAA-C03',
    minutes: 130,
    questions: 65,
    passingScore: 720,
    source: 'https://example.com/',
    domains: [{ name: 'All', weight: 100 }],
  }
  expect((await admin.browser.patch(`/api/courses/${id}`, { blueprint })).status).toBe(200)
  expect((await getCourseFacts(db, id)).blueprint).toEqual(blueprint)
  const half = { ...blueprint, domains: [{ name: 'All', weight: 50 }] }
  expect((await admin.browser.patch(`/api/courses/${id}`, { blueprint: half })).body).toMatchObject({
    error: { fields: [{ field: 'blueprint.domains' }] },
  })
  const found = await listAdminCourses(db, CourseFilter.parse({ search: 'saa-c03' }))
  expect(found.courses.map((course) => [course.id, course.code])).toEqual([[id, 'SAA-C03']])
  expect((await admin.browser.patch(`/api/courses/${id}`, { blueprint: null })).status).toBe(200)
  expect((await getCourseFacts(db, id)).blueprint).toBeNull()
})
