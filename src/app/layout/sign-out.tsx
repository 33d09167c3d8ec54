import { useState, type FormEvent, type ReactNode } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { signOut } from '../../features/accounts/accounts-client.ts'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { toastOf } from '../../platform/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { usePart } from '../../ui/use-part.ts'
import { toast } from '../../ui/toasts.tsx'
import { copy } from '../app.copy.ts'
import { clearPrivatePages } from '../offline/offline-client.ts'
import { useSite } from './use-site.ts'

/**
 * Ends the session. An admin's unsent changes and results of offline practice are sent first; if that fails, a dialog asks whether
 * to lose them. The cart, the theme and unsent answers of exams stay on the device.
 */
export function useSignOut(): { leave: () => Promise<void>; question: ReactNode } {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { user } = useSite()
  const [losses, setLosses] = useState<string | null>(null)
  const [ConfirmDialog, loadDialog] = usePart(() => import('../../features/authoring/courses/ui/confirm-dialog.tsx'))

  async function end() {
    setLosses(null)
    try {
      await signOut()
    } catch (error) {
      return toast(...toastOf(error))
    }
    await clearDevice()
    await navigate(paths.home)
    await revalidate()
  }

  async function leave() {
    const found = user === null ? null : await sendAndFindLosses(user)
    if (found === null) return end()
    await loadDialog()
    setLosses(found)
  }

  const question =
    ConfirmDialog === null || losses === null ? null : (
      <ConfirmDialog
        heading={copy['signout.unsent.heading']}
        text={losses}
        button={copy['signout.unsent.button']}
        onClose={() => setLosses(null)}
        onConfirm={() => void end()}
      />
    )
  return { leave, question }
}

/** The button to sign out; without scripts it posts to the login page. */
export function SignOutForm({ onSignOut, className }: { onSignOut: () => void; className?: string }) {
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    onSignOut()
  }
  return (
    <form method="post" action={paths.login} onSubmit={handleSubmit}>
      <input type="hidden" name="do" value="sign-out" />
      <Button type="submit" look="secondary" className={className}>
        {copy['layout.signout']}
      </Button>
    </form>
  )
}

/** Deletes what the device stores for the user. Its code is imported here because most pages never need it. */
async function clearDevice(): Promise<void> {
  const [answers, offlineExams, changes, lists] = await Promise.all([
    import('../../features/attempts/saving/stored-answers-client.ts'),
    import('../../features/attempts/offline-exams/offline-exams-client.ts'),
    import('../../features/catalogue/data-calls/tab-sync-client.ts'),
    import('../../features/catalogue/data-calls/local-courses-client.ts'),
  ])
  await answers.clearSent()
  await changes.discardChanges()
  lists.clearStored()
  await clearPrivatePages()
  await offlineExams.clearEverything()
}

/** Sends what belongs to the session before it ends. Resolves to the sentences about what a sign-out would lose; null for nothing. */
async function sendAndFindLosses(user: { readonly id: string; readonly role: string }): Promise<string | null> {
  let changeCount = 0
  if (user.role === 'admin') {
    const { sendBeforeLeaving } = await import('../../features/catalogue/data-calls/tab-sync-client.ts')
    changeCount = await sendBeforeLeaving(user.id)
  }
  const resultCount = await sendOfflineResults(user.id)
  const sentences = [
    ...(changeCount > 0 ? [fill(copy['signout.unsent.text'], { n: changeCount })] : []),
    ...(resultCount > 0 ? [fill(copy['signout.results.text'], { n: resultCount })] : []),
  ]
  return sentences.length === 0 ? null : sentences.join(' ')
}

/** Resolves to the number of results that could not be sent. */
async function sendOfflineResults(userId: string): Promise<number> {
  try {
    const { countResults, endPractices, sendResults } =
      await import('../../features/attempts/offline-exams/offline-exams-client.ts')
    // Offline, the sign-out fails and practice continues.
    if (!navigator.onLine) return 0
    await endPractices()
    await sendResults(userId)
    return await countResults(userId)
  } catch (error) {
    console.warn('Offline results could not be sent:', error)
    return 0
  }
}
