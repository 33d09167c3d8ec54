import { paths, safeReturnPath } from '../../lib/paths.ts'
import { causes } from '../../platform/error-causes.ts'
import { CallFailed, clientOf, messageOf } from '../../platform/api-client.ts'
import type { accountsApi } from './accounts-endpoints.server.ts'
import { isWithinRate, recentAttempts } from './sign-in-limit.ts'
import { withAuthError, type AuthErrorRecord } from './auth-events.ts'
import type { SignIn, SignUp } from './accounts.schema.ts'

const call = clientOf<typeof accountsApi>()

export const signIn = (form: SignIn) => recorded(call('POST', '/api/auth/sign-in', { body: form }))
export const signUp = (form: SignUp) => recorded(call('POST', '/api/auth/sign-up', { body: form }))
/** Another browser than the one that signed up also needs the password. */
export const verifyEmail = (token: string, password?: string) =>
  recorded(call('POST', '/api/auth/verify-email', { body: password === undefined ? { token } : { token, password } }))
/** Emails a link for a new password to the address of a verification link. */
export const sendNewPasswordLink = (token: string) =>
  recorded(call('POST', '/api/auth/verify-email/new-password', { body: { token } }))
export const sendVerification = (email: string) =>
  recorded(call('POST', '/api/auth/send-verification', { body: { email } }))
export const forgotPassword = (email: string) =>
  recorded(call('POST', '/api/auth/forgot-password', { body: { email } }))

/** The signed-in user according to the server now; pages get theirs from the root loader. */
export const readSession = () => recorded(call('GET', '/api/auth/session'))

/** Sets a new password. The email proves ownership, so this browser's attempts are cleared. */
export async function resetPassword(token: string, password: string): Promise<void> {
  await recorded(call('POST', '/api/auth/reset-password', { body: { token, password } }))
  clearAllTries()
}

/** Ends the session and clears this browser's attempts. */
export async function signOut(): Promise<void> {
  await recorded(call('POST', '/api/auth/sign-out'))
  clearAllTries()
}

let authErrors: readonly AuthErrorRecord[] = []

/** The latest auth errors of this page, oldest first. */
export function listAuthErrors(): readonly AuthErrorRecord[] {
  return authErrors
}

/** The codes that auth error records use for our own failure codes. */
const specCodes: Readonly<Record<string, string>> = {
  'account.invalid-credentials': causes['Invalid login credentials'].code,
  'account.unverified': causes['Email not confirmed'].code,
  'account.exists': causes['User already registered'].code,
  'account.failed': causes['another auth failure'].code,
}

/** Passes the reply on, and records a failure. A failure without a message gets one. */
async function recorded<Reply>(reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply
  } catch (thrown) {
    const error = thrown instanceof CallFailed && thrown.message === '' ? withoutWords(thrown) : thrown
    authErrors = withAuthError(authErrors, recordOf(error))
    throw error
  }
}

/** A failure that did not come from our server has no message of its own. */
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
/** The key of the browser's own limit in local storage. */
const rateKey = (email: string, action: 'login' | 'signup') => `${RATE_KEY}${email}_${action}`

/** Counts an attempt. Returns false when there were too many; a failing storage allows the attempt. */
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

/** Anything but a list of times counts as no attempts. */
function readTries(text: string): readonly number[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter((at) => typeof at === 'number') : []
  } catch {
    return []
  }
}

/** Clears the attempts of an address, after a success. */
export function clearTries(email: string): void {
  try {
    localStorage.removeItem(rateKey(email, 'login'))
    localStorage.removeItem(rateKey(email, 'signup'))
  } catch (error) {
    console.warn('The rate limit could not be cleared:', error)
  }
}

const RETURN_KEY = 'sign_up_return'

/** Remembers where the registration leads back to: the link of the email opens in another tab. */
export function storeReturnPath(path: string): void {
  try {
    localStorage.setItem(RETURN_KEY, path)
  } catch (error) {
    console.warn('The way back could not be kept:', error)
  }
}

/** The path on this site that was remembered last, once; else home. */
export function takeReturnPath(): string {
  try {
    const path = localStorage.getItem(RETURN_KEY)
    localStorage.removeItem(RETURN_KEY)
    return safeReturnPath(path)
  } catch {
    return paths.home
  }
}

const LOCK_KEY = 'sign_in_lock'
type KnownLock = { readonly email: string; readonly until: number }

let knownLock: KnownLock | null | undefined
const lockListeners = new Set<() => void>()

/** The lock that the server reported, across reloads of this tab; null when there is none. */
export function readKnownLock(): KnownLock | null {
  if (knownLock === undefined) knownLock = storedLock()
  return knownLock
}

/** Stores a lock; null clears it. With null and `isShown` false it is hidden until the next reload. */
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
