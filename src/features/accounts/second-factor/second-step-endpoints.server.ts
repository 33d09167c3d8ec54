import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import type { RequestContext } from '../../../platform/http/request-context.server.ts'
import { findIdentity, findLockReason, getUserView } from '../accounts-queries.server.ts'
import { closedFailure, fail as failAccount, SessionView } from '../accounts.schema.ts'
import { requireNoLockout, signIn, type SignInDeps } from '../sign-in-endpoints.server.ts'
import { usePasskey } from './passkeys-commands.server.ts'
import { issueOptions, issueProofOptions, proveFactor } from './second-factor-proof-endpoints.server.ts'
import { fail, FactorProof, PasskeyOptions, PasskeySignIn } from './second-factor.schema.ts'
import { endSecondStep, findSecondStep, finishSecondStep } from './second-step-commands.server.ts'
import { assertionOptions, siteOf } from './webauthn-gateway.server.ts'

/** The second step of a sign-in, and the sign-in with a passkey alone. */
export function secondStepEndpoints(deps: SignInDeps) {
  return [...stepEndpoints(deps), ...passkeySignInEndpoints(deps)]
}

function stepEndpoints(deps: SignInDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/second-step',
      who: 'anyone',
      limit: 'account',
      about:
        'Finishes a sign-in that needs a second factor, with a code, a recovery code or a passkey. Wrong codes count towards the lockout.',
      body: FactorProof,
      reply: SessionView,
      async handle({ body }, context) {
        const user = await requireStep(context)
        await proveFactor(context, { ...user, email: user.email.toLowerCase() }, body, deps.secret)
        await finishSecondStep(context)
        await signIn(deps, context, user, 'second-step')
        return { user: await getUserView(context.db, user.id) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/second-step/options',
      who: 'anyone',
      limit: 'account',
      about: 'The options of WebAuthn for the second step of a sign-in.',
      reply: PasskeyOptions,
      async handle(_input, context) {
        const user = await requireStep(context)
        return issueProofOptions(context, user.id)
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/second-step',
      who: 'anyone',
      about: 'Gives up the second step of this browser, to sign in as somebody else.',
      reply: Done,
      async handle(_input, context) {
        await endSecondStep(context)
        return done
      },
    }),
  ]
}

function passkeySignInEndpoints(deps: SignInDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/passkey-sign-in/options',
      who: 'anyone',
      limit: 'account',
      about: 'The options of WebAuthn for a sign-in with a passkey alone.',
      reply: PasskeyOptions,
      async handle(_input, context) {
        const options = await assertionOptions(siteOf(context.request, context.appUrl), null)
        return issueOptions(context, { purpose: 'sign-in', userId: null }, options)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/passkey-sign-in',
      who: 'anyone',
      limit: 'account',
      about: 'Signs in with a passkey alone. Locked accounts and unverified addresses are refused as with a password.',
      body: PasskeySignIn,
      reply: SessionView,
      async handle({ body }, context) {
        const { db, clock } = context
        const site = siteOf(context.request, context.appUrl)
        const id = await usePasskey(db, { answer: body.passkey, site, userId: null, now: clock.now() })
        const reason = await findLockReason(db, id)
        if (reason !== null) throw closedFailure(reason)
        const { email } = await getUserView(db, id)
        await requireNoLockout(context, email, deps.secret)
        const identity = await findIdentity(db, email.toLowerCase())
        if (identity?.isVerified !== true) throw failAccount('account.unverified')
        await signIn(deps, context, identity, 'passkey')
        return { user: await getUserView(db, id) }
      },
    }),
  ]
}

/** @throws Failure second-factor.step-ended */
async function requireStep(context: RequestContext) {
  const user = await findSecondStep(context)
  if (user === null) throw fail('second-factor.step-ended')
  return user
}
