import { randomUUID } from 'node:crypto'
import { fill } from '../../lib/failure.ts'
import type { GuestId, UserId } from '../../lib/ids.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import type { networkLimit } from '../../platform/http/network-limit.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { copy } from './accounts.copy.ts'
import { claimSignIn, clearSignInCount } from './accounts-commands.server.ts'
import { findIdentity, getUserView, type Identity } from './accounts-queries.server.ts'
import { fail, SessionView, SignIn } from './accounts.schema.ts'
import { deviceCookie, knownDevice } from './device-cookie-queries.server.ts'
import { LOCKOUT_FAILURES, LOCKOUT_MINUTES, type Lock } from './lockout.ts'
import { hashPassword, isPassword } from './argon2-gateway.server.ts'
import { endedSessionCookie, sessionCookie } from './sessions/session-cookie-queries.server.ts'
import { endSession, openSession } from './sessions/sessions-commands.server.ts'

/** Attempts per network address; far above the limits of the lockout and of the browser. */
export const NETWORK_ATTEMPTS = 300
export type NetworkLimit = ReturnType<typeof networkLimit>

/** The password of an unknown address is checked against this hash, so that the reply takes as long as for a known one. */
const hashOfNoAccount = hashPassword(randomUUID())

export type SignInDeps = {
  readonly secret: string
  /** Called after each sign-in, to give the guest's attempts to the user. */
  onSignedIn(context: RequestContext, user: { id: UserId }, guestId: GuestId | null): Promise<void>
}

/** The session, signing in and out. */
export function signInEndpoints(deps: SignInDeps, limit: NetworkLimit) {
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
      about: `Signs in with email and password. ${LOCKOUT_FAILURES} failures lock the address for ${LOCKOUT_MINUTES} minutes.`,
      body: SignIn,
      reply: SessionView,
      async handle({ body }, context) {
        limit(context.networkAddress)
        const identity = await identityWithPassword(context, body, deps.secret)
        if (!identity.isVerified) throw fail('account.unverified')
        await signIn(deps, context, identity)
        return { user: await getUserView(context.db, identity.id) }
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
        if (user !== null) await endSession(db, { id: user.sessionId, userId: user.id })
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
  const { db, clock } = context
  const device = knownDevice(context, secret, email)
  const claim = await claimSignIn(db, { email, device, now: clock.now() })
  if (claim.kind === 'locked')
    throw fail('account.locked', {
      sentence: fill(copy['login.lockout.later'], { n: claim.minutes }),
      facts: { minutes: claim.minutes, lockedUntil: claim.until.toISOString() },
    })
  const identity = await findIdentity(db, email)
  const isCorrect = await isPassword(password, identity?.passwordHash || (await hashOfNoAccount))
  if (identity === null || !isCorrect || identity.passwordHash === null) throw wrongPassword(claim.lock)
  await clearSignInCount(db, { email, device })
  return identity
}

function wrongPassword({ failures, lockedUntil }: Lock) {
  if (lockedUntil !== null)
    return fail('account.locked-now', { facts: { remaining: 0, lockedUntil: lockedUntil.toISOString() } })
  return fail('account.invalid-credentials', { facts: { remaining: LOCKOUT_FAILURES - failures } })
}

/** Opens a session for the browser of this request, and marks the device as known for the address. */
export async function signIn(
  deps: SignInDeps,
  context: RequestContext,
  identity: Pick<Identity, 'id' | 'email'>,
): Promise<void> {
  const { appUrl, clock, db, networkAddress, replyHeaders, request } = context
  const token = await openSession(db, {
    userId: identity.id,
    now: clock.now(),
    networkAddress,
    userAgent: request.headers.get('user-agent'),
  })
  replyHeaders.append('set-cookie', sessionCookie(token, { appUrl, secret: deps.secret }))
  replyHeaders.append('set-cookie', deviceCookie(context, deps.secret, identity.email))
  await deps.onSignedIn(context, identity, context.guestId)
}
