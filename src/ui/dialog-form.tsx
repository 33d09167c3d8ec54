import type { FormEvent, ReactNode } from 'react'
import { Button } from './button.tsx'
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
        <div className="space-y-4 overflow-y-auto px-5 py-4">{children}</div>
        <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button look="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look={look}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
