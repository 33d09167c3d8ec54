import type { Db } from '../../../db/open.server.ts'
import { paths } from '../../../lib/paths.ts'
import { isConfirmed } from '../../../lib/user.ts'
import { authEvent } from '../../../platform/auth-log.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { requireUser, type RequestContext } from '../../../platform/http/request-context.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { addPasskey, removePasskey, renamePasskey, useChallenge } from './passkeys-commands.server.ts'
import {
  beginAuthenticator,
  enableAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
} from './second-factor-commands.server.ts'
import { factorEmail, type FactorEvent } from './second-factor-emails.server.ts'
import { findConfirmationMethods, issueOptions, issueProofOptions } from './second-factor-proof-endpoints.server.ts'
import { findFactors, getSecondFactor, listPasskeys } from './second-factor-queries.server.ts'
import {
  AuthenticatorSetup,
  ConfirmationState,
  EnableAuthenticator,
  fail,
  NewPasskey,
  PasskeyOptions,
  PasskeyPath,
  RecoveryCodes,
  RenamePasskey,
  SecondFactorView,
} from './second-factor.schema.ts'
import { newTotpSecret, setupOf } from './totp-gateway.server.ts'
import { challengeOf, readNewPasskey, registrationOptions, siteOf } from './webauthn-gateway.server.ts'

/** What users do themselves; a reset is the command line's. */
type OwnEvent = Exclude<FactorEvent, 'reset'>

type FactorDeps = { readonly secret: string; readonly brand: string; readonly mail: Mail }

/** What users set up for themselves. Whatever weakens or widens the ways to sign in needs a recent confirmation. */
export function secondFactorApi(deps: FactorDeps) {
  return [
    ...stateEndpoints(),
    ...authenticatorEndpoints(deps),
    ...recoveryEndpoints(deps),
    ...newPasskeyEndpoints(deps),
    ...passkeyEndpoints(deps),
  ]
}

function stateEndpoints() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/second-factor',
      who: 'signed-in',
      about: 'What the user has set up: authenticator app, recovery codes left, passkeys.',
      reply: SecondFactorView,
      handle: (_input, context) => getSecondFactor(context.db, requireUser(context).id),
    }),
    endpoint({
      method: 'GET',
      path: '/api/auth/confirmation',
      who: 'signed-in',
      about: 'Whether the user proved lately who they are, and how they may do it.',
      reply: ConfirmationState,
      async handle(_input, context) {
        const user = requireUser(context)
        return {
          isConfirmed: isConfirmed(user, context.clock.now()),
          methods: await findConfirmationMethods(context),
        }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/confirmation/options',
      who: 'signed-in',
      about: 'The options of WebAuthn for a confirmation with a passkey.',
      reply: PasskeyOptions,
      handle: (_input, context) => issueProofOptions(context, requireUser(context).id),
    }),
  ]
}

function authenticatorEndpoints(deps: FactorDeps) {
  const { secret, brand } = deps
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/authenticator',
      who: 'signed-in',
      needsConfirmation: true,
      about: 'Begins to set up an authenticator app (TOTP): its secret as text and QR code.',
      reply: AuthenticatorSetup,
      async handle(_input, context) {
        const user = requireUser(context)
        const totpSecret = newTotpSecret()
        await beginAuthenticator(context.db, { userId: user.id, now: context.clock.now(), secret, totpSecret })
        return setupOf(totpSecret, { email: user.email, brand })
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/authenticator/enable',
      who: 'signed-in',
      needsConfirmation: true,
      about: 'Turns the authenticator app on after one right code, and returns the recovery codes, once.',
      body: EnableAuthenticator,
      reply: RecoveryCodes,
      async handle({ body }, context) {
        const { id: userId } = requireUser(context)
        const recoveryCodes = await withEmail(deps, context, 'authenticator-added', (tx) =>
          enableAuthenticator(tx, { userId, now: context.clock.now(), secret, code: body.code }),
        )
        return { recoveryCodes }
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/authenticator',
      who: 'signed-in',
      needsConfirmation: true,
      about: 'Turns the authenticator app off, with its recovery codes.',
      reply: Done,
      async handle(_input, context) {
        const { id: userId } = requireUser(context)
        const isRemoved = await context.db.transaction().execute(async (tx) => {
          const removed = await removeAuthenticator(tx, userId)
          if (removed) await notifyOwner(tx, deps, context, 'authenticator-removed')
          return removed
        })
        if (isRemoved) authEvent(context, { event: 'authenticator-removed', account: userId })
        return done
      },
    }),
  ]
}

function recoveryEndpoints(deps: FactorDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/recovery-codes',
      who: 'signed-in',
      needsConfirmation: true,
      about: 'Makes new recovery codes and returns them, once. The old ones stop working.',
      reply: RecoveryCodes,
      async handle(_input, context) {
        const { id: userId } = requireUser(context)
        if (!(await findFactors(context.db, userId)).hasAuthenticator) throw fail('authenticator.missing')
        const recoveryCodes = await withEmail(deps, context, 'recovery-renewed', (tx) =>
          renewRecoveryCodes(tx, { userId, secret: deps.secret }),
        )
        return { recoveryCodes }
      },
    }),
  ]
}

function newPasskeyEndpoints(deps: FactorDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/passkeys/options',
      who: 'signed-in',
      needsConfirmation: true,
      about: 'The options of WebAuthn for a new passkey.',
      reply: PasskeyOptions,
      async handle(_input, context) {
        const user = requireUser(context)
        const site = siteOf(context.request, context.appUrl)
        const known = await listPasskeys(context.db, user.id)
        const options = await registrationOptions(site, { ...user, brand: deps.brand }, known)
        return issueOptions(context, { purpose: 'register', userId: user.id }, options)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/passkeys',
      who: 'signed-in',
      needsConfirmation: true,
      about: 'Adds a passkey under a name.',
      body: NewPasskey,
      reply: Done,
      async handle({ body }, context) {
        const { id: userId } = requireUser(context)
        const now = context.clock.now()
        const site = siteOf(context.request, context.appUrl)
        const challenge = challengeOf(body.passkey, site)
        await useChallenge(context.db, { purpose: 'register', challenge, userId, now })
        const passkey = await readNewPasskey(body.passkey, challenge, site)
        await withEmail(deps, context, 'passkey-added', (tx) =>
          addPasskey(tx, { passkey, userId, name: body.name, now }),
        )
        return done
      },
    }),
  ]
}

function passkeyEndpoints(deps: FactorDeps) {
  return [
    endpoint({
      method: 'PATCH',
      path: '/api/auth/passkeys/:passkeyId',
      who: 'signed-in',
      about: 'Renames a passkey.',
      params: PasskeyPath,
      body: RenamePasskey,
      reply: Done,
      async handle({ params, body }, context) {
        await renamePasskey(context.db, { id: params.passkeyId, userId: requireUser(context).id, name: body.name })
        return done
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/passkeys/:passkeyId',
      who: 'signed-in',
      needsConfirmation: true,
      about: 'Removes a passkey.',
      params: PasskeyPath,
      reply: Done,
      async handle({ params }, context) {
        const { id: userId } = requireUser(context)
        await withEmail(deps, context, 'passkey-removed', (tx) => removePasskey(tx, { id: params.passkeyId, userId }))
        return done
      },
    }),
  ]
}

/** Runs a change and emails the owner about it, in one transaction, and logs it. */
async function withEmail<Result>(
  deps: FactorDeps,
  context: RequestContext,
  event: OwnEvent,
  change: (tx: Db) => Promise<Result>,
): Promise<Result> {
  const result = await context.db.transaction().execute(async (tx) => {
    const changed = await change(tx)
    await notifyOwner(tx, deps, context, event)
    return changed
  })
  authEvent(context, { event, account: requireUser(context).id })
  return result
}

async function notifyOwner(tx: Db, { mail, brand }: FactorDeps, context: RequestContext, event: OwnEvent) {
  const { email, name } = requireUser(context)
  const url = `${context.appUrl}${paths.accountSecurity}`
  await mail.send(factorEmail(event, { email, name, brand, url }), tx)
}
