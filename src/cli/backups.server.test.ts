import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { aCourse } from '../../tests/support/build-course.ts'
import { aClock, startApp } from '../../tests/support/start-app.ts'
import { createScheduledBackups } from '../app/backups/scheduled-backups.server.ts'
import { startS3 } from '../emulators/s3/s3-emulator.server.ts'
import { openDatabase } from '../db/open.server.ts'
import { HOUR_MS } from '../lib/time.ts'
import { readEnv } from '../platform/env.server.ts'
import { createLog } from '../platform/log.server.ts'
import { anEmptyDatabase, runOn } from './altocert.fixture.ts'

const root = await mkdtemp(join(tmpdir(), 'altocert-kept-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const app = await startApp()
const { database, secret } = app.services
const clock = aClock()
const dir = join(root, 'kept')
const env = readEnv({ BACKUP_DIR: dir, BACKUP_SCHEDULE: 'hourly' })
const scheduled = createScheduledBackups({ env, log: createLog('silent'), clock, database, secret })!
await aCourse(database.db, { title: 'In the older backup' })
await scheduled.run()
clock.forward(HOUR_MS)
await aCourse(database.db, { title: 'In the newer backup only' })
await scheduled.run()
const [older, newer] = (await readdir(dir)).filter((name) => name.endsWith('.backup')).toSorted() as [string, string]

/** Runs a command with BACKUP_DIR set, on an unreachable database unless another is named. */
async function run(args: string[], on: { url?: string; dir?: string } = {}) {
  vi.stubEnv('BACKUP_DIR', on.dir ?? dir)
  vi.stubEnv('DATA_DIR', await mkdtemp(join(root, 'data-')))
  return runOn(on.url ?? 'postgres://nobody@127.0.0.1:1/none', ...args)
}

async function titlesIn(url: string) {
  const opened = openDatabase(url, { connections: 1 })
  const { rows } = await opened.pool.query<{ title: string }>('select title from courses order by title')
  await opened.close()
  return rows.map(({ title }) => title)
}

/** Writes another result of the test beside a backup while `work` runs. */
async function withoutTest<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const facts = join(dir, `${name}.json`)
  const before = await readFile(facts, 'utf8')
  await writeFile(facts, JSON.stringify({ ...JSON.parse(before), test: { result: 'not tested', why: 'No space.' } }))
  try {
    return await work()
  } finally {
    await writeFile(facts, before)
  }
}

test('backups lists what is kept, the newest first, without the database', async () => {
  const listed = await run(['backups'])
  expect(listed).toMatchObject({ code: 0, errors: '' })
  const [first, second, last] = listed.output.split('\n')
  expect(first).toMatch(new RegExp(`^${newer}  \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d UTC +[\\d.]+ kB  open  tested$`))
  expect(second).toContain(older)
  expect(last).toBe(`2 backups in ${dir}.`)
  const [one] = JSON.parse((await run(['backups', '--json'])).output) as object[]
  expect(one).toMatchObject({ name: newer, isSealed: false, test: 'passed', why: null, place: dir })
  await withoutTest(newer, async () => expect((await run(['backups'])).output).toContain('not tested: No space.'))
})

test('restore takes a backup by its name, or the newest whose restore was tested, and says when a newer one was not', async () => {
  const [byName, latest, tested] = [await anEmptyDatabase(), await anEmptyDatabase(), await anEmptyDatabase()]
  expect(await run(['restore', older], { url: byName.url })).toMatchObject({ code: 0, errors: '' })
  expect(await titlesIn(byName.url)).toEqual(['In the older backup'])
  const restored = await run(['restore', '--latest'], { url: latest.url })
  expect(restored).toMatchObject({ code: 0, errors: '', output: expect.stringContaining(`of ${newer} restored`) })
  expect(await titlesIn(latest.url)).toEqual(['In the newer backup only', 'In the older backup'])
  const remarked = await withoutTest(newer, () => run(['restore', '--latest'], { url: tested.url }))
  expect(remarked.errors).toBe(`altocert: ${newer} is newer and not tested, so ${older} is restored.`)
  expect(await titlesIn(tested.url)).toEqual(['In the older backup'])
})

test('what cannot be chosen is said, and nothing is restored', async () => {
  const empty = join(root, 'empty')
  const refused = async (args: string[], on: { dir?: string } = {}) => (await run(args, on)).errors
  expect(await refused(['restore', '--latest'], { dir: empty })).toContain(`There are no backups in ${empty}.`)
  expect((await run(['backups'], { dir: empty })).output).toBe(`No backups in ${empty}.`)
  const missing = 'altocert-2020-01-01T00-00-00Z.backup'
  expect(await refused(['restore', missing])).toContain(`no such backup in ${dir}`)
  const none = withoutTest(older, () => withoutTest(newer, () => refused(['restore', '--latest'])))
  expect(await none).toContain(`None of the 2 backups in ${dir} was tested.`)
  expect(await none).toContain(`the newest is ${newer}`)
  expect(await refused(['restore', '--latest', older])).toContain('name one file, or say --latest.')
  expect(await run(['backups'], { dir: '' })).toMatchObject({
    code: 2,
    errors: expect.stringContaining('BACKUP_DIR and BACKUP_S3_BUCKET are not set'),
  })
  expect(await run(['restore', '--latest'], { dir: '' })).toMatchObject({ code: 2 })
})

test('where the folder is lost, backups are listed in the bucket and restored from it; a bucket that is away does not hide the folder', async () => {
  const s3 = await startS3({
    accessKeyId: 'AKIATEST',
    secretAccessKey: 'a-secret',
    region: 'us-east-1',
    bucket: 'backups',
  })
  for (const name of await readdir(dir)) s3.bucket.objects.set(`shop/${name}`, await readFile(join(dir, name)))
  const variables = { BACKUP_S3_BUCKET: 'backups/shop', BACKUP_S3_ENDPOINT: s3.endpoint, AWS_ACCESS_KEY_ID: 'AKIATEST' }
  const withBucket = (args: string[], on: { url?: string; dir?: string } = {}) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret')
    return run(args, on)
  }
  const listed = await withBucket(['backups'], { dir: '' })
  expect(listed.output.split('\n')).toEqual([
    expect.stringMatching(`${newer} .* tested$`),
    expect.stringMatching(`${older} .* tested$`),
    `2 backups in s3://backups/shop/ at ${new URL(s3.endpoint).host}.`,
  ])
  const restored = await anEmptyDatabase()
  const lost = { url: restored.url, dir: join(root, 'lost') }
  expect(await withBucket(['restore', '--latest'], lost)).toMatchObject({ code: 0, errors: '' })
  expect(await titlesIn(restored.url)).toEqual(['In the newer backup only', 'In the older backup'])
  await s3.close()
  const away = await withBucket(['backups'])
  expect(away).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^altocert: The bucket .* is away: nothing listens there\.$/),
  })
  expect(away.output).toContain(`2 backups in ${dir}.`)
})
