import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { paths } from '../../../../lib/paths.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useFirstProblem } from '../../../../ui/use-first-problem.ts'
import { useMutation, type Mutation } from '../../../../ui/use-mutation.ts'
import { copy as accountsCopy } from '../../accounts.copy.ts'
import { formLink } from '../../ui/account-form.tsx'
import { PasswordProofField, passwordRefusal } from '../../ui/password-proof.tsx'
import { confirm, confirmWithPasskey, readConfirmation } from '../second-factor-client.ts'
import { copy } from '../second-factor.copy.ts'
import type { ConfirmationState } from '../second-factor.schema.ts'
import { CodeField } from './code-field.tsx'

/** How often the page looks whether the user has confirmed with Google in the other tab. */
const POLL_MS = 1500

type Settle = (isConfirmed: boolean) => void

/** Asks who is in front of the browser, in the ways that this user has. Closing it cancels. */
export default function ConfirmationDialog({ onSettle }: { onSettle: Settle }) {
  const [methods, setMethods] = useState<ConfirmationState['methods'] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    // Outside: the server, which knows the ways, and whether another tab has confirmed already.
    readConfirmation().then(
      (state) => (state.isConfirmed ? onSettle(true) : setMethods(state.methods)),
      (error: unknown) => setProblem(messageOf(error)),
    )
  }, [onSettle])
  const formId = useId()
  const hasForm = methods !== null && (methods.password || methods.code)
  const attempt = useMutation(confirm, { onSuccess: () => onSettle(true) })
  const passkey = useMutation(confirmWithPasskey, {
    onSuccess: () => onSettle(true),
    onFailure: (error) => setProblem(messageOf(error)),
  })
  return (
    <Dialog title={copy['confirm.title']} isOpen onClose={() => onSettle(false)}>
      <DialogBody className="space-y-4">
        <p className="text-soft">{copy['confirm.intro']}</p>
        {hasForm ? (
          <ProofForm id={formId} isPassword={methods.password} attempt={attempt} onStart={() => setProblem(null)} />
        ) : null}
        {methods?.passkey ? (
          <Button look="secondary" className="w-full" {...passkey.button} onClick={() => passkey.run()}>
            {copy['step.passkey']}
          </Button>
        ) : null}
        {methods?.google ? <GoogleConfirmation onSettle={onSettle} /> : null}
      </DialogBody>
      <DialogFooter problem={problem} onCancel={() => onSettle(false)}>
        {hasForm ? (
          <Button type="submit" form={formId} {...attempt.button}>
            {copy['confirm.submit']}
          </Button>
        ) : null}
      </DialogFooter>
    </Dialog>
  )
}

/** The password or a code. The dialog's footer has its button. */
function ProofForm({
  id,
  isPassword,
  attempt,
  onStart,
}: {
  id: string
  isPassword: boolean
  attempt: Mutation<Parameters<typeof confirm>>
  onStart: () => void
}) {
  const [typed, setTyped] = useState('')
  const [isRecovery, setRecovery] = useState(false)
  const [missing, setMissing] = useState<{ readonly sentence: string } | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const { failure } = attempt
  useFirstProblem(form, missing ?? (failure as object | null))
  const problem = missing?.sentence ?? (failure === null ? null : (passwordRefusal(failure) ?? messageOf(failure)))
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    // React hands events of the dialog on to a form that the page has around it.
    event.stopPropagation()
    onStart()
    if (typed.trim() === '') {
      attempt.reset()
      return setMissing({
        sentence: isPassword ? accountsCopy['password.missing'] : copy[isRecovery ? 'recovery.format' : 'code.format'],
      })
    }
    setMissing(null)
    attempt.run(isPassword ? { password: typed } : isRecovery ? { recoveryCode: typed } : { code: typed })
  }
  const handleSwitch = () => {
    setRecovery(!isRecovery)
    setTyped('')
    setMissing(null)
    attempt.reset()
    onStart()
  }
  return (
    <form ref={form} id={id} method="post" onSubmit={handleSubmit} noValidate className="space-y-4">
      {isPassword ? (
        <PasswordProofField
          label={copy['confirm.password']}
          value={typed}
          problem={problem}
          onType={setTyped}
          hasFocus
        />
      ) : (
        <CodeField isRecovery={isRecovery} value={typed} problem={problem} onType={setTyped} hasFocus />
      )}
      {isPassword ? null : (
        <button type="button" className={`text-sm ${formLink}`} onClick={handleSwitch}>
          {copy[isRecovery ? 'step.use-code' : 'step.use-recovery']}
        </button>
      )}
    </form>
  )
}

/** Google is another tab, so that what was typed in this one stays. This page looks whether it has happened. */
function GoogleConfirmation({ onSettle }: { onSettle: Settle }) {
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => {
      readConfirmation().then(
        ({ isConfirmed }) => {
          if (isConfirmed) onSettle(true)
        },
        // The next look follows.
        () => {},
      )
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [isWaiting, onSettle])
  return (
    <>
      <a
        href={`/api/auth/google?confirm=1&redirect=${encodeURIComponent(paths.confirmed)}`}
        target="_blank"
        rel="noopener"
        className="flex min-h-11 w-full items-center justify-center rounded-md border border-line-strong bg-surface px-4 py-2 text-sm font-semibold hover:bg-sunken"
        onClick={() => setWaiting(true)}
      >
        {copy['confirm.google']}
      </a>
      {isWaiting ? <p role="status">{copy['confirm.google.wait']}</p> : null}
    </>
  )
}
