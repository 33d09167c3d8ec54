import { useState } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogForm } from '../../../../ui/dialog-form.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { renewRecoveryCodes } from '../second-factor-client.ts'
import { copy } from '../second-factor.copy.ts'
import { RECOVERY_CODES } from '../second-factor.ts'
import { takeFocus } from '../../../../ui/take-focus.ts'

type OnCodes = (codes: readonly string[]) => void

/** How many recovery codes are left, and new ones. `hasFocus`: it appears in place of the codes that were just stored. */
export function RecoveryPart({ left, onCodes, hasFocus }: { left: number; onCodes: OnCodes; hasFocus: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const renew = useMutation(renewRecoveryCodes, {
    onSuccess({ recoveryCodes }) {
      setOpen(false)
      onCodes(recoveryCodes)
    },
    onFailure: (error) => toast(...toastOf(error)),
    revalidates: true,
  })
  return (
    <div className="mt-6">
      <h3 ref={hasFocus ? takeFocus : null} tabIndex={-1} className="text-base font-semibold">
        {copy['recovery.title']}
      </h3>
      <p className="mt-1 text-soft">{fill(copy['recovery.left'], { n: left, all: RECOVERY_CODES })}</p>
      <Button className="mt-3" look="secondary" onClick={() => setOpen(true)}>
        {copy['recovery.renew']}
      </Button>
      {isOpen ? (
        <DialogForm
          title={copy['recovery.title']}
          action={copy['recovery.renew']}
          onSubmit={() => renew.run()}
          onClose={() => setOpen(false)}
        >
          <p>{copy['recovery.renew.text']}</p>
        </DialogForm>
      ) : null}
    </div>
  )
}

/** The new codes, which the server shows once. */
export function ShownCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const handleCopy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'))
    toast('success', copy['recovery.copied'], '')
  }
  return (
    <section aria-labelledby="recovery-shown" className="mt-6 rounded-lg border border-line-strong bg-surface p-5">
      <h3 id="recovery-shown" ref={takeFocus} tabIndex={-1} className="text-base font-semibold">
        {copy['recovery.title']}
      </h3>
      <p className="mt-1 max-w-read">{copy['recovery.shown']}</p>
      <ul className="mt-4 grid grid-cols-1 gap-x-8 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="wrap-anywhere">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button look="secondary" onClick={() => void handleCopy()}>
          {copy['recovery.copy']}
        </Button>
        <Button onClick={onDone}>{copy['recovery.done']}</Button>
      </div>
    </section>
  )
}
