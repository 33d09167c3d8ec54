import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse } from '../../../tests/support/build-course.ts'
import { anAdmin, aStudent } from '../../../tests/support/users.ts'
import type { UserId } from '../../lib/ids.ts'
import { DAY_MS } from '../../lib/time.ts'
import { findAccess, listPeriodsOf } from './access-queries.server.ts'
import { grantAccess, restoreAccess, revokeAccess } from './access-commands.server.ts'

const app = await startApp()
const { db } = app.services.database
let admin = await anAdmin(app)
const reason = 'Won at the fair'

async function aHolder() {
  const [learner, course] = [await aStudent(app), await aCourse(db)]
  const give = (days: unknown, key = randomUUID(), courseId: string = course.id) =>
    admin.browser.post(`/api/profiles/${learner.id}/access`, { courseId, days, reason, key })
  const end = () => admin.browser.post(`/api/profiles/${learner.id}/access/${course.id}/end`, { reason: 'A mistake' })
  const daysLeft = async () => {
    const status = await findAccess(db, learner.id, course.id, app.clock.now())
    return status.kind === 'running' ? Math.round((status.until.getTime() - app.clock.now().getTime()) / DAY_MS) : null
  }
  return { learner, course, give, end, daysLeft }
}

const linesAbout = async (userId: UserId) =>
  db.selectFrom('audit_log').where('subject_id', '=', userId).orderBy('id').select(['action', 'after']).execute()

test('an admin gives days from now or after current access, once per key, with a reason in the audit log', async () => {
  const { learner, course, give, daysLeft } = await aHolder()
  const key = randomUUID()
  for (let press = 0; press < 2; press++) expect((await give(10, key)).status).toBe(200)
  expect(await daysLeft()).toBe(10)
  await give(5)
  expect(await daysLeft()).toBe(15)
  const lines = await linesAbout(learner.id)
  expect(lines.map(({ action }) => action)).toEqual(['access.give', 'access.give'])
  expect(lines[0]?.after).toMatchObject({ course: course.title, days: 10, reason })
})

test('invalid input is refused at its field, and an unknown user or course is not found', async () => {
  const { give, learner, course } = await aHolder()
  for (const days of [0, -1, 1.5, 3651, '30', null, Number.NaN])
    expect(await give(days)).toMatchObject({ status: 400, body: { error: { fields: [{ field: 'days' }] } } })
  expect(await give(1, randomUUID(), 'nowhere')).toMatchObject({ body: { error: { fields: [{ field: 'courseId' }] } } })
  expect((await give(1, randomUUID(), randomUUID())).status).toBe(404)
  const body = { courseId: course.id, days: 1, reason, key: randomUUID() }
  expect((await admin.browser.post(`/api/profiles/${randomUUID()}/access`, body)).status).toBe(404)
  expect((await learner.browser.post(`/api/profiles/${learner.id}/access`, body)).status).toBe(403)
})

test('an admin ends access, later periods included; ending it again is refused', async () => {
  const { learner, give, end, daysLeft } = await aHolder()
  expect((await end()).status).toBe(409)
  await give(10)
  await give(10)
  expect((await end()).status).toBe(200)
  expect(await daysLeft()).toBeNull()
  expect((await end()).status).toBe(409)
  expect((await linesAbout(learner.id)).map(({ action }) => action)).toEqual([
    'access.give',
    'access.give',
    'access.end',
  ])
})

test('access that a dispute revoked is restored once, with the days it had left', async () => {
  const { learner, course, daysLeft } = await aHolder()
  const grant = { userId: learner.id, courseId: course.id, source: 'grant', orderLineId: null } as const
  await grantAccess(db, { ...grant, seatCode: 'SEAT-OF-TEST', now: app.clock.now() })
  const sources = { orderLineIds: [], seatCodes: ['SEAT-OF-TEST'] }
  app.clock.forward(10 * DAY_MS)
  await revokeAccess(db, sources, app.clock.now())
  app.clock.forward(5 * DAY_MS)
  // The session of before has ended.
  admin = await anAdmin(app)
  expect(await daysLeft()).toBeNull()
  const [period] = await listPeriodsOf(db, learner.id)
  const back = () => admin.browser.post(`/api/access-periods/${period?.id}/give-back`, { reason })
  expect((await back()).status).toBe(200)
  expect(await daysLeft()).toBe(20)
  expect((await back()).status).toBe(409)
  // The dispute is won later: nothing more comes of it.
  await restoreAccess(db, sources, app.clock.now())
  expect(await daysLeft()).toBe(20)
  expect((await linesAbout(learner.id)).at(-1)).toMatchObject({ action: 'access.give-back', after: { reason } })
})

test('access that an admin ended stays ended after a dispute is won, until it is given back', async () => {
  const { learner, course, end, daysLeft } = await aHolder()
  const grant = { userId: learner.id, courseId: course.id, source: 'grant', orderLineId: null } as const
  await grantAccess(db, { ...grant, seatCode: 'SEAT-ENDED', now: app.clock.now() })
  const sources = { orderLineIds: [], seatCodes: ['SEAT-ENDED'] }
  expect((await end()).status).toBe(200)
  await revokeAccess(db, sources, app.clock.now())
  await restoreAccess(db, sources, app.clock.now())
  expect(await daysLeft()).toBeNull()
  const [period] = await listPeriodsOf(db, learner.id)
  expect((await admin.browser.post(`/api/access-periods/${period?.id}/give-back`, { reason })).status).toBe(200)
  expect(await daysLeft()).toBe(30)
  // Given back it is like any other: a dispute takes it, and its end gives it back.
  await revokeAccess(db, sources, app.clock.now())
  expect(await daysLeft()).toBeNull()
  await restoreAccess(db, sources, app.clock.now())
  expect(await daysLeft()).toBe(30)
})

test('two simultaneous calls give the days twice only with two keys', async () => {
  const { give, daysLeft } = await aHolder()
  const key = randomUUID()
  await Promise.all([give(10, key), give(10, key), give(7), give(7)])
  expect(await daysLeft()).toBe(24)
})

test('whoever is given access, or gets it back, is told once by email until when', async () => {
  const { learner, course, give } = await aHolder()
  const countMails = async () => {
    const { rows } = await sql`
      select 1 from (select name, data from jobs.job union all select name, data from jobs.archive) as queued
      where name = 'mail' and data->>'to' = ${learner.email} and data->>'subject' like 'You have access to %'`.execute(
      db,
    )
    return rows.length
  }
  const key = randomUUID()
  for (let press = 0; press < 2; press++) await give(10, key)
  const mail = await app.mailTo(learner.email)
  expect(mail.subject).toBe(`You have access to ${course.title}`)
  expect(mail.text).toContain(`we opened ${course.title} for you, until `)
  expect(await countMails()).toBe(1)
  await admin.browser.post(`/api/profiles/${learner.id}/access/${course.id}/end`, { reason: 'A mistake' })
  const [period] = await listPeriodsOf(db, learner.id)
  expect((await admin.browser.post(`/api/access-periods/${period?.id}/give-back`, { reason })).status).toBe(200)
  expect(await countMails()).toBe(2)
})
