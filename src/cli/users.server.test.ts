import { expect, test } from 'vitest'
import { aCourse } from '../../tests/support/build-course.ts'
import { aDatabase } from '../../tests/support/test-database.ts'
import { createAccount } from '../features/accounts/accounts-commands.server.ts'
import { runOn } from './altocert.fixture.ts'

const { db, url } = await aDatabase()
const ana = await createAccount(db, { name: 'Ana', email: 'ana@example.com', passwordHash: 'x' })
const course = await aCourse(db)

const run = (...args: string[]) => runOn(url, ...args)

test('access is granted, listed and ended, and each change has an audit entry', async () => {
  const granted = await run('grant', 'ANA@example.com', course.slug, '--days', '7', '--reason', 'A prize', '--json')
  expect(granted.code).toBe(0)
  expect(JSON.parse(granted.output)).toMatchObject({ user: ana, course: course.id })
  expect((await run('list-access', ana)).output).toContain(course.title)
  expect(JSON.parse((await run('list-access', 'ana@example.com', '--json')).output)).toHaveLength(1)
  expect((await run('end-access', 'ana@example.com', course.slug)).code).toBe(0)
  const again = await run('end-access', 'ana@example.com', course.slug)
  expect([again.code, again.errors]).toEqual([1, 'altocert: There is no current access to this course.'])
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

test('admins are made, listed and ended; the last admin keeps the role', async () => {
  expect((await run('list-admins')).output).toBe('No admins.')
  expect((await run('make-admin', 'ana@example.com')).output).toBe('ana@example.com is an admin now.')
  expect(JSON.parse((await run('list-admins', '--json')).output)).toMatchObject([{ email: 'ana@example.com' }])
  const refused = await run('end-admin', 'ana@example.com')
  expect([refused.code, refused.errors]).toEqual([
    1,
    'altocert: This is the last admin who can sign in. Make another user an admin first.',
  ])
})

test('an unknown user or course is reported, and wrong usage exits with 2', async () => {
  expect(await run('grant', 'nobody@example.com', course.slug)).toMatchObject({
    code: 1,
    errors: 'altocert: There is no user with the email address or id nobody@example.com.',
  })
  expect((await run('grant', 'ana@example.com', 'no-such-course')).code).toBe(1)
  for (const args of [
    ['grant'],
    ['grant', 'ana@example.com', course.slug, '--days', '0'],
    ['make-admin'],
    ['list-admins', 'x'],
    ['list-admins', '--all'],
  ])
    expect((await run(...args)).code).toBe(2)
})
