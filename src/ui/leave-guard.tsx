import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Button } from './button.tsx'
import { DialogBody, DialogFooter } from './dialog-parts.tsx'
import { Dialog } from './dialog.tsx'

/** Asks before the user leaves or closes a page with unsaved changes. The text stays on the device in any case. */
export function LeaveGuard({
  isUnsaved,
  onSave,
}: {
  isUnsaved: boolean
  /** Saves and returns whether that succeeded; without it the dialog offers only to stay or to leave. */
  onSave?: () => Promise<boolean>
}) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    // On closing the page, the browser asks with its own message.
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  const stay = () => blocker.reset?.()
  const handleSave = async () => {
    if (await onSave?.()) blocker.proceed?.()
    else stay()
  }
  return (
    <Dialog title="Leave with unsaved changes?" isOpen={blocker.state === 'blocked'} onClose={stay}>
      <DialogBody>
        <p>
          What you typed stays on this device and is offered to you when you come back. The server does not have it.
        </p>
      </DialogBody>
      <DialogFooter cancel="Stay" onCancel={stay}>
        {onSave === undefined ? null : <Button onClick={() => void handleSave()}>Save and leave</Button>}
        <Button look="secondary" onClick={() => blocker.proceed?.()}>
          Leave
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
