import { useState, type ReactNode } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { signOut } from '../../features/accounts/accounts-client.ts'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { toastOf } from '../../platform/api-client.ts'
import { usePart } from '../../ui/use-part.ts'
import { toast } from '../../ui/toasts.tsx'
import { copy } from '../app.copy.ts'
import { clearPrivatePages } from '../offline/offline-client.ts'
import { useSite } from './use-site.ts'

/** Ends the session. An admin's unsent changes are sent first; if that fails, a dialog asks whether to lose them. */
export function useSignOut(): { leave: () => Promise<void>; question: ReactNode } {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { user } = useSite()
  const [unsent, setUnsent] = useState(0)
  const [ConfirmDialog, loadDialog] = usePart(() => import('../../features/authoring/courses/ui/confirm-dialog.tsx'))

  async function end() {
    setUnsent(0)
    try {
      // Offline results belong to the session, so they are sent before it ends.
      if (user !== null) await sendOfflineResults(user.id)
      await signOut()
    } catch (error) {
      return toast(...toastOf(error))
    }
    // Data on the device belongs to the session. Its code is imported here because most pages never need it.
    const [device, offlineExams, changes, lists] = await Promise.all([
      import('../../features/attempts/saving/stored-answers-client.ts'),
      import('../../features/attempts/offline-exams/offline-exams-client.ts'),
      import('../../features/catalogue/data-calls/tab-sync-client.ts'),
      import('../../features/catalogue/data-calls/local-courses-client.ts'),
    ])
    await device.clearEverything()
    await changes.discardChanges()
    lists.clearStored()
    await clearPrivatePages()
    await offlineExams.clearEverything()
    await navigate(paths.home)
    await revalidate()
  }

  async function leave() {
    if (user?.role !== 'admin') return end()
    const { sendBeforeLeaving } = await import('../../features/catalogue/data-calls/tab-sync-client.ts')
    const unsentCount = await sendBeforeLeaving(user.id)
    if (unsentCount === 0) return end()
    await loadDialog()
    setUnsent(unsentCount)
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

async function sendOfflineResults(userId: string): Promise<void> {
  try {
    const { endPractices, sendResults } = await import('../../features/attempts/offline-exams/offline-exams-client.ts')
    // Offline, the sign-out fails and practice continues.
    if (navigator.onLine) await endPractices()
    await sendResults(userId)
  } catch (error) {
    console.warn('Offline results could not be sent:', error)
  }
}
