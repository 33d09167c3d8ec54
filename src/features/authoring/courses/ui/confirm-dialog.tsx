import type { ReactNode } from 'react'
import { DialogForm } from '../../../../ui/dialog-form.tsx'

/** Asks for confirmation before an action that cannot be undone. */
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
  /** Details below the text. */
  children?: ReactNode
}) {
  return (
    <DialogForm title={heading} action={button} look="danger" onSubmit={onConfirm} onClose={onClose}>
      <p className="wrap-anywhere">{text}</p>
      {children}
    </DialogForm>
  )
}
