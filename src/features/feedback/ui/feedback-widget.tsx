import { useRef, useState } from 'react'
import { toastOf } from '../../../platform/api-client.ts'
import { usePart } from '../../../ui/use-part.ts'
import { toast } from '../../../ui/toasts.tsx'
import { SpeechIcon } from '../../../ui/icons.tsx'
import { copy } from '../feedback.copy.ts'
import type { SendFeedback } from '../feedback.schema.ts'

/**
 * The feedback button of every page, and its panel. In the shop the button is at the edge of the window, or below the page on a phone.
 * In an exam it is in the header, so that it covers no button while the clock runs.
 */
export function FeedbackWidget({
  place = 'edge',
  onSend,
}: {
  place?: keyof typeof places
  onSend: (feedback: SendFeedback) => Promise<unknown>
}) {
  const [isOpen, setOpen] = useState(false)
  const [FeedbackForm, loadForm] = usePart(() => import('./feedback-form.tsx'))
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    // What was sent may arrive while its writer is elsewhere on the page.
    const { activeElement, body } = document
    const isElsewhere = activeElement !== body && button.current?.parentElement?.contains(activeElement) === false
    if (!isElsewhere) button.current?.focus()
  }
  const toggle = async () => {
    try {
      await loadForm()
      setOpen(!isOpen)
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  return (
    <aside aria-label={copy['feedback.open']} data-print="off" className={places[place].whole}>
      <div className={places[place].panel}>
        {FeedbackForm === null ? null : <FeedbackForm isOpen={isOpen} onClose={close} onSend={onSend} />}
      </div>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        title={copy['feedback.open']}
        onClick={() => void toggle()}
        className={places[place].button}
      >
        <SpeechIcon />
        <span className={places[place].words}>{copy['feedback.open']}</span>
      </button>
    </aside>
  )
}

const places = {
  // On a phone at the end of the page, so that it covers nothing; elsewhere a vertical tab in the margin of the page, above
  // the toasts.
  edge: {
    whole:
      'flex flex-col items-start gap-2 px-4 pb-8 tablet:pointer-events-none tablet:fixed tablet:right-0 tablet:bottom-24 tablet:z-20 tablet:flex-row tablet:items-end tablet:p-0',
    panel: 'pointer-events-auto',
    button:
      'pointer-events-auto inline-flex min-h-11 items-center justify-center gap-2 rounded-md border border-line-strong bg-surface px-4 text-sm font-semibold transition-colors duration-150 hover:bg-sunken tablet:w-6 tablet:flex-col tablet:rounded-none tablet:rounded-l-md tablet:border-r-0 tablet:px-0 tablet:py-3 tablet:text-xs [&>svg]:tablet:size-4',
    words: 'tablet:rotate-180 tablet:[writing-mode:vertical-rl]',
  },
  header: {
    whole: 'shrink-0',
    panel: 'absolute top-full right-4 mt-2 tablet:right-6',
    button:
      'inline-flex size-11 items-center justify-center rounded-md text-soft transition-colors duration-150 hover:bg-sunken hover:text-ink',
    words: 'sr-only',
  },
} as const
