import { useEffect, useRef, useState } from 'react'
import { useRevalidator, useSearchParams, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { AccountForm } from '../ui/account-form.tsx'
import { confirmAddress } from './settings-client.ts'
import { copy } from './settings.copy.ts'

export { confirmAddressLoader as loader } from './settings-endpoints.server.ts'

export const meta: MetaFunction = () => [
  { title: copy['confirm-address.heading'] },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]

type State =
  | { readonly kind: 'working' }
  | { readonly kind: 'changed'; readonly email: string }
  | { readonly kind: 'refused'; readonly message: string }

/** The page of the link that confirms a new address. It changes the address when it opens, for the signed-in user alone. */
export default function ConfirmAddressPage() {
  const token = useSearchParams()[0].get('token') ?? ''
  const { revalidate } = useRevalidator()
  const [state, setState] = useState<State>(
    token === '' ? { kind: 'refused', message: copy['confirm-address.token'] } : { kind: 'working' },
  )
  const wasSent = useRef(false)
  useEffect(() => {
    // The token works once, so it must be sent once, also when React runs effects twice.
    if (token === '' || wasSent.current) return
    wasSent.current = true
    confirmAddress(token).then(
      async ({ email }) => {
        setState({ kind: 'changed', email })
        await revalidate()
      },
      (error: unknown) => setState({ kind: 'refused', message: messageOf(error) }),
    )
  }, [token, revalidate])
  return (
    <AccountForm heading={copy[state.kind === 'changed' ? 'confirm-address.done.heading' : 'confirm-address.heading']}>
      {state.kind === 'working' ? (
        <p role="status" className="text-soft">
          {copy['confirm-address.working']}
        </p>
      ) : (
        <>
          {state.kind === 'changed' ? (
            <Notice tone="good">
              <span className="wrap-anywhere">{fill(copy['confirm-address.done'], { email: state.email })}</span>
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
