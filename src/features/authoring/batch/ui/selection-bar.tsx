import { useState } from 'react'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { fill } from '../../../../lib/failure.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { copy } from '../batch.copy.ts'
import type { Destination } from '../batch.schema.ts'
import { SendDialog } from './send-dialog.tsx'
import { counted } from '../../../../lib/text.ts'

/** '3 questions' */
export const questionsText = (count: number) => counted(count, 'question')

type SelectionChanges = {
  readonly moveChosen: (place: number) => void
  readonly send: (to: Destination, as: 'move' | 'copy') => void
  readonly mark: (needsReview: boolean) => void
  readonly remove: () => void
}

/** The batch changes that apply to the chosen questions. */
export function SelectionBar({
  ids,
  total,
  examId,
  hasDraft,
  isReviewed,
  isBusy,
  changes,
}: {
  ids: readonly string[]
  total: number
  examId: string
  hasDraft: boolean
  /** Whether all of them are marked for review. */
  isReviewed: boolean
  isBusy: boolean
  changes: SelectionChanges
}) {
  const [isSending, setSending] = useState(false)
  const busy = { 'aria-busy': isBusy, 'aria-disabled': isBusy }
  return (
    <div
      role="group"
      aria-label="Chosen questions"
      className="sticky bottom-0 z-10 mt-3 flex flex-wrap items-center gap-2 rounded-md border border-line-strong bg-surface px-4 py-3 text-sm"
    >
      <p role="status" className="nums mr-3 font-semibold">
        {questionsText(ids.length)} chosen
      </p>
      <MoveToPlace total={total} isBusy={isBusy} onPlace={changes.moveChosen} />
      <Button look="secondary" {...busy} onClick={() => setSending(true)}>
        Move or copy…
      </Button>
      <ExportLink ids={ids} total={total} examId={examId} version={hasDraft ? 'draft' : 'published'} />
      <Button look="secondary" {...busy} onClick={() => changes.mark(!isReviewed)}>
        {isReviewed ? 'Reviewed' : 'Mark for review'}
      </Button>
      <Button look="danger" {...busy} onClick={changes.remove}>
        Delete
      </Button>
      <SendDialog
        examId={examId}
        said={questionsText(ids.length)}
        isOpen={isSending}
        onClose={() => setSending(false)}
        onSend={(to, as) => {
          setSending(false)
          changes.send(to, as)
        }}
      />
    </div>
  )
}

/** Characters of keys in the address of an export: a proxy accepts 8 KB of address. */
const MAX_KEYS = 6000

/** Exports the chosen questions. All of an exam are exported as an exam; the keys of very many do not fit into an address. */
function ExportLink({
  ids,
  total,
  examId,
  version,
}: {
  ids: readonly string[]
  total: number
  examId: string
  version: 'draft' | 'published'
}) {
  const keys = encodeURIComponent(ids.join(',')).length
  if (ids.length < total && keys > MAX_KEYS) {
    const most = Math.floor((ids.length * MAX_KEYS) / keys)
    return (
      <Button
        look="secondary"
        onClick={() => toast('warning', copy['export.many'], fill(copy['export.many.about'], { n: most }))}
      >
        Export
      </Button>
    )
  }
  const to =
    ids.length === total
      ? `${adminPaths.examExport(examId)}&version=${version}`
      : adminPaths.questionsExport(examId, ids.join(','), version)
  return (
    <ButtonLink look="secondary" to={to}>
      Export
    </ButtonLink>
  )
}

function MoveToPlace({ total, isBusy, onPlace }: { total: number; isBusy: boolean; onPlace: (place: number) => void }) {
  const [place, setPlace] = useState('')
  const position = /^\d{1,4}$/.test(place) ? Number(place) : 0
  return (
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
      <Button type="submit" look="secondary" disabled={position < 1} aria-busy={isBusy} aria-disabled={isBusy}>
        Move
      </Button>
    </form>
  )
}
