import { createHash, randomUUID } from 'node:crypto'
import type { Db } from '../../db/open.server.ts'
import { fill } from '../../lib/failure.ts'
import type { GuestId, UserId } from '../../lib/ids.ts'
import { paths, safeReturnPath } from '../../lib/paths.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { pageLoader } from '../../platform/http/page-loader.server.ts'
import { networkLimit } from '../../platform/http/network-limit.server.ts'
import { cookieHeader, readCookie, sign, verifySigned } from '../../platform/http/signed-cookie.server.ts'
import { copy } from './accounts.copy.ts'
import {
  endedSessionCookie,
  hashPassword,
  isPassword,
  readSessionCookie,
  SESSION_DAYS,
  sessionCookieName,
  sessionCookieValue,
  type GoogleSignIn,
} from './google-gateway.server.ts'
import { resetEmail, verificationEmail } from './accounts-emails.server.ts'
import {
  findIdentity,
  findLockReason,
  findUserBySession,
  findSessionOwner,
  getUserView,
  type Identity,
} from './accounts-queries.server.ts'
import { LOCKOUT_FAILURES, LOCKOUT_MINUTES, type Lock } from './lockout.ts'
import { RATE_WINDOW_MS } from './sign-in-limit.ts'
import { fail, OnlyEmail, ResetPassword, SessionView, SignIn, SignUp, VerifyToken } from './accounts.schema.ts'
import {
  claimSignIn,
  clearSignInCount,
  createAccount,
  endSession,
  issueToken,
  openSession,
  setNewPassword,
  verifyAddress,
} from './accounts-commands.server.ts'

const DEVICE_COOKIE = 'altocert_device'
const SIGN_UP_COOKIE = 'altocert_signup'
/** Set by the redirect of a user whom an admin locked out; holds the admin's reason. */
const CLOSED_COOKIE = 'altocert_closed'
const CLOSED_SECONDS = 20
const YEAR_SECONDS = 365 * 24 * 3600
const DEVICE_ACCOUNTS = 5
/** Attempts per network address; far above the limits of the lockout and of the browser. */
const NETWORK_ATTEMPTS = 300
/** The password of an unknown address is checked against this hash, so that the reply takes as long as for a known one. */
const hashOfNoAccount = hashPassword(randomUUID())

type AccountsDependencies = {
  readonly secret: string
  readonly brand: string
  readonly mail: Mail
  readonly google: GoogleSignIn
  /** Called after each sign-in, to give the guest's attempts to the user. */
  onSignedIn(context: RequestContext, user: { id: UserId }, guestId: GuestId | null): Promise<void>
}

export function accountsApi(deps: AccountsDependencies) {
  const limit = networkLimit({ attempts: NETWORK_ATTEMPTS, windowMs: RATE_WINDOW_MS })
  return [
    ...sessionEndpoints(deps, limit),
    ...registrationEndpoints(deps, limit),
    ...verificationEndpoints(deps, limit),
    ...passwordEndpoints(deps, limit),
  ]
}

type NetworkLimit = ReturnType<typeof networkLimit>

/** The session, signing in and out. */
function sessionEndpoints(deps: AccountsDependencies, limit: NetworkLimit) {
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
        const device = knownDevice(context, deps.secret, body.email)
        const claim = await claimSignIn(context.db, { email: body.email, device, now: context.clock.now() })
        if (claim.kind === 'locked')
          throw fail('account.locked', {
            sentence: fill(copy['login.lockout.later'], { n: claim.minutes }),
            facts: { minutes: claim.minutes, lockedUntil: claim.until.toISOString() },
          })
        const identity = await identityWithPassword(context, body, claim.lock)
        await clearSignInCount(context.db, { email: body.email, device })
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
        if (context.user !== null) await endSession(context.db, context.user.sessionToken)
        context.replyHeaders.append('set-cookie', endedSessionCookie(context.appUrl))
        return done
      },
    }),
  ]
}

/** The identity with this email and password. @throws Failure account.locked-now, account.invalid-credentials */
async function identityWithPassword(
  { db }: RequestContext,
  { email, password }: SignIn,
  lock: Lock,
): Promise<Identity> {
  const identity = await findIdentity(db, email)
  const isCorrect = await isPassword(password, identity?.passwordHash || (await hashOfNoAccount))
  if (identity !== null && isCorrect && identity.passwordHash !== null) return identity
  if (lock.lockedUntil !== null)
    throw fail('account.locked-now', { facts: { remaining: 0, lockedUntil: lock.lockedUntil.toISOString() } })
  throw fail('account.invalid-credentials', { facts: { remaining: LOCKOUT_FAILURES - lock.failures } })
}

/** Opens a session for the browser of this request, and marks the device as known for the address. */
async function signIn(
  deps: AccountsDependencies,
  context: RequestContext,
  identity: Pick<Identity, 'id' | 'email'>,
): Promise<void> {
  const isSecure = context.appUrl.startsWith('https:')
  const token = await openSession(context.db, {
    userId: identity.id,
    now: context.clock.now(),
    networkAddress: context.networkAddress,
    userAgent: context.request.headers.get('user-agent'),
  })
  const set = (name: string, value: string, maxAgeSeconds: number) =>
    context.replyHeaders.append('set-cookie', cookieHeader(name, value, { maxAgeSeconds, isSecure }))
  set(sessionCookieName(context.appUrl), sessionCookieValue(token, deps.secret), SESSION_DAYS * 24 * 3600)
  const { id, accounts } = readDevice(context, deps.secret)
  const mark = accountMark(identity.email)
  const known = [mark, ...accounts.filter((account) => account !== mark)].slice(0, DEVICE_ACCOUNTS)
  set(DEVICE_COOKIE, sign([id, ...known].join(':'), 'device', deps.secret), YEAR_SECONDS)
  await deps.onSignedIn(context, identity, context.guestId)
}

function registrationEndpoints(deps: AccountsDependencies, limit: NetworkLimit) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/sign-up',
      who: 'anyone',
      about: 'Creates an account and emails a link that verifies its address.',
      body: SignUp,
      reply: Done,
      async handle({ body }, context) {
        limit(context.networkAddress)
        if ((await findIdentity(context.db, body.email)) !== null)
          throw fail('account.exists', { fields: [{ field: 'email', message: copy['register.exists'] }] })
        const passwordHash = await hashPassword(body.password)
        const userId = await context.db.transaction().execute(async (tx) => {
          const id = await createAccount(tx, { name: body.name, email: body.email, passwordHash })
          await sendVerification(tx, deps, context, { id, email: body.email, name: body.name })
          return id
        })
        context.replyHeaders.append(
          'set-cookie',
          cookieHeader(SIGN_UP_COOKIE, sign(userId, 'sign-up', deps.secret), {
            maxAgeSeconds: 24 * 3600,
            isSecure: context.appUrl.startsWith('https:'),
          }),
        )
        return done
      },
    }),
  ]
}

/** The verification of addresses. */
function verificationEndpoints(deps: AccountsDependencies, limit: NetworkLimit) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/verify-email',
      who: 'anyone',
      about: 'Verifies an address with the token of its email; signs in the browser that created the account.',
      body: VerifyToken,
      reply: SessionView,
      async handle({ body }, context) {
        limit(context.networkAddress)
        const userId = await verifyAddress(context.db, body.token, context.clock.now())
        const madeHere =
          verifySigned(readCookie(context.request.headers.get('cookie'), SIGN_UP_COOKIE), 'sign-up', deps.secret) ===
          userId
        if (!madeHere || (await findLockReason(context.db, userId)) !== null) return { user: null }
        const user = await getUserView(context.db, userId)
        await signIn(deps, context, { id: userId, email: user.email })
        return { user }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/send-verification',
      who: 'anyone',
      about: 'Emails a new verification link if the address has an unverified account. The reply is always the same.',
      body: OnlyEmail,
      reply: Done,
      async handle({ body }, context) {
        limit(context.networkAddress)
        const identity = await findIdentity(context.db, body.email)
        if (identity !== null && !identity.isVerified)
          await context.db.transaction().execute((tx) => sendVerification(tx, deps, context, identity))
        return done
      },
    }),
  ]
}

async function sendVerification(
  tx: Db,
  { mail, brand }: AccountsDependencies,
  { appUrl, clock }: RequestContext,
  { id, email, name }: Pick<Identity, 'id' | 'email' | 'name'>,
): Promise<void> {
  const token = await issueToken(tx, { purpose: 'verify', userId: id, now: clock.now() })
  const url = `${appUrl}${paths.verifyEmail}?token=${token}`
  await mail.send(verificationEmail({ email, name, brand, url }), tx)
}

/** New passwords by email. */
function passwordEndpoints(deps: AccountsDependencies, limit: NetworkLimit) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/forgot-password',
      who: 'anyone',
      about: 'Emails a link for a new password if the address has an account. The reply is always the same.',
      body: OnlyEmail,
      reply: Done,
      async handle({ body }, context) {
        limit(context.networkAddress)
        const identity = await findIdentity(context.db, body.email)
        if (identity !== null)
          await context.db.transaction().execute(async (tx) => {
            const token = await issueToken(tx, { purpose: 'reset', userId: identity.id, now: context.clock.now() })
            const url = `${context.appUrl}${paths.resetPassword}?token=${token}`
            await deps.mail.send(resetEmail({ email: identity.email, name: identity.name, brand: deps.brand, url }), tx)
          })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/reset-password',
      who: 'anyone',
      about: 'Sets a new password with the token of the email; ends all sessions and locks of the address.',
      body: ResetPassword,
      reply: Done,
      async handle({ body }, context) {
        limit(context.networkAddress)
        await setNewPassword(context.db, {
          token: body.token,
          passwordHash: await hashPassword(body.password),
          now: context.clock.now(),
        })
        return done
      },
    }),
  ]
}

/** The two routes of sign-in with Google, which consists of page loads instead of API calls. */
export function googleRoutes(deps: Pick<AccountsDependencies, 'google' | 'onSignedIn' | 'secret'>) {
  const refused = (context: RequestContext, error: unknown) => {
    context.log.error({ err: error }, 'sign-in with Google failed')
    return Response.redirect(`${context.appUrl}${paths.login}?error=google`, 303)
  }
  const limit = networkLimit({ attempts: NETWORK_ATTEMPTS, windowMs: RATE_WINDOW_MS })
  return {
    async start(context: RequestContext): Promise<Response> {
      limit(context.networkAddress)
      const returnTo = safeReturnPath(new URL(context.request.url).searchParams.get('redirect'))
      try {
        return await deps.google.start(context.request, returnTo)
      } catch (error) {
        return refused(context, error)
      }
    },
    async callback(context: RequestContext): Promise<Response> {
      limit(context.networkAddress)
      try {
        const reply = await deps.google.callback(context.request)
        const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
        const token = readSessionCookie(readCookie(cookies.join(';'), sessionCookieName(context.appUrl)), deps.secret)
        const user = token === null ? null : await findUserBySession(context.db, token, context.clock.now())
        if (user !== null) await deps.onSignedIn(context, user, context.guestId)
        const owner = token === null || user !== null ? null : await findSessionOwner(context.db, token)
        const reason = owner === null ? null : await findLockReason(context.db, owner)
        if (reason !== null) {
          await endSession(context.db, token ?? '')
          const cookie = { maxAgeSeconds: CLOSED_SECONDS, isSecure: context.appUrl.startsWith('https:') }
          const headers = new Headers({ location: `${context.appUrl}${paths.login}?error=closed` })
          headers.append('set-cookie', cookieHeader(CLOSED_COOKIE, reason, cookie))
          return new Response(null, { status: 303, headers })
        }
        return reply
      } catch (error) {
        return refused(context, error)
      }
    },
  }
}

/** The reason of an admin's lock after sign-in with Google. Cleared with the reply, so that nobody else at this browser reads it. */
export const loginLoader = pageLoader(async ({ context }) => {
  const closedReason = readCookie(context.request.headers.get('cookie'), CLOSED_COOKIE)
  if (closedReason !== null) {
    const expired = { maxAgeSeconds: 0, isSecure: context.appUrl.startsWith('https:') }
    context.replyHeaders.append('set-cookie', cookieHeader(CLOSED_COOKIE, '', expired))
  }
  return { closedReason: closedReason === '' ? null : closedReason }
})

function accountMark(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 16)
}

function readDevice(context: RequestContext, secret: string): { id: string; accounts: string[] } {
  const value = verifySigned(readCookie(context.request.headers.get('cookie'), DEVICE_COOKIE), 'device', secret)
  const [id = randomUUID(), ...accounts] = value?.split(':') ?? []
  return { id, accounts }
}

/** Failures of a device that signed in to this address before count separately, so that others cannot lock its owner out. */
function knownDevice(context: RequestContext, secret: string, email: string): string {
  const { id, accounts } = readDevice(context, secret)
  return accounts.includes(accountMark(email)) ? id : ''
}
