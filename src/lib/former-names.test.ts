import { expect, test } from 'vitest'
import { renamed, withFormerNames } from './former-names.ts'

test('a reply carries renamed fields under their former names too, at every depth', () => {
  expect(withFormerNames({ users: [{ userId: 'u', name: 'Ana' }], user: null })).toEqual({
    users: [{ userId: 'u', personId: 'u', name: 'Ana' }],
    user: null,
    person: null,
  })
})

test('a field that has the former name already stays what it is', () => {
  expect(withFormerNames({ outcome: 'stored', fate: 'open' })).toEqual({ outcome: 'stored', fate: 'open' })
})

test('a record of an earlier build gets today’s names, and what lies below it stays', () => {
  expect(renamed({ pack: { personId: 'u' }, seen: 1 }, { pack: 'offlineExam' })).toEqual({
    offlineExam: { personId: 'u' },
    seen: 1,
  })
})
