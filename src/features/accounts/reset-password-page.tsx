import { useEffect, useState, type FormEvent } from 'react'
import { Link, useNavigate, useSearchParams, type MetaFunction } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useMutation } from '../../ui/use-mutation.ts'
import { useIsLive } from '../../ui/when-seen.tsx'
import { storeKnownLock, resetPassword } from './accounts-client.ts'
import { copy } from './accounts.copy.ts'
import { isNewPassword } from './credentials.ts'
import { NewPasswordField } from './ui/account-fields.tsx'
import { AccountForm, formLink } from './ui/account-form.tsx'
import { useAuth } from './ui/auth.tsx'
import { SignInNext } from './ui/sign-in-next.tsx'
import { usePostedForm } from './ui/use-posted-form.ts'

export { resetPasswordAction as action } from './account-forms-endpoints.server.ts'

export const meta: MetaFunction = () => [
  { title: copy['reset.heading'] },
  { name: 'robots', content: 'noindex' },
  // Other sites learn nothing of the token. With 'no-referrer' the form would name no origin, and be refused.
  { name: 'referrer', content: 'same-origin' },
]

export default function ResetPasswordPage() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const posted = usePostedForm()
  const refusedBefore = refusalOf(posted.failure)
  const [problem, setProblem] = useState<string | null>(
    token === '' ? copy['reset.token'] : refusedBefore === undefined ? (posted.failure?.message ?? null) : null,
  )
  const isLive = useIsLive()
  const { announce } = useAuth()
  const hasToken = token !== ''
  useEffect(() => {
    // Listeners of the session learn that the user followed the link of an email.
    if (hasToken) announce('PASSWORD_RECOVERY')
  }, [hasToken, announce])
  const isReady = token !== '' && isNewPassword(password)
  const save = useMutation(resetPassword, {
    onSuccess() {
      storeKnownLock(null)
      toast('success', copy['reset.heading'], copy['reset.done'])
      return navigate(paths.login, { replace: true })
    },
    onFailure: (error) => setProblem(refusalOf(error) === undefined ? messageOf(error) : null),
  })
  const write = (text: string) => {
    setPassword(text)
    if (save.failure !== null) save.reset()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) save.run(token, password)
  }
  if (posted.done !== null)
    return (
      <AccountForm heading={copy['reset.heading']}>
        <SignInNext done={posted.done} />
      </AccountForm>
    )
  return (
    <AccountForm heading={copy['reset.heading']} intro="Afterwards every device is signed out.">
      {problem === null ? null : <Refused problem={problem} />}
      <form method="post" onSubmit={handleSubmit} noValidate className="space-y-4">
        <NewPasswordField
          label="New password"
          value={password}
          problem={refusalOf(save.failure) ?? (password === '' ? refusedBefore : undefined)}
          isDisabled={token === ''}
          onType={write}
        />
        <Button type="submit" disabled={isLive && !isReady} {...save.button} className="w-full">
          {copy['reset.submit']}
        </Button>
      </form>
    </AccountForm>
  )
}

/** Why the link does not work, and the way to another. */
function Refused({ problem }: { problem: string }) {
  return (
    <Notice tone="bad" className="mb-5">
      <p>{problem}</p>
      <Link to={paths.forgotPassword} className={formLink}>
        {copy['forgot.submit']}
      </Link>
    </Notice>
  )
}

/** Why the server refuses the new password itself. */
const refusalOf = (failure: unknown) => (failure instanceof CallFailed ? failure.problemOf('password') : undefined)
