import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Section } from '../../../../ui/page-parts.tsx'
import { useFirstProblem } from '../../../../ui/use-first-problem.ts'
import type { Mutation } from '../../../../ui/use-mutation.ts'
import { useHydrated } from '../../../../ui/use-hydrated.ts'
import { usePostedForm } from '../../ui/use-posted-form.ts'
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
  /** Without scripts the form stands below the value, and takes no focus. */
  renderForm: (close: () => void, hasFocus: boolean) => ReactNode
}) {
  const hasScripts = useHydrated()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const button =
    isOpen || action === null ? null : (
      <Button ref={opener} look="secondary" className="scriptless:hidden" onClick={() => setOpen(true)}>
        {action}
      </Button>
    )
  return (
    <Section id={id} title={title} aside={button}>
      {isOpen ? renderForm(() => setOpen(false), true) : children}
      {hasScripts || action === null ? null : (
        <div className="mt-4 hidden scriptless:block">{renderForm(() => {}, false)}</div>
      )}
    </Section>
  )
}

/** The frame of such a form, with its two buttons. */
export function EditForm({
  name,
  submit,
  change,
  onSubmit,
  onClose,
  children,
}: {
  /** What the action of the page calls this form. */
  name: string
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
        <Button type="submit" name="do" value={name} {...change.button}>
          {submit}
        </Button>
        <Button look="secondary" className="scriptless:hidden" onClick={onClose}>
          {copy['account.cancel']}
        </Button>
      </div>
    </form>
  )
}

/** Why this form was refused when it was posted without a script, and what was typed into it. */
export function usePostedEdit(name: string): Pick<ReturnType<typeof usePostedForm>, 'failure' | 'typed'> {
  const { failure, typed } = usePostedForm()
  return typed['do'] === name ? { failure, typed } : { failure: null, typed: {} }
}

/** In place of a form that asks for a second factor. */
export function NeedsScripts() {
  return <p className="text-soft">{copy['account.factor.scriptless']}</p>
}
