import { useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { RadioList } from '../../../../ui/radio-list.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { settleReport } from '../question-reports-client.ts'
import { copy } from '../question-reports.copy.ts'
import { MAX_SETTLE_NOTE_LENGTH, OUTCOMES, type Outcome, type ReportView } from '../question-reports.schema.ts'

/** The form to settle a report, with a note for the reporter. */
export function SettleReport({ report, wasKeyCorrected }: { report: ReportView; wasKeyCorrected: boolean }) {
  const { revalidate } = useRevalidator()
  const [isOpen, setOpen] = useState(false)
  const handleDone = async () => {
    setOpen(false)
    toast('success', copy['settle.done'], fill(copy['settle.done.text'], { name: report.reporter.name }))
    await revalidate()
  }
  return (
    <>
      <Button
        look="secondary"
        aria-label={fill(copy['settle.open.of'], { n: report.questionNumber, exam: report.examTitle })}
        onClick={() => setOpen(true)}
      >
        {copy['settle.open']}
      </Button>
      <Dialog title={copy['settle.title']} isOpen={isOpen} onClose={() => setOpen(false)}>
        <SettleForm
          report={report}
          initial={wasKeyCorrected ? 'corrected' : null}
          onDone={() => void handleDone()}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  )
}

type Problems = { readonly outcome?: string; readonly note?: string; readonly form?: string }

function SettleForm({
  report,
  initial,
  onDone,
  onCancel,
}: {
  report: ReportView
  initial: Outcome | null
  onDone: () => void
  onCancel: () => void
}) {
  const [outcome, setOutcome] = useState<Outcome | null>(initial)
  const [note, setNote] = useState('')
  const [problems, setProblems] = useState<Problems>({})

  const sending = useMutation((chosen: Outcome) => settleReport(report.id, { outcome: chosen, note }), {
    onSuccess: onDone,
    onFailure: (error) => {
      const inNote = error instanceof CallFailed ? error.problemOf('note') : undefined
      setProblems(inNote === undefined ? { form: messageOf(error) } : { note: inNote })
    },
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (outcome === null) {
      const missing = note.trim() === '' ? { note: copy['settle.note.needed'] } : {}
      return setProblems({ outcome: copy['settle.outcome.needed'], ...missing })
    }
    setProblems({})
    sending.run(outcome)
  }
  return (
    <form onSubmit={handleSubmit} noValidate className="flex min-h-0 flex-col">
      <DialogBody>
        <p className="mb-4 text-soft">{fill(copy['settle.about'], { name: report.reporter.name })}</p>
        <RadioList
          legend={copy['settle.outcome']}
          choices={OUTCOMES.map((value) => ({
            value,
            label: copy[`settle.outcome.${value}`],
            about: copy[`settle.outcome.${value}.about`],
          }))}
          chosen={outcome}
          problem={problems.outcome}
          onChoose={setOutcome}
        />
        <TextArea
          label={copy['settle.note']}
          className="mt-4"
          rows={4}
          maxLength={MAX_SETTLE_NOTE_LENGTH}
          value={note}
          problem={problems.note}
          onChange={(event) => setNote(event.target.value)}
        />
      </DialogBody>
      <DialogFooter problem={problems.form === undefined ? null : problems.form} onCancel={onCancel}>
        <Button type="submit" {...sending.button}>
          {copy[sending.isBusy ? 'settle.sending' : 'settle.send']}
        </Button>
      </DialogFooter>
    </form>
  )
}
