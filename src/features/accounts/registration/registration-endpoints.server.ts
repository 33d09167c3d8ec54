import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { paths } from '../../../lib/paths.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import type { RequestContext } from '../../../platform/http/request-context.server.ts'
import { authEvent } from '../../../platform/auth-log.server.ts'
import { cookieHeader, readCookie, sign, verifySigned } from '../../../platform/http/signed-cookie.server.ts'
import { copy } from '../accounts.copy.ts'
import { requireUnguessable } from '../common-passwords-queries.server.ts'
import { createAccount, findTokenOwner, issueToken, verifyAddress } from '../accounts-commands.server.ts'
import { verificationEmail } from '../accounts-emails.server.ts'
import { findIdentity, findLockReason, type Identity } from '../accounts-queries.server.ts'
import { fail, OnlyEmail, SessionView, SignUp, VerifyEmail, VerifyToken } from '../accounts.schema.ts'
import { hashPassword } from '../argon2-gateway.server.ts'
import { sendReset, type PasswordDeps } from '../password-endpoints.server.ts'
import { beginSession, identityWithPassword, type SignInDeps } from '../sign-in-endpoints.server.ts'

const SIGN_UP_COOKIE = 'altocert_signup'

type VerificationDeps = SignInDeps & PasswordDeps

export function registrationEndpoints(deps: VerificationDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/sign-up',
      who: 'anyone',
      limit: 'account',
      about: 'Creates an account and emails a link that verifies its address.',
      body: SignUp,
      reply: Done,
      async handle({ body }, context) {
        if ((await findIdentity(context.db, body.email)) !== null)
          throw fail('account.exists', { fields: [{ field: 'email', message: copy['register.exists'] }] })
        requireUnguessable(body.password, body, deps.brand)
        const passwordHash = await hashPassword(body.password)
        const userId = await context.db.transaction().execute(async (tx) => {
          const id = await createAccount(tx, { name: body.name, email: body.email, passwordHash })
          await sendVerification(tx, deps, context, { id, email: body.email })
          return id
        })
        authEvent(context, { event: 'sign-up', account: userId })
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
export function verificationEndpoints(deps: VerificationDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/verify-email',
      who: 'anyone',
      limit: 'account',
      about:
        'Verifies an address with the token of its email, and signs in. Another browser than the one that signed up also sends the password.',
      body: VerifyEmail,
      reply: SessionView,
      async handle({ body }, context) {
        const { db, clock } = context
        const waiting = await requireTokenOwner(context, body.token)
        if (!isSignUpBrowser(context, waiting.id, deps.secret))
          await requirePassword(context, waiting.email, body.password, deps.secret)
        await verifyAddress(db, { userId: waiting.id, token: body.token, now: clock.now() })
        authEvent(context, { event: 'verified', account: waiting.id })
        if ((await findLockReason(db, waiting.id)) !== null) return { user: null }
        return beginSession(deps, context, waiting)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/verify-email/new-password',
      who: 'anyone',
      limit: 'account',
      about:
        'Emails a link for a new password to the address of a verification link, for owners who did not choose its password.',
      body: VerifyToken,
      reply: Done,
      async handle({ body }, context) {
        const owner = await requireTokenOwner(context, body.token)
        await context.db.transaction().execute((tx) => sendReset(tx, deps, context, { ...owner, isVerified: false }))
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/send-verification',
      who: 'anyone',
      limit: 'account',
      about: 'Emails a new verification link if the address has an unverified account. The reply is always the same.',
      body: OnlyEmail,
      reply: Done,
      async handle({ body }, context) {
        const identity = await findIdentity(context.db, body.email)
        if (identity === null || identity.isVerified) return done
        await context.db.transaction().execute((tx) => sendVerification(tx, deps, context, identity))
        authEvent(context, { event: 'verification-sent', account: identity.id })
        return done
      },
    }),
  ]
}

/** The account that a verification link was emailed for. @throws Failure account.bad-token */
async function requireTokenOwner({ db, clock }: RequestContext, token: string) {
  const owner = await findTokenOwner(db, { purpose: 'verify', secret: token, now: clock.now() })
  if (owner === null) throw fail('account.bad-token')
  return owner
}

/** Whether the request comes from the browser in which this account was created. */
function isSignUpBrowser({ request }: RequestContext, userId: UserId, secret: string): boolean {
  return verifySigned(readCookie(request.headers.get('cookie'), SIGN_UP_COOKIE), 'sign-up', secret) === userId
}

/**
 * Anyone can sign up with the address of somebody else and a password of their own. So its owner, who opens the link, must know the
 * password before the address counts as verified. @throws Failure account.password-needed, account.invalid-credentials, account.locked
 */
async function requirePassword(
  context: RequestContext,
  email: string,
  password: string | undefined,
  secret: string,
): Promise<void> {
  if (password === undefined) throw fail('account.password-needed', { facts: { email } })
  await identityWithPassword(context, { email: email.toLowerCase(), password }, secret)
}

async function sendVerification(
  tx: Db,
  { mail, brand }: VerificationDeps,
  context: RequestContext,
  { id, email }: Pick<Identity, 'id' | 'email'>,
): Promise<void> {
  const token = await issueToken(tx, { purpose: 'verify', userId: id, now: context.clock.now() })
  const url = `${context.appUrl}${paths.verifyEmail}?token=${token}`
  await mail.send(verificationEmail({ email, brand, url }), tx)
}
