import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { aCourse } from '../../../tests/support/build-course.ts'
import { aClock, startApp } from '../../../tests/support/start-app.ts'
import { aStudent } from '../../../tests/support/users.ts'
import { startEmbedded } from '../../db/embedded/embedded.server.ts'
import { migrate } from '../../db/migrate.server.ts'
import { openDatabase, type OpenDatabase } from '../../db/open.server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { readEnv } from '../../platform/env.server.ts'
import { createLog } from '../../platform/log.server.ts'
import { metricsText } from '../../platform/metrics.server.ts'
import { readBackupState, writeBackupState } from './backup-state.server.ts'
import { createFolderStore } from './folder-store.server.ts'
import { createScheduledBackups, sourceOf } from './scheduled-backups.server.ts'
import { testRestore } from './restore-test.server.ts'
import { backupName, listBackups } from './stored-backups.server.ts'

const root = await mkdtemp(join(tmpdir(), 'altocert-backups-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const app = await startApp()
const { database } = app.services
await aCourse(database.db, { title: 'Courses, "quotes" & \\ slashes, ümläut' })
await aStudent(app)
const secret = 'secret-of-the-data-folder-0123456789'

/** Scheduled backups into a folder of their own, with a clock of their own. */
function scheduled(variables: Record<string, string> = {}, on: OpenDatabase = database) {
  const dir = variables['BACKUP_DIR'] ?? join(root, randomBytes(4).toString('hex'))
  const env = readEnv({ BACKUP_DIR: dir, BACKUP_SCHEDULE: 'hourly', ...variables })
  const clock = aClock()
  const backups = createScheduledBackups({ env, log: createLog('silent'), clock, database: on, secret })!
  const store = createFolderStore(dir)
  return {
    dir,
    clock,
    store,
    backups,
    run: () => backups.run(),
    list: async () => (await listBackups(store)).map(({ test, facts }) => ({ test, isSealed: facts?.isSealed })),
    state: () => readBackupState(on.db),
  }
}

async function temporaryDatabases(): Promise<string[]> {
  const own = createHash('sha256').update(new URL(database.url).pathname.slice(1)).digest('hex').slice(0, 8)
  const { rows } = await database.pool.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [`altocert_restore_test_${own}_`],
  )
  return rows.map(({ name }) => name)
}

test('a backup that is due is made once, its restore is tested, and the next one follows an hour later', async () => {
  const { dir, clock, run, list, state } = scheduled()
  await run()
  await run()
  expect(await list()).toEqual([{ test: 'passed', isSealed: false }])
  expect(await state()).toMatchObject({
    last: { test: 'passed', rows: expect.any(Number) },
    failures: 0,
    failure: null,
  })
  const [file] = (await readdir(dir)).filter((name) => name.endsWith('.backup'))
  expect((await stat(join(dir, file!))).mode & 0o777).toBe(0o600)
  expect((await stat(dir)).mode & 0o777).toBe(0o700)
  clock.forward(HOUR_MS)
  await run()
  expect(await list()).toHaveLength(2)
  expect(await temporaryDatabases()).toEqual([])
})

test('with a passphrase the backup is sealed, and its restore is tested all the same', async () => {
  const { dir, store, run, list } = scheduled({ ALTOCERT_BACKUP_PASSPHRASE: 'correct horse battery' })
  await run()
  expect(await list()).toEqual([{ test: 'passed', isSealed: true }])
  const [file] = await listBackups(store)
  expect((await readFile(join(dir, file!.name))).subarray(0, 15).toString()).toBe('altocert-sealed')
  const wrong = sourceOf(store, file!.name, 'another passphrase')
  const restoring = testRestore(database, wrong, { digest: null, signal: new AbortController().signal })
  await expect(restoring).rejects.toThrow('The passphrase is not the one with which the file was sealed.')
  expect(await temporaryDatabases()).toEqual([])
})

test('a test of a restore that is ended before its first statement ends at once, and leaves no database', async () => {
  const { store, run } = scheduled()
  await run()
  const [file] = await listBackups(store)
  const source = sourceOf(store, file!.name, undefined)
  await expect(testRestore(database, source, { digest: null, signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  expect(await temporaryDatabases()).toEqual([])
})

test('after the clock was set back, the next backup is made when it is due by the clock as it is now', async () => {
  const { dir, clock, run, list, state } = scheduled()
  clock.forward(30 * DAY_MS)
  await run()
  clock.forward(-30 * DAY_MS)
  await run()
  expect(await list()).toHaveLength(2)
  await run()
  expect(await list()).toHaveLength(2)
  await rm(dir, { recursive: true })
  await writeFile(dir, 'not a folder')
  clock.forward(30 * DAY_MS)
  await run()
  clock.forward(-30 * DAY_MS + HOUR_MS)
  await rm(dir)
  await run()
  expect(await state()).toMatchObject({ failures: 0, last: { test: 'passed' } })
})

test('the metrics have the age of the last backup and of the last tested one; without one it is infinite', async () => {
  const { clock, backups, run } = scheduled()
  const text = async () => metricsText(await backups.figures())
  expect(await text()).toContain('altocert_backup_age_seconds{backup="tested"} +Inf')
  await run()
  clock.forward(90_000)
  const [, seconds] = /altocert_backup_age_seconds\{backup="tested"\} ([\d.]+)/.exec(await text())!
  expect(Number(seconds)).toBeGreaterThanOrEqual(90)
  expect(Number(seconds)).toBeLessThan(HOUR_MS / 1000)
  expect(await text()).toContain('altocert_backup_period_seconds 3600')
  expect(await text()).toContain('altocert_backup_failures 0')
})

test('a folder that cannot be written says why, and is tried again after a minute, then after two', async () => {
  const dir = join(root, 'a-file')
  await writeFile(dir, 'not a folder')
  const { clock, run, list, state } = scheduled({ BACKUP_DIR: dir })
  await run()
  await run()
  expect(await state()).toMatchObject({
    failures: 1,
    failure: { sentence: `The folder of BACKUP_DIR, ${dir}, could not be written: it is not a folder.` },
  })
  clock.forward(MINUTE_MS + 1000)
  await run()
  expect((await state())?.failures).toBe(2)
  await rm(dir)
  clock.forward(MINUTE_MS + 1000)
  await run()
  // Two minutes have not passed.
  expect((await state())?.failures).toBe(2)
  clock.forward(MINUTE_MS + 1000)
  await run()
  expect(await list()).toEqual([{ test: 'passed', isSealed: false }])
  expect(await state()).toMatchObject({ failures: 0, failure: null })
})

test('a backup that was not tested when the process ended is tested by the next run; a damaged one deletes nothing and is made again', async () => {
  const { dir, clock, store, run, list, state } = scheduled({ BACKUP_KEEP: '1 hourly' })
  await run()
  clock.forward(HOUR_MS)
  await run()
  const before = await state()
  const file = join(dir, before!.last!.name)
  await writeBackupState(database.db, { ...before!, last: { ...before!.last!, test: null } }, clock.now())
  await rm(`${file}.json`)
  await truncate(file, (await stat(file)).size - 100)
  const [names, older] = [await readdir(dir), { test: 'passed', isSealed: false }]
  expect(names).toHaveLength(1)
  await run()
  expect(await state()).toMatchObject({ failures: 1, last: { test: 'failed' } })
  expect((await state())?.failure?.sentence).toContain('failed its test. The file is truncated or damaged')
  expect(await readdir(dir)).toEqual(names)
  clock.forward(MINUTE_MS + 1000)
  await run()
  expect(await list()).toEqual([older])
  expect(await listBackups(store)).toMatchObject([
    { test: 'passed', name: backupName(new Date((await state())!.last!.madeAt)) },
  ])
})

test('a file with another content than what was written fails the test', async () => {
  const { store, run } = scheduled()
  await run()
  const [backup] = await listBackups(store)
  const options = { digest: 'of something else', signal: new AbortController().signal }
  await expect(testRestore(database, sourceOf(store, backup!.name, undefined), options)).rejects.toThrow(
    'The file does not hold what was written into it.',
  )
})

test('old backups are deleted once a newer one is tested; other files and what belongs to kept ones stay', async () => {
  const { dir, clock, run } = scheduled({ BACKUP_KEEP: '2 daily' })
  await mkdir(dir)
  const facts = { rows: 1, isSealed: false, digest: '', test: { result: 'passed', at: '' } }
  const old = [1, 2, 3].map((days) => backupName(new Date(clock.now().getTime() - days * DAY_MS)))
  for (const name of old) {
    await writeFile(join(dir, name), 'x')
    await writeFile(join(dir, `${name}.json`), JSON.stringify(facts))
  }
  await writeFile(join(dir, 'altocert-notes.txt'), 'mine')
  await writeFile(join(dir, '.altocert-old.backup.0a0b.part'), 'half')
  await utimes(join(dir, '.altocert-old.backup.0a0b.part'), new Date(0), new Date(0))
  await run()
  const left = await readdir(dir)
  expect(left).toHaveLength(5)
  expect(left).toEqual(expect.arrayContaining([old[0], `${old[0]}.json`, 'altocert-notes.txt']))
})

test('where the role may not create databases, the backup is made and marked as not tested, with what to do', async () => {
  const dataDir = await mkdtemp(join(root, 'server-'))
  // The user of the server must be able to enter.
  for (const folder of [root, dataDir]) await chmod(folder, 0o755)
  const server = await startEmbedded({ dataDir })
  const limited = openDatabase(server.url)
  onTestFinished(async () => {
    await limited.close()
    await server.stop()
  })
  await migrate(limited.pool)
  const asSuperuser = new URL(server.url)
  asSuperuser.username = 'postgres'
  const stored = await readFile(join(dataDir, 'postgres/cluster/altocert.json'), 'utf8')
  asSuperuser.password = (JSON.parse(stored) as { password: string }).password
  const superuser = openDatabase(asSuperuser.href)
  await superuser.pool.query('alter role altocert nocreatedb')
  await superuser.close()
  const { run, list, state } = scheduled({}, limited)
  await run()
  await run()
  expect(await list()).toEqual([{ test: 'not tested', isSealed: false }])
  expect((await state())?.last?.why).toBe(
    `The role of the database may not create databases. Allow it: alter role altocert createdb.`,
  )
})

test('a temporary database that a killed process has left is dropped by the next run', async () => {
  const own = createHash('sha256').update(new URL(database.url).pathname.slice(1)).digest('hex').slice(0, 8)
  await database.pool.query(`create database altocert_restore_test_${own}_0badcafe`)
  expect(await temporaryDatabases()).toHaveLength(1)
  await scheduled().run()
  expect(await temporaryDatabases()).toEqual([])
})

test('a stop ends the backup that is under way, and nothing of it stays', async () => {
  const { dir, backups, run, state } = scheduled()
  const running = run()
  backups.stop()
  await running
  await run()
  expect(await readdir(dir).catch(() => [])).toEqual([])
  expect((await state())?.failure ?? null).toBeNull()
  expect(await temporaryDatabases()).toEqual([])
})
