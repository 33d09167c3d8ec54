import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { CachedQueries } from '../../../platform/cache/cached-queries.server.ts'
import { courseContents, findHomeSample } from './course-contents-queries.server.ts'

const app = await startApp()
const { db } = app.services.database

test('paid and free questions are counted apart and by kind, of current versions alone', async () => {
  const course = await aCourse(db)
  await anExam(db, course.id, {
    questions: [aQuestion(1), aQuestion(2), aQuestion(3, { right: 2 }), aQuestion(4, { right: 3 })],
  })
  await anExam(db, course.id, { questions: [aQuestion(5), aQuestion(6, { right: 2 })] })
  const free = await anExam(db, course.id, { questions: [aQuestion(7)], isFreeTrial: true })
  const former = await anExam(db, course.id, { questions: [aQuestion(8), aQuestion(9)] })
  await db.updateTable('test_questions').set({ is_current_version: false }).where('id', '=', former.id).execute()
  const contents = await courseContents.read(db, course.id)
  expect(contents.paid).toEqual({
    exams: 2,
    questions: 6,
    kinds: [
      { words: 'with one right answer', count: 3 },
      { words: 'with several right answers', count: 3 },
    ],
  })
  expect(contents.free).toEqual({
    exams: 1,
    questions: 1,
    kinds: [{ words: 'with one right answer', count: 1 }],
  })
  expect(contents.sample).toMatchObject({ examSlug: free.slug, questionCount: 1 })
})

test('a course was last reviewed when its newest current version was published', async () => {
  const course = await aCourse(db)
  const published = ['2026-03-01T08:00:00.000Z', '2026-05-07T08:00:00.000Z']
  for (const createdAt of published) {
    const { id } = await anExam(db, course.id)
    await db
      .updateTable('test_questions')
      .set({ created_at: new Date(createdAt) })
      .where('id', '=', id)
      .execute()
  }
  expect((await courseContents.read(db, course.id)).reviewedAt).toBe('2026-05-07T08:00:00.000Z')
  expect((await courseContents.read(db, (await aCourse(db)).id)).reviewedAt).toBeNull()
})

test('the question to try has no answer key, and is the same for everybody', async () => {
  const course = await aCourse(db)
  const free = await anExam(db, course.id, { isFreeTrial: true })
  const [one, other] = await Promise.all([courseContents.read(db, course.id), courseContents.read(db, course.id)])
  expect(free.questions.map(({ id }) => id)).toContain(one.sample?.question.id)
  expect(one).toEqual(other)
  expect(JSON.stringify(one)).not.toMatch(/isRight|rightOptionIds|SECRET-EXPLANATION/)
})

test('home shows the question of a published course with a free trial, for beginners if there is one', async () => {
  const cachedQueries = new CachedQueries({ isUp: () => false, now: () => 0 })
  const expected = await aCourse(db)
  await anExam(db, expected.id, { isFreeTrial: true })
  await db
    .updateTable('courses')
    .set({ category: 'practitioner', status: 'published' })
    .where('id', '=', expected.id)
    .execute()
  const later = await aCourse(db)
  await anExam(db, later.id, { isFreeTrial: true })
  await db.updateTable('courses').set({ status: 'published' }).where('id', '=', later.id).execute()
  expect(await findHomeSample({ cachedQueries, db })).toMatchObject({ courseSlug: expected.slug })
  await db.updateTable('courses').set({ category: 'associate' }).where('id', '=', expected.id).execute()
  expect(await findHomeSample({ cachedQueries, db })).toMatchObject({ courseSlug: later.slug })
})

test('a paid exam has no question to try, and one that was a free trial has none any more', async () => {
  const course = await aCourse(db)
  const exam = await anExam(db, course.id, { isFreeTrial: true })
  expect((await courseContents.read(db, course.id)).sample).not.toBeNull()
  await db.updateTable('test_questions').set({ is_free_trial: false }).where('id', '=', exam.id).execute()
  expect((await courseContents.read(db, course.id)).sample).toBeNull()
})
