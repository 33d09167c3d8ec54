import { useState, type FormEvent } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { RadioList } from '../../../../ui/radio-list.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { reportQuestion } from '../question-reports-client.ts'
import { copy } from '../question-reports.copy.ts'
import { MAX_WORDS_LENGTH, REPORT_REASONS, type ReportReason } from '../report-reasons.ts'

/** The form to report a question; after sending, a confirmation. */
export function ReportQuestion({
  attemptId,
  questionId,
  number,
  wasReported,
}: {
  attemptId: string
  questionId: string
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
          <ReportForm
            attemptId={attemptId}
            questionId={questionId}
            onDone={handleDone}
            onCancel={() => setOpen(false)}
          />
        </Dialog>
      ) : null}
    </div>
  )
}

type Problems = { readonly reason?: string; readonly words?: string; readonly form?: string }

function ReportForm({
  attemptId,
  questionId,
  onDone,
  onCancel,
}: {
  attemptId: string
  questionId: string
  onDone: () => void
  onCancel: () => void
}) {
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [words, setWords] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const left = MAX_WORDS_LENGTH - words.length

  const sending = useMutation(
    (chosen: ReportReason) => reportQuestion(attemptId, questionId, { reason: chosen, words }),
    {
      onSuccess: onDone,
      onFailure: (error) => {
        const inWords = error instanceof CallFailed ? error.problemOf('words') : undefined
        setProblems(inWords === undefined ? { form: messageOf(error) } : { words: inWords })
      },
    },
  )
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (reason === null) return setProblems({ reason: copy['report.reason.needed'] })
    setProblems({})
    sending.run(reason)
  }
  return (
    <form onSubmit={handleSubmit} noValidate className="flex min-h-0 flex-col text-base text-ink">
      <DialogBody>
        <p className="mb-4 text-soft">{copy['report.about']}</p>
        <RadioList
          legend={copy['report.reason']}
          choices={REPORT_REASONS.map((value) => ({ value, label: copy[`report.reason.${value}`] }))}
          chosen={reason}
          problem={problems.reason}
          onChoose={setReason}
        />
        <TextArea
          label={copy[reason === 'other' ? 'report.words' : 'report.words.optional']}
          hint={left < 200 ? fill(copy['report.left'], { n: left }) : copy['report.words.hint']}
          className="mt-4"
          rows={4}
          maxLength={MAX_WORDS_LENGTH}
          value={words}
          problem={problems.words}
          onChange={(event) => setWords(event.target.value)}
        />
      </DialogBody>
      <DialogFooter problem={problems.form === undefined ? null : problems.form} onCancel={onCancel}>
        <Button type="submit" {...sending.button}>
          {copy[sending.isBusy ? 'report.sending' : 'report.send']}
        </Button>
      </DialogFooter>
    </form>
  )
}
