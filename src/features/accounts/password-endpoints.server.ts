import type { Db } from '../../db/open.server.ts'
import { paths } from '../../lib/paths.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import { authEvent } from '../../platform/auth-log.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { findTokenOwner, issueToken, setNewPassword } from './accounts-commands.server.ts'
import { resetEmail } from './accounts-emails.server.ts'
import { findIdentity, type Identity } from './accounts-queries.server.ts'
import { fail, OnlyEmail, ResetPassword } from './accounts.schema.ts'
import { hashPassword } from './argon2-gateway.server.ts'
import { requireUnguessable } from './common-passwords-queries.server.ts'

export type PasswordDeps = { readonly brand: string; readonly mail: Mail }

/** New passwords by email. */
export function passwordEndpoints(deps: PasswordDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/forgot-password',
      who: 'anyone',
      limit: 'account',
      about: 'Emails a link for a new password if the address has an account. The reply is always the same.',
      body: OnlyEmail,
      reply: Done,
      async handle({ body }, context) {
        const identity = await findIdentity(context.db, body.email)
        if (identity !== null) await context.db.transaction().execute((tx) => sendReset(tx, deps, context, identity))
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/reset-password',
      who: 'anyone',
      limit: 'account',
      about: 'Sets a new password with the token of the email; ends all sessions and locks of the address.',
      body: ResetPassword,
      reply: Done,
      async handle({ body }, context) {
        const { db, clock } = context
        const owner = await findTokenOwner(db, { purpose: 'reset', secret: body.token, now: clock.now() })
        if (owner === null) throw fail('account.bad-reset-token')
        requireUnguessable(body.password, owner, deps.brand)
        const passwordHash = await hashPassword(body.password)
        const userId = await setNewPassword(db, { token: body.token, passwordHash, now: clock.now() })
        authEvent(context, { event: 'password-reset', account: userId })
        return done
      },
    }),
  ]
}

/** Emails a link for a new password; without the name while the address is not verified, because a stranger may have typed it. */
export async function sendReset(
  tx: Db,
  { mail, brand }: PasswordDeps,
  context: RequestContext,
  { id, email, name, isVerified }: Pick<Identity, 'id' | 'email' | 'name' | 'isVerified'>,
): Promise<void> {
  const token = await issueToken(tx, { purpose: 'reset', userId: id, now: context.clock.now() })
  const url = `${context.appUrl}${paths.resetPassword}?token=${token}`
  await mail.send(resetEmail({ email, name: isVerified ? name : null, brand, url }), tx)
  authEvent(context, { event: 'reset-sent', account: id })
}
