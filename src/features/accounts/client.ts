import { clientOf } from '../../platform/client.ts'
import type { accountsApi } from './api.server.ts'
import { isWithinRate, recentAttempts } from './rules.ts'
import type { SignIn, SignUp } from './schema.ts'

const call = clientOf<typeof accountsApi>()

export const signIn = (form: SignIn) => call('POST', '/api/auth/sign-in', { body: form })
export const signUp = (form: SignUp) => call('POST', '/api/auth/sign-up', { body: form })
export const verifyEmail = (token: string) => call('POST', '/api/auth/verify-email', { body: { token } })
export const sendVerification = (email: string) => call('POST', '/api/auth/send-verification', { body: { email } })
export const forgotPassword = (email: string) => call('POST', '/api/auth/forgot-password', { body: { email } })

/** Sets a new password. Whoever has the mail is the owner, so the tries of this browser are forgotten. */
export async function resetPassword(token: string, password: string): Promise<void> {
  await call('POST', '/api/auth/reset-password', { body: { token, password } })
  forgetTries()
}

/** Ends the session. The entries of the local rate limit go with it. */
export async function signOut(): Promise<void> {
  await call('POST', '/api/auth/sign-out')
  forgetTries()
}

function forgetTries() {
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
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    const stored = Array.isArray(value) ? value.filter((at) => typeof at === 'number') : []
    if (!isWithinRate(stored, now)) return false
    localStorage.setItem(key, JSON.stringify([...recentAttempts(stored, now), now]))
  } catch (error) {
    console.warn('The rate limit could not be kept:', error)
  }
  return true
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
export function keepKnownLock(lock: KnownLock | null, isShown = true): void {
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
