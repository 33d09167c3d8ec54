import { authEvent } from '../../../platform/auth-log.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { requireUser } from '../../../platform/http/request-context.server.ts'
import { proveIdentity } from '../second-factor/second-factor-proof-endpoints.server.ts'
import { Confirmation } from '../second-factor/second-factor.schema.ts'
import { endedSessionCookie, sessionCookie } from './session-cookie-queries.server.ts'
import { confirmSession, endSession, endSessions } from './sessions-commands.server.ts'
import { listSessions } from './sessions-queries.server.ts'
import { EndedSessions, fail, SessionList, SessionPath } from './sessions.schema.ts'

/** What users see and do with their own sessions. */
export function sessionsApi({ secret }: { readonly secret: string }) {
  return [
    ...ownSessionEndpoints,
    endpoint({
      method: 'POST',
      path: '/api/auth/confirmation',
      who: 'signed-in',
      about:
        'Proves who is signed in, for calls that need a recent sign-in: with the password, or where a second factor is set up with a code, a recovery code or a passkey. Wrong ones count towards the lockout.',
      body: Confirmation,
      reply: Done,
      async handle({ body }, context) {
        const user = requireUser(context)
        await proveIdentity(context, body, secret).catch((error: unknown) => {
          authEvent(context, { event: 'confirmation-failed', account: user.id })
          throw error
        })
        const token = await confirmSession(context.db, { id: user.sessionId, now: context.clock.now() })
        context.replyHeaders.append('set-cookie', sessionCookie(token, { appUrl: context.appUrl, secret }))
        authEvent(context, { event: 'confirmed', account: user.id })
        return done
      },
    }),
  ]
}

const ownSessionEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    who: 'signed-in',
    about: 'The open sessions of the user: device, network address, last use.',
    reply: SessionList,
    async handle(_input, context) {
      const { id, sessionId } = requireUser(context)
      const sessions = await listSessions(context.db, { userId: id, current: sessionId, now: context.clock.now() })
      return { sessions }
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/:sessionId',
    who: 'signed-in',
    about: 'Signs the user out on one device.',
    params: SessionPath,
    reply: Done,
    async handle({ params }, context) {
      const user = requireUser(context)
      if (!(await endSession(context.db, { id: params.sessionId, userId: user.id }))) throw fail('session.ended')
      if (params.sessionId === user.sessionId)
        context.replyHeaders.append('set-cookie', endedSessionCookie(context.appUrl))
      return done
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions',
    who: 'signed-in',
    about: 'Signs the user out on every other device.',
    reply: EndedSessions,
    async handle(_input, context) {
      const { id, sessionId } = requireUser(context)
      return { ended: await endSessions(context.db, id, sessionId) }
    },
  }),
]
