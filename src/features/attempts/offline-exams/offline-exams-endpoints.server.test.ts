import { asChoice } from '../../../../tests/support/choices.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../../tests/support/build-course.ts'
import { anAdmin, aStudent, giveAccess, type SignedIn } from '../../../../tests/support/users.ts'
import { after, DAY_MS } from '../../../lib/time.ts'
import { sign } from '../../../platform/http/signed-cookie.server.ts'
import { shuffleLayout } from '../attempts.ts'
import { grantAccess } from '../../access/access-commands.server.ts'
import type { OfflineExam } from './offline-exams.schema.ts'

const app = await startApp()
const { db } = app.services.database
const course = await aCourse(db)
const exam = await anExam(db, course.id, { isFreeTrial: false })

async function anOwner(): Promise<SignedIn> {
  const user = await aStudent(app)
  await giveAccess(app, user, course.id)
  return user
}

const offlineExamFor = async ({ browser }: SignedIn) =>
  (await browser.get(`/api/offline-exams/${exam.slug}`)).body as OfflineExam
/** All answers right: the offline exam has the answer keys. */
const practised = (offlineExam: OfflineExam, change: object = {}) => ({
  id: randomUUID(),
  examId: offlineExam.examId,
  seed: offlineExam.seed,
  signature: offlineExam.signature,
  startedAt: app.clock.now().toISOString(),
  finishedAt: app.clock.now().toISOString(),
  answers: Object.fromEntries(
    offlineExam.questions.map(asChoice).map(({ id, rightOptionIds }) => [id, rightOptionIds]),
  ),
  ...change,
})
const KEYS = /SECRET|rightOptionIds|suggestedOptionIds|mostVotedOptionIds|docs\.example\.com/
const reviewOf = ({ browser }: SignedIn, id: string) => browser.get(`/api/attempts/${id}/review`)
const daysAgo = (days: number) => after(app.clock.now(), -days * DAY_MS).toISOString()
const rowOf = (id: string) =>
  db.selectFrom('attempts').where('id', '=', id).select(['started_at', 'finished_at']).executeTakeFirstOrThrow()

/** Moves the clock and prolongs all sessions, so that users stay signed in. */
async function letTimePass(milliseconds: number) {
  app.clock.forward(milliseconds)
  await db
    .updateTable('sessions')
    .set({ expires_at: after(app.clock.now(), DAY_MS) })
    .execute()
}

/** Moves the access period, so that it ended yesterday. */
async function endAccess({ id }: SignedIn) {
  const ended = { starts_at: new Date(daysAgo(31)), ends_at: new Date(daysAgo(1)) }
  await db.updateTable('access_periods').set(ended).where('user_id', '=', id).execute()
}

const giveAccessAt = ({ id: userId }: SignedIn, now: Date) =>
  grantAccess(db, { userId, courseId: course.id, source: 'grant', orderLineId: null, seatCode: null, now })

/** As if the upgrade to signed offline exams were now. */
async function upgradeNow() {
  const name = '0056_signed_offline_exams.sql'
  await app.services.database.pool.query('update migrations set at = $1 where name = $2', [app.clock.now(), name])
}

/** As an earlier build stored and sends it. */
const unsigned = (offlineExam: OfflineExam, change: object = {}) =>
  practised(offlineExam, { signature: undefined, ...change })

async function recordsBegan(): Promise<{ at: Date }> {
  const { rows } = await app.services.database.pool.query<{ at: Date }>(
    "select at from migrations where name = '0045_given_packs.sql'",
  )
  return rows[0]!
}

const send = ({ browser }: SignedIn, attempt: object) => browser.post('/api/offline-attempts', attempt)

test('only an owner whose access runs gets the offline exam with its answer keys', async () => {
  const owner = await anOwner()
  const offlineExam = await offlineExamFor(owner)
  expect(offlineExam.userId).toBe(owner.id)
  expect(offlineExam.questions.map(({ id }) => id)).toEqual(exam.questions.map(({ id }) => id))
  expect(offlineExam.questions.map(asChoice).every(({ rightOptionIds }) => rightOptionIds.length > 0)).toBe(true)
  expect(Date.parse(offlineExam.accessUntil) - Date.parse(offlineExam.now)).toBeGreaterThan(29 * DAY_MS)
  expect((await app.visitor().get(`/api/offline-exams/${exam.slug}`)).status).toBe(401)
  expect((await (await aStudent(app)).browser.get(`/api/offline-exams/${exam.slug}`)).status).toBe(403)
  expect((await owner.browser.get('/api/offline-exams/no-such-exam')).status).toBe(404)
})

test('questions and options arrive in the shuffled order that the seed gives', async () => {
  const issued = await offlineExamFor(await anOwner())
  const orderOf = (question: OfflineExam['questions'][number]) => [
    question.id,
    asChoice(question).options.map((option) => option.id),
  ]
  const layout = shuffleLayout(issued.seed, exam.questions, 'practice')
  expect(issued.questions.map(orderOf)).toEqual(
    layout.map(({ question, shape }) => [question, asChoice(shape).optionIds]),
  )
})

test('an offline practice is graded by the server and reviewed like every other attempt, once', async () => {
  const owner = await anOwner()
  // An open practice of the same exam does not prevent it.
  await owner.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })
  const attempt = practised(await offlineExamFor(owner))
  for (let times = 0; times < 2; times += 1)
    expect(await send(owner, attempt)).toMatchObject({ status: 200, body: { attemptId: attempt.id } })
  const review = await owner.browser.get(`/api/attempts/${attempt.id}/review`)
  expect(review).toMatchObject({ status: 200, body: { mode: 'practice', result: { scorePercent: 100 } } })
  const rows = await db.selectFrom('attempts').where('user_id', '=', owner.id).select(['id', 'state']).execute()
  expect(rows.filter(({ state }) => state === 'finished')).toEqual([{ id: attempt.id, state: 'finished' }])
})

test('a practice that two tabs send at the same time, and again after a lost reply, is one attempt', async () => {
  const owner = await anOwner()
  const attempt = practised(await offlineExamFor(owner))
  const replies = await Promise.all(Array.from({ length: 6 }, () => send(owner, attempt)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  // As after a restart of the browser, which has not read the reply; its access has ended meanwhile.
  await endAccess(owner)
  expect((await send(owner, attempt)).status).toBe(200)
  const rows = await db.selectFrom('attempts').where('user_id', '=', owner.id).select('id').execute()
  expect(rows).toEqual([{ id: attempt.id }])
  const answers = await db.selectFrom('attempt_answers').where('attempt_id', '=', attempt.id).select('seq').execute()
  expect(answers).toHaveLength(exam.questions.length)
})

test('attempts of others and invalid attempts are refused', async () => {
  const [owner, other] = [await anOwner(), await anOwner()]
  const offlineExam = await offlineExamFor(owner)
  const attempt = practised(offlineExam)
  await send(owner, attempt)
  expect((await send(other, attempt)).status).toBe(404)
  // They have access, but this offline exam was issued to another user.
  expect(await send(other, practised(offlineExam))).toMatchObject({
    status: 403,
    body: { error: { code: 'pack.not-given' } },
  })
  expect((await send(await aStudent(app), practised(offlineExam))).status).toBe(403)
  expect((await send(owner, practised(offlineExam, { answers: { nothing: [] } }))).status).toBe(400)
  expect(
    (await send(owner, practised(offlineExam, { answers: { [offlineExam.questions[0]!.id]: ['x'] } }))).status,
  ).toBe(400)
  expect((await send(owner, practised(offlineExam, { examId: randomUUID() }))).status).toBe(404)
  expect((await send(owner, practised(offlineExam, { id: 'mine' }))).status).toBe(400)
})

test('an offline exam issued before the record began counts only within the access period of that time', async () => {
  await upgradeNow()
  const { at } = await recordsBegan()
  const [early, late] = [await aStudent(app), await anOwner()]
  const bought = new Date(at.getTime() - 5 * DAY_MS)
  await giveAccessAt(early, bought)
  const unrecorded = (change: object = {}) =>
    unsigned({ ...lateExam, examId: exam.id, seed: 7 }, { startedAt: daysAgo(400), ...change })
  const lateExam = await offlineExamFor(late)
  const finishedAt = app.clock.now().toISOString()
  const attempt = unrecorded({ finishedAt })
  expect((await send(early, attempt)).status).toBe(200)
  expect((await rowOf(attempt.id)).started_at).toEqual(bought)
  // No exam of that time can belong to access that was bought later.
  expect(await send(late, unrecorded())).toMatchObject({ status: 403, body: { error: { code: 'pack.not-given' } } })
  // Today's version did not exist then.
  expect((await send(early, unrecorded({ finishedAt: bought.toISOString() }))).status).toBe(403)
  await letTimePass(29 * DAY_MS)
  expect((await send(early, unrecorded())).status).toBe(403)
  const onTime = unrecorded({ finishedAt })
  expect((await send(early, onTime)).status).toBe(200)
  expect(JSON.stringify((await reviewOf(early, onTime.id)).body)).not.toMatch(KEYS)
  await letTimePass(DAY_MS)
  expect(await send(early, unrecorded({ finishedAt }))).toMatchObject({ body: { error: { code: 'pack.unsigned' } } })
})

test('an attempt without a signature counts for 30 days after the upgrade, and then it is refused with a sentence', async () => {
  await upgradeNow()
  const [owner, admin] = [await anOwner(), await anAdmin(app)]
  const [offlineExam, ofAdmin] = [await offlineExamFor(owner), await offlineExamFor(admin)]
  const finishedAt = app.clock.now().toISOString()
  await letTimePass(29 * DAY_MS)
  expect((await send(owner, unsigned(offlineExam, { finishedAt }))).status).toBe(200)
  expect((await send(admin, unsigned(ofAdmin))).status).toBe(200)
  await letTimePass(DAY_MS)
  await giveAccess(app, owner, course.id)
  const refused = {
    status: 403,
    body: {
      error: { code: 'pack.unsigned', message: expect.stringContaining('Keep the exam for offline practice again') },
    },
  }
  expect(await send(owner, unsigned(offlineExam, { finishedAt }))).toMatchObject(refused)
  // From now on no exam is recorded, and none but a signed one counts.
  const later = await offlineExamFor(owner)
  expect(await send(owner, unsigned(later))).toMatchObject({ status: 403, body: { error: { code: 'pack.not-given' } } })
  expect((await send(owner, practised(later))).status).toBe(200)
  const rows = await db.selectFrom('issued_offline_exams').where('user_id', '=', owner.id).select('seed').execute()
  expect(rows).toEqual([{ seed: offlineExam.seed }])
})

test('an offline attempt whose signature is not ours, or of another exam, user or order, is refused', async () => {
  const [owner, other] = [await anOwner(), await anOwner()]
  const [own, theirs] = [await offlineExamFor(owner), await offlineExamFor(other)]
  const [value = '', mark = ''] = (own.signature ?? '').split('.')
  const changed = { ...(JSON.parse(Buffer.from(value, 'base64url').toString()) as object), until: daysAgo(-400) }
  const forged = Buffer.from(JSON.stringify(changed)).toString('base64url')
  const { secret } = app.services
  const signatures = [
    '',
    '.',
    value,
    `${forged}.${mark}`,
    `${value}.${mark.slice(1)}`,
    sign(value, 'guest', secret),
    sign(value, 'offline-exam', 'another secret'),
    theirs.signature,
  ]
  const refused = { status: 403, body: { error: { code: 'pack.not-given' } } }
  for (const signature of signatures) expect(await send(owner, practised(own, { signature }))).toMatchObject(refused)
  expect(await send(owner, practised(own, { seed: own.seed ^ 1 }))).toMatchObject(refused)
  expect(await send(other, practised(own))).toMatchObject(refused)
  expect(await send(owner, practised(own, { examId: (await anExam(db, course.id)).id }))).toMatchObject(refused)
  expect((await send(owner, practised(own, { signature: 'x'.repeat(1001) }))).status).toBe(400)
  expect((await send(owner, practised(own))).status).toBe(200)
})

test('a practice goes on after renewed access, and its times end with what the signature allows', async () => {
  const owner = await anOwner()
  const offlineExam = await offlineExamFor(owner)
  await giveAccess(app, owner, course.id)
  await letTimePass(40 * DAY_MS)
  const attempt = practised(offlineExam)
  expect((await send(owner, attempt)).status).toBe(200)
  expect((await rowOf(attempt.id)).finished_at?.toISOString()).toBe(offlineExam.accessUntil)
})

test('a practice finished before access ended counts even if it arrives later, without answer keys; one finished after does not', async () => {
  const owner = await anOwner()
  const offlineExam = await offlineExamFor(owner)
  const before = practised(offlineExam)
  await letTimePass(31 * DAY_MS)
  const after = practised(offlineExam)
  expect((await send(owner, after)).status).toBe(403)
  expect((await send(owner, before)).status).toBe(200)
  expect((await owner.browser.get(`/api/offline-exams/${exam.slug}`)).status).toBe(403)
  const [review, attempt] = [await reviewOf(owner, before.id), await owner.browser.get(`/api/attempts/${before.id}`)]
  expect(review.body).toMatchObject({ withheld: 'ended', result: { scorePercent: 100 } })
  expect(attempt.status).toBe(200)
  for (const { body } of [review, attempt]) expect(JSON.stringify(body)).not.toMatch(KEYS)
})

test('a user whose access has ended cannot invent a practice: not without an offline exam, long ago, or with another user’s seed', async () => {
  await upgradeNow()
  const [ended, other] = [await anOwner(), await anOwner()]
  const own = await offlineExamFor(ended)
  const offlineExam = await offlineExamFor(other)
  await letTimePass(31 * DAY_MS)
  const long = { startedAt: daysAgo(400), finishedAt: daysAgo(400) }
  const [without, stranger] = [await anOwner(), await anOwner()]
  await endAccess(without)
  for (const change of [long, { ...long, answers: {} }, { finishedAt: daysAgo(2) }, { startedAt: daysAgo(400) }, {}])
    for (const user of [ended, without]) {
      const stolen = await send(user, practised(offlineExam, change))
      expect(stolen).toMatchObject({ status: 403, body: { error: { code: 'pack.not-given' } } })
      const invented = await send(user, unsigned(offlineExam, change))
      expect(invented).toMatchObject({ status: 403, body: { error: { code: 'access.ended' } } })
    }
  expect((await send(stranger, practised(offlineExam, long))).status).toBe(403)
  // The exam was issued to them, so the practice counts, but it starts no earlier than the exam was issued.
  const claimed = practised(own, long)
  expect((await send(ended, claimed)).status).toBe(200)
  expect(Date.parse((await rowOf(claimed.id)).started_at.toISOString())).toBe(Date.parse(own.now))
  expect(JSON.stringify((await reviewOf(ended, claimed.id)).body)).not.toMatch(KEYS)
})

test('times are limited to the period from issuing the exam until now, whatever the device reports', async () => {
  const owner = await anOwner()
  const offlineExam = await offlineExamFor(owner)
  await letTimePass(DAY_MS)
  const far = { startedAt: '0000-01-01T00:00:00Z', finishedAt: '9999-12-31T23:59:59Z' }
  const backwards = { startedAt: '9999-12-31T23:59:59Z', finishedAt: '0000-01-01T00:00:00Z' }
  for (const [change, from, until] of [
    [far, 'given', 'now'],
    [backwards, 'given', 'given'],
  ] as const) {
    const attempt = practised(offlineExam, change)
    const sentAt = app.clock.now().getTime()
    expect((await send(owner, attempt)).status).toBe(200)
    const row = await rowOf(attempt.id)
    const said = [row.started_at, row.finished_at!].map((at) => (at.getTime() >= sentAt ? 'now' : at.toISOString()))
    expect(said).toEqual([from, until].map((one) => (one === 'now' ? 'now' : offlineExam.now)))
    expect(row.finished_at!.getTime()).toBeLessThanOrEqual(app.clock.now().getTime())
  }
})

test('users with a refund or without a purchase cannot send a practice; an admin can, with an exam issued to them', async () => {
  const owner = await anOwner()
  const offlineExam = await offlineExamFor(owner)
  const attempt = practised(offlineExam)
  expect((await send(owner, attempt)).status).toBe(200)
  await db.updateTable('access_periods').set({ revoked_at: app.clock.now() }).where('user_id', '=', owner.id).execute()
  const noAccess = { status: 403, body: { error: { code: 'access.none' } } }
  expect(await send(owner, practised(offlineExam))).toMatchObject(noAccess)
  expect(await send(await aStudent(app), practised(offlineExam))).toMatchObject(noAccess)
  expect((await app.visitor().post('/api/offline-attempts', practised(offlineExam))).status).toBe(401)
  // A practice that arrived before is stored once, even if it is sent again now.
  expect((await send(owner, attempt)).status).toBe(200)
  const review = await reviewOf(owner, attempt.id)
  expect(review).toMatchObject({ status: 200, body: { withheld: 'none' } })
  expect(JSON.stringify(review.body)).not.toMatch(KEYS)

  const admin = await anAdmin(app)
  const notGiven = { status: 403, body: { error: { code: 'pack.not-given' } } }
  expect(await send(admin, practised(offlineExam))).toMatchObject(notGiven)
  const own = practised(await offlineExamFor(admin))
  expect((await send(admin, own)).status).toBe(200)
  expect((await reviewOf(admin, own.id)).body).toMatchObject({ withheld: null })
})

test('after access is renewed, the review of an earlier practice shows the answer keys again', async () => {
  const owner = await anOwner()
  const attempt = practised(await offlineExamFor(owner))
  await send(owner, attempt)
  await letTimePass(31 * DAY_MS)
  expect((await reviewOf(owner, attempt.id)).body).toMatchObject({ withheld: 'ended' })
  await giveAccess(app, owner, course.id)
  expect((await reviewOf(owner, attempt.id)).body).toMatchObject({
    withheld: null,
    questions: exam.questions.map(({ explanation }) => ({ question: { explanation } })),
  })
})
