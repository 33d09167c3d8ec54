import type { ActionFunctionArgs } from 'react-router'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { callsOf, type FormArgs } from '../../../platform/http/page-action.server.ts'
import { refusedPage } from '../../../platform/http/page-loader.server.ts'
import { requireUser } from '../../../platform/http/request-context.server.ts'
import { removeReminder, setReminder, stopReminders } from './reminders-commands.server.ts'
import { findReminder } from './reminders-queries.server.ts'
import { ReminderWish, StopReminders, StoredReminder } from './reminders.schema.ts'

/** When a learner is reminded of what is left for today. */
export function remindersApi({ secret }: { readonly secret: string }) {
  return [
    endpoint({
      method: 'GET',
      path: '/api/reminders',
      who: 'signed-in',
      about: 'Returns at which hour the user is reminded of what is left for the day.',
      reply: StoredReminder,
      async handle(_input, context) {
        return { reminder: await findReminder(context.db, requireUser(context).id) }
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/reminders',
      who: 'signed-in',
      about: 'Sets at which hour the user is reminded, in the time zone of the plan whose exam is next.',
      body: ReminderWish,
      reply: StoredReminder,
      async handle({ body }, context) {
        await setReminder(context.db, { userId: requireUser(context).id, wish: body })
        return { reminder: body }
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/reminders',
      who: 'signed-in',
      about: "Turns the user's reminders off. Idempotent.",
      reply: Done,
      async handle(_input, context) {
        await removeReminder(context.db, requireUser(context).id)
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/reminders/stop',
      // The link of an email works without signing in: its token is signed.
      who: 'anyone',
      about: 'Turns reminders off by the token of an email. Idempotent.',
      body: StopReminders,
      reply: Done,
      async handle({ body }, context) {
        await stopReminders(context.db, { token: body.token, secret })
        return done
      },
    }),
  ]
}

const run = callsOf<typeof remindersApi>()

/** The form of a page that sets the hour, or turns reminders off. */
export async function setReminderByForm({ context, form }: Pick<FormArgs, 'context' | 'form'>): Promise<void> {
  const { remindHour = '' } = form
  if (remindHour === '') await run(context, 'DELETE', '/api/reminders')
  else await run(context, 'PUT', '/api/reminders', { body: { hour: Number(remindHour) } })
}

/**
 * What the page's button posts, and what a mail program posts for its user (RFC 8058): with any body, from anywhere, without a session.
 * The token in the address is all that counts. The reply is a page and never a redirect, which mail programs do not follow.
 */
export async function stopRemindersAction({ context, params }: ActionFunctionArgs) {
  try {
    await run(context, 'POST', '/api/reminders/stop', { body: { token: params['token'] ?? '' } })
    return { isOff: true as const }
  } catch (error) {
    throw refusedPage(context.request, error)
  }
}
