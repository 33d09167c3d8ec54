import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Link, useNavigate, useRevalidator, useSearchParams, type MetaFunction } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { messageOf } from '../../platform/api-client.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useMutation } from '../../ui/use-mutation.ts'
import { sendVerification, verifyEmail } from './accounts-client.ts'
import { copy } from './accounts.copy.ts'
import { isEmail, normaliseEmail } from './credentials.ts'
import { EmailField } from './ui/account-fields.tsx'
import { AccountForm, formLink } from './ui/account-form.tsx'

export const meta: MetaFunction = () => [
  { title: copy['verify.heading'] },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]

type State =
  | { readonly kind: 'verifying' }
  | { readonly kind: 'verified' }
  | { readonly kind: 'refused'; readonly message: string }

export default function VerifyEmailPage() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [state, setState] = useState<State>(
    token === '' ? { kind: 'refused', message: copy['verify.token'] } : { kind: 'verifying' },
  )
  const wasSent = useRef(false)
  useEffect(() => {
    // The token works once, so it must be sent once, also when React runs effects twice.
    if (token === '' || wasSent.current) return
    wasSent.current = true
    verifyEmail(token).then(
      async ({ user }) => {
        setState({ kind: 'verified' })
        if (user === null) return
        toast('success', copy['verify.heading'], copy['verify.done'])
        await revalidate()
        await navigate(paths.home, { replace: true })
      },
      (error: unknown) => setState({ kind: 'refused', message: messageOf(error) }),
    )
  }, [token, navigate, revalidate])
  return (
    <AccountForm heading={copy['verify.heading']}>
      {state.kind === 'verifying' ? (
        <p role="status" className="text-soft">
          One moment, your address is being verified.
        </p>
      ) : null}
      {state.kind === 'verified' ? (
        <>
          <Notice tone="good">{copy['verify.done']} You can sign in now.</Notice>
          <ButtonLink to={paths.login} className="mt-6">
            {copy['login.submit']}
          </ButtonLink>
        </>
      ) : null}
      {state.kind === 'refused' ? (
        <>
          <Notice tone="bad">{state.message}</Notice>
          <SendAgain />
          <p className="mt-6 text-sm text-soft">
            Already verified?{' '}
            <Link to={paths.login} className={formLink}>
              {copy['login.submit']}
            </Link>
          </p>
        </>
      ) : null}
    </AccountForm>
  )
}

function SendAgain() {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const send = useMutation(sendVerification, {
    onSuccess: () => setSent(true),
    onFailure: (error) => setProblem(messageOf(error)),
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isEmail(email.trim())) return setProblem(copy['validate.email'])
    setProblem(null)
    send.run(normaliseEmail(email))
  }
  if (isSent)
    return (
      <Notice tone="good" className="mt-4">
        {copy['login.resent']}
      </Notice>
    )
  return (
    <form method="post" onSubmit={handleSubmit} noValidate className="mt-6 space-y-4">
      <EmailField value={email} problem={problem} onType={setEmail} />
      <Button type="submit" look="secondary" {...send.button} className="w-full">
        {copy['login.resend']}
      </Button>
    </form>
  )
}
