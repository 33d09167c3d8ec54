import type { Db } from '../../db/open.server.ts'
import { paths } from '../../lib/paths.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { issueToken, setNewPassword } from './accounts-commands.server.ts'
import { resetEmail } from './accounts-emails.server.ts'
import { findIdentity, type Identity } from './accounts-queries.server.ts'
import { OnlyEmail, ResetPassword } from './accounts.schema.ts'
import { hashPassword } from './argon2-gateway.server.ts'
import type { NetworkLimit } from './sign-in-endpoints.server.ts'

export type PasswordDeps = { readonly brand: string; readonly mail: Mail }

/** New passwords by email. */
export function passwordEndpoints(deps: PasswordDeps, limit: NetworkLimit) {
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
        if (identity !== null) await context.db.transaction().execute((tx) => sendReset(tx, deps, context, identity))
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

/** Emails a link for a new password. */
export async function sendReset(
  tx: Db,
  { mail, brand }: PasswordDeps,
  { appUrl, clock }: RequestContext,
  { id, email, name }: Pick<Identity, 'id' | 'email' | 'name'>,
): Promise<void> {
  const token = await issueToken(tx, { purpose: 'reset', userId: id, now: clock.now() })
  const url = `${appUrl}${paths.resetPassword}?token=${token}`
  await mail.send(resetEmail({ email, name, brand, url }), tx)
}
