import { useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { CallFailed, messageOf, toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { setAside, takeBack } from '../question-checks-client.ts'
import { copy } from '../question-checks.copy.ts'
import { MAX_NOTE, type FindingView } from '../question-checks.schema.ts'

/** Asks why a finding may stay as it is, and sets it aside. */
export function SetAside({ finding, onDone }: { finding: FindingView; onDone: () => void }) {
  const { revalidate } = useRevalidator()
  const [isOpen, setOpen] = useState(false)
  const handleDone = async () => {
    setOpen(false)
    onDone()
    await revalidate()
  }
  return (
    <>
      <Button
        look="secondary"
        aria-label={fill(copy['checks.set-aside.of'], { sentence: finding.sentence })}
        onClick={() => setOpen(true)}
      >
        {copy['checks.set-aside']}
      </Button>
      <Dialog title={copy['checks.set-aside.title']} isOpen={isOpen} onClose={() => setOpen(false)}>
        <NoteForm finding={finding} onDone={() => void handleDone()} onCancel={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function NoteForm({ finding, onDone, onCancel }: { finding: FindingView; onDone: () => void; onCancel: () => void }) {
  const [note, setNote] = useState('')
  const sending = useMutation(() => setAside(finding.id, note), { onSuccess: onDone })
  const { failure } = sending
  const noteProblem = failure instanceof CallFailed ? (failure.problemOf('note') ?? null) : null
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    sending.run()
  }
  return (
    <form onSubmit={handleSubmit} noValidate className="flex min-h-0 flex-col">
      <DialogBody>
        <p className="font-medium wrap-anywhere">{finding.sentence}</p>
        <p className="mt-1 mb-4 text-sm text-soft">{copy['checks.set-aside.about']}</p>
        <TextArea
          label={copy['checks.note']}
          value={note}
          maxLength={MAX_NOTE}
          problem={noteProblem}
          onChange={(event) => setNote(event.target.value)}
        />
      </DialogBody>
      <DialogFooter problem={failure === null || noteProblem !== null ? null : messageOf(failure)} onCancel={onCancel}>
        <Button type="submit" {...sending.button}>
          {copy['checks.set-aside']}
        </Button>
      </DialogFooter>
    </form>
  )
}

/** Returns a finding that was set aside to the open ones. */
export function TakeBack({
  finding,
  label = copy['checks.back'],
  onDone,
}: {
  finding: FindingView
  label?: string
  onDone?: () => void
}) {
  const reopening = useMutation(() => takeBack(finding.id), {
    revalidates: true,
    onSuccess: () => onDone?.(),
    onFailure: (error) => toast(...toastOf(error)),
  })
  return (
    <Button
      look="secondary"
      {...reopening.button}
      aria-label={fill(copy['checks.back.of'], { sentence: finding.sentence })}
      onClick={() => reopening.run()}
    >
      {label}
    </Button>
  )
}
