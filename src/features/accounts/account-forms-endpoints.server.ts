import { redirect } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { paths, safeReturnPath } from '../../lib/paths.ts'
import { callsOf, pageAction } from '../../platform/http/page-action.server.ts'
import type { accountsApi } from './accounts-endpoints.server.ts'
import { copy } from './accounts.copy.ts'
import { fail } from './accounts.schema.ts'

/* What the account pages post while no script answers their forms. Each runs the call that the script would have sent. */

const run = callsOf<typeof accountsApi>()

/** The forms of the login page, named by `do`, and the button to sign out, which every page posts here. */
export const loginAction = pageAction(['email'], async ({ context, url, form }) => {
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
      const { code, 'recovery-code': recoveryCode } = form
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

export const registerAction = pageAction(['name', 'email'], async ({ context, form }) => {
  const { name = '', email = '', password = '', confirmation } = form
  if (password !== confirmation)
    throw fail('account.mismatch', { fields: [{ field: 'confirmation', message: copy['register.mismatch'] }] })
  await run(context, 'POST', '/api/auth/sign-up', { body: { name, email, password } })
  return { done: fill(copy['login.link-sent'], { email }) }
})

export const forgotPasswordAction = pageAction(['email'], async ({ context, form }) => {
  await run(context, 'POST', '/api/auth/forgot-password', { body: { email: form['email'] ?? '' } })
  return { done: copy['forgot.sent'] }
})

export const resetPasswordAction = pageAction([], async ({ context, url, form }) => {
  const token = url.searchParams.get('token') ?? ''
  await run(context, 'POST', '/api/auth/reset-password', { body: { token, password: form['password'] ?? '' } })
  return { done: copy['reset.done'] }
})

/** Opening the link verifies nothing; the page's button does, because mail scanners open links. */
export const verifyEmailAction = pageAction([], async ({ context, url, form }) => {
  const token = url.searchParams.get('token') ?? ''
  if (form['do'] === 'resend') {
    await run(context, 'POST', '/api/auth/send-verification', { body: { email: form['email'] ?? '' } })
    return { done: copy['login.resent'] }
  }
  if (form['do'] === 'new-password') {
    await run(context, 'POST', '/api/auth/verify-email/new-password', { body: { token } })
    return { done: copy['forgot.sent'] }
  }
  const { password } = form
  const { user, secondStep } = await run(context, 'POST', '/api/auth/verify-email', {
    body: password === undefined ? { token } : { token, password },
  })
  if (user !== null) throw redirect(paths.home, 303)
  if (secondStep !== undefined) throw redirect(paths.login, 303)
  return { done: copy['verify.done'] }
})
