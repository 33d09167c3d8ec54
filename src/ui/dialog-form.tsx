import type { FormEvent, ReactNode } from 'react'
import { Button } from './button.tsx'
import { DialogBody, DialogFooter } from './dialog-parts.tsx'
import { Dialog } from './dialog.tsx'

/** A form in a dialog: the fields scroll, the buttons stay visible. */
export function DialogForm({
  title,
  action,
  look = 'primary',
  onSubmit,
  onClose,
  children,
}: {
  title: string
  action: string
  look?: 'primary' | 'danger'
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}) {
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={handleSubmit} noValidate className="flex min-h-0 flex-col">
        <DialogBody className="space-y-4">{children}</DialogBody>
        <DialogFooter onCancel={onClose}>
          <Button type="submit" look={look}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
