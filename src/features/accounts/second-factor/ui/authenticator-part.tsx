import { useState, type FormEvent } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { messageOf, toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { beginAuthenticator, enableAuthenticator, removeAuthenticator } from '../second-factor-client.ts'
import { copy } from '../second-factor.copy.ts'
import type { AuthenticatorSetup } from '../second-factor.schema.ts'
import { groupSecret } from '../second-factor.ts'
import { CodeField } from './code-field.tsx'

type OnCodes = (codes: readonly string[]) => void

/** The authenticator app: set up with a QR code and one code, or turned off. */
export function AuthenticatorPart({ since, onCodes }: { since: string | null; onCodes: OnCodes }) {
  const [setup, setSetup] = useState<AuthenticatorSetup | null>(null)
  const begin = useMutation(beginAuthenticator, {
    onSuccess: setSetup,
    onFailure: (error) => toast(...toastOf(error)),
  })
  const handleCodes: OnCodes = (codes) => {
    setSetup(null)
    onCodes(codes)
  }
  return (
    <div className="mt-6">
      <h3 className="text-base font-semibold">{copy['authenticator.title']}</h3>
      <p className="mt-1 text-soft">
        {since === null ? copy['authenticator.off'] : fill(copy['authenticator.on'], { day: formatDay(since) })}
      </p>
      {since === null && setup === null ? (
        <Button className="mt-3" look="secondary" {...begin.button} onClick={() => begin.run()}>
          {copy['authenticator.start']}
        </Button>
      ) : null}
      {setup === null || since !== null ? null : <SetupForm setup={setup} onCodes={handleCodes} />}
      {since === null ? null : <TurnOff />}
    </div>
  )
}

function SetupForm({ setup, onCodes }: { setup: AuthenticatorSetup; onCodes: OnCodes }) {
  const [code, setCode] = useState('')
  const enable = useMutation(enableAuthenticator, {
    onSuccess({ recoveryCodes }) {
      onCodes(recoveryCodes)
      toast('success', copy['authenticator.enabled'], '')
    },
    revalidates: true,
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    enable.run(code)
  }
  const { size, path } = setup.qr
  return (
    <form method="post" onSubmit={handleSubmit} noValidate className="mt-4 max-w-form space-y-4">
      <p>{copy['authenticator.scan']}</p>
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
        {copy['authenticator.key']}:{' '}
        <code className="font-mono wrap-anywhere select-all">{groupSecret(setup.secret)}</code>
      </p>
      <CodeField value={code} problem={enable.failure === null ? null : messageOf(enable.failure)} onType={setCode} />
      <Button type="submit" {...enable.button}>
        {copy['authenticator.enable']}
      </Button>
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
      <Dialog title={copy['authenticator.title']} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="space-y-6 p-5">
          <p>{copy['authenticator.remove.text']}</p>
          <Button look="danger" className="w-full" {...remove.button} onClick={() => remove.run()}>
            {copy['authenticator.remove']}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
