import { useEffect, useRef, useState } from 'react'
import { useRevalidator, useSearchParams, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { AccountForm } from '../ui/account-form.tsx'
import { usePostedForm } from '../ui/use-posted-form.ts'
import { confirmAddress } from './settings-client.ts'
import { copy } from './settings.copy.ts'

export { confirmAddressAction as action } from './settings-forms-endpoints.server.ts'
export { confirmAddressLoader as loader } from './settings-endpoints.server.ts'

export const meta: MetaFunction = () => [
  { title: copy['confirm-address.heading'] },
  { name: 'robots', content: 'noindex' },
  // Other sites learn nothing of the token. With 'no-referrer' the form would name no origin, and be refused.
  { name: 'referrer', content: 'same-origin' },
]

type State =
  | { readonly kind: 'working' }
  | { readonly kind: 'changed'; readonly sentence: string }
  | { readonly kind: 'refused'; readonly message: string }

/** The page of the link that confirms a new address. It changes the address when it opens, for the signed-in user alone. */
export default function ConfirmAddressPage() {
  const token = useSearchParams()[0].get('token') ?? ''
  const { revalidate } = useRevalidator()
  const posted = usePostedForm()
  const wasPosted = posted.failure !== null || posted.done !== null
  const [state, setState] = useState<State>(stateOf(token, posted))
  const wasSent = useRef(false)
  useEffect(() => {
    // The token works once, so it must be sent once, also when React runs effects twice.
    if (token === '' || wasPosted || wasSent.current) return
    wasSent.current = true
    confirmAddress(token).then(
      async ({ email }) => {
        setState({ kind: 'changed', sentence: fill(copy['confirm-address.done'], { email }) })
        await revalidate()
      },
      (error: unknown) => setState({ kind: 'refused', message: messageOf(error) }),
    )
  }, [token, wasPosted, revalidate])
  return (
    <AccountForm heading={copy[state.kind === 'changed' ? 'confirm-address.done.heading' : 'confirm-address.heading']}>
      {state.kind === 'working' ? (
        <>
          <p role="status" className="text-soft scriptless:hidden">
            {copy['confirm-address.working']}
          </p>
          <form method="post" className="hidden scriptless:block">
            <Button type="submit">{copy['confirm-address.submit']}</Button>
          </form>
        </>
      ) : (
        <>
          {state.kind === 'changed' ? (
            <Notice tone="good">
              <span className="wrap-anywhere">{state.sentence}</span>
            </Notice>
          ) : (
            <Notice tone="bad">{state.message}</Notice>
          )}
          <ButtonLink to={paths.account} className="mt-6">
            {copy['confirm-address.back']}
          </ButtonLink>
        </>
      )}
    </AccountForm>
  )
}

function stateOf(token: string, { failure, done }: ReturnType<typeof usePostedForm>): State {
  if (done !== null) return { kind: 'changed', sentence: done }
  if (failure !== null) return { kind: 'refused', message: failure.message }
  return token === '' ? { kind: 'refused', message: copy['confirm-address.token'] } : { kind: 'working' }
}
