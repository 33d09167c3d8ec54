import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'
import { TextArea } from './text-area.tsx'

/** What went wrong, under the field that it is about, or for the form as a whole. */
export type FormProblem = { readonly field: string | null; readonly message: string }

/** Something that wants a reason. Nothing typed is lost when it does not work. */
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
  /** Null: it worked. */
  onDo: (reason: string) => Promise<FormProblem | null>
  /** Fields before the reason. */
  children?: ReactNode
  /** Of those, which show their problem themselves. */
  ownFields?: readonly string[]
}) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const found = await onDo(reason)
    setBusy(false)
    setProblem(found)
    if (found === null) setReason('')
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <form onSubmit={(event) => void handleSubmit(event)} noValidate className="space-y-4 overflow-y-auto p-5">
        <div className="wrap-anywhere">{text}</div>
        {children}
        <TextArea
          label={label}
          value={reason}
          maxLength={500}
          problem={problem?.field === 'reason' ? problem.message : null}
          onChange={(event) => setReason(event.target.value)}
        />
        {problem === null || [...ownFields, 'reason'].includes(problem.field ?? '') ? null : (
          <Notice tone="bad">{problem.message}</Notice>
        )}
        <Button type="submit" look={look} aria-busy={isBusy} className="w-full">
          {action}
        </Button>
      </form>
    </Dialog>
  )
}
