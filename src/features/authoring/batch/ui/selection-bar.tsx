import { useState } from 'react'
import { paths } from '../../../../lib/paths.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import type { Destination } from '../batch.schema.ts'
import { SendDialog } from './send-dialog.tsx'

export const said = (count: number) => `${count} ${count === 1 ? 'question' : 'questions'}`

/** What can be done with the questions that are chosen. */
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
  const wanted = /^\d{1,4}$/.test(place) ? Number(place) : 0
  return (
    <div
      role="group"
      aria-label="Chosen questions"
      className="sticky bottom-0 z-10 mt-3 flex flex-wrap items-center gap-2 rounded-md border border-line-strong bg-surface px-4 py-3 text-sm"
    >
      <p role="status" className="nums mr-3 font-semibold">
        {said(ids.length)} chosen
      </p>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted >= 1) onPlace(wanted)
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
        <Button type="submit" look="secondary" disabled={isBusy || wanted < 1}>
          Move
        </Button>
      </form>
      <Button look="secondary" disabled={isBusy} onClick={() => setSending(true)}>
        Move or copy…
      </Button>
      <ButtonLink
        look="secondary"
        to={paths.adminQuestionsExport(examId, ids.join(','), hasDraft ? 'draft' : 'published')}
      >
        Export
      </ButtonLink>
      <Button look="secondary" disabled={isBusy} onClick={() => onMark(!isReviewed)}>
        {isReviewed ? 'Reviewed' : 'Mark for review'}
      </Button>
      <Button look="danger" disabled={isBusy} onClick={onDelete}>
        Delete
      </Button>
      <SendDialog
        examId={examId}
        said={said(ids.length)}
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
