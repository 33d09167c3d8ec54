import { useState, type FormEvent, type ReactNode } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { toastOf } from '../../platform/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { usePart } from '../../ui/use-part.ts'
import { toast } from '../../ui/toasts.tsx'
import { copy } from '../app.copy.ts'
import { useSite } from './use-site.ts'

const ending = () => import('./sign-out-client.ts')

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
      const { endSession } = await ending()
      await endSession()
    } catch (error) {
      return toast(...toastOf(error))
    }
    await navigate(paths.home)
    await revalidate()
  }

  async function leave() {
    try {
      const { sendAndFindLosses } = await ending()
      const found = user === null ? null : await sendAndFindLosses(user)
      if (found === null) return await end()
      await loadDialog()
      setLosses(found)
    } catch (error) {
      toast(...toastOf(error))
    }
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
