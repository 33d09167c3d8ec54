import { toSpecification } from '../../questions/types/content-registry.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { anAdmin, aStudent, giveAccess } from '../../../../tests/support/users.ts'
import { after } from '../../../lib/time.ts'
import { NAMES_HEADER, TODAY } from '../../../platform/build-id.ts'
import type { CourseRow, ExamRow } from './data-calls.schema.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const guest = app.visitor()

const listed = async (path: string, visitor = guest) =>
  (await visitor.get(path)).body as { courses: CourseRow[]; next: string | null }
const examsOf = async (courseId: string, visitor = guest, more = '') =>
  ((await visitor.get(`/api/test_questions?course_id=${courseId}${more}`)).body as { exams: ExamRow[] }).exams

test('pages of courses have no gaps or repeats, newest first, also for equal instants', async () => {
  const now = app.clock.now()
  for (let number = 0; number < 7; number += 1)
    await db
      .insertInto('courses')
      .values({
        title: `Listed ${number}`,
        price: '1.00',
        slug: `listed-${number}`,
        created_at: after(now, number > 3 ? 0 : number),
      })
      .execute()
  const whole = await listed('/api/courses')
  const seen: string[] = []
  for (let path: string | null = '/api/courses?limit=2'; path !== null;) {
    const page: { courses: CourseRow[]; next: string | null } = await listed(path)
    seen.push(...page.courses.map(({ id }) => id))
    path = page.next === null ? null : `/api/courses?limit=2&cursor=${encodeURIComponent(page.next)}`
  }
  expect(whole.next).toBeNull()
  expect(seen).toEqual(whole.courses.map(({ id }) => id))
  expect(whole.courses.map(({ created_at }) => created_at)).toEqual(
    whole.courses
      .map(({ created_at }) => created_at)
      .toSorted()
      .toReversed(),
  )
})

test.each(['2026-02-31T00:00:00.000000Z', '0000-01-01T00:00:00.000000Z', '5', 'infinity'])(
  'a page that went on from %s is refused by name',
  async (instant) => {
    const reply = await guest.get(`/api/courses?cursor=${instant}~${randomUUID()}`)
    expect(reply).toMatchObject({ status: 400, body: { error: { fields: [{ field: 'cursor' }] } } })
  },
)

test.each(['//elsewhere.example/a.png', 'http://elsewhere.example/a.png', 'javascript:alert(1)'])(
  'a picture at %s is refused by name',
  async (image_url) => {
    const reply = await admin.browser.post('/api/courses', { title: `Pictured ${randomUUID()}`, price: 1, image_url })
    expect(reply).toMatchObject({ status: 400, body: { error: { fields: [{ field: 'image_url' }] } } })
  },
)

test.each(['/pictures/a.png', 'https://elsewhere.example/a.png', ''])(
  'a picture at "%s" is taken',
  async (image_url) => {
    const reply = await admin.browser.post('/api/courses', { title: `Pictured ${randomUUID()}`, price: 1, image_url })
    expect(reply.status).toBe(200)
  },
)

test('the public list has only the newest course of a title and owner; admins see all by latest change', async () => {
  const title = `Twice ${randomUUID()}`
  const first = (await admin.browser.post('/api/courses', { title, price: 1, status: 'published' })).body as {
    id: string
  }
  app.clock.forward(1000)
  const second = (await admin.browser.post('/api/courses', { title, price: 2, status: 'published' })).body as {
    id: string
  }
  const of = (courses: CourseRow[]) => courses.filter((course) => course.title === title).map(({ id }) => id)
  expect(of((await listed('/api/courses')).courses)).toEqual([second.id])
  app.clock.forward(1000)
  await admin.browser.patch(`/api/courses/${first.id}`, { price: 3 })
  expect(of((await listed('/api/courses?scope=all', admin.browser)).courses)).toEqual([first.id, second.id])
  expect((await guest.get('/api/courses?scope=all')).status).toBe(403)
})

test('an unchanged list is answered with 304, a list with a changed price is not', async () => {
  const course = await aCourse(db)
  const path = `/api/courses/${course.id}`
  const etag = (await guest.get(path)).headers.get('etag') ?? ''
  expect((await guest.call('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304)
  expect((await guest.call('GET', path, undefined, { 'if-none-match': `W/${etag}, "other"` })).status).toBe(304)
  await admin.browser.patch(path, { price: 77 })
  expect((await guest.call('GET', path, undefined, { 'if-none-match': etag })).body).toMatchObject({ price: 77 })
})

test('a list has the same content in every encoding and with either names, and after a change none is old', async () => {
  const course = await aCourse(db, { title: 'A course of the encodings' })
  await anExam(db, course.id, { isFreeTrial: true })
  for (const path of ['/api/courses', `/api/courses/${course.id}`, `/api/test_questions?course_id=${course.id}`])
    for (const price of [31, 32]) {
      await db
        .updateTable('test_questions')
        .set({ test_name: `Exam of ${price}` })
        .where('course_id', '=', course.id)
        .execute()
      await admin.browser.patch(`/api/courses/${course.id}`, { price, title: `Course for ${price}` })
      for (const names of ['', TODAY]) {
        const bodies: string[] = []
        // The first call of each writes the bytes, the later ones find them.
        for (const encoding of ['identity', 'br', 'gzip', 'br;q=0, gzip', 'br', 'deflate', 'identity']) {
          const reply = await fetch(`${app.url}${path}`, {
            headers: { 'accept-encoding': encoding, [NAMES_HEADER]: names },
          })
          expect(reply.headers.get('vary')).toMatch(/accept-encoding/i)
          bodies.push(await reply.text())
        }
        expect(new Set(bodies).size).toBe(1)
        expect(bodies[0]).toContain(path.includes('test_questions') ? `Exam of ${price}` : `Course for ${price}`)
      }
    }
})

test('only free trials include questions, without answer key and explanation; admins get everything', async () => {
  const course = await aCourse(db)
  await anExam(db, course.id, { isFreeTrial: true })
  await anExam(db, course.id, { isFreeTrial: false })
  const owner = await aStudent(app)
  await giveAccess(app, owner, course.id)
  for (const visitor of [guest, owner.browser]) {
    const exams = await examsOf(course.id, visitor)
    expect(exams.map(({ is_free_trial, questions }) => [is_free_trial, questions.length]).toSorted()).toEqual([
      [false, 0],
      [true, 4],
    ])
    expect(JSON.stringify(exams)).not.toMatch(/SECRET|final_answer|explanation|suggested|voted|answer_ids/)
  }
  const full = await examsOf(course.id, admin.browser)
  expect(full[1]!.questions).toHaveLength(4)
  expect(JSON.stringify(full)).toContain('SECRET')
  expect(await examsOf(course.id, guest, '&is_free_trial=true&single=true')).toHaveLength(1)
  expect(await examsOf(randomUUID())).toEqual([])
})

test('a repeated course is added once, drafts are hidden, and a number is appended to a taken slug', async () => {
  const id = randomUUID()
  const made = await admin.browser.post('/api/courses', { id, title: 'Sent Twice', price: '10.50' })
  expect(made).toMatchObject({ status: 200, body: { id, row_version: 1 } })
  expect((await admin.browser.post('/api/courses', { id, title: 'Sent Twice', price: '10.50' })).body).toEqual(
    made.body,
  )
  expect((await guest.get(`/api/courses/${id}`)).status).toBe(404)
  expect((await admin.browser.get(`/api/courses/${id}`)).body).toMatchObject({
    slug: 'sent-twice',
    description: 'No description',
  })
  const other = (await admin.browser.post('/api/courses', { title: 'Sent Twice', price: 0 })).body as { id: string }
  expect((await admin.browser.get(`/api/courses/${other.id}`)).body).toMatchObject({ slug: 'sent-twice-2' })
})

test('a change of an outdated row is refused with the stored row', async () => {
  const course = await aCourse(db, { title: 'Contested' })
  const path = `/api/courses/${course.id}`
  expect((await admin.browser.patch(path, { price: 5, row_version: 1 })).body).toEqual({ done: true, row_version: 2 })
  const late = await admin.browser.patch(path, { title: 'Mine', row_version: 1 })
  expect(late).toMatchObject({
    status: 409,
    body: {
      error: { code: 'row.changed-elsewhere', facts: { stored: { title: 'Contested', price: 5, row_version: 2 } } },
    },
  })
  expect((await admin.browser.call('DELETE', `${path}?row_version=1`)).status).toBe(409)
})

test('an exam needs a course and valid questions, and later changes go to its draft', async () => {
  const missing = randomUUID()
  const none = await admin.browser.post('/api/test_questions', { course_id: missing, test_name: 'E' })
  expect(none).toMatchObject({
    status: 409,
    body: { error: { message: `Cannot save exam: Course with ID ${missing} does not exist` } },
  })
  const course = await aCourse(db)
  const questions = [aQuestion(1), aQuestion(2)].map(toSpecification)
  const bad = await admin.browser.post('/api/test_questions', {
    course_id: course.id,
    test_name: 'E',
    questions: [questions[0], { ...questions[1], final_answer: 'F' }],
  })
  expect(bad).toMatchObject({ status: 400, body: { error: { fields: [{ field: 'questions.1.final_answer' }] } } })
  const made = await admin.browser.post('/api/test_questions', { course_id: course.id, test_name: 'E', questions })
  const { id } = made.body as { id: string }
  const changed = { questions: [{ ...questions[0], question: 'Changed?' }], passing_score: 80 }
  expect((await admin.browser.patch(`/api/test_questions/${id}`, changed)).status).toBe(200)
  expect(await examsOf(course.id, admin.browser)).toMatchObject([{ passing_score: 70, question_count: 2 }])
  const { body } = await admin.browser.get(`/api/exams/${id}`)
  expect(body).toMatchObject({ draft: { questionCount: 1, settings: { passingScore: 80 } } })
  const other = await anAdmin(app)
  expect((await other.browser.patch(`/api/test_questions/${id}`, { test_name: 'Theirs' })).status).toBe(409)
  const { version } = (body as { draft: { version: number } }).draft
  const seen = { test_name: 'Theirs', draft_version: version }
  expect((await other.browser.patch(`/api/test_questions/${id}`, seen)).status).toBe(200)
})

test('a course without owners is deleted; a course with owners is withdrawn, and they keep it', async () => {
  const free = await aCourse(db)
  await anExam(db, free.id, {})
  expect((await admin.browser.call('DELETE', `/api/courses/${free.id}`)).body).toEqual({
    done: true,
    outcome: 'deleted',
  })
  expect((await admin.browser.call('DELETE', `/api/courses/${free.id}`)).body).toEqual({
    done: true,
    outcome: 'deleted',
  })
  expect((await admin.browser.get(`/api/courses/${free.id}`)).status).toBe(404)

  const owned = await aCourse(db)
  const taken = await anExam(db, owned.id, {})
  const untaken = await anExam(db, owned.id, {})
  const student = await aStudent(app)
  await giveAccess(app, student, owned.id)
  const attempt = await student.browser.post('/api/attempts', { examSlug: taken.slug, mode: 'practice' })
  const removal = (id: string) => admin.browser.call('DELETE', `/api/test_questions/${id}`)
  expect((await removal(untaken.id)).body).toMatchObject({ outcome: 'deleted' })
  expect((await removal(taken.id)).body).toMatchObject({ outcome: 'withdrawn' })
  expect(await examsOf(owned.id)).toEqual([])
  expect((await student.browser.get(`/api/attempts/${(attempt.body as { id: string }).id}`)).status).toBe(200)
  expect((await admin.browser.call('DELETE', `/api/courses/${owned.id}`)).body).toMatchObject({ outcome: 'withdrawn' })
  expect((await listed('/api/courses')).courses.map(({ id }) => id)).not.toContain(owned.id)
  expect((await guest.get(`/api/courses/${owned.id}`)).body).toMatchObject({ status: 'withdrawn' })
})

/** A course with an exam whose draft can be published. */
async function aCourseToPublish() {
  const course = await aCourse(db)
  const exam = await anExam(db, course.id)
  await admin.browser.patch(`/api/test_questions/${exam.id}`, { passing_score: 80 })
  const { draft } = (await admin.browser.get(`/api/exams/${exam.id}`)).body as { draft: { version: number } }
  return { course, exam, publish: { path: `/api/exams/${exam.id}/draft/publish`, version: draft.version } }
}

test('deleting an exam during its publication removes it, and neither request fails', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { course, exam, publish } = await aCourseToPublish()
    const path = round % 2 === 0 ? `/api/test_questions/${exam.id}` : `/api/courses/${course.id}`
    const [published, deleted] = await Promise.all([
      admin.browser.post(publish.path, { version: publish.version }),
      admin.browser.call('DELETE', path),
    ])
    expect([200, 404, 409]).toContain(published.status)
    expect(deleted).toMatchObject({ status: 200, body: { outcome: 'deleted' } })
    expect(await db.selectFrom('test_questions').where('course_id', '=', course.id).select('id').execute()).toEqual([])
  }
})

test('of two concurrent deletions or changes the second is refused, and there is one audit entry', async () => {
  for (let round = 0; round < 6; round += 1) {
    const course = await aCourse(db)
    const path = `/api/courses/${course.id}`
    const [changed, deleted] = await Promise.all([
      admin.browser.patch(path, { price: 5, row_version: 1 }),
      admin.browser.call('DELETE', `${path}?row_version=1`),
    ])
    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual([changed.status, deleted.status])
    await Promise.all([1, 2, 3].map(() => admin.browser.call('DELETE', path)))
    const lines = db.selectFrom('audit_log').where('subject_id', '=', course.id).where('action', '=', 'course.deleted')
    expect(await lines.select('id').execute()).toHaveLength(1)
  }
})

test('a course that changes during its publication is not published', async () => {
  for (let round = 0; round < 6; round += 1) {
    const course = await aCourse(db)
    await anExam(db, course.id)
    await admin.browser.patch(`/api/courses/${course.id}`, { status: 'draft' })
    const [changed, published] = await Promise.all([
      admin.browser.patch(`/api/courses/${course.id}`, { title: `Changed ${randomUUID()}`, row_version: 2 }),
      admin.browser.post(`/api/admin/courses/${course.id}/publish`, { rowVersion: 2, drafts: [] }),
    ])
    expect([changed.status, published.status].toSorted()).toEqual([200, 409])
  }
})

test('a course with only free-trial attempts is deleted with them, and the admin sees their number before', async () => {
  const course = await aCourse(db)
  const trial = await anExam(db, course.id, { isFreeTrial: true })
  const [learner, visitor] = [await aStudent(app), app.visitor()]
  for (const taker of [learner.browser, visitor])
    expect((await taker.post('/api/attempts', { examSlug: trial.slug, mode: 'preview' })).status).toBe(200)
  expect((await admin.browser.get(`/api/admin/courses/${course.id}/dependents`)).body).toMatchObject({
    attempts: 1,
    guestAttempts: 1,
    owners: 0,
    orders: 0,
    outcome: 'deleted',
  })
  expect((await admin.browser.call('DELETE', `/api/courses/${course.id}`)).body).toMatchObject({ outcome: 'deleted' })
  expect(await db.selectFrom('attempts').where('course_id', '=', course.id).select('id').execute()).toEqual([])
  expect((await admin.browser.get(`/api/courses/${course.id}`)).status).toBe(404)
})

test('a withdrawn course with a former owner keeps its attempts', async () => {
  const course = await aCourse(db)
  const trial = await anExam(db, course.id, { isFreeTrial: true })
  const [learner, owner] = [await aStudent(app), await aStudent(app)]
  await giveAccess(app, owner, course.id)
  await learner.browser.post('/api/attempts', { examSlug: trial.slug, mode: 'preview' })
  expect((await admin.browser.call('DELETE', `/api/courses/${course.id}`)).body).toMatchObject({ outcome: 'withdrawn' })
  expect(await db.selectFrom('attempts').where('course_id', '=', course.id).select('id').execute()).toHaveLength(1)
})

test('unreferenced versions are removed and counted, and versions that were taken stay', async () => {
  await admin.browser.post('/api/rpc/cleanup_orphaned_test_questions')
  const course = await aCourse(db)
  const orphan = await anExam(db, course.id, {})
  const taken = await anExam(db, course.id, {})
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  await student.browser.post('/api/attempts', { examSlug: taken.slug, mode: 'practice' })
  await db
    .updateTable('test_questions')
    .set({ is_current_version: false })
    .where('id', 'in', [orphan.id, taken.id])
    .execute()
  expect((await admin.browser.post('/api/rpc/cleanup_orphaned_test_questions')).body).toEqual({ removed: 1 })
  expect((await admin.browser.post('/api/rpc/cleanup_orphaned_test_questions')).body).toEqual({ removed: 0 })
})
