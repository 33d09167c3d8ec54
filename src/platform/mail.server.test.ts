import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startApp } from '../../tests/support/start-app.ts'
import { aStudent } from '../../tests/support/users.ts'
import type { Jobs } from './jobs.server.ts'
import { createMail } from './mail.server.ts'

const app = await startApp()
const { db, pool } = app.services.database

type JobHandler = (email: object, stored: object) => Promise<void>
/** The listener's certificate is its own. */
const TRUSTED = '?tls.rejectUnauthorized=false'

const storedFor = async (address: string) => {
  const { rows } = await pool.query<{ state: string; data: object }>(
    `select state::text, data from jobs.job where name = 'mail' and data->>'to' = $1`,
    [address],
  )
  return rows
}

test('nothing of the body of a sent email stays in the job tables: a link in it may still work', async () => {
  const learner = await aStudent(app)
  await learner.browser.post('/api/auth/forgot-password', { email: learner.email })
  const { text, subject } = await app.mailTo(learner.email)
  expect(text).toContain('token=')
  await expect
    .poll(() => storedFor(learner.email))
    .toEqual([{ state: 'completed', data: { to: learner.email, subject } }])
  const [mail] = await app.services.mail.listStored(db, learner.email)
  expect(mail).toMatchObject({ to: learner.email, subject, state: 'completed' })
})

test('bodies of emails that a former version sent are cleared at the start, in the archive too', async () => {
  const data = { to: 'former@example.com', subject: 'Hello', text: 'a link', html: '<a>' }
  const waiting = { ...data, to: 'waiting-for-long@example.com' }
  await pool.query(
    `insert into jobs.job (id, name, data, state, completed_on) values ($1, 'mail', $2, 'completed', now())`,
    [randomUUID(), data],
  )
  await pool.query(
    `insert into jobs.job (id, name, data, state, start_after) values ($1, 'mail', $2, 'created', now() + interval '1 day')`,
    [randomUUID(), waiting],
  )
  await pool.query(
    `insert into jobs.archive select * from (select * from jobs.job where data->>'to' = 'former@example.com') as former`,
  )
  const again = await createMail({
    smtpUrl: 'smtp://127.0.0.1:1',
    from: 'us',
    jobs: noWork,
    db,
    limits: app.services.limits,
  })
  again.close()
  const { rows } = await pool.query(
    `select data from jobs.job where data->>'to' = $1 union all select data from jobs.archive where data->>'to' = $1`,
    ['former@example.com'],
  )
  expect(rows).toEqual([1, 2].map(() => ({ data: { to: 'former@example.com', subject: 'Hello' } })))
  expect(await storedFor(waiting.to)).toMatchObject([{ data: waiting }])
})

test('an email whose body is gone was sent, and is not sent again', async () => {
  const to = 'sent-already@example.com'
  await app.services.jobs.send('mail', { to, subject: 'Hello' })
  await vi.waitFor(async () => expect(await storedFor(to)).toMatchObject([{ state: 'completed' }]), { timeout: 60_000 })
  const outbox = (await app.visitor().get('/demo/outbox', { accept: 'application/json' })).body as { to: string }[]
  expect(outbox.filter((mail) => mail.to.includes(to))).toEqual([])
})

test.each([
  // The host 0.0.0.0 reaches this machine, but is not a loopback address by its name.
  { host: '0.0.0.0', offers: 'STARTTLS', query: TRUSTED, sent: 'encrypted' },
  { host: '0.0.0.0', offers: 'nothing', query: '', sent: 'no' },
  { host: '0.0.0.0', offers: 'nothing', query: '?ignoreTLS=true', sent: 'plain' },
  { host: '0.0.0.0', offers: 'nothing', query: '?requireTLS=false', sent: 'plain' },
  { host: '127.0.0.1', offers: 'nothing', query: '', sent: 'plain' },
  { host: 'localhost', offers: 'nothing', query: '', sent: 'plain' },
  { host: '127.0.0.1', offers: 'STARTTLS', query: TRUSTED, sent: 'encrypted' },
])('by smtp:// to $host that offers $offers, with "$query", an email is sent: $sent', async (row) => {
  const received: string[] = []
  const server = new SMTPServer({
    disabledCommands: row.offers === 'STARTTLS' ? [] : ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onMailFrom({ address }, session, callback) {
      received.push(`${address} ${session.secure ? 'encrypted' : 'plain'}`)
      callback()
    },
    onData(stream, _session, callback) {
      stream.resume().on('end', () => callback())
    },
  })
  server.on('error', () => undefined)
  // It warns of its own certificate.
  vi.mocked(console.error).mockClear()
  await new Promise<void>((resolve) => server.listen(0, row.host, resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  let deliver: JobHandler = () => Promise.reject(new Error('no handler'))
  const jobs: Jobs = {
    ...noWork,
    work: (_name, _options, handler) => Promise.resolve(void (deliver = handler as JobHandler)),
  }
  const smtpUrl = `smtp://${row.host}:${port}${row.query}`
  const mail = await createMail({ smtpUrl, from: 'us@example.com', jobs, db, limits: app.services.limits })
  onTestFinished(() => mail.close())
  const email = { to: 'a@example.com', subject: 'Hello', text: 'a link', html: '<a>' }
  const outcome = await deliver(email, { keepOnly: () => Promise.resolve() }).catch((error: Error) => error.message)
  expect(received).toEqual(row.sent === 'no' ? [] : [`us@example.com ${row.sent}`])
  expect(String(outcome)).toMatch(row.sent === 'no' ? /STARTTLS/ : /^undefined$/)
})

const noWork = { ...app.services.jobs, work: () => Promise.resolve() }
