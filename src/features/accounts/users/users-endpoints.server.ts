import { paths } from '../../../lib/paths.ts'
import { requireAdmin, type RequestContext } from '../../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
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

/** What admins do with people. */
export function usersApi(deps: { readonly mail: Mail; readonly brand: string }) {
  const by = (context: RequestContext, { userId }: { userId: string }) => ({
    userId,
    actorId: requireAdmin(context).id,
    now: context.clock.now(),
  })
  return [
    endpoint({
      method: 'PUT',
      path: '/api/profiles/:userId/extra-time',
      who: 'admin',
      about: "Sets a learner's extra time, for the timed exams that they begin from then on.",
      params: UserPath,
      body: SetExtraTime,
      reply: Done,
      async handle({ params, body }, context) {
        await setExtraTime(context.db, { ...by(context, params), ...body })
        return done
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/profiles/:userId/role',
      who: 'admin',
      about: "Makes somebody an admin, or a student again. Never one's own role, never the last admin's.",
      params: UserPath,
      body: SetRole,
      reply: Done,
      async handle({ params, body }, context) {
        await setRole(context.db, { ...by(context, params), ...body })
        return done
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/profiles/:userId/lock',
      who: 'admin',
      about: 'Signs somebody out everywhere and keeps them out; they are told the reason when they try to sign in.',
      params: UserPath,
      body: LockUser,
      reply: Done,
      async handle({ params, body }, context) {
        await lockUser(context.db, { ...by(context, params), ...body })
        return done
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/profiles/:userId/lock',
      who: 'admin',
      about: 'Lets somebody in again.',
      params: UserPath,
      reply: Done,
      async handle({ params }, context) {
        await unlockUser(context.db, by(context, params))
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/:userId/verify',
      who: 'admin',
      about: "Takes somebody's mail address as verified.",
      params: UserPath,
      reply: Done,
      async handle({ params }, context) {
        await verifyUser(context.db, by(context, params))
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/:userId/send-reset',
      who: 'admin',
      about: 'Mails somebody a link for a new password.',
      params: UserPath,
      reply: Done,
      async handle({ params }, context) {
        await context.db.transaction().execute(async (tx) => {
          const { token, email, name } = await issueReset(tx, by(context, params))
          const url = `${context.appUrl}${paths.resetPassword}?token=${token}`
          await deps.mail.send(resetEmail({ email, name, brand: deps.brand, url }), tx)
        })
        return done
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/profiles/:userId/sessions',
      who: 'admin',
      about: 'Signs somebody out everywhere.',
      params: UserPath,
      reply: EndedSessions,
      async handle({ params }, context) {
        return { ended: await endSessions(context.db, by(context, params)) }
      },
    }),
  ]
}
