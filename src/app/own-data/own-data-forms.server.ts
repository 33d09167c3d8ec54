import { redirect } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { callsOf, pageAction } from '../../platform/http/page-action.server.ts'
import { fail } from '../../platform/request-failures.ts'
import { copy } from '../app.copy.ts'
import type { ownDataApi } from './own-data-endpoints.server.ts'

const run = callsOf<typeof ownDataApi>()

/** What the page that deletes an account posts while no script answers its forms. */
export const deleteAccountAction = pageAction([], async ({ context, url, form }) => {
  if (form['do'] === 'email') {
    await run(context, 'POST', '/api/profiles/me/deletion-email')
    return { done: copy['delete.email.sent'] }
  }
  const { password = '' } = form
  const token = url.searchParams.get('token')
  // An empty password is no attempt that counts towards the lockout.
  if (password === '' && form['by'] !== 'token')
    throw fail('request.invalid', { fields: [{ field: 'password', message: copy['delete.password.missing'] }] })
  await run(context, 'POST', '/api/profiles/me/deletion', {
    body: form['by'] === 'token' ? { token: token ?? '' } : { password },
  })
  throw redirect(paths.home, 303)
})
