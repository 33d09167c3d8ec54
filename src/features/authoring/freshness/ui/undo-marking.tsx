import { useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { fill } from '../../../../lib/failure.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { undoMarking } from '../freshness-client.ts'
import { copy } from '../freshness.copy.ts'

export type Marking = { readonly markingId: string; readonly count: number }

/** The last marking, with its undo, until it is kept or another one follows. It stays while the list is filtered and paged. */
export function useMarking(): { notice: ReactNode; onMarked: (marking: Marking) => void } {
  const [marking, setMarking] = useState<Marking | null>(null)
  const [outcome, setOutcome] = useState('')
  const focusTarget = useRef<HTMLDivElement>(null)
  /** The button that was pressed goes, so the focus moves to the notice. */
  const show = (next: Marking | null, sentence: string) => {
    flushSync(() => {
      setMarking(next)
      setOutcome(sentence)
    })
    focusTarget.current?.focus({ preventScroll: true })
  }
  const undoing = useMutation(undoMarking, {
    revalidates: true,
    onSuccess: (undone) => show(null, undoneText(undone)),
    onFailure: (error) => toast(...toastOf(error)),
  })
  const notice = (
    <div ref={focusTarget} tabIndex={-1} className={outcome === '' ? '' : 'mt-4'}>
      <div role="status">
        {outcome === '' ? null : (
          <Notice tone="good">
            <div className="nums flex flex-wrap items-center gap-x-4 gap-y-1">
              <p>{outcome}.</p>
              {marking === null ? null : (
                <Button
                  look="secondary"
                  {...undoing.button}
                  onClick={() => undoing.run(marking.markingId, marking.count)}
                >
                  {copy['freshness.undo']}
                </Button>
              )}
              <Button look="quiet" onClick={() => show(null, '')}>
                {copy[marking === null ? 'freshness.close' : 'freshness.keep']}
              </Button>
            </div>
          </Notice>
        )}
      </div>
    </div>
  )
  const onMarked = (next: Marking) => show(next, fill(copy['freshness.marked'], { n: next.count }))
  return { notice, onMarked }
}

function undoneText({ restored, kept }: { restored: number; kept: number }): string {
  const parts = [
    restored > 0 || kept === 0 ? fill(copy['freshness.undone'], { n: restored }) : null,
    kept > 0 ? fill(copy['freshness.undone.kept'], { n: kept }) : null,
  ]
  return parts.filter((part) => part !== null).join('. ')
}
