import { expect, test } from 'vitest'
import { renamed, withFormerNames } from './former-names.ts'

test('a reply has renamed fields under their former names as well, at every depth', () => {
  expect(withFormerNames({ users: [{ userId: 'u', name: 'Ana' }], user: null })).toEqual({
    users: [{ userId: 'u', personId: 'u', name: 'Ana' }],
    user: null,
    person: null,
  })
})

test('an existing field with a former name is not overwritten', () => {
  expect(withFormerNames({ outcome: 'stored', fate: 'open' })).toEqual({ outcome: 'stored', fate: 'open' })
})

test('a record of an earlier build gets current names at its top level only', () => {
  expect(renamed({ pack: { personId: 'u' }, seen: 1 }, { pack: 'offlineExam' })).toEqual({
    offlineExam: { personId: 'u' },
    seen: 1,
  })
})

test('the effect of a corrected answer key is also served in its former words', () => {
  expect(withFormerNames({ versions: [{ effect: 'corrected' }, { effect: 'inapplicable' }] })).toEqual({
    versions: [
      { effect: 'corrected', becomes: 'mended' },
      { effect: 'inapplicable', becomes: 'kept' },
    ],
  })
})
