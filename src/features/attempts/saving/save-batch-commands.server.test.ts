import { selecting } from '../../../../tests/support/answers.ts'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../../tests/support/build-course.ts'
import { aStudent, giveAccess } from '../../../../tests/support/users.ts'
import type { AttemptId, GuestId, UserId } from '../../../lib/ids.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import { hashOfToken } from '../../accounts/sessions/session-cookie-queries.server.ts'
import { openSession } from '../../accounts/sessions/sessions-commands.server.ts'
import { findExam } from '../../catalogue/catalogue-queries.server.ts'
import { isNewer, trialOf } from '../attempts.ts'
import { AttemptView, type SaveAnswer } from '../attempts.schema.ts'
import { finishAttempt, startAttempt } from '../attempts-commands.server.ts'
import { saveAnswer } from './save-answer-commands.server.ts'
import { combineSaves, SAVE_STATEMENT, type Credentials } from './save-batch-commands.server.ts'

const app = await startApp()
const { db, pool } = app.services.database
const course = await aCourse(db)
const exam = await anExam(db, course.id)
const trial = await anExam(db, course.id, { isFreeTrial: true })

type Sitting = { readonly id: AttemptId; readonly by: Credentials; readonly userId: UserId | null }

async function aSitting(): Promise<Sitting> {
  const learner = await aStudent(app)
  await giveAccess(app, learner, course.id)
  const reply = await learner.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' })
  const sessionHash = hashOfToken(await aSession(learner.id))
  return {
    id: AttemptView.parse(reply.body).id as AttemptId,
    by: { sessionHash, guestId: null },
    userId: learner.id,
  }
}

async function aGuestsSitting(): Promise<Sitting> {
  const guestId = randomUUID() as GuestId
  const facts = await findExam(db, trial.slug)
  const proof = facts === null ? null : trialOf(facts)
  if (facts === null || proof === null) throw new Error('no trial')
  const id = await startAttempt(db, {
    exam: facts,
    admission: { mode: 'preview', proof },
    taker: { kind: 'guest', guestId },
    now: app.clock.now(),
  })
  return { id, by: { sessionHash: null, guestId }, userId: null }
}

const aSession = (userId: UserId, ageMs = 0) =>
  openSession(db, {
    userId,
    now: new Date(app.clock.now().getTime() - ageMs),
    networkAddress: '127.0.0.1',
    userAgent: null,
  })

test('each save finds its attempt by its id, also when none was open while the database counted', async () => {
  const learner = await aStudent(app)
  await sql`
    insert into attempts (exam_id, family_id, course_id, user_id, mode, state, seed, layout, scoring_policy, passing_score,
      writer, started_at, finished_at, finished_by, result, score_percent, is_passed)
    select ${exam.id}, family_id, course_id, ${learner.id}, 'timed', 'finished', 1, '[]', 'all-or-nothing', 70,
      'w', now(), now(), 'learner', '{"answeredCount": 0, "questionCount": 1}', 0, false
    from test_questions, generate_series(1, 2000) where id = ${exam.id}`.execute(db)
  await sql`vacuum (analyze) attempts`.execute(db)
  const given = JSON.stringify([{ attempt_id: randomUUID(), question_id: 'q', session_hash: 'h', seq: 1, writer: 'w' }])
  const { rows } = await pool.query({ text: `explain ${SAVE_STATEMENT.text}`, values: [given, 0, 0] })
  const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
  expect(plan.match(/\w+ on attempts\b/g)).toEqual(['attempts_pkey on attempts'])
})

const anAnswer = (put: Partial<SaveAnswer> = {}): SaveAnswer => ({
  answer: null,
  isFlagged: false,
  struck: [],
  note: '',
  confidence: null,
  activeMs: 0,
  seq: 1,
  writer: 'tab',
  ...put,
})

async function stored(attemptId: AttemptId) {
  const rows = await db
    .selectFrom('attempt_answers')
    .where('attempt_id', '=', attemptId)
    .select(['question_id', 'answer', 'is_flagged', 'struck', 'seq', 'writer'])
    .orderBy('question_id')
    .execute()
  return rows.map((row) => [row.question_id, row.answer, row.is_flagged, row.struck, row.seq, row.writer])
}

/** The senders in the property below: the owner in several ways, and others who do not own the attempt. */
const senders = ['owner', 'foreign', 'nobody', 'expired', 'signed-out', 'guest-cookie'] as const

test('concurrent saves leave the same state and replies as sequential saves', async () => {
  const [one, two, guest] = [await aSitting(), await aSitting(), await aGuestsSitting()]
  const finished = await aSitting()
  await db
    .updateTable('attempts')
    .set({ state: 'finished', finished_at: app.clock.now(), finished_by: 'learner' })
    .where('id', '=', finished.id)
    .execute()
  const overdue = await aSitting()
  await db
    .updateTable('attempts')
    .set({ deadline_at: new Date(app.clock.now().getTime() - MINUTE_MS) })
    .where('id', '=', overdue.id)
    .execute()
  const elsewhere = await aSitting()
  await db.updateTable('attempts').set({ writer: 'tab' }).where('id', '=', elsewhere.id).execute()
  const sittings = { one, two, guest, finished, overdue, elsewhere }
  const expired = new Map<UserId, string>()
  for (const { userId } of Object.values(sittings))
    if (userId !== null) expired.set(userId, hashOfToken(await aSession(userId, 31 * 24 * 60 * MINUTE_MS)))
  const credentials = (of: Sitting, sender: (typeof senders)[number]): Credentials => {
    if (sender === 'foreign') return of.id === one.id ? two.by : one.by
    if (sender === 'nobody') return { sessionHash: null, guestId: randomUUID() as GuestId }
    if (sender === 'expired')
      return { sessionHash: of.userId === null ? 'never' : (expired.get(of.userId) ?? 'never'), guestId: null }
    if (sender === 'signed-out') return { sessionHash: 'ended', guestId: null }
    // A signed-in user is not a guest, even with an old guest cookie.
    if (sender === 'guest-cookie') return { ...of.by, guestId: guest.by.guestId }
    return of.by
  }

  const aSave = fc.record({
    at: fc.constantFrom<keyof typeof sittings>('one', 'two', 'guest', 'finished', 'overdue', 'elsewhere'),
    question: fc.integer({ min: 0, max: 2 }),
    sender: fc.oneof({ weight: 4, arbitrary: fc.constant('owner' as const) }, fc.constantFrom(...senders)),
    seq: fc.integer({ min: 1, max: 6 }),
    writer: fc.constantFrom('tab', 'phone', 'Tab'),
    choice: fc.integer({ min: 0, max: 3 }),
    isFlagged: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(aSave, { minLength: 1, maxLength: 60 }), async (plan) => {
      await sql`delete from attempt_answers`.execute(db)
      const checked = exam.questions[2]!
      await db
        .insertInto('attempt_answers')
        .values({
          attempt_id: two.id,
          question_id: checked.id,
          answer: JSON.stringify(selecting(checked.options[1]!.id)),
          is_flagged: false,
          struck: [],
          seq: 1,
          writer: 'tab',
          checked_at: app.clock.now(),
          saved_at: app.clock.now(),
        })
        .execute()
      const saves = plan.map(({ at, question, sender, seq, writer, choice, isFlagged }) => {
        const of = sittings[at]
        const { id, options: answers } = (at === 'guest' ? trial : exam).questions[question]!
        const answer = anAnswer({ answer: selecting(answers[choice]!.id), isFlagged, seq, writer })
        return { at, of, questionId: id, by: credentials(of, sender), sender, answer }
      })

      const expected = new Map<string, SaveAnswer>([
        [`${two.id} ${checked.id}`, anAnswer({ answer: selecting(checked.options[1]!.id) })],
      ])
      const replies = saves.map(({ at, of, questionId, sender, answer }) => {
        const isOpen = at !== 'finished' && at !== 'overdue' && (at !== 'elsewhere' || answer.writer === 'tab')
        const isOwner = sender === 'owner' || sender === 'guest-cookie'
        const key = `${of.id} ${questionId}`
        const before = expected.get(key)
        const isFinal =
          key === `${two.id} ${checked.id}` && JSON.stringify(before?.answer) !== JSON.stringify(answer.answer)
        const isWritten = isOpen && isOwner && !isFinal && (before === undefined || isNewer(answer, before))
        if (isWritten) expected.set(key, answer)
        return isWritten
      })

      const save = combineSaves(pool)
      const written = await Promise.all(
        saves.map(({ of, questionId, by, answer }) =>
          save({ attemptId: of.id, questionId, by, answer, now: app.clock.now() }),
        ),
      )
      expect(written.map((one) => one?.userId)).toEqual(
        replies.map((isWritten, index) => (isWritten ? saves[index]!.of.userId : undefined)),
      )
      for (const { id } of Object.values(sittings)) {
        const rows = [...expected].filter(([key]) => key.startsWith(id))
        const sorted = rows.toSorted(([a], [b]) => (a < b ? -1 : 1))
        expect(await stored(id)).toEqual(
          sorted.map(([key, { answer, isFlagged, struck, seq, writer }]) => [
            key.slice(id.length + 1),
            answer,
            isFlagged,
            struck,
            seq,
            writer,
          ]),
        )
      }
    }),
    { numRuns: 60 },
  )
})

test('while an exam is being submitted, each save either counts or is refused, and nothing changes afterwards', async () => {
  for (let round = 0; round < 8; round += 1) {
    const sitting = await aSitting()
    const taker = { kind: 'person' as const, userId: sitting.userId! }
    const save = combineSaves(pool)
    const put = (seq: number) => {
      const question = exam.questions[seq % exam.questions.length]!
      const answer = anAnswer({ seq, answer: selecting(question.options[seq % 4]!.id) })
      return { attemptId: sitting.id, questionId: question.id, answer, now: app.clock.now() }
    }
    const acknowledged: { questionId: string; seq: number }[] = []
    const refused: unknown[] = []
    const saving = Array.from({ length: 40 }, async (_, index) => {
      const one = put(index + 1)
      try {
        const written = await save({ ...one, by: sitting.by })
        if (written === null) await saveAnswer(db, { ...one, taker })
        acknowledged.push({ questionId: one.questionId, seq: one.answer.seq })
      } catch (error) {
        refused.push(error)
      }
    })
    const finishing = finishAttempt(db, {
      attemptId: sitting.id,
      taker,
      writer: undefined,
      answers: {},
      activeMs: {},
      now: app.clock.now(),
    })
    const { result } = await finishing
    const atTheEnd = await stored(sitting.id)
    await Promise.all(saving)
    expect(await stored(sitting.id)).toEqual(atTheEnd)
    expect(result.answeredCount).toBe(atTheEnd.length)
    expect(refused).toEqual(refused.map(() => expect.objectContaining({ code: 'attempt.finished' })))
    const seqOf = new Map(atTheEnd.map(([questionId, , , , seq]) => [questionId, Number(seq)]))
    for (const { questionId, seq } of acknowledged) expect(seqOf.get(questionId)).toBeGreaterThanOrEqual(seq)
  }
})

test('a locked attempt does not block saves of other attempts', async () => {
  const [locked, free] = [await aSitting(), await aSitting()]
  const save = combineSaves(pool)
  const [first] = exam.questions
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('attempts').where('id', '=', locked.id).select('id').forUpdate().execute()
    const put = ({ id, by }: Sitting) =>
      save({ attemptId: id, questionId: first!.id, by, answer: anAnswer(), now: app.clock.now() })
    const replies = await Promise.all([put(locked), put(free), put(locked), put(free)])
    expect(replies.map((reply) => reply !== null)).toEqual([false, true, false, false])
  })
  expect(await stored(locked.id)).toEqual([])
  expect(await stored(free.id)).toHaveLength(1)
})

test('a failed statement fails its own saves only; later saves are written', async () => {
  const sitting = await aSitting()
  const save = combineSaves(pool)
  const put = (attemptId: string, seq: number) =>
    save({
      attemptId: attemptId as AttemptId,
      questionId: exam.questions[0]!.id,
      by: sitting.by,
      answer: anAnswer({ seq }),
      now: app.clock.now(),
    })
  await expect(put('no uuid', 1)).rejects.toThrow('uuid')
  expect(await put(sitting.id, 1)).not.toBeNull()
})

test('saves of one answer are written in the order of arrival, and each outdated one is reported as such', async () => {
  const sitting = await aSitting()
  const save = combineSaves(pool)
  const put = (seq: number) =>
    save({
      attemptId: sitting.id,
      questionId: exam.questions[0]!.id,
      by: sitting.by,
      answer: anAnswer({ seq }),
      now: app.clock.now(),
    })
  const replies = await Promise.all([3, 1, 4, 1, 5, 9, 2, 6].map(put))
  expect(replies.map((reply) => reply !== null)).toEqual([true, false, true, false, true, true, false, false])
})
