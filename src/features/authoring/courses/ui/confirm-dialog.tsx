import type { ReactNode } from 'react'
import { DialogForm } from '../../../../ui/dialog-form.tsx'

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
    <DialogForm title={heading} action={button} look="danger" onSubmit={onConfirm} onClose={onClose}>
      <p className="wrap-anywhere">{text}</p>
      {children}
    </DialogForm>
  )
}
