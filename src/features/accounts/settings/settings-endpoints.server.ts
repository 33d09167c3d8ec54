import { paths } from '../../../lib/paths.ts'
import type { User } from '../../../lib/user.ts'
import { authEvent } from '../../../platform/auth-log.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, requireUserForPage } from '../../../platform/http/page-loader.server.ts'
import { requireConfirmation, requireUser, type RequestContext } from '../../../platform/http/request-context.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { findIdentity } from '../accounts-queries.server.ts'
import { fail as failAccounts } from '../accounts.schema.ts'
import { hashPassword } from '../argon2-gateway.server.ts'
import { requireUnguessable } from '../common-passwords-queries.server.ts'
import { deviceCookie } from '../device-cookie-queries.server.ts'
import { findFactors } from '../second-factor/second-factor-queries.server.ts'
import { identityWithPassword } from '../sign-in-endpoints.server.ts'
import { changeAddress, changeName, changePassword, issueAddressToken } from './settings-commands.server.ts'
import { addressChangedEmail, addressEmail, passwordChangedEmail } from './settings-emails.server.ts'
import { ChangeAddress, ChangeName, ChangePassword, ConfirmAddress, fail, NewAddress } from './settings.schema.ts'

type SettingsDeps = { readonly secret: string; readonly brand: string; readonly mail: Mail }

/** What users change about their own account. */
export function settingsApi(deps: SettingsDeps) {
  return [...nameEndpoints, ...passwordEndpoints(deps), ...addressEndpoints(deps)]
}

const nameEndpoints = [
  endpoint({
    method: 'PUT',
    path: '/api/profiles/me/name',
    who: 'signed-in',
    about: 'Changes the name of the user.',
    body: ChangeName,
    reply: Done,
    async handle({ body }, context) {
      await changeName(context.db, { userId: requireUser(context).id, name: body.name, now: context.clock.now() })
      return done
    },
  }),
]

function passwordEndpoints(deps: SettingsDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/password',
      who: 'signed-in',
      limit: 'account',
      about: `Changes the password, which ends every other session. ${OWNER_PROOF} An email tells of the change.`,
      body: ChangePassword,
      reply: Done,
      async handle({ body }, context) {
        const user = await requireOwner(context, body.currentPassword, deps.secret)
        requireUnguessable(body.password, user, deps.brand)
        const passwordHash = await hashPassword(body.password)
        await context.db.transaction().execute(async (tx) => {
          await changePassword(tx, { ...changerOf(user, context), passwordHash })
          const url = `${context.appUrl}${paths.forgotPassword}`
          await deps.mail.send(passwordChangedEmail({ email: user.email, name: user.name, brand: deps.brand, url }), tx)
        })
        authEvent(context, { event: 'password-changed', account: user.id })
        return done
      },
    }),
  ]
}

function addressEndpoints(deps: SettingsDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/address',
      who: 'signed-in',
      limit: 'account',
      about: `Emails a link to a new address, which replaces the present one when it is opened. ${OWNER_PROOF}`,
      body: ChangeAddress,
      reply: Done,
      async handle({ body }, context) {
        const user = await requireOwner(context, body.password, deps.secret)
        await requireFreeAddress(context, user, body.email)
        await context.db.transaction().execute(async (tx) => {
          const token = await issueAddressToken(tx, {
            userId: user.id,
            newEmail: body.email,
            now: context.clock.now(),
          })
          const url = `${context.appUrl}${paths.confirmAddress}?token=${token}`
          await deps.mail.send(addressEmail({ email: body.email, brand: deps.brand, url }), tx)
        })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/address/confirmation',
      who: 'signed-in',
      limit: 'account',
      about:
        'Replaces the address of the user by the one that the emailed link confirms, and ends every other session. The old address is told.',
      body: ConfirmAddress,
      reply: NewAddress,
      async handle({ body }, context) {
        const user = requireUser(context)
        const { newEmail } = await context.db.transaction().execute(async (tx) => {
          const changed = await changeAddress(tx, { ...changerOf(user, context), token: body.token })
          await deps.mail.follow(tx, { from: changed.oldEmail, to: changed.newEmail })
          await deps.mail.send(addressChangedEmail({ email: changed.oldEmail, name: user.name, brand: deps.brand }), tx)
          return changed
        })
        authEvent(context, { event: 'address-changed', account: user.id })
        context.replyHeaders.append('set-cookie', deviceCookie(context, deps.secret, newEmail))
        return { email: newEmail }
      },
    }),
  ]
}

const changerOf = (user: User, { clock }: RequestContext) => ({
  userId: user.id,
  sessionId: user.sessionId,
  now: clock.now(),
})

const OWNER_PROOF =
  'Whoever has a second factor or a passkey needs a recent confirmation with it. Wrong passwords count towards the lockout.'

/**
 * The signed-in user, who proves with the password that the account is theirs, and where a second factor or a passkey is set up
 * also with a recent confirmation.
 * @throws Failure confirmation.required, account.no-password, account.locked, account.locked-now, account.invalid-credentials
 */
async function requireOwner(context: RequestContext, password: string, secret: string): Promise<User> {
  const user = requireUser(context)
  const email = user.email.toLowerCase()
  const { hasAuthenticator, hasPasskey } = await findFactors(context.db, user.id)
  if (hasAuthenticator || hasPasskey) requireConfirmation(context)
  // Whoever signs in with Google only proves with an emailed link that the address is theirs, and sets a password with it.
  if (((await findIdentity(context.db, email))?.passwordHash ?? '') === '') throw fail('account.no-password')
  await identityWithPassword(context, { email, password }, secret)
  return user
}

/** Says no more about an address than signing up with it does. @throws Failure account.same-address, account.exists */
async function requireFreeAddress({ db }: RequestContext, user: User, email: string): Promise<void> {
  const problem = (message: string) => ({ fields: [{ field: 'email', message }] })
  if (email === user.email.toLowerCase())
    throw fail('account.same-address', problem(fail('account.same-address').message))
  if ((await findIdentity(db, email)) !== null)
    throw failAccounts('account.exists', problem(failAccounts('account.exists').message))
}

/** Only the account that asked for the link may open it, so a mistyped address gives nothing to its owner. */
export const confirmAddressLoader = pageLoader(async ({ context, url }) => {
  requireUserForPage(context, url)
  return null
})
