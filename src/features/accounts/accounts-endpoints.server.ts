import { createHash, randomUUID } from 'node:crypto'
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
import { LOCKOUT_FAILURES, RATE_WINDOW_MS } from './accounts.ts'
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
/** Goes with the redirect of somebody whom an admin has locked out: why, in the admin's words. */
const CLOSED_COOKIE = 'altocert_closed'
const CLOSED_SECONDS = 20
const YEAR_SECONDS = 365 * 24 * 3600
const DEVICE_ACCOUNTS = 5
/** Per network address, an order of magnitude above what the lock and the browser's own limit allow. */
const NETWORK_ATTEMPTS = 300
// What an unknown address is checked against, so that it takes as long as a known one.
const nobodysHash = hashPassword(randomUUID())

export type AccountsDependencies = {
  readonly secret: string
  readonly brand: string
  readonly mail: Mail
  readonly google: GoogleSignIn
  /** A person has just signed in; what a guest did before is brought along. */
  onSignedIn(context: RequestContext, user: { id: UserId }, guestId: GuestId | null): Promise<void>
}

export function accountsApi(deps: AccountsDependencies) {
  const limit = networkLimit({ attempts: NETWORK_ATTEMPTS, windowMs: RATE_WINDOW_MS })

  const signIn = async (context: RequestContext, identity: Pick<Identity, 'id' | 'email'>) => {
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
    const known = [
      accountMark(identity.email),
      ...accounts.filter((mark) => mark !== accountMark(identity.email)),
    ].slice(0, DEVICE_ACCOUNTS)
    set(DEVICE_COOKIE, sign([id, ...known].join(':'), 'device', deps.secret), YEAR_SECONDS)
    await deps.onSignedIn(context, identity, context.guestId)
  }

  const sendVerification = async (context: RequestContext, identity: Pick<Identity, 'id' | 'email' | 'name'>) => {
    await context.db.transaction().execute(async (tx) => {
      const token = await issueToken(tx, { purpose: 'verify', userId: identity.id, now: context.clock.now() })
      await deps.mail.send(
        verificationEmail({
          ...identity,
          brand: deps.brand,
          url: `${context.appUrl}${paths.verifyEmail}?token=${token}`,
        }),
        tx,
      )
    })
  }

  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/session',
      who: 'anyone',
      about: 'Who is signed in.',
      reply: SessionView,
      async handle(_input, { user }) {
        return {
          user: user === null ? null : { id: user.id, email: user.email, name: user.name, role: user.role },
        }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/sign-up',
      who: 'anyone',
      about: 'Makes an account and mails a link that verifies its address.',
      body: SignUp,
      reply: Done,
      async handle({ body }, context) {
        limit(context.networkAddress)
        if ((await findIdentity(context.db, body.email)) !== null)
          throw fail('account.exists', { fields: [{ field: 'email', message: copy['register.exists'] }] })
        const passwordHash = await hashPassword(body.password)
        const now = context.clock.now()
        const userId = await context.db.transaction().execute(async (tx) => {
          const id = await createAccount(tx, { name: body.name, email: body.email, passwordHash })
          const token = await issueToken(tx, { purpose: 'verify', userId: id, now })
          await deps.mail.send(
            verificationEmail({
              email: body.email,
              name: body.name,
              brand: deps.brand,
              url: `${context.appUrl}${paths.verifyEmail}?token=${token}`,
            }),
            tx,
          )
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
    endpoint({
      method: 'POST',
      path: '/api/auth/sign-in',
      who: 'anyone',
      about: 'Signs in with email and password. Five failures lock the address for 15 minutes.',
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
        const identity = await findIdentity(context.db, body.email)
        const isRight = await isPassword(body.password, identity?.passwordHash || (await nobodysHash))
        if (identity === null || !isRight || identity.passwordHash === null) {
          if (claim.lock.lockedUntil !== null)
            throw fail('account.locked-now', {
              facts: { remaining: 0, lockedUntil: claim.lock.lockedUntil.toISOString() },
            })
          throw fail('account.invalid-credentials', { facts: { remaining: LOCKOUT_FAILURES - claim.lock.failures } })
        }
        await clearSignInCount(context.db, { email: body.email, device })
        if (!identity.isVerified) throw fail('account.unverified')
        await signIn(context, identity)
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
    endpoint({
      method: 'POST',
      path: '/api/auth/verify-email',
      who: 'anyone',
      about: 'Verifies an address by the token of its mail; signs in the browser that made the account.',
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
        await signIn(context, { id: userId, email: user.email })
        return { user }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/send-verification',
      who: 'anyone',
      about: 'Mails a new verification link, if the address has an unverified account. Says the same either way.',
      body: OnlyEmail,
      reply: Done,
      async handle({ body }, context) {
        limit(context.networkAddress)
        const identity = await findIdentity(context.db, body.email)
        if (identity !== null && !identity.isVerified) await sendVerification(context, identity)
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/forgot-password',
      who: 'anyone',
      about: 'Mails a link for a new password, if the address has an account. Says the same either way.',
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
      about: 'Sets a new password by the token of the mail; ends every session and every lock of the address.',
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

/** Sign-in with Google travels by page loads, so these two are plain routes. */
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
          const told = { maxAgeSeconds: CLOSED_SECONDS, isSecure: context.appUrl.startsWith('https:') }
          const headers = new Headers({ location: `${context.appUrl}${paths.login}?error=closed` })
          headers.append('set-cookie', cookieHeader(CLOSED_COOKIE, reason, told))
          return new Response(null, { status: 303, headers })
        }
        return reply
      } catch (error) {
        return refused(context, error)
      }
    },
  }
}

/** Why somebody may not sign in, once: after the page has it, nobody else at this browser reads it. */
export const loginLoader = pageLoader(async ({ context }) => {
  const closedReason = readCookie(context.request.headers.get('cookie'), CLOSED_COOKIE)
  if (closedReason !== null) {
    const gone = { maxAgeSeconds: 0, isSecure: context.appUrl.startsWith('https:') }
    context.replyHeaders.append('set-cookie', cookieHeader(CLOSED_COOKIE, '', gone))
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

/** A device that has signed in to this very address counts apart, so that nobody can lock its owner out from afar. */
function knownDevice(context: RequestContext, secret: string, email: string): string {
  const { id, accounts } = readDevice(context, secret)
  return accounts.includes(accountMark(email)) ? id : ''
}
