import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test } from 'vitest'
import { checkOut, findVersionBefore } from '../../scripts/cluster/version-before.ts'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { openDatabase } from '../../src/db/open.server.ts'
import { aCourse, anExam } from '../support/build-course.ts'
import { startApp, Visitor, type TestApp } from '../support/start-app.ts'
import { aDatabase } from '../support/test-database.ts'
import { aStudent } from '../support/users.ts'

const STARTER = `
import { createServer } from 'node:http'
import { createApplication } from './src/app/server/application.server.ts'
import { openServices } from './src/app/server/services.server.ts'
import { readEnv } from './src/platform/env.server.ts'
import { createLog } from './src/platform/log.server.ts'
const env = readEnv(process.env)
const services = await openServices(env, createLog(env.logLevel))
const application = await createApplication(services, async () => new Response('', { status: 501 }), () => null)
await services.emulators.start()
createServer(application.listener).listen(env.port, '127.0.0.1', () => console.log('started'))
`

/** Starts the version before, which creates the tables as it knows them. */
async function startBefore(commit: string, databaseUrl: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'altocert-before-'))
  const source = join(folder, 'source')
  checkOut(commit, source, ['package.json', 'tsconfig.json', 'src'])
  writeFileSync(join(source, 'start.ts'), STARTER)
  const port = await freePort()
  const child = spawn('node', ['--import', 'tsx', 'start.ts'], {
    cwd: source,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  afterAll(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  for await (const line of createInterface({ input: child.stdout })) if (line === 'started') break
  if (child.exitCode !== null) throw new Error('the version before did not start')
  return `http://localhost:${port}`
}

/** An empty database on the server of the tests. */
async function anEmptyDatabase(): Promise<string> {
  const { url } = await aDatabase()
  const { pool, close } = openDatabase(url, { connections: 1 })
  await pool.query('drop schema public cascade; drop schema if exists jobs cascade; create schema public')
  await close()
  return url
}

const commit = findVersionBefore()

describe.skipIf(commit === null)(
  'the version before on the tables of this one (needs the history of git)',
  async () => {
    if (commit === null) return
    const databaseUrl = await anEmptyDatabase()
    const url = await startBefore(commit, databaseUrl)
    const known = openDatabase(databaseUrl, { connections: 1 })
    const count = async () => Number((await known.pool.query('select count(*) from migrations')).rows[0]?.count)
    const before = await count()
    const today = await startApp({ DATABASE_URL: databaseUrl })
    afterAll(() => known.close())

    test('goes on serving while this one migrates: a course is found and bought, and an exam taken', async () => {
      expect(await count()).toBeGreaterThan(before)

      // Calls go to the version before; rows that tests add are written by this one.
      const app: TestApp = { ...today, url, visitor: () => new Visitor(url) }
      const { db } = today.services.database
      const course = await aCourse(db, { priceCents: 2500 })
      const exam = await anExam(db, course.id)
      const student = await aStudent(app)
      const { browser } = student
      expect((await browser.get(`/api/courses/${course.id}`)).body).toMatchObject({ price: 25 })

      const cart = { cartItems: [{ id: course.id, quantity: 1, price: 25 }] }
      const checkout = await browser.post('/api/functions/create-cart-payment', cart)
      expect(checkout).toMatchObject({ status: 200 })
      const { url: paymentPage } = checkout.body as { url: string }
      const card = { method: 'card', card_number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123', name: 'Ben' }
      const paid = await fetch(paymentPage, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' })
      expect(paid.status).toBe(303)
      const sessionId = paymentPage.split('/').at(-1) ?? ''
      expect((await browser.post('/api/functions/verify-payment', { sessionId })).body).toMatchObject({ success: true })

      const started = await browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice', writer: 'page' })
      expect(started).toMatchObject({ status: 200 })
      const { id, questions } = started.body as { id: string; questions: { id: string; options: { id: string }[] }[] }
      const [question] = questions
      const answer = { type: 'choice', optionIds: [question?.options[0]?.id] }
      const save = { answer, seq: 1, writer: 'page' }
      expect((await browser.put(`/api/attempts/${id}/answers/${question?.id}`, save)).body).toMatchObject({ seq: 1 })
      expect((await browser.post(`/api/attempts/${id}/finish`, { writer: 'page' })).status).toBe(200)
      // This version reads what the one before has written.
      const other = today.visitor()
      await other.post('/api/auth/sign-in', { email: student.email, password: 'Correct-Horse-7!' })
      expect((await other.get(`/api/attempts/${id}/review`)).status).toBe(200)
    })
  },
)
