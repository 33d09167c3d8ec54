import { afterEach, expect, test, vi } from 'vitest'
import { aCourse } from '../../tests/support/build-course.ts'
import { aDatabase } from '../../tests/support/test-database.ts'
import { createAccount } from '../features/accounts/accounts-commands.server.ts'
import { runAltocert } from './altocert.server.ts'

const { db, url } = await aDatabase()
const ana = await createAccount(db, { name: 'Ana', email: 'ana@example.com', passwordHash: 'x' })
const course = await aCourse(db)
afterEach(() => {
  vi.unstubAllEnvs()
})

async function shell(...args: string[]) {
  vi.stubEnv('DATABASE_URL', url)
  const printed: string[] = []
  const complained: string[] = []
  const code = await runAltocert(args, {
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
  })
  return { code, printed: printed.join('\n'), complained: complained.join('\n') }
}

test('access is given, listed and ended from the shell, and the audit log says so', async () => {
  const given = await shell('grant', 'ANA@example.com', course.slug, '--days', '7', '--reason', 'A prize', '--json')
  expect(given.code).toBe(0)
  expect(JSON.parse(given.printed)).toMatchObject({ user: ana, course: course.id })
  expect((await shell('list-access', ana)).printed).toContain(course.title)
  expect(JSON.parse((await shell('list-access', 'ana@example.com', '--json')).printed)).toHaveLength(1)
  expect((await shell('end-access', 'ana@example.com', course.slug)).code).toBe(0)
  const again = await shell('end-access', 'ana@example.com', course.slug)
  expect([again.code, again.complained]).toEqual([
    1,
    'altocert: There is no access to this course that could be ended.',
  ])
  const lines = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', ana)
    .orderBy('id')
    .select(['action', 'actor_id', 'after'])
    .execute()
  expect(lines.map(({ action, actor_id: by }) => [action, by])).toEqual([
    ['access.give', null],
    ['access.end', null],
  ])
  expect(lines[0]?.after).toMatchObject({ reason: 'A prize', days: 7 })
})

test('admins are made, listed and ended from the shell; the last one stays', async () => {
  expect((await shell('list-admins')).printed).toBe('Nobody.')
  expect((await shell('make-admin', 'ana@example.com')).printed).toBe('ana@example.com is an admin now.')
  expect(JSON.parse((await shell('list-admins', '--json')).printed)).toMatchObject([{ email: 'ana@example.com' }])
  const refused = await shell('end-admin', 'ana@example.com')
  expect([refused.code, refused.complained]).toEqual([
    1,
    'altocert: This is the last admin who can sign in. Make somebody else an admin first.',
  ])
})

test('who and what is not there is said, and a wrong call ends with 2', async () => {
  expect(await shell('grant', 'nobody@example.com', course.slug)).toMatchObject({
    code: 1,
    complained: 'altocert: There is nobody with the address or id nobody@example.com.',
  })
  expect((await shell('grant', 'ana@example.com', 'no-such-course')).code).toBe(1)
  for (const args of [
    ['grant'],
    ['grant', 'ana@example.com', course.slug, '--days', '0'],
    ['make-admin'],
    ['list-admins', 'x'],
    ['list-admins', '--all'],
  ])
    expect((await shell(...args)).code).toBe(2)
})
