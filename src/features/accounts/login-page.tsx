import { useEffect, useState, useSyncExternalStore, type FormEvent } from 'react'
import { Link, useLoaderData, useLocation, useNavigate, useSearchParams, type MetaFunction } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { formatClock } from '../../lib/time.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page-parts.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useMutation, type Mutation } from '../../ui/use-mutation.ts'
import type { loginLoader } from './google/google-endpoints.server.ts'
import {
  claimTry,
  clearTries,
  storeKnownLock,
  onKnownLock,
  readKnownLock,
  sendVerification,
  signIn,
} from './accounts-client.ts'
import { copy } from './accounts.copy.ts'
import { isEmail, normaliseEmail, passwordProblem } from './credentials.ts'
import { LOGIN_REDIRECT_DELAY_MS } from './auth-events.ts'
import { signInWithPasskey } from './second-factor/second-factor-client.ts'
import { copy as factorCopy } from './second-factor/second-factor.copy.ts'
import { SecondStepForm } from './second-factor/ui/second-step-form.tsx'
import { EmailField } from './ui/account-fields.tsx'
import { AccountForm, formLink } from './ui/account-form.tsx'
import { useAuth } from './ui/auth.tsx'
import { Divider, GoogleButton } from './ui/google-button.tsx'
import { usePostedForm } from './ui/use-posted-form.ts'
import { useReturnPath } from './ui/use-return-path.ts'

export { loginLoader as loader } from './google/google-endpoints.server.ts'
export { loginAction as action } from './account-forms-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['login.heading'] }, { name: 'robots', content: 'noindex' }]

export default function LoginPage() {
  const returnTo = useReturnPath()
  const navigate = useNavigate()
  const isSignedIn = useAuth().user !== null
  const { secondStep } = useLoaderData<typeof loginLoader>()
  useEffect(() => {
    // Replaces the history entry, so that the back button skips this page.
    if (!isSignedIn) return
    const timer = setTimeout(() => void navigate(returnTo, { replace: true }), LOGIN_REDIRECT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isSignedIn, navigate, returnTo])
  if (isSignedIn)
    return (
      <Page width="form">
        <p role="status" className="py-16 text-center text-soft">
          <span className="scriptless:hidden">{copy['login.redirecting']}</span>
          <ButtonLink to={returnTo} className="hidden scriptless:inline-flex">
            {copy['login.go-on']}
          </ButtonLink>
        </p>
      </Page>
    )
  return secondStep === null ? <LoginForm returnTo={returnTo} /> : <SecondStepForm step={secondStep} />
}

/** Registering leads to the same place. */
function registerPath(returnTo: string): string {
  return returnTo === paths.home ? paths.register : `${paths.register}?redirect=${encodeURIComponent(returnTo)}`
}

type Problem = { readonly message: string; readonly field?: 'email' | 'password'; readonly isUnverified?: boolean }

function LoginForm({ returnTo }: { returnTo: string }) {
  const form = useSignIn()
  const isLocked = form.lock !== null
  return (
    <AccountForm
      heading={copy['login.heading']}
      footer={
        <>
          {copy['login.new']}{' '}
          <Link to={registerPath(returnTo)} className={formLink}>
            {copy['register.heading']}
          </Link>
        </>
      }
    >
      <GoogleButton returnTo={returnTo} isDisabled={isLocked} />
      <Button
        look="secondary"
        className="mt-3 w-full"
        disabled={isLocked}
        {...form.passkey.button}
        onClick={() => form.passkey.run()}
      >
        {factorCopy['login.passkey']}
      </Button>
      <Divider />
      <LinkSent />
      <LoginNotices form={form} />
      <Credentials form={form} isLocked={isLocked} />
    </AccountForm>
  )
}

type SignInForm = ReturnType<typeof useSignIn>

/** What the last attempt came to, and how many are left. */
function LoginNotices({
  form: { lock, secondsLeft, problem, remaining, email, done, resend, forgetLock },
}: {
  form: SignInForm
}) {
  return (
    <>
      {done === null ? null : (
        <Notice tone="good" className="mb-5">
          {done}
        </Notice>
      )}
      {lock !== null ? (
        <LockNotice email={lock.email} secondsLeft={secondsLeft} problem={problem} onForget={forgetLock} />
      ) : problem !== null && problem.field === undefined ? (
        <ProblemNotice problem={problem} email={email} resend={resend} />
      ) : null}
      {lock === null && remaining !== null ? (
        <Notice tone="flag" className="mb-5">
          {fill(copy['login.remaining'], { n: remaining })}
        </Notice>
      ) : null}
    </>
  )
}

function Credentials({ form, isLocked }: { form: SignInForm; isLocked: boolean }) {
  const { email, password, problem } = form
  return (
    <form method="post" onSubmit={form.handleSubmit} noValidate>
      <fieldset disabled={isLocked} className="space-y-4">
        <legend className="sr-only">{copy['login.heading']}</legend>
        <EmailField
          value={email}
          problem={problem?.field === 'email' ? problem.message : null}
          onType={form.setEmail}
        />
        <Field
          label={copy['register.password']}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          problem={problem?.field === 'password' ? problem.message : null}
          onChange={(event) => form.setPassword(event.target.value)}
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Link to={paths.forgotPassword} className={`text-sm ${formLink}`}>
            {copy['login.forgot']}
          </Link>
          <Button type="submit" disabled={isLocked} {...form.button} className="min-w-32">
            {copy['login.submit']}
          </Button>
        </div>
      </fieldset>
    </form>
  )
}

const neverChanges = () => () => {}
const isInBrowser = () => true
const isOnServer = () => false

/** What to do after registering; the toast that says it as well goes away. */
function LinkSent() {
  const state = useLocation().state as { sentTo?: unknown } | null
  // After a reload the browser still has the state, which the server never had.
  const isHydrated = useSyncExternalStore(neverChanges, isInBrowser, isOnServer)
  if (!isHydrated || typeof state?.sentTo !== 'string') return null
  return (
    <Notice tone="info" className="mb-5 wrap-anywhere">
      {fill(copy['login.link-sent'], { email: state.sentTo })}
    </Notice>
  )
}

/** A problem of the whole form. An unverified address can be sent a new email. */
function ProblemNotice({ problem, email, resend }: { problem: Problem; email: string; resend: Mutation<[]> }) {
  const handleResend = (event: FormEvent) => {
    event.preventDefault()
    resend.run()
  }
  return (
    <Notice tone="bad" className="mb-5">
      <p>{problem.message}</p>
      {problem.isUnverified === true ? (
        <form method="post" onSubmit={handleResend}>
          <input type="hidden" name="email" value={email} />
          <button name="do" value="resend" className={`mt-1 ${formLink}`} {...resend.button}>
            {copy['login.resend']}
          </button>
        </form>
      ) : null}
    </Notice>
  )
}

function LockNotice({
  email,
  secondsLeft,
  problem,
  onForget,
}: {
  email: string
  secondsLeft: number
  problem: Problem | null
  onForget: () => void
}) {
  const minutes = Math.max(1, Math.ceil(secondsLeft / 60))
  return (
    <Notice tone="bad" title={copy['login.locked']} className="mb-5">
      <p>{problem?.message ?? fill(copy['login.lockout.later'], { n: minutes })}</p>
      <p className="nums mt-1">
        <span aria-hidden="true">
          {formatClock(secondsLeft)} left for {email}.
        </span>{' '}
        <button type="button" className={formLink} onClick={onForget}>
          Use another address
        </button>
      </p>
    </Notice>
  )
}

/** The state of the form: its fields, the lock that is known, and the failure of the last attempt. */
function useSignIn() {
  const [search] = useSearchParams()
  const { closedReason } = useLoaderData<typeof loginLoader>()
  const posted = usePostedForm()
  const [email, setEmail] = useState(posted.typed['email'] ?? '')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<Problem | null>(
    problemOf(posted.failure) ?? problemOfRedirect(search.get('error'), closedReason),
  )
  const [remaining, setRemaining] = useState(remainingOf(posted.failure?.facts))
  const { lock, secondsLeft } = useLock()
  const address = normaliseEmail(email)
  const attempt = useMutation(signIn, {
    revalidates: true,
    onSuccess: () => clearTries(address),
    onFailure(error) {
      const failure = error instanceof CallFailed ? error : null
      const isUnverified = failure?.code === 'account.unverified'
      setProblem({ message: messageOf(error), isUnverified })
      if (isUnverified) clearTries(address)
      const { lockedUntil } = failure?.facts ?? {}
      setRemaining(remainingOf(failure?.facts))
      if (typeof lockedUntil === 'string') storeKnownLock({ email: address, until: Date.parse(lockedUntil) })
    },
  })
  const resend = useMutation(() => sendVerification(address), {
    onSuccess: () => toast('success', copy['verify.heading'], copy['login.resent']),
    onFailure: (error) => setProblem({ message: messageOf(error) }),
  })
  const passkey = useMutation(signInWithPasskey, {
    revalidates: true,
    onFailure: (error) => setProblem({ message: messageOf(error) }),
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (attempt.isBusy || lock !== null) return
    setRemaining(null)
    if (!isEmail(address)) return setProblem({ message: copy['validate.email'], field: 'email' })
    if (password === '' || passwordProblem(password) !== null)
      return setProblem({ message: copy['login.invalid'], field: 'password' })
    if (!claimTry(address, 'login')) return setProblem({ message: copy['login.rate'] })
    setProblem(null)
    attempt.run({ email: address, password })
  }
  const forgetLock = () => {
    storeKnownLock(null, false)
    setProblem(null)
  }
  const { button } = attempt
  return {
    done: posted.done,
    email,
    setEmail,
    password,
    setPassword,
    problem,
    remaining,
    lock,
    secondsLeft,
    button,
    passkey,
    resend,
    handleSubmit,
    forgetLock,
  }
}

/** Attempts that are left; null when there is nothing to warn of. */
function remainingOf(facts: Readonly<Record<string, unknown>> | undefined): number | null {
  const left = facts?.['remaining']
  return typeof left === 'number' && left > 0 ? left : null
}

/** Why the form was refused that was posted without a script. */
function problemOf(failure: CallFailed | null): Problem | null {
  if (failure === null) return null
  for (const field of ['email', 'password'] as const) {
    const message = failure.problemOf(field)
    if (message !== undefined) return { message, field }
  }
  return { message: failure.message, isUnverified: failure.code === 'account.unverified' }
}

/** Why sign-in with Google redirected back to this page. */
function problemOfRedirect(error: string | null, reason: string | null): Problem | null {
  if (error === 'closed')
    return { message: reason === null ? copy['login.closed.other'] : fill(copy['login.closed'], { reason }) }
  return error === 'google' ? { message: copy['login.google.failed'] } : null
}

/** The known lock and its remaining seconds. At zero the form is enabled again. */
function useLock() {
  const lock = useSyncExternalStore(onKnownLock, readKnownLock, () => null)
  const [secondsLeft, setSecondsLeft] = useState(0)
  useEffect(() => {
    if (lock === null) return
    const tick = () => {
      const left = Math.ceil((lock.until - Date.now()) / 1000)
      setSecondsLeft(Math.max(0, left))
      if (left <= 0) storeKnownLock(null)
    }
    const first = setTimeout(tick)
    const timer = setInterval(tick, 1000)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [lock])
  return { lock, secondsLeft }
}
