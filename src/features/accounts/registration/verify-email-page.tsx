import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react'
import { Link, useNavigate, useRevalidator, useSearchParams, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useFirstProblem } from '../../../ui/use-first-problem.ts'
import { useMutation } from '../../../ui/use-mutation.ts'
import { sendNewPasswordLink, sendVerification, takeReturnPath, verifyEmail } from '../accounts-client.ts'
import { copy } from '../accounts.copy.ts'
import type { SessionView } from '../accounts.schema.ts'
import { AccountForm, formLink } from '../ui/account-form.tsx'
import { EmailLinkForm } from '../ui/email-link-form.tsx'
import { SignInNext } from '../ui/sign-in-next.tsx'
import { usePostedForm } from '../ui/use-posted-form.ts'
import { PasswordProofField, passwordRefusal } from '../ui/password-proof.tsx'

export { verifyEmailAction as action } from '../account-forms-endpoints.server.ts'

export const meta: MetaFunction = () => [
  { title: copy['verify.heading'] },
  { name: 'robots', content: 'noindex' },
  // Other sites learn nothing of the token. With 'no-referrer' the form would name no origin, and be refused.
  { name: 'referrer', content: 'same-origin' },
]

type State =
  | { readonly kind: 'verifying' }
  | { readonly kind: 'verified' }
  /** Another browser signed up: this one needs the password, too. */
  | { readonly kind: 'password-needed'; readonly email: string; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string }

export default function VerifyEmailPage() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const posted = usePostedForm()
  const [state, setState] = useState<State>(
    posted.failure !== null && posted.failure.problemOf('email') === undefined
      ? stateOf(posted.failure)
      : posted.failure !== null || token === ''
        ? { kind: 'refused', message: copy['verify.token'] }
        : { kind: 'verifying' },
  )
  const wasPosted = posted.failure !== null || posted.done !== null
  const handleVerified = useVerified(setState)
  const wasSent = useRef(false)
  useEffect(() => {
    // The token works once, so it must be sent once, also when React runs effects twice.
    if (token === '' || wasPosted || wasSent.current) return
    wasSent.current = true
    verifyEmail(token).then(handleVerified, (error: unknown) => setState(stateOf(error)))
  }, [token, wasPosted, handleVerified])
  if (posted.done !== null)
    return (
      <AccountForm heading={copy['verify.heading']}>
        <SignInNext done={posted.done} />
      </AccountForm>
    )
  return (
    <AccountForm heading={copy['verify.heading']}>
      {state.kind === 'verifying' ? <Verifying /> : null}
      {state.kind === 'verified' ? <SignInNext done={`${copy['verify.done']} You can sign in now.`} /> : null}
      {state.kind === 'password-needed' ? (
        <VerifyWithPassword
          token={token}
          email={state.email}
          message={state.message}
          onVerified={handleVerified}
          onRefused={setState}
        />
      ) : null}
      {state.kind === 'refused' ? <Refused message={state.message} /> : null}
    </AccountForm>
  )
}

function Verifying() {
  return (
    <>
      <p role="status" className="text-soft scriptless:hidden">
        One moment, your address is being verified.
      </p>
      <form method="post" className="hidden scriptless:block">
        <Button type="submit">{copy['verify.submit']}</Button>
      </form>
    </>
  )
}

/** Why the address is not verified, and another email. */
function Refused({ message }: { message: string }) {
  return (
    <>
      <Notice tone="bad">{message}</Notice>
      <div className="mt-6">
        <EmailLinkForm
          send={sendVerification}
          submit={copy['login.resend']}
          sent={copy['login.resent']}
          look="secondary"
        />
      </div>
      <p className="mt-6 text-sm text-soft">
        Already verified?{' '}
        <Link to={paths.login} className={formLink}>
          {copy['login.submit']}
        </Link>
      </p>
    </>
  )
}

function stateOf(error: unknown): State {
  if (!(error instanceof CallFailed) || error.code !== 'account.password-needed')
    return { kind: 'refused', message: messageOf(error) }
  const { email } = error.facts
  return { kind: 'password-needed', email: typeof email === 'string' ? email : '', message: error.message }
}

/** After the verification, which signs in unless the account is locked, goes to where the registration began. */
function useVerified(setState: (state: State) => void) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  return useCallback(
    async ({ user, secondStep }: SessionView) => {
      setState({ kind: 'verified' })
      if (secondStep !== undefined) await navigate(paths.loginTo(takeReturnPath()), { replace: true })
      if (user === null) return
      toast('success', copy['verify.heading'], copy['verify.done'])
      await revalidate()
      await navigate(takeReturnPath(), { replace: true })
    },
    [navigate, revalidate, setState],
  )
}

/** For a link that was opened in another browser than the one that signed up: the password, or a link for a new one. */
function VerifyWithPassword({
  token,
  email,
  message,
  onVerified,
  onRefused,
}: {
  token: string
  email: string
  message: string
  onVerified: (session: SessionView) => Promise<void>
  onRefused: (state: State) => void
}) {
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const verify = useMutation(verifyEmail, {
    onSuccess: onVerified,
    onFailure(error) {
      if (error instanceof CallFailed && error.code === 'account.bad-token') onRefused(stateOf(error))
    },
  })
  useFirstProblem(form, verify.failure as object | null)
  const wrong = passwordRefusal(verify.failure)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(password === '')
    if (password === '') verify.reset()
    else verify.run(token, password)
  }
  return (
    <>
      <p>{message}</p>
      {verify.failure === null || wrong !== null ? null : (
        <Notice tone="bad" className="mt-4">
          {messageOf(verify.failure)}
        </Notice>
      )}
      <form ref={form} method="post" onSubmit={handleSubmit} noValidate className="mt-6 space-y-4">
        <Field
          label={copy['register.email']}
          name="email"
          type="email"
          autoComplete="username"
          readOnly
          value={email}
        />
        <PasswordProofField
          value={password}
          problem={isMissing && password === '' ? copy['password.missing'] : wrong}
          onType={setPassword}
        />
        <Button type="submit" {...verify.button} className="w-full">
          {copy['verify.password.submit']}
        </Button>
      </form>
      <NewPasswordLink token={token} email={email} />
    </>
  )
}

function NewPasswordLink({ token, email }: { token: string; email: string }) {
  const [isSent, setSent] = useState(false)
  const send = useMutation(sendNewPasswordLink, { onSuccess: () => setSent(true) })
  return (
    <div className="mt-8 border-t border-line pt-6">
      {isSent ? (
        <Notice tone="good">
          <span className="wrap-anywhere">{fill(copy['verify.new-password.sent'], { email })}</span>
        </Notice>
      ) : (
        <>
          <p>{copy['verify.forgotten']}</p>
          {send.failure === null ? null : (
            <Notice tone="bad" className="mt-3">
              {messageOf(send.failure)}
            </Notice>
          )}
          <form
            method="post"
            onSubmit={(event) => {
              event.preventDefault()
              send.run(token)
            }}
          >
            <Button type="submit" name="do" value="new-password" {...send.button} className="mt-3 w-full">
              {copy['verify.new-password']}
            </Button>
          </form>
        </>
      )}
    </div>
  )
}
