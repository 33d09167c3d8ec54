import { expect, test } from 'vitest'
import { aDatabase } from '../../../tests/support/test-database.ts'
import { createAccount } from '../../features/accounts/accounts-commands.server.ts'
import { audit } from './audit-log-commands.server.ts'
import { listAuditChoices, listAuditEntries } from './audit-log-queries.server.ts'
import { AuditFilter } from './audit-log.schema.ts'

const { db } = await aDatabase()
const ada = await createAccount(db, { name: 'Ada', email: 'ada@example.com', passwordHash: 'x' })
const bob = await createAccount(db, { name: 'Bob', email: 'bob@example.com', passwordHash: 'x' })
const record = (number: number, more: Partial<Parameters<typeof audit>[1]> = {}) =>
  audit(db, {
    at: new Date(Date.UTC(2026, 0, 1 + number)),
    actorId: ada,
    action: 'course.update',
    table: 'courses',
    id: `course-${number}`,
    before: { price: '1.00' },
    after: { price: '2.00' },
    ...more,
  })
for (let number = 0; number < 5; number++) await record(number)
await record(5, { actorId: bob, action: 'user.lock', table: 'profiles', id: 'person-1' })
await record(6, { actorId: bob, action: 'people.list', table: 'profiles', id: 'list' })
await record(7, { actorId: null, action: 'backup', table: 'installation', id: '100%' })
// A second entry of the same time.
await record(4, { id: 'course-4b' })

const subjects = async (filter: Partial<Record<keyof typeof empty, string>>, size?: number) => {
  const { entries } = await listAuditEntries(db, AuditFilter.parse({ ...empty, ...filter }), size)
  return entries.map(({ subjectId }) => subjectId)
}
const empty = { actor: null, action: null, table: null, subject: null, from: null, to: null, kind: null, after: null }

test('changes are listed newest first, and views only on request', async () => {
  expect(await subjects({})).toEqual([
    '100%',
    'person-1',
    'course-4b',
    'course-4',
    'course-3',
    'course-2',
    'course-1',
    'course-0',
  ])
  expect((await subjects({ kind: 'all' })).slice(0, 2)).toEqual(['100%', 'list'])
})

test('the log is filtered by actor, action, table, the beginning of an id, and period', async () => {
  expect(await subjects({ actor: bob })).toEqual(['person-1'])
  expect(await subjects({ actor: 'shell' })).toEqual(['100%'])
  expect(await subjects({ action: 'user.lock' })).toEqual(['person-1'])
  expect(await subjects({ table: 'profiles', kind: 'all' })).toEqual(['list', 'person-1'])
  expect(await subjects({ subject: 'course-4' })).toEqual(['course-4b', 'course-4'])
  expect(await subjects({ subject: '100%' })).toEqual(['100%'])
  expect(await subjects({ subject: '1%' })).toEqual([])
  expect(await subjects({ from: '2026-01-02', to: '2026-01-03' })).toEqual(['course-2', 'course-1'])
})

test('pages have no gap and no repetition, also among entries of the same time', async () => {
  const seen: string[] = []
  let after: string | null = null
  do {
    const page = await listAuditEntries(db, AuditFilter.parse({ ...empty, kind: 'all', after }), 2)
    seen.push(...page.entries.map(({ subjectId }) => subjectId))
    after = page.next
  } while (after !== null)
  expect(seen).toEqual(await subjects({ kind: 'all' }, 100))
})

test('invalid filters in the address are ignored', async () => {
  const nonsense = {
    actor: 'x',
    from: 'yesterday',
    to: '2026-13-01',
    kind: 'some',
    after: 'x~1',
    subject: ' '.repeat(3),
  }
  expect(AuditFilter.parse({ ...empty, ...nonsense })).toEqual({ ...empty, kind: 'changes' })
})

test('the filters offer the values that the log holds', async () => {
  expect(await listAuditChoices(db)).toEqual({
    actors: [
      { id: ada, email: 'ada@example.com' },
      { id: bob, email: 'bob@example.com' },
    ],
    actions: ['backup', 'course.update', 'people.list', 'user.lock'],
    tables: ['courses', 'installation', 'profiles'],
  })
})
