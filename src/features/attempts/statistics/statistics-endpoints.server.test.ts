import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../../tests/support/build-course.ts'
import { anAdmin } from '../../../../tests/support/users.ts'
import { createAccount } from '../../accounts/accounts-commands.server.ts'
import { getStatistics } from './statistics-queries.server.ts'

const app = await startApp()
const { db } = app.services.database
const course = await aCourse(db)

/** docs/statistics.md, "A worked example". */
const example = [
  [1, 1, 1, 1],
  [1, 1, 1, 0],
  [1, 1, 0, 0],
  [1, 0, 1, 0],
  [0, 1, 0, 0],
  [0, 0, 0, 1],
]

async function aUser() {
  const email = `${randomUUID()}@example.com`
  return createAccount(db, { name: 'A', email, passwordHash: '', isVerified: true })
}

/** A finished attempt: 1 chooses the right answer, 0 the second one, null none. */
async function take(
  exam: BuiltExam,
  points: (number | null)[],
  more: { user?: string | null; mode?: 'timed' | 'practice' | 'preview'; at?: number; examId?: string } = {},
) {
  const { mode = 'timed', at = 0, user = await aUser() } = more
  const answers = exam.questions.map((question, place) => {
    const point = points[place] ?? null
    return point === null ? null : { type: 'choice', optionIds: [question.options[point === 1 ? 0 : 1]!.id] }
  })
  const answered = answers.filter((answer) => answer !== null).length
  const { id } = await db
    .insertInto('attempts')
    .values({
      exam_id: more.examId ?? exam.id,
      family_id: exam.id,
      course_id: exam.courseId,
      user_id: user,
      guest_id: user === null ? randomUUID() : null,
      mode,
      state: 'finished',
      seed: 1,
      layout: '[]',
      scoring_policy: 'all-or-nothing',
      passing_score: 70,
      started_at: new Date(at),
      finished_at: new Date(at + 1000),
      finished_by: 'learner',
      result: JSON.stringify({ answeredCount: answered, questionCount: exam.questions.length }),
      score_percent: '50',
      is_passed: points.filter((point) => point === 1).length >= 3,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('attempt_answers')
    .values(
      exam.questions.map((question, place) => ({
        attempt_id: id,
        question_id: question.id,
        answer: answers[place] === null ? null : JSON.stringify(answers[place]),
        is_flagged: false,
        struck: [],
        seq: 1,
        writer: 'w',
        saved_at: new Date(at),
        active_ms: (place + 1) * 1000 + at,
      })),
    )
    .execute()
  return user
}

const statisticsOf = (exam: BuiltExam) => getStatistics(db, { id: exam.id, familyId: exam.id, now: app.clock.now() })

test('attempts in the database give the worked example; with fewer than thirty there are no statistics', async () => {
  const exam = await anExam(db, course.id)
  const users = Array.from({ length: 36 }, (_, at) => example[at % 6]!)
  for (const points of users.slice(0, 29)) await take(exam, points)
  expect(await statisticsOf(exam)).toMatchObject({ count: 29, scores: null, items: [] })
  for (const points of users.slice(29)) await take(exam, points)
  const { count, scores, items } = await statisticsOf(exam)
  expect(count).toBe(36)
  expect(items.map(({ facility }) => facility)).toEqual([4 / 6, 4 / 6, 0.5, 2 / 6])
  const expected = [6 / Math.sqrt(168), 0, 6 / Math.sqrt(180), -4 / Math.sqrt(328)]
  for (const [place, item] of items.entries()) expect(item.discrimination).toBeCloseTo(expected[place]!, 10)
  expect(scores?.alpha).toBeCloseTo((4 / 3) * (1 - 33 / 41), 10)
  expect(scores?.mean).toBeCloseTo(13 / 24, 10)
  expect(scores?.passRate).toBeCloseTo(2 / 6, 10)
  expect(items[3]?.parts.map((part) => part.count)).toEqual([12, 24, 0, 0])
  expect(items[3]?.flags).toEqual(['key-doubtful', 'discriminates-backwards'])
  expect(items.map(({ medianMs }) => medianMs)).toEqual([1000, 2000, 3000, 4000])
})

test("only learners' first finished attempts with half of the questions answered are counted", async () => {
  const exam = await anExam(db, course.id)
  for (let number = 0; number < 30; number += 1) await take(exam, [1, 1, 0, 0])
  const again = await take(exam, [0, 0, null, null], { mode: 'practice', at: 5000 })
  await take(exam, [1, 1, 1, 1], { user: again, at: 9000 })
  const admin = await anAdmin(app)
  await take(exam, [1, 1, 1, 1], { user: admin.id })
  await take(exam, [1, 1, 1, 1], { user: null, mode: 'preview' })
  await take(exam, [1, 1, 1, 1], { mode: 'preview' })
  const gaveUp = await take(exam, [1, null, null, null], { at: 1000 })
  await take(exam, [1, 1, 1, 1], { user: gaveUp, at: 7000 })
  const { count, items } = await statisticsOf(exam)
  expect(count).toBe(31)
  expect(items.map(({ facility }) => facility)).toEqual([30 / 31, 30 / 31, 0, 0])
  expect(items.map(({ blankCount }) => blankCount)).toEqual([0, 0, 1, 1])
})

test('the next request includes a new attempt', async () => {
  const exam = await anExam(db, course.id)
  for (let number = 0; number < 30; number += 1) await take(exam, [1, 1, 0, 0])
  expect((await statisticsOf(exam)).items[0]?.facility).toBe(1)
  await take(exam, [0, 1, 0, 0], { at: 60_000 })
  expect((await statisticsOf(exam)).items[0]?.facility).toBe(30 / 31)
})

test('an admin downloads the statistics as CSV, in which no question text is a formula', async () => {
  const question = { ...aQuestion(1), stem: '=HYPERLINK("http://x.example"),"a"' }
  const exam = await anExam(db, course.id, { questions: [question, aQuestion(2)] })
  for (let number = 0; number < 30; number += 1) await take(exam, [number % 2, 1])
  const admin = await anAdmin(app)
  const reply = await admin.browser.get(`/api/exams/${exam.id}/statistics.csv`)
  expect(reply.headers.get('content-type')).toContain('text/csv')
  const lines = String(reply.body).trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + 2 * 5)
  expect(lines[1]).toContain(`1,${question.id},"'=HYPERLINK(""http://x.example""),""a""",30,0.5,,,,,1,,`)
  expect(lines[1]).toContain('yes,15,0.5')
  expect((await admin.browser.get(`/api/exams/${randomUUID()}/statistics.csv`)).status).toBe(404)
})
