import { useState } from 'react'
import type { QuestionForReview, QuestionForTaking } from '../../../questions/types/question-types.schema.ts'
import { fill } from '../../../../lib/failure.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { copy } from '../question-reports.copy.ts'
import { ReportForm } from './report-form.tsx'

/** The form to report a question; after sending, a confirmation. */
export function ReportQuestion({
  attemptId,
  question,
  number,
  wasReported,
}: {
  attemptId: string
  question: QuestionForTaking | QuestionForReview
  number: number
  wasReported: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  // Once opened, the form stays mounted, so that closing it does not lose the typed text.
  const [wasOpened, setOpened] = useState(false)
  const [isReported, setReported] = useState(wasReported)
  const name = isReported ? 'report.again' : 'report.open'
  const handleOpen = () => {
    setOpened(true)
    setOpen(true)
  }
  const handleDone = () => {
    setReported(true)
    setOpen(false)
    toast('success', copy['report.done'], copy['report.done.text'])
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-sm text-soft" data-print="off">
      {isReported ? <span>{copy['report.done.line']}</span> : null}
      <button
        type="button"
        aria-label={fill(copy[`${name}.of`], { n: number })}
        onClick={handleOpen}
        className="min-h-8 font-medium underline underline-offset-2 hover:text-ink"
      >
        {copy[name]}
      </button>
      {wasOpened ? (
        <Dialog title={fill(copy['report.title'], { n: number })} isOpen={isOpen} onClose={() => setOpen(false)}>
          <ReportForm attemptId={attemptId} question={question} onDone={handleDone} onCancel={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </div>
  )
}
