import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aClock } from '../../../../tests/support/start-app.ts'
import { aDatabase } from '../../../../tests/support/test-database.ts'
import { aNetworkTo } from '../../../../tests/support/database-network.ts'
import { openDatabase } from '../../../db/open.server.ts'
import { getCheckState } from '../../../features/authoring/checks/question-checks-queries.server.ts'
import { listSilentImports } from '../../../features/exchange/dry-run/lost-readings-commands.server.ts'
import { storeUpload } from '../../../features/exchange/imports/imports-commands.server.ts'
import { getImport } from '../../../features/exchange/imports/imports-queries.server.ts'
import { createLog } from '../../../platform/log.server.ts'
import { createBankWorkers } from './bank-workers.server.ts'

// Without an app, which would read the imports itself.
const { db, address } = await aDatabase()
const clock = aClock()
const log = createLog('silent')

/** The worker that this process started; undefined before it has. */
function workerPid(): number | undefined {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/))
  const [pid] =
    lines.find(([, parent, ...words]) => Number(parent) === process.pid && /bank-worker/.test(words.join(' '))) ?? []
  return pid === undefined ? undefined : Number(pid)
}

test('a check whose process is killed, as for lack of memory, has failed and says why, and the next one runs', async () => {
  const workers = createBankWorkers({ address, db, clock, log })
  onTestFinished(() => workers.stop())
  const ask = async () => {
    const checkId = randomUUID()
    await db.insertInto('bank_checks').values({ id: checkId, asked_at: clock.now(), asked_by: null }).execute()
    return checkId
  }
  const killed = workers.check(await ask()).catch((error: unknown) => String(error))
  await expect.poll(workerPid).toBeDefined()
  process.kill(workerPid()!, 'SIGKILL')
  expect(await killed).toMatch(/SIGKILL/)
  expect(await getCheckState(db, clock.now())).toMatchObject({ isRunning: false, failure: 'memory' })
  clock.forward(1000)
  await workers.check(await ask())
  expect(await getCheckState(db, clock.now())).toMatchObject({ isRunning: false, failure: null })
})

test('a check whose process is stopped, as at an upgrade, has not failed: the next process runs it', async () => {
  const checkId = randomUUID()
  await db.insertInto('bank_checks').values({ id: checkId, asked_at: clock.now(), asked_by: null }).execute()
  const workers = createBankWorkers({ address, db, clock, log })
  const stopped = workers.check(checkId).catch((error: unknown) => String(error))
  await expect.poll(workerPid).toBeDefined()
  await workers.stop()
  expect(await stopped).toMatch(/was stopped/)
  expect(await getCheckState(db, clock.now())).toMatchObject({ isRunning: true, failure: null })
  const next = createBankWorkers({ address, db, clock, log })
  onTestFinished(() => next.stop())
  await next.check(checkId)
  expect(await getCheckState(db, clock.now())).toMatchObject({ isRunning: false, failure: null })
})

test('a reader that hangs is ended and says so, and the import behind it is read by a fresh one', async () => {
  const upload = (name: string) =>
    storeUpload(db, {
      actorId: null,
      now: clock.now(),
      name,
      bytes: oneChunk('Which?\nA. This\nB. That\nANSWER: A\n'),
    })
  const [hanging, behind] = [await upload('hanging.txt'), await upload('behind.txt')]
  vi.stubEnv('HANGING_IMPORT', hanging)
  const reading = { workerFile: join(import.meta.dirname, 'hanging-bank-worker.fixture.ts'), silenceMs: 4000 }
  const workers = createBankWorkers({ address, db, clock, log, reading })
  onTestFinished(() => workers.stop())
  workers.queueImport(hanging)
  workers.queueImport(behind)
  await expect.poll(workerPid).toBeDefined()
  const hangingPid = workerPid()
  await expect
    .poll(() => getImport(db, behind), { timeout: 100_000 })
    .toMatchObject({ state: 'read', readCount: 1, problem: null })
  expect(await getImport(db, hanging)).toMatchObject({
    state: 'failed',
    problem:
      'Reading the file took too long and was ended, so that the next one could be read. Send it in parts, or choose its format.',
  })
  expect(workerPid()).not.toBe(hangingPid)
})

test('the workers of a process that stops end also while the database is away', async () => {
  const importId = await storeUpload(db, {
    actorId: null,
    now: clock.now(),
    name: 'hanging.txt',
    bytes: oneChunk('Which?\nA. This\nB. That\nANSWER: A\n'),
  })
  vi.stubEnv('HANGING_IMPORT', importId)
  const network = await aNetworkTo(address.url)
  const away = openDatabase(network.url)
  onTestFinished(() => away.close())
  const reading = { workerFile: join(import.meta.dirname, 'hanging-bank-worker.fixture.ts'), silenceMs: 100_000 }
  const workers = createBankWorkers({ address, db: away.db, clock, log, reading })
  workers.queueImport(importId)
  await expect.poll(workerPid).toBeDefined()
  network.cut()
  await expect(workers.stop()).resolves.toBeUndefined()
})

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

test('an import whose database goes away while it is read is read again by itself', async () => {
  const questions = Array.from(
    { length: 4000 },
    (_, at) => `Which of ${at}?\nA. This ${at}\nB. That ${at}\nANSWER: A\n`,
  )
  const importId = await storeUpload(db, {
    actorId: null,
    now: clock.now(),
    name: 'long.txt',
    bytes: oneChunk(questions.join('\n')),
  })
  const workers = createBankWorkers({ address, db, clock, log })
  onTestFinished(() => workers.stop())
  workers.queueImport(importId)
  // The connections of its queries, again and again, until one of them was under way.
  const turnAfterLosses = async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = current_user and pid <> pg_backend_pid() and state = 'active' and query ilike '%import%'`.execute(
      db,
    )
    return (await db.selectFrom('imports').where('id', '=', importId).select('turn').executeTakeFirstOrThrow()).turn
  }
  await expect.poll(turnAfterLosses, { interval: 5 }).toBeGreaterThan(1)
  await expect
    .poll(async () => (await getImport(db, importId))?.state, { timeout: 100_000 })
    .not.toMatch(/waiting|reading/)
  expect(await getImport(db, importId)).toMatchObject({ state: 'read', readCount: 4000, problem: null })
})

test('an import whose process was killed is read by another one, and nothing is asked of an admin', async () => {
  const importId = await storeUpload(db, {
    actorId: null,
    now: clock.now(),
    name: 'orphan.txt',
    bytes: oneChunk('Which?\nA. This\nB. That\nANSWER: A\n'),
  })
  // What a killed process leaves: nobody says any more that it is being read.
  await sql`update imports set state = 'reading', turn = 7, heartbeat_at = now() - interval '1 minute'
    where id = ${importId}`.execute(db)
  const workers = createBankWorkers({ address, db, clock, log })
  onTestFinished(() => workers.stop())
  await workers.resumeImports()
  expect((await getImport(db, importId))?.state).toBe('reading')
  await workers.resumeImports()
  await expect
    .poll(() => getImport(db, importId), { timeout: 100_000 })
    .toMatchObject({ state: 'read', readCount: 1, problem: null })
})

test('a process says that it is alive while its reader is busy, so that no other takes the import over', async () => {
  const importId = await storeUpload(db, {
    actorId: null,
    now: clock.now(),
    name: 'busy.txt',
    bytes: oneChunk('Which?\nA. This\nB. That\nANSWER: A\n'),
  })
  vi.stubEnv('HANGING_IMPORT', importId)
  const reading = { workerFile: join(import.meta.dirname, 'hanging-bank-worker.fixture.ts'), silenceMs: 60_000 }
  const workers = createBankWorkers({ address, db, clock, log, reading })
  onTestFinished(() => workers.stop())
  workers.queueImport(importId)
  await expect.poll(workerPid).toBeDefined()
  // The reader hangs before it begins; for the database it is under way and was not heard of for long.
  await sql`update imports set state = 'reading', heartbeat_at = now() - interval '1 minute' where id = ${importId}`.execute(
    db,
  )
  await expect.poll(() => listSilentImports(db), { timeout: 100_000 }).toEqual([])
  expect((await getImport(db, importId))?.state).toBe('reading')
})
