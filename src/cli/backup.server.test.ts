import { selecting } from '../../tests/support/answers.ts'
import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startApp } from '../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../tests/support/build-course.ts'

import { anAdmin, aStudent, giveAccess, PASSWORD } from '../../tests/support/users.ts'
import { migrate } from '../db/migrate.server.ts'
import type { OpenDatabase } from '../db/open.server.ts'
import { anEmptyDatabase } from './altocert.fixture.ts'
import { runAltocert } from './altocert.server.ts'
import { listTables, nameOf, quoted } from '../app/backups/snapshot.server.ts'

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
  answer: selecting(exam.questions[0]!.options[0]!.id),
  seq: 1,
  writer: 'w',
  note,
})
await learner.browser.post('/api/functions/create-cart-payment', { cartItems: [{ id: course.id, quantity: 2 }] })
await learner.browser.post('/api/auth/forgot-password', { email: learner.email })
await app.mailTo(learner.email)
await admin.browser.patch(`/api/courses/${course.id}`, { description: 'Changed.' })

/** In no backup: a session signs in, a one-time link sets a password. */
const WITHOUT_ROWS = ['public.sessions', 'public.verifications']

/** Runs a command on this database and data folder. */
async function run(args: string[], on: { url: string; dataDir?: string; passphrase?: string; typed?: string[] }) {
  vi.stubEnv('ALTOCERT_BACKUP_PASSPHRASE', on.passphrase ?? '')
  vi.stubEnv('DATABASE_URL', on.url)
  vi.stubEnv('DATA_DIR', on.dataDir ?? (await mkdtemp(join(folder, 'data-'))))
  const output: string[] = []
  const errors: string[] = []
  const bars: string[] = []
  const code = await runAltocert(args, {
    print: (text) => output.push(text),
    printError: (text) => errors.push(text),
    progress: (text) => bars.push(text),
    ...(on.typed === undefined ? {} : { askSecret: () => Promise.resolve(on.typed?.shift() ?? '') }),
  })
  return { code, output: output.join('\n'), errors: errors.join('\n'), bars }
}

/** The content of every table as one text, for comparison. */
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

/** The rows of a backup, sorted, and the values of its sequences. */
async function rowsIn(file: string): Promise<string[]> {
  const [, ...lines] = gunzipSync(await readFile(file))
    .toString()
    .split('\n')
  return lines.map((line) => line.replace(/"sha256":"\w+"/, '')).toSorted()
}

async function aBackup(): Promise<string> {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.altocert`)
  const made = await run(['backup', file, '--json'], { url, dataDir: app.services.env.dataDir })
  expect(made).toMatchObject({ code: 0, errors: '' })
  return file
}

test('a backup restores every table, constraint, trigger and sequence into an empty database', async () => {
  const file = await aBackup()
  const before = await contentOf({ pool })
  const other = await anEmptyDatabase()
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const restored = await run(['restore', file], { url: other.url, dataDir })
  expect(restored).toMatchObject({ code: 0, errors: '' })
  expect(restored.bars.some((bar) => /^\[#+ *\] restore \d+%/.test(bar))).toBe(true)
  const after = await contentOf(other)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  // The app continues to work on its jobs, so the job tables are compared through a second backup below.
  const isCompared = (table: string) => table.startsWith('public.') && !WITHOUT_ROWS.includes(table)
  for (const name of Object.keys(before).filter(isCompared)) expect([name, after[name]]).toEqual([name, before[name]])
  const again = join(folder, 'again.altocert')
  await run(['backup', again], { url: other.url, dataDir })
  const [ours, theirs] = [await rowsIn(file), await rowsIn(again)]
  expect(theirs).toEqual(ours)
  expect(ours.length).toBeGreaterThan(50)
  const shape = `select conrelid::regclass::text as t, conname, pg_get_constraintdef(oid) as d from pg_constraint order by 1, 2
`
  const triggers = `select tgrelid::regclass::text as t, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`
  for (const query of [shape, triggers])
    expect((await other.pool.query(query)).rows).toEqual((await pool.query(query)).rows)
  expect(await readFile(join(dataDir, 'auth-secret'), 'utf8')).toBe(app.services.secret)
  // The identity column continues after the restored rows.
  await other.pool.query(`insert into audit_log (at, action, subject_table, subject_id) values (now(), 'a', 'b', 'c')`)
})

test('only the owner can read a backup, it is never overwritten, and a failed backup leaves no file', async () => {
  const file = await aBackup()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await run(['backup', file], { url })).toMatchObject({ code: 1 })
  const empty = await anEmptyDatabase()
  const none = join(folder, 'none.altocert')
  const failed = await run(['backup', none], { url: empty.url })
  expect(failed.errors).toContain('no tables of Altocert')
  expect(failed.code).toBe(1)
  await expect(stat(none)).rejects.toThrow('ENOENT')
  await expect(stat(`${none}.part`)).rejects.toThrow('ENOENT')
})

test('restore requires an empty database', async () => {
  const refused = await run(['restore', await aBackup()], { url })
  expect(refused.code).toBe(1)
  expect(refused.errors).toContain('The database is not empty')
})

test('restoring a truncated, damaged or incompatible file changes nothing and says why', async () => {
  const lines = gunzipSync(await readFile(await aBackup()))
    .toString()
    .split('\n')
  const spoiled = async (text: string | Buffer) => {
    const file = join(folder, `${Math.random().toString(36).slice(2)}.altocert`)
    await writeFile(file, typeof text === 'string' ? gzipSync(text) : text)
    const other = await anEmptyDatabase()
    const { code, errors } = await run(['restore', file], { url: other.url })
    const client = await other.pool.connect()
    const tables = await listTables(client)
    client.release()
    return [code, tables.length, errors.replace('altocert: nothing was restored. ', '')]
  }
  const all = lines.join('\n')
  expect(await spoiled(lines.slice(0, -2).join('\n') + '\n')).toEqual([
    1,
    0,
    'The file is truncated: its end is missing.',
  ])
  expect(await spoiled(gzipSync(all).subarray(0, 4000))).toEqual([
    1,
    0,
    'The file is truncated or damaged: it cannot be decompressed.',
  ])
  expect(await spoiled(all.replace(learner.email, learner.email.replace('person', 'nosrep')))).toEqual([
    1,
    0,
    'The file is damaged: its checksum does not match.',
  ])
  expect(await spoiled(Buffer.from('not a backup'))).toEqual([
    1,
    0,
    'The file is truncated or damaged: it cannot be decompressed.',
  ])
  expect(await spoiled('{}\n')).toEqual([
    1,
    0,
    'The file is not a backup of Altocert, or its format is unknown to this version.',
  ])
  const [, , other] = await spoiled(all.replace('0001_accounts.sql', '0001_other.sql'))
  expect(other).toContain('was made by another version of Altocert')
  const migrated = '"migrations":['
  const later = `${migrated}{"name":"9001_later.sql","checksum":"a","version":"9.1.0"},`
  const [, , newer] = await spoiled(
    all.replace(migrated, later).replace(/("migrations":\[)(\{[^}]*\}),(.*?)\]/, '$1$3,$2]'),
  )
  expect(newer).toContain('does not know: 9001_later. Use version 9.1.0')
})

test('a command of an older version refuses a database that a newer one has migrated', async () => {
  const { pool, url } = await anEmptyDatabase()
  await migrate(pool)
  await pool.query("insert into migrations (name, checksum, version) values ('9001_later.sql', 'a', '9.1.0')")
  const { code, errors } = await run(['list-admins'], { url })
  expect(code).toBe(1)
  expect(errors).toMatch(/^altocert: The database has 1 migration that .* Use version 9\.1\.0.*\.$/)
})

test('restore sets up a new data folder with its database and its secret', async () => {
  const file = await aBackup()
  const dataDir = await mkdtemp(join(folder, 'new-'))
  await chmod(dataDir, 0o755)
  await chmod(folder, 0o755)
  expect(await run(['restore', file, '--json'], { url: '', dataDir })).toMatchObject({ code: 0, errors: '' })
  expect(await readFile(join(dataDir, 'auth-secret'), 'utf8')).toBe(app.services.secret)
  const { output } = await run(['list-admins', '--json'], { url: '', dataDir })
  expect(JSON.parse(output)).toMatchObject([{ email: admin.email }])
  const twice = await run(['restore', file], { url: '', dataDir })
  expect([twice.code, twice.errors]).toEqual([1, expect.stringContaining('The database is not empty')])
})

test('a server starts on what was restored, and serves the course, the sign-in and the results from before', async () => {
  const file = await aBackup()
  // The server stops after the last test; the database must outlive it.
  const other = await anEmptyDatabase(afterAll)
  const dataDir = await mkdtemp(join(folder, 'data-'))
  expect(await run(['restore', file], { url: other.url, dataDir })).toMatchObject({ code: 0, errors: '' })
  const restored = await startApp({ DATABASE_URL: other.url, DATA_DIR: dataDir })
  const visitor = restored.visitor()
  const { body } = await visitor.get('/api/courses')
  expect(body).toMatchObject({ courses: [{ id: course.id, title: course.title }] })
  expect((await visitor.post('/api/auth/sign-in', { email: learner.email, password: PASSWORD })).status).toBe(200)
  const again = await visitor.get(`/api/attempts/${(attempt.body as { id: string }).id}`)
  expect(again.status).toBe(200)
  expect(JSON.stringify(again.body)).toContain(JSON.stringify(note))
})

test('wrong usage of backup and restore exits with 2, a missing file with 1', async () => {
  for (const args of [['backup'], ['restore'], ['backup', 'a', 'b'], ['restore', 'a', '--force']])
    expect((await run(args, { url })).code).toBe(2)
  expect(await run(['restore', join(folder, 'nowhere')], { url: (await anEmptyDatabase()).url })).toMatchObject({
    code: 1,
  })
})

test('a stolen backup opens no session and no one-time link, and a restore of an older one drops those that it holds', async () => {
  const counts = async (database: Pick<OpenDatabase, 'pool'>) =>
    (
      await database.pool.query(
        `select (select count(*)::int from sessions) as sessions, (select count(*)::int from verifications) as links`,
      )
    ).rows[0]
  const held = (await counts({ pool })) as { sessions: number; links: number }
  expect(held.sessions).toBeGreaterThanOrEqual(2)
  expect(held.links).toBeGreaterThanOrEqual(1)
  const { rows: tokens } = await pool.query<{ token: string }>('select token_hash as token from sessions')
  const { rows: links } = await pool.query<{ identifier: string }>('select identifier from verifications')
  const file = join(folder, 'stolen.altocert')
  const made = await run(['backup', file], { url, dataDir: app.services.env.dataDir })
  expect(made.output).toContain('Sessions and one-time links are not in it: after a restore everybody signs in again.')
  const text = gunzipSync(await readFile(file)).toString()
  for (const secret of [...tokens.map(({ token }) => token), ...links.map(({ identifier }) => identifier)])
    expect(text).not.toContain(secret)

  const older = join(folder, 'older.altocert')
  await writeFile(older, gzipSync(withRow(text, 'public.verifications')))
  const other = await anEmptyDatabase()
  expect(await run(['restore', older], { url: other.url })).toMatchObject({
    code: 0,
    errors: '',
    output: expect.stringContaining('Everybody has to sign in again.') as string,
  })
  expect(await counts(other)).toEqual({ sessions: 0, links: 0 })
})

/** The text of a backup as an earlier version wrote it: with a row of a table that is left out now. */
function withRow(backup: string, name: string): string {
  type Head = { tables: { schema: string; name: string; columns: unknown[]; rows: number }[] }
  const [first = '', ...rest] = backup.split('\n')
  const header = JSON.parse(first) as Head
  const table = header.tables.find((one) => `${one.schema}.${one.name}` === name)!
  table.rows = 1
  const place = rest.indexOf(JSON.stringify({ table: name }))
  const row = JSON.stringify(table.columns.map(() => 'of an earlier version'))
  const lines = [JSON.stringify(header), ...rest.slice(0, place + 1), row, ...rest.slice(place + 1, -2)]
  const before = lines.map((line) => `${line}\n`).join('')
  const end = { ...(JSON.parse(rest.at(-2)!) as object), sha256: createHash('sha256').update(before).digest('hex') }
  return `${before}${JSON.stringify(end)}\n`
}

const PASSPHRASE = 'four words in a row'

test('a sealed backup shows nothing, and its passphrase restores it, from the environment or typed', async () => {
  const file = join(folder, 'sealed.altocert')
  const dataDir = app.services.env.dataDir
  const made = await run(['backup', file, '--seal', '--json'], { url, dataDir, passphrase: PASSPHRASE })
  expect(made).toMatchObject({ code: 0, errors: '' })
  expect(JSON.parse(made.output)).toMatchObject({ isSealed: true })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const bytes = await readFile(file)
  expect(bytes.subarray(0, 17).toString()).toBe('altocert-sealed-1')
  expect(bytes.includes(Buffer.from([0x1f, 0x8b, 8]))).toBe(false)
  const other = await anEmptyDatabase()
  const restored = await run(['restore', file], { url: other.url, typed: [PASSPHRASE] })
  expect(restored).toMatchObject({ code: 0, errors: '' })
  expect((await contentOf(other))['public.users']).toBe((await contentOf({ pool }))['public.users'])
})

test('a sealed backup that is truncated, altered or opened with another passphrase is refused and nothing is restored', async () => {
  const file = join(folder, 'refused.altocert')
  await run(['backup', file, '--seal'], { url, dataDir: app.services.env.dataDir, typed: [PASSPHRASE, PASSPHRASE] })
  const bytes = await readFile(file)
  const other = await anEmptyDatabase()
  const refusal = async (content: Buffer, passphrase = PASSPHRASE) => {
    const changed = join(folder, `${Math.random().toString(36).slice(2)}.altocert`)
    await writeFile(changed, content)
    const { code, errors } = await run(['restore', changed], { url: other.url, passphrase })
    const client = await other.pool.connect()
    expect([code, await listTables(client)]).toEqual([1, []])
    client.release()
    return errors.replace('altocert: nothing was restored. ', '')
  }
  expect(await refusal(bytes, 'four other words in a row')).toBe(
    'The passphrase is not the one with which the file was sealed.',
  )
  const altered = (at: number) => Buffer.from(bytes.map((byte, place) => (place === at ? byte ^ 1 : byte)))
  const broken = 'The sealed file is truncated or was altered.'
  // In the middle; in the last byte; without the last chunk; in the middle of the head.
  expect(await refusal(altered(bytes.length >> 1))).toBe(broken)
  expect(await refusal(altered(bytes.length - 1))).toBe(broken)
  expect(await refusal(bytes.subarray(0, -1))).toBe(broken)
  expect(await refusal(bytes.subarray(0, 40))).toBe(broken)
})

test('a backup is not sealed without a passphrase of 12 characters that was typed twice alike', async () => {
  const file = join(folder, 'unsealed.altocert')
  const attempt = (on: { passphrase?: string; typed?: string[] }) => run(['backup', file, '--seal'], { url, ...on })
  expect(await attempt({})).toMatchObject({
    code: 2,
    errors: expect.stringContaining('ALTOCERT_BACKUP_PASSPHRASE') as string,
  })
  expect(await attempt({ passphrase: 'short' })).toMatchObject({ code: 2 })
  const differing = await attempt({ typed: [PASSPHRASE, `${PASSPHRASE}s`] })
  expect(differing).toMatchObject({ code: 2, errors: expect.stringContaining('differ') as string })
  await expect(stat(file)).rejects.toThrow('ENOENT')
})
