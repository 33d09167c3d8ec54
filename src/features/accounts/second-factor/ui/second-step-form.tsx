import { useRef, useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { CallFailed, messageOf, toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useFirstProblem } from '../../../../ui/use-first-problem.ts'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { AccountForm, formLink } from '../../ui/account-form.tsx'
import { finishSecondStep, finishSecondStepWithPasskey, giveUpSecondStep } from '../second-factor-client.ts'
import { copy } from '../second-factor.copy.ts'
import { CodeField } from './code-field.tsx'

/** The second step of a sign-in: a code, a recovery code or a passkey. The login page goes on once there is a session. */
export function SecondStepForm({ step }: { step: { readonly code: boolean; readonly passkey: boolean } }) {
  const { revalidate } = useRevalidator()
  const [isRecovery, setRecovery] = useState(false)
  const [typed, setTyped] = useState('')
  const [passkeyProblem, setPasskeyProblem] = useState<string | null>(null)
  const [codeProblem, setCodeProblem] = useState<{ readonly sentence: string } | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useFirstProblem(form, codeProblem)
  const handleFailure = (show: (sentence: string) => void) => (error: unknown) => {
    if (!(error instanceof CallFailed) || error.code !== 'second-factor.step-ended') return show(messageOf(error))
    toast(...toastOf(error))
    void revalidate()
  }
  const showAtCode = handleFailure((sentence) => setCodeProblem({ sentence }))
  const showAbove = handleFailure(setPasskeyProblem)
  const attempt = useMutation(finishSecondStep, { revalidates: true, onFailure: showAtCode })
  const passkey = useMutation(finishSecondStepWithPasskey, { revalidates: true, onFailure: showAbove })
  const giveUp = useMutation(giveUpSecondStep, { revalidates: true, onFailure: showAbove })
  const forgetProblems = () => {
    setPasskeyProblem(null)
    setCodeProblem(null)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    forgetProblems()
    attempt.run(isRecovery ? { recoveryCode: typed } : { code: typed })
  }
  const handlePasskey = () => {
    forgetProblems()
    passkey.run()
  }
  const handleSwitch = () => {
    setRecovery(!isRecovery)
    setTyped('')
    forgetProblems()
  }
  return (
    <AccountForm heading={copy['step.heading']} intro={copy['step.intro']}>
      {passkeyProblem === null ? null : (
        <Notice tone="bad" className="mb-5">
          {passkeyProblem}
        </Notice>
      )}
      {step.code ? (
        <form ref={form} method="post" onSubmit={handleSubmit} noValidate className="space-y-4">
          <CodeField
            isRecovery={isRecovery}
            value={typed}
            problem={codeProblem?.sentence ?? null}
            onType={setTyped}
            hasFocus
          />
          <Button type="submit" {...attempt.button} className="w-full">
            {copy['step.submit']}
          </Button>
        </form>
      ) : null}
      {step.passkey ? (
        <Button look="secondary" {...passkey.button} className="mt-3 w-full" onClick={handlePasskey}>
          {copy['step.passkey']}
        </Button>
      ) : null}
      <div className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-3 text-sm">
        {step.code ? (
          <button type="button" className={formLink} onClick={handleSwitch}>
            {copy[isRecovery ? 'step.use-code' : 'step.use-recovery']}
          </button>
        ) : null}
        <button type="button" className={formLink} {...giveUp.button} onClick={() => giveUp.run()}>
          {copy['step.cancel']}
        </button>
      </div>
    </AccountForm>
  )
}
