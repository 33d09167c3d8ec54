import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { selecting } from '../../../tests/support/answers.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { startApp } from '../../../tests/support/start-app.ts'
import { aStudent, giveAccess } from '../../../tests/support/users.ts'
import type { Db } from '../../db/open.server.ts'
import type { Tables } from '../../db/tables.server.ts'
import type { AttemptId } from '../../lib/ids.ts'
import { after, MINUTE_MS } from '../../lib/time.ts'
import { finishAttempt } from './attempts-commands.server.ts'
import type { SaveAnswer } from './attempts.schema.ts'
import { storeOfflineAttempt } from './offline-exams/offline-exams-commands.server.ts'
import type { OfflineAttempt, OfflineExam } from './offline-exams/offline-exams.schema.ts'

/*
 * A process that dies in the middle of a submit leaves to the database what a lost connection leaves to it. The connection is
 * lost at every statement: before it is sent, and after it ran but before its reply arrived. Then the browser sends it again.
 */

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db, pool } = app.services.database
const course = await aCourse(db)
const exam = await anExam(db, course.id, { isFreeTrial: false, timeLimitMinutes: 30 })
const learner = await aStudent(app)
await giveAccess(app, learner, course.id)
const taker = { kind: 'person' as const, userId: learner.id }

type LossPoint = { readonly statement: number; readonly when: 'before' | 'after' }

/** A database whose connection is lost at this point. Each statement that was sent is added to the list. */
function breakingAt(point: LossPoint | null, statements: string[]): Db {
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect()
    const lose = () => {
      ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
      throw new Error('the connection is lost')
    }
    const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
      if (statements.length + 1 === point?.statement && point.when === 'before') lose()
      statements.push(text)
      const reply = await client.query(text, [...values])
      if (statements.length === point?.statement) lose()
      return reply
    }
    return { query, release: () => client.release(point !== null) } as unknown as PostgresPoolClient
  }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }) })
}

const save = (place: number, more: object = {}): SaveAnswer =>
  ({
    answer: selecting(exam.questions[place]!.options[0]!.id),
    isFlagged: false,
    struck: [],
    note: `note ${place}`,
    confidence: 'sure',
    seq: 10 + place,
    writer: 'w',
    activeMs: 1000,
    ...more,
  }) as SaveAnswer

/** An open timed attempt: one answer is stored, the others come with the submission. */
async function anOpenAttempt() {
  const started = await learner.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed', writer: 'w' })
  const { id } = started.body as { id: AttemptId }
  await learner.browser.put(`/api/attempts/${id}/answers/${exam.questions[0]!.id}`, save(0))
  return id
}

type Submission = {
  readonly id: AttemptId
  submit(db: Db): Promise<unknown>
  /** Everything that the submission leaves behind. */
  left(): Promise<unknown>
}

async function outcomeOf(id: string, column: 'attempt_answers' | 'late_answers') {
  const attempt = await db
    .selectFrom('attempts')
    .where('id', '=', id)
    .select(['state', 'finished_by', 'score_percent'])
    .execute()
  const answers = await db.selectFrom(column).where('attempt_id', '=', id).select(['question_id']).execute()
  return { attempts: attempt, answers: answers.length }
}

async function aTimedSubmission(): Promise<Submission> {
  const id = await anOpenAttempt()
  const answers = Object.fromEntries([1, 2, 3].map((place) => [exam.questions[place]!.id, save(place)]))
  const activeMs = { [exam.questions[0]!.id]: 2000 }
  const now = app.clock.now()
  return {
    id,
    submit: (on) => finishAttempt(on, { attemptId: id, taker, writer: 'w', answers, activeMs, now }),
    left: () => outcomeOf(id, 'attempt_answers'),
  }
}

/** A submission after the deadline: its answers are stored as late ones. */
async function aLateSubmission(): Promise<Submission> {
  const { id } = await aTimedSubmission()
  const answers = Object.fromEntries([1, 2, 3].map((place) => [exam.questions[place]!.id, save(place)]))
  const now = after(app.clock.now(), 45 * MINUTE_MS)
  return {
    id,
    submit: (on) => finishAttempt(on, { attemptId: id, taker, writer: 'w', answers, activeMs: {}, now }),
    left: () => outcomeOf(id, 'late_answers'),
  }
}

async function anOfflineSubmission(): Promise<Submission> {
  const issued = (await learner.browser.get(`/api/offline-exams/${exam.slug}`)).body as OfflineExam
  const id = randomUUID()
  const at = app.clock.now().toISOString()
  const { examId, seed, signature } = issued
  const answers = Object.fromEntries(
    exam.questions.map((question) => [question.id, selecting(question.options[0]!.id)] as const),
  )
  const attempt: OfflineAttempt = { id, examId, seed, signature, startedAt: at, finishedAt: at, answers }
  const given = { userId: learner.id, isAdmin: false, attempt, secret: app.services.secret, now: app.clock.now() }
  return {
    id: id as AttemptId,
    submit: (on) => storeOfflineAttempt(on, given),
    left: () => outcomeOf(id, 'attempt_answers'),
  }
}

const finished = (by: string, score: string) => [{ state: 'finished', finished_by: by, score_percent: score }]

test.each([
  ['a timed attempt', aTimedSubmission, { attempts: finished('learner', '100.00'), answers: 4 }],
  ['a timed attempt after its deadline', aLateSubmission, { attempts: finished('deadline', '25.00'), answers: 3 }],
  ['an offline practice', anOfflineSubmission, { attempts: finished('learner', '100.00'), answers: 4 }],
] as const)(
  'a connection lost at any statement of the submit of %s loses nothing, and sent again it is finished once',
  async (_name, begin, whole) => {
    const statements: string[] = []
    const alive = await begin()
    await alive.submit(breakingAt(null, statements))
    expect(await alive.left()).toEqual(whole)
    expect(statements.length).toBeGreaterThan(6)
    expect([statements[0], statements.at(-1)]).toEqual(['begin', 'commit'])

    const points = statements.flatMap((_, index): LossPoint[] => [
      { statement: index + 1, when: 'before' },
      { statement: index + 1, when: 'after' },
    ])
    const outcomes: boolean[] = []
    for (const point of points) {
      const where = `${point.when} ${point.statement}: ${statements[point.statement - 1]}`
      const submission = await begin()
      const before = await submission.left()
      const error = await submission.submit(breakingAt(point, [])).catch((lost: unknown) => lost)
      expect([where, error]).toEqual([where, expect.any(Error)])
      // All or nothing, and then, sent again, all.
      const left = await submission.left()
      const isAll = JSON.stringify(left) === JSON.stringify(whole)
      outcomes.push(isAll)
      expect([where, left]).toEqual([where, isAll ? whole : before])
      await submission.submit(db)
      await submission.submit(db)
      expect([where, await submission.left()]).toEqual([where, whole])
    }
    // Only the commit is decisive.
    expect(outcomes).toEqual(points.map((point) => point.statement === statements.length && point.when === 'after'))
  },
  120_000,
)
