import { useState, type ReactNode } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { signOut } from '../features/accounts/client.ts'
import { fill } from '../lib/failure.ts'
import { paths } from '../lib/paths.ts'
import { toastOf } from '../platform/client.ts'
import { usePart } from '../ui/part.ts'
import { toast } from '../ui/toasts.tsx'
import { copy } from './copy.ts'
import { forgetPrivatePages } from './offline-client.ts'
import { useSite } from './site.ts'

/** Ends the session. An admin's changes are sent first; where they can't be, the admin decides. */
export function useSignOut(): { leave: () => Promise<void>; question: ReactNode } {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { person } = useSite()
  const [unsent, setUnsent] = useState(0)
  const [ConfirmDialog, wantDialog] = usePart(() => import('../features/catalogue/sync/ui/confirm-dialog.tsx'))

  async function end() {
    setUnsent(0)
    try {
      // What was practised offline is sent first: it goes with the session.
      if (person !== null) await sendOfflineResults(person.id)
      await signOut()
    } catch (error) {
      return toast(...toastOf(error))
    }
    // What was kept on the device goes with the session; the code for it is fetched only now.
    const [device, packs, changes, lists] = await Promise.all([
      import('../features/attempts/saving/device/client.ts'),
      import('../features/attempts/saving/packs/client.ts'),
      import('../features/catalogue/sync/browser/client.ts'),
      import('../features/catalogue/sync/local/client.ts'),
    ])
    await device.forgetEverything()
    await changes.forgetChanges()
    lists.clearStored()
    await forgetPrivatePages()
    await packs.forgetEverything()
    await navigate(paths.home)
    await revalidate()
  }

  async function leave() {
    if (person?.role !== 'admin') return end()
    const { sendBeforeLeaving } = await import('../features/catalogue/sync/browser/client.ts')
    const left = await sendBeforeLeaving(person.id)
    if (left === 0) return end()
    await wantDialog()
    setUnsent(left)
  }

  const question =
    ConfirmDialog === null || unsent === 0 ? null : (
      <ConfirmDialog
        heading={copy['signout.unsent.heading']}
        text={fill(copy['signout.unsent.text'], { n: unsent })}
        button={copy['signout.unsent.button']}
        onClose={() => setUnsent(0)}
        onConfirm={() => void end()}
      />
    )
  return { leave, question }
}

async function sendOfflineResults(personId: string): Promise<void> {
  try {
    const { endPractices, sendResults } = await import('../features/attempts/saving/packs/client.ts')
    // Without a network nobody is signed out, and practice goes on.
    if (navigator.onLine) await endPractices()
    await sendResults(personId)
  } catch (error) {
    console.warn('What was practised offline could not be sent:', error)
  }
}
