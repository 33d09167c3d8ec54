import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { DialogBody, DialogFooter } from './dialog-parts.tsx'
import { Dialog } from './dialog.tsx'
import { TextArea } from './text-area.tsx'
import { useMutation } from './use-mutation.ts'

/** A problem of a form: of one field, or with `field` null of the whole form. */
export type FormProblem = { readonly field: string | null; readonly message: string }

/** A dialog for an action that needs a reason. What was typed stays after a failure. */
export function ReasonDialog({
  title,
  text,
  label,
  action,
  look = 'primary',
  isOpen,
  onClose,
  onDo,
  children,
  ownFields = [],
}: {
  title: string
  text: ReactNode
  label: string
  action: string
  look?: 'primary' | 'danger'
  isOpen: boolean
  onClose: () => void
  /** Performs the action; returns null on success. */
  onDo: (reason: string) => Promise<FormProblem | null>
  /** Fields above the reason. */
  children?: ReactNode
  /** The names of those fields; they show their problems themselves. */
  ownFields?: readonly string[]
}) {
  const { reason, setReason, problem, handleSubmit, button } = useReasonForm(onDo)
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <form onSubmit={handleSubmit} noValidate className="flex min-h-0 flex-col">
        <DialogBody className="space-y-4">
          <div className="wrap-anywhere">{text}</div>
          {children}
          <TextArea
            label={label}
            value={reason}
            maxLength={500}
            problem={problem?.field === 'reason' ? problem.message : null}
            onChange={(event) => setReason(event.target.value)}
          />
        </DialogBody>
        <DialogFooter
          problem={problem === null || [...ownFields, 'reason'].includes(problem.field ?? '') ? null : problem.message}
          onCancel={onClose}
        >
          <Button type="submit" look={look} {...button}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

function useReasonForm(onDo: (reason: string) => Promise<FormProblem | null>) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const mutation = useMutation(onDo, {
    onSuccess(found) {
      setProblem(found)
      if (found === null) setReason('')
    },
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    mutation.run(reason)
  }
  return { reason, setReason, problem, handleSubmit, button: mutation.button }
}
