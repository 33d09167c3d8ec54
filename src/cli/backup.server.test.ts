import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { startApp } from '../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../tests/support/build-course.ts'
import { withDatabase as onServer } from '../../tests/support/database-server.ts'
import { anAdmin, aStudent, giveAccess } from '../../tests/support/users.ts'
import { openDatabase, type OpenDatabase } from '../db/open.server.ts'
import { runAltocert } from './altocert.server.ts'
import { listTables, nameOf, quoted } from './snapshot.server.ts'

const folder = await mkdtemp(join(tmpdir(), 'altocert-backup-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => {
  vi.unstubAllEnvs()
})

const app = await startApp()
const { db, pool, url } = app.services.database
const admin = await anAdmin(app)
const learner = await aStudent(app)
const course = await aCourse(db, { title: 'Courses, "quotes" & \\ slashes' })
const exam = await anExam(db, course.id)
await giveAccess(app, learner, course.id)
const attempt = await learner.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })
const note = 'Tab\there, newline\nthere, back\\slash, "quote", ümläut, 𝄞, {array,like}, null, \\N'
await learner.browser.put(`/api/attempts/${(attempt.body as { id: string }).id}/answers/${exam.questions[0]!.id}`, {
  selection: [exam.questions[0]!.options[0]!.id],
  seq: 1,
  writer: 'w',
  note,
})
await learner.browser.post('/api/functions/create-cart-payment', { cartItems: [{ id: course.id, quantity: 2 }] })
await learner.browser.post('/api/auth/forgot-password', { email: learner.email })
await app.mailTo(learner.email)
await admin.browser.patch(`/api/courses/${course.id}`, { description: 'Changed.' })

/** What the shell says and how it ends, on the database of this address and with this data folder. */
async function shell(args: string[], on: { url: string; dataDir?: string }) {
  vi.stubEnv('DATABASE_URL', on.url)
  vi.stubEnv('DATA_DIR', on.dataDir ?? (await mkdtemp(join(folder, 'data-'))))
  const printed: string[] = []
  const complained: string[] = []
  const bars: string[] = []
  const code = await runAltocert(args, {
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
    progress: (text) => bars.push(text),
  })
  return { code, printed: printed.join('\n'), complained: complained.join('\n'), bars }
}

async function anEmptyDatabase(): Promise<OpenDatabase> {
  const name = `restore_${createHash('sha256').update(String(Math.random())).digest('hex').slice(0, 12)}`
  const root = openDatabase(inject('databaseServer'), { connections: 1 })
  await root.pool.query(`create database ${name}`)
  const database = openDatabase(onServer(inject('databaseServer'), name))
  onTestFinished(async () => {
    await database.close()
    await root.pool.query(`drop database if exists ${name} with (force)`)
    await root.close()
  })
  return database
}

/** Every table as one text: what differs anywhere differs here. */
async function contentOf(database: Pick<OpenDatabase, 'pool'>): Promise<Record<string, string>> {
  const client = await database.pool.connect()
  try {
    const content: Record<string, string> = {}
    for (const table of await listTables(client)) {
      const { rows } = await client.query<{ content: string }>(
        `select coalesce(string_agg(one::text, E'\\n' order by one::text), '') as content from ${quoted(table.schema, table.name)} as one`,
      )
      content[nameOf(table)] = rows[0]?.content ?? ''
    }
    return content
  } finally {
    client.release()
  }
}

/** The rows of a file, whatever their order, and what its sequences have come to. */
async function rowsIn(file: string): Promise<string[]> {
  const [, ...lines] = gunzipSync(await readFile(file))
    .toString()
    .split('\n')
  return lines.map((line) => line.replace(/"sha256":"\w+"/, '')).toSorted()
}

async function aBackup(): Promise<string> {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.altocert`)
  const made = await shell(['backup', file, '--json'], { url, dataDir: app.services.env.dataDir })
  expect(made).toMatchObject({ code: 0, complained: '' })
  return file
}

test('a backup brings every table, constraint, trigger and sequence back in an empty database', async () => {
  const file = await aBackup()
  const before = await contentOf({ pool })
  const other = await anEmptyDatabase()
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const restored = await shell(['restore', file], { url: other.url, dataDir })
  expect(restored).toMatchObject({ code: 0, complained: '' })
  expect(restored.bars.some((bar) => /^\[#+ *\] restore \d+ %/.test(bar))).toBe(true)
  const after = await contentOf(other)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  // The product goes on with its jobs meanwhile, so those are compared with the file.
  for (const name of Object.keys(before).filter((one) => one.startsWith('public.')))
    expect([name, after[name]]).toEqual([name, before[name]])
  const again = join(folder, 'again.altocert')
  await shell(['backup', again], { url: other.url, dataDir })
  const [ours, theirs] = [await rowsIn(file), await rowsIn(again)]
  expect(theirs).toEqual(ours)
  expect(ours.length).toBeGreaterThan(50)
  const shape = `select conrelid::regclass::text as t, conname, pg_get_constraintdef(oid) as d from pg_constraint order by 1, 2
`
  const triggers = `select tgrelid::regclass::text as t, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`
  for (const query of [shape, triggers])
    expect((await other.pool.query(query)).rows).toEqual((await pool.query(query)).rows)
  expect(await readFile(join(dataDir, 'auth-secret'), 'utf8')).toBe(app.services.secret)
  // It goes on counting where it stopped.
  await other.pool.query(`insert into audit_log (at, action, subject_table, subject_id) values (now(), 'a', 'b', 'c')`)
})

test('the file is for its owner only, is not written over, and a backup that fails leaves none', async () => {
  const file = await aBackup()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await shell(['backup', file], { url })).toMatchObject({ code: 1 })
  const empty = await anEmptyDatabase()
  const none = join(folder, 'none.altocert')
  const failed = await shell(['backup', none], { url: empty.url })
  expect(failed.complained).toContain('nothing of Altocert')
  expect(failed.code).toBe(1)
  await expect(stat(none)).rejects.toThrow('ENOENT')
  await expect(stat(`${none}.part`)).rejects.toThrow('ENOENT')
})

test('a restore goes into an empty database only', async () => {
  const refused = await shell(['restore', await aBackup()], { url })
  expect(refused.code).toBe(1)
  expect(refused.complained).toContain('The database is not empty')
})

test('a file that is cut off, damaged or of another version leaves nothing behind, and says why', async () => {
  const lines = gunzipSync(await readFile(await aBackup()))
    .toString()
    .split('\n')
  const spoiled = async (text: string | Buffer) => {
    const file = join(folder, `${Math.random().toString(36).slice(2)}.altocert`)
    await writeFile(file, typeof text === 'string' ? gzipSync(text) : text)
    const other = await anEmptyDatabase()
    const { code, complained } = await shell(['restore', file], { url: other.url })
    const client = await other.pool.connect()
    const tables = await listTables(client)
    client.release()
    return [code, tables.length, complained.replace('altocert: nothing was restored. ', '')]
  }
  const all = lines.join('\n')
  expect(await spoiled(lines.slice(0, -2).join('\n') + '\n')).toEqual([
    1,
    0,
    'The file is cut off: its end is missing.',
  ])
  expect(await spoiled(gzipSync(all).subarray(0, 4000))).toEqual([
    1,
    0,
    'The file is cut off or damaged: it can not be unpacked.',
  ])
  expect(await spoiled(all.replace(learner.email, learner.email.replace('person', 'nosrep')))).toEqual([
    1,
    0,
    'The file is damaged: its checksum does not fit.',
  ])
  expect(await spoiled(Buffer.from('not a backup'))).toEqual([
    1,
    0,
    'The file is cut off or damaged: it can not be unpacked.',
  ])
  expect(await spoiled('{}\n')).toEqual([
    1,
    0,
    'The file is not a backup of Altocert, or of a form that is not known here.',
  ])
  const [, , other] = await spoiled(all.replace('0001_accounts.sql', '0001_other.sql'))
  expect(other).toContain('was made by another version of Altocert')
}, 120_000)

test('a new data folder is brought up from a backup, with its database and its secret', async () => {
  const file = await aBackup()
  const dataDir = await mkdtemp(join(folder, 'new-'))
  await chmod(dataDir, 0o755)
  await chmod(folder, 0o755)
  expect(await shell(['restore', file, '--json'], { url: '', dataDir })).toMatchObject({ code: 0, complained: '' })
  expect(await readFile(join(dataDir, 'auth-secret'), 'utf8')).toBe(app.services.secret)
  const { printed } = await shell(['list-admins', '--json'], { url: '', dataDir })
  expect(JSON.parse(printed)).toMatchObject([{ email: admin.email }])
  const twice = await shell(['restore', file], { url: '', dataDir })
  expect([twice.code, twice.complained]).toEqual([1, expect.stringContaining('The database is not empty')])
}, 120_000)

test('called wrongly it says how to call it', async () => {
  for (const args of [['backup'], ['restore'], ['backup', 'a', 'b'], ['restore', 'a', '--force']])
    expect((await shell(args, { url })).code).toBe(2)
  expect(await shell(['restore', join(folder, 'nowhere')], { url: (await anEmptyDatabase()).url })).toMatchObject({
    code: 1,
  })
})
