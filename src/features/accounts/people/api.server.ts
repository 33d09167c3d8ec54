import { paths } from '../../../lib/paths.ts'
import { requireAdmin, type RequestContext } from '../../../platform/context.server.ts'
import { Done, done, endpoint } from '../../../platform/endpoint.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { resetLetter } from '../letters.server.ts'
import { EndedSessions, LockPerson, PersonPath, SetExtraTime, SetRole } from './schema.ts'
import {
  endSessions,
  issueReset,
  lockPerson,
  setExtraTime,
  setRole,
  unlockPerson,
  verifyPerson,
} from './write.server.ts'

/** What admins do with people. */
export function peopleApi(deps: { readonly mail: Mail; readonly brand: string }) {
  const by = (context: RequestContext, { personId }: { personId: string }) => ({
    personId,
    actorId: requireAdmin(context).id,
    now: context.clock.now(),
  })
  return [
    endpoint({
      method: 'PUT',
      path: '/api/profiles/:personId/extra-time',
      who: 'admin',
      about: "Sets a learner's extra time, for the timed exams that they begin from then on.",
      params: PersonPath,
      body: SetExtraTime,
      reply: Done,
      async handle({ params, body }, context) {
        await setExtraTime(context.db, { ...by(context, params), ...body })
        return done
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/profiles/:personId/role',
      who: 'admin',
      about: "Makes somebody an admin, or a student again. Never one's own role, never the last admin's.",
      params: PersonPath,
      body: SetRole,
      reply: Done,
      async handle({ params, body }, context) {
        await setRole(context.db, { ...by(context, params), ...body })
        return done
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/profiles/:personId/lock',
      who: 'admin',
      about: 'Signs somebody out everywhere and keeps them out; they are told the reason when they try to sign in.',
      params: PersonPath,
      body: LockPerson,
      reply: Done,
      async handle({ params, body }, context) {
        await lockPerson(context.db, { ...by(context, params), ...body })
        return done
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/profiles/:personId/lock',
      who: 'admin',
      about: 'Lets somebody in again.',
      params: PersonPath,
      reply: Done,
      async handle({ params }, context) {
        await unlockPerson(context.db, by(context, params))
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/:personId/verify',
      who: 'admin',
      about: "Takes somebody's mail address as verified.",
      params: PersonPath,
      reply: Done,
      async handle({ params }, context) {
        await verifyPerson(context.db, by(context, params))
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/:personId/send-reset',
      who: 'admin',
      about: 'Mails somebody a link for a new password.',
      params: PersonPath,
      reply: Done,
      async handle({ params }, context) {
        await context.db.transaction().execute(async (tx) => {
          const { token, email, name } = await issueReset(tx, by(context, params))
          const url = `${context.appUrl}${paths.resetPassword}?token=${token}`
          await deps.mail.send(resetLetter({ email, name, brand: deps.brand, url }), tx)
        })
        return done
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/profiles/:personId/sessions',
      who: 'admin',
      about: 'Signs somebody out everywhere.',
      params: PersonPath,
      reply: EndedSessions,
      async handle({ params }, context) {
        return { ended: await endSessions(context.db, by(context, params)) }
      },
    }),
  ]
}
