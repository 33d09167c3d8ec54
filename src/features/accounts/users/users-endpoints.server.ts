import { paths } from '../../../lib/paths.ts'
import { authEvent } from '../../../platform/auth-log.server.ts'
import { requireAdmin, type RequestContext } from '../../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { fail as failPlatform } from '../../../platform/request-failures.ts'
import { resetEmail } from '../accounts-emails.server.ts'
import { EndedSessions, LockUser, UserPath, SetExtraTime, SetRole } from './users.schema.ts'
import {
  endSessions,
  issueReset,
  lockUser,
  setExtraTime,
  setRole,
  unlockUser,
  verifyUser,
} from './users-commands.server.ts'

type UsersDeps = { readonly mail: Mail; readonly brand: string }

/** Endpoints of admins for users. */
export function usersApi(deps: UsersDeps) {
  return [...profileEndpoints, ...lockEndpoints, ...signInEndpoints(deps)]
}

const profileEndpoints = [
  endpoint({
    method: 'PUT',
    path: '/api/profiles/:userId/extra-time',
    who: 'admin',
    about: "Sets a learner's extra time for timed exams that begin from then on.",
    params: UserPath,
    body: SetExtraTime,
    reply: Done,
    async handle({ params, body }, context) {
      await setExtraTime(context.db, { ...actionOf(context, params), ...body })
      return done
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/api/profiles/:userId/role',
    who: 'admin',
    needsConfirmation: true,
    about: 'Makes a user an admin or a student. The own role and that of the last admin cannot change.',
    params: UserPath,
    body: SetRole,
    reply: Done,
    async handle({ params, body }, context) {
      await setRole(context.db, { ...actionOf(context, params), ...body })
      authEvent(context, { event: 'role-changed', account: params.userId, by: body.role })
      return done
    },
  }),
]

const lockEndpoints = [
  endpoint({
    method: 'PUT',
    path: '/api/profiles/:userId/lock',
    who: 'admin',
    about: 'Locks a user out: ends all sessions and shows the reason at sign-in.',
    params: UserPath,
    body: LockUser,
    reply: Done,
    async handle({ params, body }, context) {
      await lockUser(context.db, { ...actionOf(context, params), ...body })
      authEvent(context, { event: 'user-locked', account: params.userId })
      return done
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/profiles/:userId/lock',
    who: 'admin',
    about: 'Unlocks a user.',
    params: UserPath,
    reply: Done,
    async handle({ params }, context) {
      await unlockUser(context.db, actionOf(context, params))
      authEvent(context, { event: 'user-unlocked', account: params.userId })
      return done
    },
  }),
]

/** Sign-in: the verified address, the password, the sessions. */
function signInEndpoints({ mail, brand }: UsersDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/profiles/:userId/verify',
      who: 'admin',
      about: "Marks a user's email address as verified.",
      params: UserPath,
      reply: Done,
      async handle({ params }, context) {
        await verifyUser(context.db, actionOf(context, params))
        authEvent(context, { event: 'verified', account: params.userId })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/:userId/send-reset',
      who: 'admin',
      about: 'Emails a user a link for a new password.',
      params: UserPath,
      reply: Done,
      async handle({ params }, context) {
        await context.db.transaction().execute(async (tx) => {
          const { token, email, name } = await issueReset(tx, actionOf(context, params))
          const url = `${context.appUrl}${paths.resetPassword}?token=${token}`
          if (!(await mail.send(resetEmail({ email, name, brand, url }), tx))) throw failPlatform('mail.too-many')
        })
        authEvent(context, { event: 'reset-sent', account: params.userId })
        return done
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/profiles/:userId/sessions',
      who: 'admin',
      about: 'Signs a user out everywhere.',
      params: UserPath,
      reply: EndedSessions,
      async handle({ params }, context) {
        const ended = await endSessions(context.db, actionOf(context, params))
        authEvent(context, { event: 'sessions-ended', account: params.userId })
        return { ended }
      },
    }),
  ]
}

function actionOf(context: RequestContext, { userId }: { userId: string }) {
  return { userId, actorId: requireAdmin(context).id, now: context.clock.now() }
}
