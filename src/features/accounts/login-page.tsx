import { useEffect, useRef, useState, useSyncExternalStore, type FormEvent } from 'react'
import { Link, useLoaderData, useNavigate, useRevalidator, useSearchParams, type MetaFunction } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { formatClock } from '../../lib/time.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page-parts.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { loginLoader } from './accounts-endpoints.server.ts'
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
import { isEmail, LOGIN_REDIRECT_DELAY_MS, normaliseEmail, passwordProblem } from './accounts.ts'
import { EmailField } from './ui/account-fields.tsx'
import { AccountForm, formLink } from './ui/account-form.tsx'
import { useAuth } from './ui/auth.tsx'
import { Divider, GoogleButton } from './ui/google-button.tsx'
import { useReturnPath } from './ui/use-return-path.ts'

export { loginLoader as loader } from './accounts-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['login.heading'] }, { name: 'robots', content: 'noindex' }]

export default function LoginPage() {
  const returnTo = useReturnPath()
  const navigate = useNavigate()
  const isSignedIn = useAuth().user !== null
  useEffect(() => {
    // Outside: the history; going on replaces this page, so that the back button does not come here again.
    if (!isSignedIn) return
    const timer = setTimeout(() => void navigate(returnTo, { replace: true }), LOGIN_REDIRECT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isSignedIn, navigate, returnTo])
  if (isSignedIn)
    return (
      <Page width="form">
        <p role="status" className="py-16 text-center text-soft">
          {copy['login.redirecting']}
        </p>
      </Page>
    )
  return <LoginForm returnTo={returnTo} />
}

type Problem = { readonly message: string; readonly field?: 'email' | 'password'; readonly isUnverified?: boolean }

function LoginForm({ returnTo }: { returnTo: string }) {
  const [search] = useSearchParams()
  const { revalidate } = useRevalidator()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { closedReason } = useLoaderData<typeof loginLoader>()
  const [problem, setProblem] = useState<Problem | null>(sentAway(search.get('error'), closedReason))
  const [remaining, setRemaining] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { lock, secondsLeft } = useLock()
  const form = useRef<HTMLFormElement>(null)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || lock !== null) return
    const address = normaliseEmail(email)
    setRemaining(null)
    if (!isEmail(address)) return setProblem({ message: copy['validate.email'], field: 'email' })
    if (password === '' || passwordProblem(password) !== null)
      return setProblem({ message: copy['login.invalid'], field: 'password' })
    if (!claimTry(address, 'login')) return setProblem({ message: copy['login.rate'] })
    setBusy(true)
    setProblem(null)
    try {
      await signIn({ email: address, password })
      clearTries(address)
      await revalidate()
    } catch (error) {
      setBusy(false)
      setProblem({
        message: messageOf(error),
        isUnverified: error instanceof CallFailed && error.code === 'account.unverified',
      })
      if (!(error instanceof CallFailed)) return
      if (error.code === 'account.unverified') clearTries(address)
      if (typeof error.facts['remaining'] === 'number' && error.facts['remaining'] > 0)
        setRemaining(error.facts['remaining'])
      if (typeof error.facts['lockedUntil'] === 'string')
        storeKnownLock({ email: address, until: Date.parse(error.facts['lockedUntil']) })
    }
  }

  const handleResend = async () => {
    try {
      await sendVerification(normaliseEmail(email))
      toast('success', copy['verify.heading'], copy['login.resent'])
    } catch (error) {
      setProblem({ message: messageOf(error) })
    }
  }

  const isLocked = lock !== null
  return (
    <AccountForm
      heading={copy['login.heading']}
      footer={
        <>
          {copy['login.new']}{' '}
          <Link to={paths.register} className={formLink}>
            {copy['register.heading']}
          </Link>
        </>
      }
    >
      <GoogleButton returnTo={returnTo} isDisabled={isLocked} />
      <Divider />
      {isLocked ? (
        <Notice tone="bad" title={copy['login.locked']} className="mb-5">
          <p>
            {problem?.message ?? fill(copy['login.lockout.later'], { n: Math.max(1, Math.ceil(secondsLeft / 60)) })}
          </p>
          <p className="nums mt-1">
            <span aria-hidden="true">
              {formatClock(secondsLeft)} left for {lock.email}.
            </span>{' '}
            <button
              type="button"
              className={formLink}
              onClick={() => {
                storeKnownLock(null, false)
                setProblem(null)
              }}
            >
              Use another address
            </button>
          </p>
        </Notice>
      ) : problem !== null && problem.field === undefined ? (
        <Notice tone="bad" className="mb-5">
          <p>{problem.message}</p>
          {problem.isUnverified === true ? (
            <button type="button" className={`mt-1 ${formLink}`} onClick={() => void handleResend()}>
              {copy['login.resend']}
            </button>
          ) : null}
        </Notice>
      ) : null}
      {!isLocked && remaining !== null ? (
        <Notice tone="flag" className="mb-5">
          {fill(copy['login.remaining'], { n: remaining })}
        </Notice>
      ) : null}
      <form ref={form} method="post" onSubmit={(event) => void handleSubmit(event)} noValidate>
        <fieldset disabled={isLocked} className="space-y-4">
          <legend className="sr-only">{copy['login.heading']}</legend>
          <EmailField value={email} problem={problem?.field === 'email' ? problem.message : null} onType={setEmail} />
          <Field
            label={copy['register.password']}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            problem={problem?.field === 'password' ? problem.message : null}
            onChange={(event) => setPassword(event.target.value)}
          />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Link to={paths.forgotPassword} className={`text-sm ${formLink}`}>
              {copy['login.forgot']}
            </Link>
            <Button type="submit" disabled={isLocked || isBusy} className="min-w-32">
              {copy['login.submit']}
            </Button>
          </div>
        </fieldset>
      </form>
    </AccountForm>
  )
}

/** Why somebody comes back from signing in with Google. */
function sentAway(error: string | null, reason: string | null): Problem | null {
  if (error === 'closed')
    return { message: reason === null ? copy['login.closed.other'] : fill(copy['login.closed'], { reason }) }
  return error === 'google' ? { message: copy['login.google.failed'] } : null
}

/** The lock that is known, and the seconds that it has left. At zero the form opens again. */
function useLock() {
  const lock = useSyncExternalStore(onKnownLock, readKnownLock, () => null)
  const [secondsLeft, setSecondsLeft] = useState(0)
  useEffect(() => {
    // Outside: time.
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
