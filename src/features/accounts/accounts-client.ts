import { causes } from '../../platform/error-causes.ts'
import { CallFailed, clientOf, messageOf } from '../../platform/api-client.ts'
import type { accountsApi } from './accounts-endpoints.server.ts'
import { isWithinRate, recentAttempts, withAuthError, type AuthErrorRecord } from './accounts.ts'
import type { SignIn, SignUp } from './accounts.schema.ts'

const call = clientOf<typeof accountsApi>()

export const signIn = (form: SignIn) => recorded(call('POST', '/api/auth/sign-in', { body: form }))
export const signUp = (form: SignUp) => recorded(call('POST', '/api/auth/sign-up', { body: form }))
export const verifyEmail = (token: string) => recorded(call('POST', '/api/auth/verify-email', { body: { token } }))
export const sendVerification = (email: string) =>
  recorded(call('POST', '/api/auth/send-verification', { body: { email } }))
export const forgotPassword = (email: string) =>
  recorded(call('POST', '/api/auth/forgot-password', { body: { email } }))

/** Who is signed in, as the server says now; the page's own loader has said it before. */
export const readSession = () => recorded(call('GET', '/api/auth/session'))

/** Sets a new password. Whoever has the mail is the owner, so the tries of this browser are forgotten. */
export async function resetPassword(token: string, password: string): Promise<void> {
  await recorded(call('POST', '/api/auth/reset-password', { body: { token, password } }))
  clearAllTries()
}

/** Ends the session. The entries of the local rate limit go with it. */
export async function signOut(): Promise<void> {
  await recorded(call('POST', '/api/auth/sign-out'))
  clearAllTries()
}

let authErrors: readonly AuthErrorRecord[] = []

/** Spec 3: the last failures of signing in and out, oldest first, kept for as long as the page is open. */
export function listAuthErrors(): readonly AuthErrorRecord[] {
  return authErrors
}

/** What our own codes are called in the specification. */
const specCodes: Readonly<Record<string, string>> = {
  'account.invalid-credentials': causes['Invalid login credentials'].code,
  'account.unverified': causes['Email not confirmed'].code,
  'account.exists': causes['User already registered'].code,
  'account.failed': causes['another auth failure'].code,
}

/** Passes the reply on; a failure is written down first, and has words afterwards. */
async function recorded<Reply>(reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply
  } catch (thrown) {
    const error = thrown instanceof CallFailed && thrown.message === '' ? withoutWords(thrown) : thrown
    authErrors = withAuthError(authErrors, recordOf(error))
    throw error
  }
}

/** Spec 8: a failure of signing in or out that brings no text of its own. */
function withoutWords({ status }: CallFailed): CallFailed {
  const { kind, sentence } = causes['another auth failure']
  return new CallFailed(status, { code: 'account.failed', kind, message: sentence })
}

function recordOf(error: unknown): AuthErrorRecord {
  const failure = error instanceof CallFailed ? error : null
  return {
    type: failure?.kind ?? 'other',
    message: messageOf(error),
    code: failure === null ? causes['another auth failure'].code : (specCodes[failure.code] ?? failure.code),
    details: failure?.facts ?? {},
    timestamp: new Date().toISOString(),
    stack: error instanceof Error ? (error.stack ?? '') : '',
  }
}

function clearAllTries() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(RATE_KEY)) localStorage.removeItem(key)
  } catch (error) {
    console.warn('The rate limit could not be cleared:', error)
  }
}

const RATE_KEY = 'rate_limit_'
/** Spec 3: the key of the browser's own limit. */
const rateKey = (email: string, action: 'login' | 'signup') => `${RATE_KEY}${email}_${action}`

/** Counts one more try, unless there were too many. When storage fails the try is allowed. */
export function claimTry(email: string, action: 'login' | 'signup'): boolean {
  const key = rateKey(email, action)
  const now = Date.now()
  try {
    const stored = readTries(localStorage.getItem(key) ?? '[]')
    if (!isWithinRate(stored, now)) return false
    localStorage.setItem(key, JSON.stringify([...recentAttempts(stored, now), now]))
  } catch (error) {
    console.warn('The rate limit could not be kept:', error)
  }
  return true
}

/** Anything but a list of instants is another version's, and counts as none. */
function readTries(text: string): readonly number[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter((at) => typeof at === 'number') : []
  } catch {
    return []
  }
}

/** Forgets the tries of an address: after a success. */
export function clearTries(email: string): void {
  try {
    localStorage.removeItem(rateKey(email, 'login'))
    localStorage.removeItem(rateKey(email, 'signup'))
  } catch (error) {
    console.warn('The rate limit could not be cleared:', error)
  }
}

const LOCK_KEY = 'sign_in_lock'
export type KnownLock = { readonly email: string; readonly until: number }

let knownLock: KnownLock | null | undefined
const lockListeners = new Set<() => void>()

/** A lock that the server spoke of, remembered over reloads of this tab; null when there is none. */
export function readKnownLock(): KnownLock | null {
  if (knownLock === undefined) knownLock = storedLock()
  return knownLock
}

/** Remembers a lock, or with null that it is over. `isShown` false: it is only not shown any more. */
export function storeKnownLock(lock: KnownLock | null, isShown = true): void {
  knownLock = lock
  try {
    if (lock !== null) sessionStorage.setItem(LOCK_KEY, JSON.stringify(lock))
    else if (isShown) sessionStorage.removeItem(LOCK_KEY)
  } catch (error) {
    console.warn('The lock could not be remembered:', error)
  }
  for (const listener of lockListeners) listener()
}

export function onKnownLock(listener: () => void): () => void {
  lockListeners.add(listener)
  return () => {
    lockListeners.delete(listener)
  }
}

function storedLock(): KnownLock | null {
  try {
    const value = JSON.parse(sessionStorage.getItem(LOCK_KEY) ?? 'null') as Partial<KnownLock> | null
    if (typeof value?.email !== 'string' || typeof value.until !== 'number' || value.until <= Date.now()) return null
    return { email: value.email, until: value.until }
  } catch {
    return null
  }
}
