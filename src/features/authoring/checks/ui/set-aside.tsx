import { useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { CallFailed, messageOf, toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { setAside, takeBack } from '../question-checks-client.ts'
import { copy } from '../question-checks.copy.ts'
import { MAX_NOTE, type FindingView } from '../question-checks.schema.ts'

/** Where an admin says why a finding may stay as it is. */
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
  const [problem, setProblem] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setProblem(null)
    setFailure(null)
    setBusy(true)
    try {
      await setAside(finding.id, note)
      onDone()
    } catch (error) {
      const inNote = error instanceof CallFailed ? error.problemOf('note') : undefined
      if (inNote === undefined) setFailure(messageOf(error))
      else setProblem(inNote)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void handleSubmit(event)} noValidate className="overflow-y-auto p-5">
      <p className="font-medium wrap-anywhere">{finding.sentence}</p>
      <p className="mt-1 mb-4 text-sm text-soft">{copy['checks.set-aside.about']}</p>
      <TextArea
        label={copy['checks.note']}
        value={note}
        maxLength={MAX_NOTE}
        problem={problem}
        onChange={(event) => setNote(event.target.value)}
      />
      {failure === null ? null : (
        <Notice tone="bad" className="mt-4">
          {failure}
        </Notice>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button type="submit" disabled={isBusy}>
          {copy['checks.set-aside']}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {copy['checks.cancel']}
        </Button>
      </div>
    </form>
  )
}

/** Puts a finding back among those to work through. */
export function TakeBack({
  finding,
  label = copy['checks.back'],
  onDone,
}: {
  finding: FindingView
  label?: string
  onDone?: () => void
}) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const handleClick = async () => {
    setBusy(true)
    try {
      await takeBack(finding.id)
      onDone?.()
      await revalidate()
    } catch (error) {
      toast(...toastOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      look="secondary"
      disabled={isBusy}
      aria-label={fill(copy['checks.back.of'], { sentence: finding.sentence })}
      onClick={() => void handleClick()}
    >
      {label}
    </Button>
  )
}
