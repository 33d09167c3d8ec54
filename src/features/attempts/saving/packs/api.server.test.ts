import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../../../tests/support/app.ts'
import { aCourse, anExam } from '../../../../../tests/support/catalogue.ts'
import { aStudent, giveAccess, type SignedIn } from '../../../../../tests/support/people.ts'
import { DAY_MS } from '../../../../lib/time.ts'
import type { Pack } from './schema.ts'

const app = await startApp()
const { db } = app.services.database
const course = await aCourse(db)
const exam = await anExam(db, course.id, { isFreeTrial: false })

async function anOwner(): Promise<SignedIn> {
  const person = await aStudent(app)
  await giveAccess(app, person, course.id)
  return person
}

const packFor = async ({ browser }: SignedIn) => (await browser.get(`/api/packs/${exam.slug}`)).body as Pack
/** All right, as somebody with the pack can be. */
const practised = (pack: Pack, change: object = {}) => ({
  id: randomUUID(),
  examId: pack.examId,
  seed: pack.seed,
  startedAt: app.clock.now().toISOString(),
  finishedAt: app.clock.now().toISOString(),
  answers: Object.fromEntries(pack.questions.map(({ id, rightAnswerIds }) => [id, rightAnswerIds])),
  ...change,
})
const send = ({ browser }: SignedIn, attempt: object) => browser.post('/api/offline-attempts', attempt)

test('only an owner whose access runs gets the pack with its keys', async () => {
  const owner = await anOwner()
  const pack = await packFor(owner)
  expect(pack.personId).toBe(owner.id)
  expect(pack.questions.map(({ id }) => id)).toEqual(exam.questions.map(({ id }) => id))
  expect(pack.questions.every(({ rightAnswerIds }) => rightAnswerIds.length > 0)).toBe(true)
  expect(Date.parse(pack.accessUntil) - Date.parse(pack.now)).toBeGreaterThan(29 * DAY_MS)
  expect((await app.visitor().get(`/api/packs/${exam.slug}`)).status).toBe(401)
  expect((await (await aStudent(app)).browser.get(`/api/packs/${exam.slug}`)).status).toBe(403)
  expect((await owner.browser.get('/api/packs/no-such-exam')).status).toBe(404)
})

test('what was practised offline is graded by the server and reviewed like every other attempt, once', async () => {
  const owner = await anOwner()
  // An open practice of the same exam is no hindrance.
  await owner.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })
  const attempt = practised(await packFor(owner))
  for (let times = 0; times < 2; times += 1)
    expect(await send(owner, attempt)).toMatchObject({ status: 200, body: { attemptId: attempt.id } })
  const review = await owner.browser.get(`/api/attempts/${attempt.id}/review`)
  expect(review).toMatchObject({ status: 200, body: { mode: 'practice', result: { scorePercent: 100 } } })
  const rows = await db.selectFrom('attempts').where('user_id', '=', owner.id).select(['id', 'state']).execute()
  expect(rows.filter(({ state }) => state === 'finished')).toEqual([{ id: attempt.id, state: 'finished' }])
})

test('nobody sends what is not theirs, and what does not fit is refused', async () => {
  const [owner, other] = [await anOwner(), await anOwner()]
  const pack = await packFor(owner)
  const attempt = practised(pack)
  await send(owner, attempt)
  expect((await send(other, attempt)).status).toBe(404)
  expect((await send(await aStudent(app), practised(pack))).status).toBe(403)
  expect((await send(owner, practised(pack, { answers: { nothing: [] } }))).status).toBe(400)
  expect((await send(owner, practised(pack, { answers: { [pack.questions[0]!.id]: ['x'] } }))).status).toBe(400)
  expect((await send(owner, practised(pack, { examId: randomUUID() }))).status).toBe(404)
  expect((await send(owner, practised(pack, { id: 'mine' }))).status).toBe(400)
})

test('what was finished before access ended counts when it comes later; what was finished after it does not', async () => {
  const owner = await anOwner()
  const pack = await packFor(owner)
  const before = practised(pack)
  app.clock.forward(31 * DAY_MS)
  const after = practised(pack)
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(app.clock.now().getTime() + DAY_MS) })
    .execute()
  expect((await send(owner, after)).status).toBe(403)
  expect((await send(owner, before)).status).toBe(200)
  expect((await owner.browser.get(`/api/packs/${exam.slug}`)).status).toBe(403)
})
