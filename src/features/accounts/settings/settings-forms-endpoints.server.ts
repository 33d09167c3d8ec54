import { redirect } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { fail } from '../../../platform/request-failures.ts'
import { callsOf, pageAction, type FormArgs } from '../../../platform/http/page-action.server.ts'
import { requireUser } from '../../../platform/http/request-context.server.ts'
import { copy as accountsCopy } from '../accounts.copy.ts'
import type { accountsApi } from '../accounts-endpoints.server.ts'
import type { sessionsApi } from '../sessions/sessions-endpoints.server.ts'
import { copy as sessionsCopy } from '../sessions/sessions.copy.ts'
import type { settingsApi } from './settings-endpoints.server.ts'
import { copy } from './settings.copy.ts'

/* What the account page posts while no script answers its forms. Each runs the call that the script would have sent. */

const run = callsOf<typeof settingsApi>()
const runAccount = callsOf<typeof accountsApi>()
const runSession = callsOf<typeof sessionsApi>()

/** The forms of the account page that are about the account, named by `do`. */
export async function accountForms({ context, form }: FormArgs) {
  const { name = '', email = '', password = '', 'current-password': current = '' } = form
  switch (form['do']) {
    case 'name':
      await run(context, 'PUT', '/api/profiles/me/name', { body: { name } })
      // The new name is shown by the next request: this one has read its user already.
      throw redirect(paths.account, 303)
    case 'address':
      await run(context, 'POST', '/api/auth/address', { body: { email, password: current } })
      return { done: copy['account.address.sent'] }
    case 'password':
      await run(context, 'POST', '/api/auth/password', { body: { currentPassword: current, password } })
      return { done: copy['account.password.done'] }
    case 'first-password':
      await runAccount(context, 'POST', '/api/auth/forgot-password', {
        body: { email: requireUser(context.request).email },
      })
      return { done: accountsCopy['forgot.sent'] }
    case 'end-others':
      await runSession(context, 'DELETE', '/api/auth/sessions')
      return { done: sessionsCopy['sessions.ended.all'] }
    case 'end-session':
      await runSession(context, 'DELETE', '/api/auth/sessions/:sessionId', {
        params: { sessionId: form['session'] ?? '' },
      })
      return { done: sessionsCopy['sessions.ended.one'] }
    default:
      throw fail('request.invalid')
  }
}

/** A link is followed by a press, because mail scanners follow links, too. */
export const confirmAddressAction = pageAction([], async ({ context, url }) => {
  const token = url.searchParams.get('token') ?? ''
  const { email } = await run(context, 'POST', '/api/auth/address/confirmation', { body: { token } })
  return { done: fill(copy['confirm-address.done'], { email }) }
})
