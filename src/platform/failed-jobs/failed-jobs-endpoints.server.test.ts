import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent } from '../../../tests/support/users.ts'
import { countFailedJobs, listFailedJobs } from './failed-jobs-queries.server.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db, pool } = app.services.database
const admin = await anAdmin(app)

/** An email that the mail server refused at every try. */
async function aFailedMail(where: 'job' | 'archive' = 'job'): Promise<{ id: string; to: string }> {
  const [id, to] = [randomUUID(), `lost-${randomUUID().slice(0, 8)}@example.com`]
  const email = { to, subject: 'Your receipt', text: 'SECRET-LINK', html: '<p>SECRET-LINK</p>' }
  const output = { message: 'mailbox full\nat SMTPConnection', stack: 'at SMTPConnection' }
  await pool.query(
    `insert into jobs.job (id, name, data, state, retry_count, completed_on, output)
     values ($1, 'mail', $2, 'failed', 8, now(), $3)`,
    [id, JSON.stringify(email), JSON.stringify(output)],
  )
  // As pg-boss does some hours later.
  if (where === 'archive')
    await pool.query(
      `with moved as (delete from jobs.job where id = $1 returning *) insert into jobs.archive select * from moved`,
      [id],
    )
  return { id, to }
}

const act = (id: string, action: string, by = admin) => by.browser.post(`/api/failed-jobs/${id}/${action}`)
const auditActions = async (id: string) =>
  (await db.selectFrom('audit_log').where('subject_id', '=', id).select('action').execute()).map(({ action }) => action)

test('a failed email is listed with its reason and without its text, from both job tables', async () => {
  const mails = [await aFailedMail(), await aFailedMail('archive')]
  const jobs = await listFailedJobs(db)
  expect(jobs.filter(({ id }) => mails.some((mail) => mail.id === id))).toHaveLength(2)
  expect(jobs.find(({ id }) => id === mails[0]?.id)).toMatchObject({
    name: 'mail',
    to: mails[0]?.to,
    subject: 'Your receipt',
    why: 'mailbox full',
    tries: 9,
  })
  expect(JSON.stringify(jobs)).not.toContain('SECRET')
  expect(await countFailedJobs(db)).toBe(jobs.length)
})

test('a failed email arrives after a retry, and two retries at once send it once', async () => {
  for (const where of ['job', 'archive'] as const) {
    const { id, to } = await aFailedMail(where)
    const replies = await Promise.all([act(id, 'retry'), act(id, 'retry')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expect(await app.mailTo(to)).toMatchObject({ subject: 'Your receipt' })
    expect(await auditActions(id)).toEqual(['job.retry'])
  }
})

test('only admins dismiss a job, and it is gone afterwards', async () => {
  const { id } = await aFailedMail()
  expect((await act(id, 'dismiss', await aStudent(app))).status).toBe(403)
  expect((await act(id, 'dismiss')).status).toBe(200)
  expect((await act(id, 'dismiss')).status).toBe(404)
  expect((await act('nothing', 'retry')).status).toBe(404)
  expect(await auditActions(id)).toEqual(['job.dismiss'])
})
