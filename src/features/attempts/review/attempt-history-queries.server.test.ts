import { expect, test } from 'vitest'
import { aCourse, anExam } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aStudent } from '../../../../tests/support/users.ts'
import { listAttemptsAtExam, listExamResults } from './attempt-history-queries.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db, pool } = app.services.database

/** A learner who finished an exam at 1%, 2%, 3% …, the last of them today. */
async function finished(count: number) {
  const exam = await anExam(db, (await aCourse(db)).id)
  const { id: userId } = await aStudent(app)
  await pool.query(
    `insert into attempts (exam_id, family_id, course_id, user_id, mode, state, seed, layout, scoring_policy, passing_score,
       started_at, finished_at, finished_by, score_percent, is_passed)
     select id, family_id, course_id, $2, 'timed', 'finished', 1, '[]', 'all-or-nothing', 70, at, at, 'learner', n, n >= 70
     from test_questions, generate_series(1, $3::int) as n
     cross join lateral (select $4::timestamptz - ($3::int - n) * interval '1 day' as at) as times where id = $1`,
    [exam.id, userId, count, app.clock.now()],
  )
  const { family_id: familyId } = await db
    .selectFrom('test_questions')
    .where('id', '=', exam.id)
    .select('family_id')
    .executeTakeFirstOrThrow()
  const read = (page: number) => listAttemptsAtExam(db, { taker: { kind: 'person', userId }, familyId, page })
  return { exam, userId, read }
}

test('the history at an exam comes in pages, newest first, and a page beyond the last is the last', async () => {
  const { read } = await finished(50)
  const [first, second, third, beyond] = [await read(1), await read(2), await read(3), await read(99)]
  expect(first).toMatchObject({ finishedCount: 50, page: 1, open: [] })
  const scores = [first, second, third].map((page) => page.finished.map(({ scorePercent }) => scorePercent))
  expect(scores.map((page) => page.length)).toEqual([24, 24, 2])
  expect(scores.flat()).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index))
  expect(beyond).toEqual(third)
})

test('the results of an exam are the number of its attempts, the best one and the open one', async () => {
  const { exam, userId } = await finished(75)
  const read = async () => (await listExamResults(db, userId))[0]
  expect(await read()).toMatchObject({
    examSlug: exam.slug,
    finishedCount: 75,
    best: { scorePercent: 75, isPassed: true },
    open: null,
  })
  const best = (await read())?.best
  await pool.query('update attempts set score_percent = 10, is_passed = false where id = $1', [best?.id])
  expect((await read())?.best).toMatchObject({ scorePercent: 74, isPassed: true })
})
