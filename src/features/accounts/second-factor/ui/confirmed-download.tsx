import type { ReactNode } from 'react'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { ensureConfirmed } from '../second-factor-client.ts'
import { copy } from '../second-factor.copy.ts'

/** Downloads a file that needs a recent confirmation: asks for it first. */
export function ConfirmedDownload({ address, children }: { address: string; children: ReactNode }) {
  const download = useMutation(ensureConfirmed, {
    onSuccess(isConfirmed) {
      // The reply is an attachment, so the page stays.
      if (isConfirmed) window.location.assign(address)
      else toast('warning', copy['confirm.download.canceled.title'], copy['confirm.download.canceled'])
    },
    onFailure: (error) => toast(...toastOf(error)),
  })
  return (
    <Button look="secondary" {...download.button} onClick={() => download.run()}>
      {children}
    </Button>
  )
}
