import { redirect } from 'react-router'
import { paths, safeReturnPath } from '../../lib/paths.ts'
import { callsOf, pageAction } from '../../platform/http/page-action.server.ts'
import type { accountsApi } from './accounts-endpoints.server.ts'
import { copy } from './accounts.copy.ts'

/* What the account pages post while no script answers their forms. Each runs the call that the script would have sent. */

const run = callsOf<typeof accountsApi>()

/** The forms of the login page, named by `do`, and the button to sign out, which every page posts here. */
export const loginAction = pageAction(['email', 'do'], async ({ context, url, form }) => {
  const returnTo = safeReturnPath(url.searchParams.get('redirect'))
  const { email = '', password = '' } = form
  switch (form['do']) {
    case 'sign-out':
      await run(context, 'POST', '/api/auth/sign-out')
      throw redirect(paths.home, 303)
    case 'resend':
      await run(context, 'POST', '/api/auth/send-verification', { body: { email } })
      return { done: copy['login.resent'] }
    case 'second-step': {
      const { code, recoveryCode } = form
      await run(context, 'POST', '/api/auth/second-step', {
        body: recoveryCode === undefined ? { code } : { recoveryCode },
      })
      throw redirect(returnTo, 303)
    }
    case 'another-account':
      await run(context, 'DELETE', '/api/auth/second-step')
      throw redirect(paths.loginTo(returnTo), 303)
    default: {
      const { secondStep } = await run(context, 'POST', '/api/auth/sign-in', { body: { email, password } })
      throw redirect(secondStep === undefined ? returnTo : paths.loginTo(returnTo), 303)
    }
  }
})
