import { useEffect, useRef, useState, type FormEvent } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { messageOf, toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogForm } from '../../../../ui/dialog-form.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useFirstProblem } from '../../../../ui/use-first-problem.ts'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { beginAuthenticator, enableAuthenticator, removeAuthenticator } from '../second-factor-client.ts'
import { copy } from '../second-factor.copy.ts'
import type { AuthenticatorSetup } from '../second-factor.schema.ts'
import { groupSecret } from '../second-factor.ts'
import { CodeField } from './code-field.tsx'
import { takeFocus } from '../../../../ui/take-focus.ts'

type OnCodes = (codes: readonly string[]) => void

/** The authenticator app: set up with a QR code and one code, or turned off. */
export function AuthenticatorPart({ since, onCodes }: { since: string | null; onCodes: OnCodes }) {
  const [setup, setSetup] = useState<AuthenticatorSetup | null>(null)
  const begin = useMutation(beginAuthenticator, {
    onSuccess: setSetup,
    onFailure: (error) => toast(...toastOf(error)),
  })
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const [isCanceled, setCanceled] = useState(false)
  const sinceBefore = useRef(since)
  useEffect(() => {
    // The button that turned it off is gone.
    if (sinceBefore.current !== null && since === null) heading.current?.focus()
    sinceBefore.current = since
  }, [since])
  useEffect(() => {
    if (isCanceled) opener.current?.focus()
  }, [isCanceled])
  const handleCancel = () => {
    setSetup(null)
    setCanceled(true)
  }
  const handleBegin = () => {
    setCanceled(false)
    begin.run()
  }
  const handleCodes: OnCodes = (codes) => {
    setSetup(null)
    onCodes(codes)
  }
  return (
    <div className="mt-6">
      <h3 ref={heading} tabIndex={-1} className="text-base font-semibold">
        {copy['authenticator.title']}
      </h3>
      <p className="mt-1 max-w-read text-soft">
        {since === null ? copy['authenticator.off'] : fill(copy['authenticator.on'], { day: formatDay(since) })}
      </p>
      {since === null && setup === null ? (
        <Button ref={opener} className="mt-3" look="secondary" {...begin.button} onClick={handleBegin}>
          {copy['authenticator.start']}
        </Button>
      ) : null}
      {setup === null || since !== null ? null : (
        <SetupForm setup={setup} onCodes={handleCodes} onCancel={handleCancel} />
      )}
      {since === null ? null : <TurnOff />}
    </div>
  )
}

function SetupForm({
  setup,
  onCodes,
  onCancel,
}: {
  setup: AuthenticatorSetup
  onCodes: OnCodes
  onCancel: () => void
}) {
  const [code, setCode] = useState('')
  const enable = useMutation(enableAuthenticator, {
    onSuccess({ recoveryCodes }) {
      onCodes(recoveryCodes)
      toast('success', copy['authenticator.enabled'], '')
    },
    revalidates: true,
  })
  const form = useRef<HTMLFormElement>(null)
  useFirstProblem(form, enable.failure as object | null)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    enable.run(code)
  }
  const { size, path } = setup.qr
  return (
    <form ref={form} method="post" onSubmit={handleSubmit} noValidate className="mt-4 max-w-form space-y-4">
      <p ref={takeFocus} tabIndex={-1}>
        {copy['authenticator.scan']}
      </p>
      <svg
        role="img"
        aria-label={copy['authenticator.qr']}
        viewBox={`0 0 ${size} ${size}`}
        className="w-56 max-w-full rounded-md border border-line"
        shapeRendering="crispEdges"
      >
        {/* Cameras read dark on light, also in the dark theme. */}
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <p>
        <span className="block text-sm font-medium">{copy['authenticator.key']}</span>
        <code className="font-mono text-sm wrap-anywhere select-all">{groupSecret(setup.secret)}</code>
      </p>
      <CodeField value={code} problem={enable.failure === null ? null : messageOf(enable.failure)} onType={setCode} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" {...enable.button}>
          {copy['authenticator.enable']}
        </Button>
        <Button look="secondary" onClick={onCancel}>
          {copy['authenticator.cancel']}
        </Button>
      </div>
    </form>
  )
}

function TurnOff() {
  const [isOpen, setOpen] = useState(false)
  const remove = useMutation(removeAuthenticator, {
    onSuccess() {
      setOpen(false)
      toast('success', copy['authenticator.removed'], '')
    },
    onFailure: (error) => toast(...toastOf(error)),
    revalidates: true,
  })
  return (
    <>
      <Button className="mt-3" look="secondary" onClick={() => setOpen(true)}>
        {copy['authenticator.remove']}
      </Button>
      {isOpen ? (
        <DialogForm
          title={copy['authenticator.remove.title']}
          action={copy['authenticator.remove']}
          look="danger"
          onSubmit={() => remove.run()}
          onClose={() => setOpen(false)}
        >
          <p>{copy['authenticator.remove.text']}</p>
        </DialogForm>
      ) : null}
    </>
  )
}
