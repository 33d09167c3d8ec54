import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { aCourse } from '../../../../tests/support/build-course.ts'
import { aClock, startApp } from '../../../../tests/support/start-app.ts'
import { startS3 } from '../../../emulators/s3/s3-emulator.server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time.ts'
import { readEnv } from '../../../platform/env.server.ts'
import { createLog } from '../../../platform/log.server.ts'
import { metricsText } from '../../../platform/metrics.server.ts'
import { projectRoot } from '../../../platform/project-root.server.ts'
import { reportBackups } from '../backup-report.server.ts'
import { readBackupState } from '../backup-state.server.ts'
import { createScheduledBackups } from '../scheduled-backups.server.ts'
import { backupName } from '../stored-backups.server.ts'

const root = await mkdtemp(join(tmpdir(), 'altocert-bucket-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const app = await startApp()
const { database } = app.services
await aCourse(database.db, { title: 'In the bucket' })
const secret = 'secret-of-the-data-folder-0123456789'

/** Scheduled backups into a bucket of their own, with or without a folder. */
async function toBucket(variables: Record<string, string> = {}) {
  const bucket = `b-${randomBytes(4).toString('hex')}`
  const s3 = await startS3({ accessKeyId: 'AKIATEST', secretAccessKey: 'a-secret', region: 'us-east-1', bucket })
  onTestFinished(() => s3.close())
  const env = readEnv({
    BACKUP_S3_BUCKET: `${bucket}/shop`,
    BACKUP_S3_ENDPOINT: s3.endpoint,
    AWS_ACCESS_KEY_ID: 'AKIATEST',
    AWS_SECRET_ACCESS_KEY: 'a-secret',
    BACKUP_SCHEDULE: 'hourly',
    ...variables,
  })
  const clock = aClock()
  // Not at the end of an hour, when the next backup is due.
  clock.forward(HOUR_MS - (clock.now().getTime() % HOUR_MS) + 10 * MINUTE_MS)
  const backups = createScheduledBackups({ env, log: createLog('silent'), clock, database, secret })!
  return {
    s3,
    env,
    clock,
    backups,
    run: () => backups.run(),
    names: () => [...s3.bucket.objects.keys()],
    state: () => readBackupState(database.db),
    report: () => reportBackups(database.db, env.backups, clock.now()),
  }
}

test('without a folder, backups are made in the bucket, their restore is tested from there, and old ones are deleted there', async () => {
  const { s3, clock, run, names, state, report } = await toBucket({ BACKUP_KEEP: '1 hourly' })
  const old = backupName(new Date(clock.now().getTime() - 2 * DAY_MS))
  s3.bucket.objects.set(`shop/${old}`, Buffer.from('x'))
  s3.bucket.objects.set('of-another-shop', Buffer.from('x'))
  await run()
  const first = (await state())!.last!
  expect(first).toMatchObject({ test: 'passed' })
  expect(names().toSorted()).toEqual(['of-another-shop', `shop/${first.name}`, `shop/${first.name}.json`])
  expect(await report()).toMatchObject({
    place: expect.stringContaining('s3://'),
    copyPlace: null,
    needsAttention: false,
  })
  clock.forward(HOUR_MS)
  await run()
  expect(names()).toHaveLength(3)
  expect((await state())!.last!.name).not.toBe(first.name)
})

test('a bucket that is full, or refuses the key, is told with the reason, and the backup is made once it can be', async () => {
  const { s3, clock, run, names, state } = await toBucket()
  s3.bucket.quotaBytes = 1000
  await run()
  expect((await state())?.failure?.sentence).toMatch(/^The bucket s3:\/\/.* refused: it is full\.$/)
  s3.failNext('ListMultipartUploads', { status: 403, code: 'SignatureDoesNotMatch' })
  clock.forward(MINUTE_MS + 1000)
  await run()
  expect(await state()).toMatchObject({ failures: 2, last: null })
  expect((await state())?.failure?.sentence).toMatch(/ AWS_SECRET_ACCESS_KEY is not the secret of AWS_ACCESS_KEY_ID\.$/)
  expect(names()).toEqual([])
  s3.bucket.quotaBytes = Number.POSITIVE_INFINITY
  clock.forward(2 * MINUTE_MS + 1000)
  await run()
  expect(await state()).toMatchObject({ failures: 0, failure: null, last: { test: 'passed' } })
})

test('with a folder each backup is copied to the bucket; while that is away the one in the folder is kept, and only the copy is made again', async () => {
  const dir = join(root, 'kept')
  const { s3, clock, backups, run, names, state, report } = await toBucket({ BACKUP_DIR: dir })
  s3.failNext('PutObject', { status: 403, code: 'AccessDenied' })
  await run()
  const failed = (await state())!
  expect(failed).toMatchObject({ failures: 1, copied: null, last: { test: 'passed' } })
  expect(failed.failure?.sentence).toMatch(
    new RegExp(
      `^${failed.last!.name} is in ${dir}, but was not copied\\. The bucket .* refused: the key may not do this\\.$`,
    ),
  )
  expect(await report()).toMatchObject({
    needsAttention: true,
    copied: null,
    copyPlace: expect.stringContaining('s3://'),
  })
  expect(metricsText(await backups.figures())).toContain('{backup="copied"} +Inf')
  expect(names()).toEqual([])
  clock.forward(MINUTE_MS + 1000)
  await run()
  const done = (await state())!
  expect(done).toMatchObject({ failures: 0, failure: null, last: failed.last, copied: { name: failed.last!.name } })
  expect((await readdir(dir)).toSorted().map((name) => `shop/${name}`)).toEqual(names().toSorted())
  const operations = s3.operations.length
  await run()
  expect(s3.operations).toHaveLength(operations)
  expect(metricsText(await backups.figures())).not.toContain('} +Inf')
})

test('of a process that is killed in the middle of an upload nothing counts, and the next run is right', async () => {
  const { s3, env, run, names, state } = await toBucket()
  s3.failNext('UploadPart', 'silence')
  const script = `
    import { createBucketStore } from ${JSON.stringify(join(projectRoot, 'src/app/backups/bucket/bucket-store.server.ts'))}
    const chunk = new Uint8Array(1024 * 1024)
    async function* endless() { for (;;) yield chunk }
    await createBucketStore(JSON.parse(process.env.SETTINGS)).write('${backupName(new Date())}', endless())`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    cwd: projectRoot,
    env: { ...process.env, SETTINGS: JSON.stringify(env.backups!.bucket) },
    stdio: 'inherit',
  })
  const ended = once(child, 'exit')
  await expect.poll(() => s3.operations.includes('UploadPart'), { timeout: 60_000 }).toBe(true)
  child.kill('SIGKILL')
  await ended
  expect(s3.bucket.uploads.size).toBe(1)
  expect(names()).toEqual([])
  await run()
  expect(await state()).toMatchObject({ failures: 0, last: { test: 'passed' } })
  expect(names()).toHaveLength(2)
})
