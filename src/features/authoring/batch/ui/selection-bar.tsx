import { useState } from 'react'
import { paths } from '../../../../lib/paths.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import type { Destination } from '../batch.schema.ts'
import { SendDialog } from './send-dialog.tsx'

/** '3 questions' */
export const questionsText = (count: number) => `${count} ${count === 1 ? 'question' : 'questions'}`

/** The batch changes that apply to the chosen questions. */
export function SelectionBar({
  ids,
  total,
  examId,
  hasDraft,
  isReviewed,
  isBusy,
  onPlace,
  onSend,
  onMark,
  onDelete,
}: {
  ids: readonly string[]
  total: number
  examId: string
  hasDraft: boolean
  /** Whether all of them are marked for review. */
  isReviewed: boolean
  isBusy: boolean
  onPlace: (place: number) => void
  onSend: (to: Destination, as: 'move' | 'copy') => void
  onMark: (needsReview: boolean) => void
  onDelete: () => void
}) {
  const [place, setPlace] = useState('')
  const [isSending, setSending] = useState(false)
  const busy = { 'aria-busy': isBusy, 'aria-disabled': isBusy }
  const position = /^\d{1,4}$/.test(place) ? Number(place) : 0
  return (
    <div
      role="group"
      aria-label="Chosen questions"
      className="sticky bottom-0 z-10 mt-3 flex flex-wrap items-center gap-2 rounded-md border border-line-strong bg-surface px-4 py-3 text-sm"
    >
      <p role="status" className="nums mr-3 font-semibold">
        {questionsText(ids.length)} chosen
      </p>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (position >= 1 && !isBusy) onPlace(position)
        }}
      >
        <label className="flex items-center gap-2">
          To place
          <input
            value={place}
            inputMode="numeric"
            placeholder={`1-${total}`}
            onChange={(event) => setPlace(event.target.value)}
            className="min-h-11 w-24 rounded-md border border-line-strong bg-surface px-3 text-base text-ink"
          />
        </label>
        <Button type="submit" look="secondary" disabled={position < 1} {...busy}>
          Move
        </Button>
      </form>
      <Button look="secondary" {...busy} onClick={() => setSending(true)}>
        Move or copy…
      </Button>
      <ButtonLink
        look="secondary"
        to={paths.adminQuestionsExport(examId, ids.join(','), hasDraft ? 'draft' : 'published')}
      >
        Export
      </ButtonLink>
      <Button look="secondary" {...busy} onClick={() => onMark(!isReviewed)}>
        {isReviewed ? 'Reviewed' : 'Mark for review'}
      </Button>
      <Button look="danger" {...busy} onClick={onDelete}>
        Delete
      </Button>
      <SendDialog
        examId={examId}
        said={questionsText(ids.length)}
        isOpen={isSending}
        onClose={() => setSending(false)}
        onSend={(to, as) => {
          setSending(false)
          onSend(to, as)
        }}
      />
    </div>
  )
}
