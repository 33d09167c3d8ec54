import { lazy, Suspense, useEffect, useState } from 'react'
import { onConfirmationNeeded } from '../../../../platform/api-client.ts'

const ConfirmationDialog = lazy(() => import('./confirmation-dialog.tsx'))

type Asked = { readonly settle: (isConfirmed: boolean) => void }

/** Asks the user to confirm who they are when a call needs it. The dialog is loaded only then. */
export function ConfirmationHost() {
  const [asked, setAsked] = useState<Asked | null>(null)
  useEffect(
    () =>
      onConfirmationNeeded(
        () =>
          new Promise((resolve) => {
            const settle = (isConfirmed: boolean) => {
              setAsked(null)
              resolve(isConfirmed)
            }
            setAsked({ settle })
          }),
      ),
    [],
  )
  if (asked === null) return null
  return (
    <Suspense fallback={null}>
      <ConfirmationDialog onSettle={asked.settle} />
    </Suspense>
  )
}
