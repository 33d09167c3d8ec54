import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { requireUser } from '../../../platform/http/request-context.server.ts'
import { identityWithPassword } from '../sign-in-endpoints.server.ts'
import { Confirmation } from './sessions.schema.ts'
import { confirmSession } from './sessions-commands.server.ts'

/** What users see and do with their own sessions. */
export function sessionsApi({ secret }: { readonly secret: string }) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/confirmation',
      who: 'signed-in',
      about:
        'Proves with the password who is signed in, for calls that need a recent sign-in. Wrong passwords count towards the lockout.',
      body: Confirmation,
      reply: Done,
      async handle({ body }, context) {
        const user = requireUser(context)
        await identityWithPassword(context, { email: user.email.toLowerCase(), password: body.password }, secret)
        await confirmSession(context.db, { id: user.sessionId, now: context.clock.now() })
        return done
      },
    }),
  ]
}
