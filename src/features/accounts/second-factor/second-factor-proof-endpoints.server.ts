import type { UserId } from '../../../lib/ids.ts'
import { requireUser, type RequestContext } from '../../../platform/http/request-context.server.ts'
import { clearSignInCount } from '../accounts-commands.server.ts'
import { findIdentity } from '../accounts-queries.server.ts'
import { claimProof, identityWithPassword, requireNoLockout, wrongProof } from '../sign-in-endpoints.server.ts'
import { storeChallenge, usePasskey, type ChallengePurpose } from './passkeys-commands.server.ts'
import { useCode, useRecoveryCode } from './second-factor-commands.server.ts'
import { findFactors, listPasskeys } from './second-factor-queries.server.ts'
import { fail, type Confirmation, type FactorProof, type PasskeyOptions } from './second-factor.schema.ts'
import { confirmationMethods, type ConfirmationMethods } from './second-factor.ts'
import { assertionOptions, siteOf } from './webauthn-gateway.server.ts'

type Account = { readonly id: UserId; readonly email: string }

/**
 * Checks a code, a recovery code or a passkey of this user. Wrong codes count towards the lockout of the account.
 * @throws Failure account.locked, account.locked-now and those of the second factor
 */
export async function proveFactor(
  context: RequestContext,
  { id: userId, email }: Account,
  proof: FactorProof,
  secret: string,
): Promise<void> {
  const { db, clock } = context
  const now = clock.now()
  if (proof.passkey !== undefined) {
    await requireNoLockout(context, email, secret)
    await usePasskey(db, { answer: proof.passkey, site: siteOf(context.request, context.appUrl), userId, now })
    return
  }
  const claim = await claimProof(context, email, secret)
  const failure = await failureOfCode(context, userId, proof, secret)
  if (failure !== null) throw wrongProof(context, claim, failure)
  await clearSignInCount(db, claim)
}

async function failureOfCode({ db, clock }: RequestContext, userId: UserId, proof: FactorProof, secret: string) {
  if (proof.recoveryCode !== undefined) {
    const isRight = await useRecoveryCode(db, { userId, secret, code: proof.recoveryCode })
    return isRight ? null : fail('second-factor.wrong-recovery-code')
  }
  const outcome = await useCode(db, { userId, secret, now: clock.now(), code: proof.code ?? '' })
  if (outcome === 'right') return null
  if (outcome === 'wrong') return fail('second-factor.wrong-code')
  if (outcome === 'used') return fail('second-factor.code-used')
  return fail(outcome === 'clock' ? 'second-factor.clock' : 'second-factor.unreadable')
}

/** Stores the challenge of WebAuthn options, so that its answer can be checked, and returns the options to reply with. */
export async function issueOptions(
  { db, clock }: RequestContext,
  issue: { purpose: ChallengePurpose; userId: UserId | null },
  options: { readonly challenge: string },
): Promise<PasskeyOptions> {
  await storeChallenge(db, { ...issue, challenge: options.challenge, now: clock.now() })
  return { ...options }
}

/** The WebAuthn options for a known user who confirms with a passkey who they are. */
export async function issueProofOptions(context: RequestContext, userId: UserId) {
  const site = siteOf(context.request, context.appUrl)
  const options = await assertionOptions(site, await listPasskeys(context.db, userId))
  return issueOptions(context, { purpose: 'prove', userId }, options)
}

/** How the signed-in user may confirm who they are. */
export async function findConfirmationMethods(context: RequestContext): Promise<ConfirmationMethods> {
  const user = requireUser(context)
  const [factors, identity] = await Promise.all([
    findFactors(context.db, user.id),
    findIdentity(context.db, user.email.toLowerCase()),
  ])
  return confirmationMethods(factors, (identity?.passwordHash ?? '') !== '')
}

/** Checks that the signed-in user is in front of the browser. A password is not enough where a second factor is set up. */
export async function proveIdentity(context: RequestContext, proof: Confirmation, secret: string): Promise<void> {
  const user = requireUser(context)
  const { password, ...factorProof } = proof
  if (password === undefined) return proveFactor(context, user, factorProof, secret)
  const methods = await findConfirmationMethods(context)
  if (methods.code || methods.passkey) throw fail('second-factor.needed')
  await identityWithPassword(context, { email: user.email.toLowerCase(), password }, secret)
}
