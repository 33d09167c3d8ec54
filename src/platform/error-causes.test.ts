import { expect, test } from 'vitest'
import { FAILURE_KINDS } from '../lib/failure.ts'
import { causes, databaseCause } from './error-causes.ts'
import { failureToast, networkCause } from './network-causes.ts'

test('every cause has its kind, its code and its sentence', () => {
  const table = Object.entries(causes).map(([cause, { kind, code, sentence }]) =>
    [cause.padEnd(26), kind.padEnd(15), code.padEnd(20), sentence].join(''),
  )
  expect(`\n${table.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    23503                     validation     23503               Referenced record does not exist
    23505                     validation     23505               This record already exists
    PGRST301                  authorization  PGRST301            You do not have permission to perform this action
    PGRST116                  database       PGRST116            The requested resource was not found
    another database code     database       DATABASE_ERROR      Database operation failed
    Invalid login credentials authentication INVALID_CREDENTIALS Invalid email or password
    Email not confirmed       authentication EMAIL_NOT_CONFIRMED Please verify your email address before signing in
    User already registered   authentication USER_EXISTS         An account with this email already exists
    another auth failure      authentication AUTH_ERROR          Authentication failed
    offline                   network        OFFLINE             No internet connection. Please check your network and try again.
    no answer                 network        NETWORK_ERROR       Network request failed. Please try again.
    "
  `)
})

test('a database code maps to its own cause or to another database code, and other codes to none', () => {
  const codes = ['23505', '23503', 'PGRST301', 'PGRST116', '40001', '57014', 'ECONNREFUSED', '', '2350', '235050']
  expect(codes.map(databaseCause)).toEqual([
    '23505',
    '23503',
    'PGRST301',
    'PGRST116',
    'another database code',
    'another database code',
    null,
    null,
    null,
    null,
  ])
})

test('a failed call is offline when the browser is, and otherwise a call without an answer', () => {
  expect(causes[networkCause(false)].code).toBe('OFFLINE')
  expect(causes[networkCause(true)].code).toBe('NETWORK_ERROR')
})

test('the kind of failure decides the title of its toast, and only invalid input is a warning', () => {
  const shown = FAILURE_KINDS.map((kind) => failureToast({ kind, message: 'What happened.' }).slice(0, 2))
  expect(shown).toEqual([
    ['error', 'Authentication Error'],
    ['error', 'Access Denied'],
    ['warning', 'Validation Error'],
    ['error', 'Connection Error'],
    ['error', 'Data Error'],
    ['error', 'Error'],
  ])
})

test('messages that mention a fetch or a permission are replaced, whatever else they say', () => {
  const told = (message: string) => failureToast({ kind: 'other', message })[2]
  expect(told('Failed to fetch dynamically imported module: /assets/x.js')).toBe(
    'Unable to connect to the server. Please try again.',
  )
  expect(told('Fetch')).toBe('Unable to connect to the server. Please try again.')
  expect(told('Permission denied for table courses')).toBe('You do not have permission to perform this action.')
  expect(told('Nothing of the kind')).toBe('Nothing of the kind')
})
