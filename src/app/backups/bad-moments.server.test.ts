import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { mountSmallDisk } from '../../../scripts/chaos/small-disk.ts'
import { aNetworkTo } from '../../../tests/support/database-network.ts'
import { aClock, startApp } from '../../../tests/support/start-app.ts'
import { openDatabase, type OpenDatabase } from '../../db/open.server.ts'
import { startS3 } from '../../emulators/s3/s3-emulator.server.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { readEnv } from '../../platform/env.server.ts'
import { createLog } from '../../platform/log.server.ts'
import { projectRoot } from '../../platform/project-root.server.ts'
import { readBackupState } from './backup-state.server.ts'
import { createScheduledBackups } from './scheduled-backups.server.ts'

const root = await mkdtemp(join(tmpdir(), 'altocert-bad-moments-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const app = await startApp()
const { database } = app.services
const secret = 'secret-of-the-data-folder-0123456789'
/** What the names of our own temporary databases begin with. Other files test backups on the same server. */
const TEMPORARY = `'altocert_restore_test_' || left(encode(sha256(current_database()::text::bytea), 'hex'), 8)`
const LOST = 'The connection to the database was lost while the backup was under way.'
// More than two parts of an upload, packed: so a backup is still being read while the bucket does not answer to the first.
for (const id of ['1', '2', '3', '4'].map((digit) => digit.repeat(64)))
  await database.pool.query(
    `insert into images (id, source_id, content_type, width, height, bytes, made_at) values ($1, $1, 'image/webp', 1, 1, $2, now())`,
    [id, randomBytes(5_000_000)],
  )

function scheduled(variables: Record<string, string>, on: OpenDatabase = database) {
  const env = readEnv({ BACKUP_SCHEDULE: 'hourly', ...variables })
  const clock = aClock()
  // Not at the end of an hour, when the next backup is due.
  clock.forward(HOUR_MS - (clock.now().getTime() % HOUR_MS) + 10 * MINUTE_MS)
  const backups = createScheduledBackups({ env, log: createLog('silent'), clock, database: on, secret })!
  return { clock, run: () => backups.run(), state: () => readBackupState(database.db) }
}

/** Scheduled backups into a bucket alone, whose answers can be held back. */
async function toBucket(on?: OpenDatabase) {
  const s3 = await startS3({
    accessKeyId: 'AKIATEST',
    secretAccessKey: 'a-secret',
    region: 'us-east-1',
    bucket: 'backups',
  })
  onTestFinished(() => s3.close())
  const variables = {
    BACKUP_S3_BUCKET: `backups/${randomBytes(4).toString('hex')}`,
    BACKUP_S3_ENDPOINT: s3.endpoint,
    AWS_ACCESS_KEY_ID: 'AKIATEST',
    AWS_SECRET_ACCESS_KEY: 'a-secret',
  }
  const names = () => [...s3.bucket.objects.keys()].filter((name) => name.endsWith('.backup'))
  return { s3, names, ...scheduled(variables, on) }
}

function aGate() {
  let open = () => {}
  const until = new Promise<void>((resolve) => (open = resolve))
  return { until, open }
}

const endConnections = (where: string) =>
  database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where usename = current_user and pid <> pg_backend_pid() and ${where}`,
  )

test('a database that goes away while a backup is read leaves nothing, and the next run is right', async () => {
  const network = await aNetworkTo(database.url)
  const far = openDatabase(network.url)
  onTestFinished(() => far.close())
  const { s3, names, run, state } = await toBucket(far)
  const gate = aGate()
  s3.failNext('UploadPart', gate)
  const running = run().catch((error: unknown) => error)
  await expect.poll(() => s3.operations.includes('UploadPart'), { timeout: 60_000 }).toBe(true)
  network.cut()
  gate.open()
  await running
  expect([names(), s3.bucket.uploads.size]).toEqual([[], 0])
  network.restore()
  await run()
  expect(await state()).toMatchObject({ failures: 0, last: { test: 'passed' } })
  expect(names()).toHaveLength(1)
})

test('a connection that is ended while a backup is read is told as the reason', async () => {
  const { s3, names, clock, run, state } = await toBucket()
  const gate = aGate()
  s3.failNext('UploadPart', gate)
  const running = run()
  await expect.poll(() => s3.operations.includes('UploadPart'), { timeout: 60_000 }).toBe(true)
  await endConnections(`datname = current_database() and query ~ '(declare|from|close) snapshot'`)
  gate.open()
  await running
  expect(await state()).toMatchObject({ failures: 1, last: null })
  expect((await state())?.failure?.sentence).toBe(LOST)
  expect([names(), s3.bucket.uploads.size]).toEqual([[], 0])
  clock.forward(MINUTE_MS + 1000)
  await run()
  expect(await state()).toMatchObject({ failures: 0, failure: null, last: { test: 'passed' } })
})

test('a connection that is ended while the restore is tested leaves the backup as it is, and only the test is repeated', async () => {
  const { s3, names, clock, run, state } = await toBucket()
  const gate = aGate()
  // The facts are read first.
  s3.failNext('GetObject', { until: Promise.resolve() }, gate)
  const running = run()
  const reads = () => s3.operations.filter((operation) => operation === 'GetObject').length
  await expect.poll(reads, { timeout: 60_000 }).toBe(2)
  await endConnections(`starts_with(datname, ${TEMPORARY})`)
  gate.open()
  await running
  const before = (await state())!
  expect(before).toMatchObject({ failures: 1, last: { test: null }, testedMadeAt: null })
  expect(before.failure?.sentence).toBe(LOST)
  const kept = names()
  expect(kept).toHaveLength(1)
  clock.forward(MINUTE_MS + 1000)
  await run()
  expect(await state()).toMatchObject({ failures: 0, last: { test: 'passed', name: before.last!.name } })
  expect(names()).toEqual(kept)
  const { rows } = await database.pool.query(`select datname from pg_database where starts_with(datname, ${TEMPORARY})`)
  expect(rows).toEqual([])
})

test('of a process that is killed while it makes a backup nothing counts, and what it left is deleted after an hour', async () => {
  const dir = join(root, 'killed')
  const path = (name: string) => JSON.stringify(join(projectRoot, 'src', name))
  const script = `
    import { createScheduledBackups } from ${path('app/backups/scheduled-backups.server.ts')}
    import { openDatabase } from ${path('db/open.server.ts')}
    import { systemClock } from ${path('platform/clock.server.ts')}
    import { readEnv } from ${path('platform/env.server.ts')}
    import { createLog } from ${path('platform/log.server.ts')}
    const database = openDatabase(process.env.URL)
    await createScheduledBackups({ env: readEnv({ BACKUP_DIR: process.env.DIR }), log: createLog('silent'), clock: systemClock, database, secret: '' }).run()`
  // The backup waits for this table, after it has begun to write.
  const holder = await database.pool.connect()
  await holder.query('begin; lock table users in access exclusive mode')
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    cwd: projectRoot,
    env: { ...process.env, URL: database.url, DIR: dir },
    stdio: 'inherit',
  })
  const ended = once(child, 'exit')
  await expect.poll(() => readdir(dir).catch(() => []), { timeout: 60_000 }).toEqual([expect.stringMatching(/\.part$/)])
  child.kill('SIGKILL')
  await ended
  await holder.query('rollback')
  holder.release()
  const [part] = await readdir(dir)
  await utimes(join(dir, part!), new Date(0), new Date(0))
  const { run, state } = scheduled({ BACKUP_DIR: dir })
  await run()
  const { last } = (await state())!
  expect(last).toMatchObject({ test: 'passed' })
  expect((await readdir(dir)).toSorted()).toEqual([last!.name, `${last!.name}.json`])
})

const disk = join(root, 'disk')
await mkdir(disk)
const small = mountSmallDisk(disk)
afterAll(() => {
  if (typeof small !== 'string') small.remove()
})

test.skipIf(typeof small === 'string')(
  'a folder whose disk is full keeps what it has, and nothing of the new backup; the reason is told until one succeeds',
  async () => {
    if (typeof small === 'string') return
    const { clock, run, state } = scheduled({ BACKUP_DIR: disk })
    await run()
    const kept = await readdir(disk)
    expect(kept).toHaveLength(2)
    clock.forward(HOUR_MS)
    small.fill()
    await run()
    expect(await state()).toMatchObject({
      failures: 1,
      last: { test: 'passed' },
      failure: { sentence: `The folder of BACKUP_DIR, ${disk}, could not be written: its disk is full.` },
    })
    expect(await readdir(disk)).toEqual(kept)
    small.empty()
    clock.forward(MINUTE_MS + 1000)
    await run()
    expect(await state()).toMatchObject({ failures: 0, failure: null, last: { test: 'passed' } })
    expect(await readdir(disk)).toHaveLength(4)
  },
)
