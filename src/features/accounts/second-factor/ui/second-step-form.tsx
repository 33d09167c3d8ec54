import { useRef, useState, type FormEvent } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import { CallFailed, messageOf, toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useFirstProblem } from '../../../../ui/use-first-problem.ts'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { AccountForm, formLink } from '../../ui/account-form.tsx'
import { usePostedForm } from '../../ui/use-posted-form.ts'
import { finishSecondStep, finishSecondStepWithPasskey, giveUpSecondStep } from '../second-factor-client.ts'
import { copy } from '../second-factor.copy.ts'
import { CodeField } from './code-field.tsx'

type Step = { readonly code: boolean; readonly passkey: boolean }

/** The second step of a sign-in: a code, a recovery code or a passkey. The login page goes on once there is a session. */
export function SecondStepForm({ step }: { step: Step }) {
  const form = useSecondStep()
  return (
    <AccountForm heading={copy['step.heading']} intro={copy['step.intro']}>
      {form.problem === null ? null : (
        <Notice tone="bad" className="mb-5">
          {form.problem}
        </Notice>
      )}
      {step.code ? <CodeForm form={form} /> : null}
      {step.passkey ? (
        <>
          <Button look="secondary" {...form.passkey.button} className="mt-3 w-full" onClick={form.handlePasskey}>
            {copy['step.passkey']}
          </Button>
          <p className="mt-3 hidden text-sm text-soft scriptless:block">{copy['step.passkey.scripts']}</p>
        </>
      ) : null}
      <OtherWays step={step} form={form} />
    </AccountForm>
  )
}

type SecondStep = ReturnType<typeof useSecondStep>

function CodeForm({
  form: { place, isRecovery, typed, codeProblem, attempt, setTyped, handleSubmit },
}: {
  form: SecondStep
}) {
  return (
    <form ref={place} method="post" onSubmit={handleSubmit} noValidate className="space-y-4">
      <CodeField
        isRecovery={isRecovery}
        value={typed}
        problem={codeProblem?.sentence ?? null}
        onType={setTyped}
        hasFocus
      />
      <Button type="submit" name="do" value="second-step" {...attempt.button} className="w-full">
        {copy['step.submit']}
      </Button>
    </form>
  )
}

/** Switches to the other kind of code, or to another account. Without scripts the first is a link and the second a form. */
function OtherWays({ step, form: { isRecovery, giveUp, handleSwitch } }: { step: Step; form: SecondStep }) {
  const [search] = useSearchParams()
  const switched = new URLSearchParams(search)
  if (isRecovery) switched.delete(RECOVERY)
  else switched.set(RECOVERY, '')
  const handleGiveUp = (event: FormEvent) => {
    event.preventDefault()
    giveUp.run()
  }
  const words = copy[isRecovery ? 'step.use-code' : 'step.use-recovery']
  return (
    <div className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-3 text-sm">
      {step.code ? (
        <>
          <button type="button" className={formLink} onClick={handleSwitch}>
            {words}
          </button>
          <a href={`?${switched.toString()}`} className={`hidden scriptless:inline ${formLink}`}>
            {words}
          </a>
        </>
      ) : null}
      <form method="post" onSubmit={handleGiveUp}>
        <button name="do" value="another-account" className={formLink} {...giveUp.button}>
          {copy['step.cancel']}
        </button>
      </form>
    </div>
  )
}

/** The parameter of the address that asks for a recovery code. */
const RECOVERY = 'recovery'

function useSecondStep() {
  const { revalidate } = useRevalidator()
  const posted = usePostedForm()
  const [search] = useSearchParams()
  const [isRecovery, setRecovery] = useState(search.has(RECOVERY))
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [codeProblem, setCodeProblem] = useState(
    posted.failure === null ? null : { sentence: posted.failure.fields[0]?.message ?? posted.failure.message },
  )
  const place = useRef<HTMLFormElement>(null)
  useFirstProblem(place, codeProblem)
  const handleFailure = (show: (sentence: string) => void) => (error: unknown) => {
    if (!(error instanceof CallFailed) || error.code !== 'second-factor.step-ended') return show(messageOf(error))
    toast(...toastOf(error))
    void revalidate()
  }
  const showAtCode = handleFailure((sentence) => setCodeProblem({ sentence }))
  const showAbove = handleFailure(setProblem)
  const attempt = useMutation(finishSecondStep, { revalidates: true, onFailure: showAtCode })
  const passkey = useMutation(finishSecondStepWithPasskey, { revalidates: true, onFailure: showAbove })
  const giveUp = useMutation(giveUpSecondStep, { revalidates: true, onFailure: showAbove })
  const forgetProblems = () => {
    setProblem(null)
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
  return {
    place,
    isRecovery,
    typed,
    setTyped,
    problem,
    codeProblem,
    attempt,
    passkey,
    giveUp,
    handleSubmit,
    handlePasskey,
    handleSwitch,
  }
}
