import type { ReactNode } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'

/** Asks before what can't be taken back. */
export default function ConfirmDialog({
  heading,
  text,
  button,
  onConfirm,
  onClose,
  children,
}: {
  heading: string
  text: string
  button: string
  onConfirm: () => void
  onClose: () => void
  /** More about it, under the text. */
  children?: ReactNode
}) {
  return (
    <Dialog title={heading} isOpen onClose={onClose}>
      <div className="overflow-y-auto px-5 py-4">
        <p>{text}</p>
        {children}
      </div>
      <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" onClick={onConfirm}>
          {button}
        </Button>
      </div>
    </Dialog>
  )
}
