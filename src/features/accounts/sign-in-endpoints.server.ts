import { randomUUID } from 'node:crypto'
import { Failure, fill } from '../../lib/failure.ts'
import type { GuestId, UserId } from '../../lib/ids.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { authEvent } from '../../platform/auth-log.server.ts'
import { CLEARED_AT_SIGN_OUT } from '../../platform/http/security-headers.server.ts'
import { copy } from './accounts.copy.ts'
import { claimSignIn, clearSignInCount, takeBackClaim } from './accounts-commands.server.ts'
import { findIdentity, findLockReason, findSignInLock, getUserView, type Identity } from './accounts-queries.server.ts'
import { closedFailure, fail, SessionView, SignIn } from './accounts.schema.ts'
import { deviceCookie, knownDevice } from './device-cookie-queries.server.ts'
import { decideSignIn, LOCKOUT_FAILURES, LOCKOUT_MINUTES, type Lock } from './lockout.ts'
import { hashPassword, isPassword } from './argon2-gateway.server.ts'
import { endedSessionCookie, sessionCookie } from './sessions/session-cookie-queries.server.ts'
import { findFactors } from './second-factor/second-factor-queries.server.ts'
import { beginSecondStep, endSecondStep } from './second-factor/second-step-commands.server.ts'
import { needsSecondStep } from './second-factor/second-factor.ts'
import { endSession, openSession } from './sessions/sessions-commands.server.ts'

/** The password of an unknown address is checked against this hash, so that the reply takes as long as for a known one. */
const hashOfNoAccount = hashPassword(randomUUID())

/** How a user signed in, for the log; nothing for a password. */
type SignInMethod = 'google' | 'passkey' | 'second-step'

export type SignInDeps = {
  readonly secret: string
  /** Whether admins need a second factor (ADMIN_SECOND_FACTOR). */
  readonly isAdminFactorRequired: boolean
  /** Called after each sign-in, to give the guest's attempts to the user. */
  onSignedIn(context: RequestContext, user: { id: UserId }, guestId: GuestId | null): Promise<void>
}

/** The session, signing in and out. */
export function signInEndpoints(deps: SignInDeps) {
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/session',
      who: 'anyone',
      about: 'The signed-in user.',
      reply: SessionView,
      async handle(_input, { user }) {
        return {
          user: user === null ? null : { id: user.id, email: user.email, name: user.name, role: user.role },
        }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/sign-in',
      who: 'anyone',
      limit: 'account',
      about: `Signs in with email and password, or asks for the second step. ${LOCKOUT_FAILURES} failures lock the address for ${LOCKOUT_MINUTES} minutes.`,
      body: SignIn,
      reply: SessionView,
      async handle({ body }, context) {
        const identity = await identityWithPassword(context, body, deps.secret)
        if (!identity.isVerified) throw fail('account.unverified')
        return beginSession(deps, context, identity)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/sign-out',
      who: 'anyone',
      about: 'Ends the session.',
      reply: Done,
      async handle(_input, context) {
        const { db, user } = context
        await endSecondStep(context)
        if (user !== null) {
          await endSession(db, { id: user.sessionId, userId: user.id })
          authEvent(context, { event: 'sign-out', account: user.id })
        }
        context.replyHeaders.set('clear-site-data', CLEARED_AT_SIGN_OUT)
        context.replyHeaders.append('set-cookie', endedSessionCookie(context.appUrl))
        return done
      },
    }),
  ]
}

/** The identity with this email and password. @throws Failure account.locked, account.locked-now, account.invalid-credentials */
export async function identityWithPassword(
  context: RequestContext,
  { email, password }: SignIn,
  secret: string,
): Promise<Identity> {
  const { db } = context
  const claim = await claimProof(context, email, secret)
  const identity = await findIdentity(db, email)
  const isCorrect = await isPassword(password, identity?.passwordHash || (await hashOfNoAccount))
  if (identity === null || !isCorrect || identity.passwordHash === null)
    throw wrongProof(context, claim, fail('account.invalid-credentials'))
  // With a second step to come, the password must not clear the count of wrong codes.
  if ((await findFactors(db, identity.id)).hasAuthenticator) await takeBackClaim(db, claim)
  else await clearSignInCount(db, claim)
  return identity
}

/** A counted attempt: for this address, from this device or from any unknown one. */
export type Claim = { readonly email: string; readonly device: string; readonly lock: Lock }

/** Counts an attempt as failed before the proof is checked. @throws Failure account.locked */
export async function claimProof(context: RequestContext, email: string, secret: string): Promise<Claim> {
  const attempt = { email: email.toLowerCase(), device: knownDevice(context, secret, email) }
  const claim = await claimSignIn(context.db, { ...attempt, now: context.clock.now() })
  if (claim.kind === 'locked') {
    authEvent(context, { event: 'sign-in-locked', account: email })
    throw lockedFailure(claim)
  }
  return { ...attempt, lock: claim.lock }
}

/** For proofs that nobody can guess, such as passkeys: they don't count, but a lock holds. @throws Failure account.locked */
export async function requireNoLockout(context: RequestContext, email: string, secret: string): Promise<void> {
  const attempt = { email: email.toLowerCase(), device: knownDevice(context, secret, email) }
  const decision = decideSignIn(await findSignInLock(context.db, attempt), context.clock.now())
  if (decision.kind === 'locked') throw lockedFailure(decision)
}

function lockedFailure({ minutes, until }: { readonly minutes: number; readonly until: Date }) {
  return fail('account.locked', {
    sentence: fill(copy['login.lockout.later'], { n: minutes }),
    facts: { minutes, lockedUntil: until.toISOString() },
  })
}

/** The failure of a wrong proof with the attempts that are left, or the lock that it caused. */
export function wrongProof(context: RequestContext, { email, lock }: Claim, failure: Failure): Failure {
  const { failures, lockedUntil } = lock
  authEvent(context, { event: lockedUntil === null ? 'sign-in-failed' : 'sign-in-locked', account: email })
  if (lockedUntil !== null)
    return fail('account.locked-now', { facts: { remaining: 0, lockedUntil: lockedUntil.toISOString() } })
  const { code, status, kind, message: sentence, fields } = failure
  return new Failure(code, { status, kind, sentence }, { fields, facts: { remaining: LOCKOUT_FAILURES - failures } })
}

/**
 * Goes on after the first factor: opens a session, or asks for the second step.
 * @throws Failure account.closed
 */
export async function beginSession(
  deps: SignInDeps,
  context: RequestContext,
  identity: Pick<Identity, 'id' | 'email'>,
  by?: SignInMethod,
): Promise<SessionView> {
  const { db } = context
  const factors = await findFactors(db, identity.id)
  if (!needsSecondStep(factors, deps.isAdminFactorRequired)) {
    await signIn(deps, context, identity, by)
    return { user: await getUserView(db, identity.id) }
  }
  const reason = await findLockReason(db, identity.id)
  if (reason !== null) throw closedFailure(reason)
  await beginSecondStep(context, identity.id)
  return { user: null, secondStep: { code: factors.hasAuthenticator, passkey: factors.hasPasskey } }
}

/** Opens a session for the browser of this request in the place of the one that it had, and marks the device as known for the address. */
export async function signIn(
  deps: SignInDeps,
  context: RequestContext,
  identity: Pick<Identity, 'id' | 'email'>,
  by?: SignInMethod,
): Promise<void> {
  const { appUrl, clock, db, networkAddress, replyHeaders, request, user: before } = context
  const token = await db.transaction().execute(async (tx) => {
    if (before !== null) await endSession(tx, { id: before.sessionId, userId: before.id })
    return openSession(tx, {
      userId: identity.id,
      now: clock.now(),
      networkAddress,
      userAgent: request.headers.get('user-agent'),
    })
  })
  replyHeaders.append('set-cookie', sessionCookie(token, { appUrl, secret: deps.secret }))
  replyHeaders.append('set-cookie', deviceCookie(context, deps.secret, identity.email))
  authEvent(context, { event: 'sign-in', account: identity.id, ...(by === undefined ? {} : { by }) })
  await deps.onSignedIn(context, identity, context.guestId)
}
