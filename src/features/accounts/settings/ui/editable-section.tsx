import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Section } from '../../../../ui/page-parts.tsx'
import { useFirstProblem } from '../../../../ui/use-first-problem.ts'
import type { Mutation } from '../../../../ui/use-mutation.ts'
import { copy } from '../settings.copy.ts'

/** A part of the account page: a value, and in its place a form while it is changed. Closing the form returns the focus to its button. */
export function EditableSection({
  id,
  title,
  action,
  children,
  renderForm,
}: {
  id: string
  title: string
  /** The label of the button that opens the form; null when nothing can be changed. */
  action: string | null
  children: ReactNode
  renderForm: (close: () => void) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const button =
    isOpen || action === null ? null : (
      <Button ref={opener} look="secondary" onClick={() => setOpen(true)}>
        {action}
      </Button>
    )
  return (
    <Section id={id} title={title} aside={button}>
      {isOpen ? renderForm(() => setOpen(false)) : children}
    </Section>
  )
}

/** The frame of such a form, with its two buttons. */
export function EditForm({
  submit,
  change,
  onSubmit,
  onClose,
  children,
}: {
  submit: string
  change: Pick<Mutation<never>, 'button' | 'failure'>
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}) {
  const ref = useRef<HTMLFormElement>(null)
  useFirstProblem(ref, change.failure as object | null)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form ref={ref} method="post" onSubmit={handleSubmit} noValidate className="max-w-form space-y-4">
      {children}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" {...change.button}>
          {submit}
        </Button>
        <Button look="secondary" onClick={onClose}>
          {copy['account.cancel']}
        </Button>
      </div>
    </form>
  )
}
