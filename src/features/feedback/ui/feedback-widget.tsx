import { useRef, useState } from 'react'
import { toastOf } from '../../../platform/client.ts'
import { usePart } from '../../../ui/part.ts'
import { toast } from '../../../ui/toasts.tsx'
import { SpeechIcon } from '../../../ui/icons.tsx'
import { copy } from '../copy.ts'
import type { SendFeedback } from '../schema.ts'

/** The small button on every page, and what opens above it. */
export function FeedbackWidget({ onSend }: { onSend: (feedback: SendFeedback) => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false)
  const [FeedbackForm, wantForm] = usePart(() => import('./feedback-form.tsx'))
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const toggle = async () => {
    try {
      await wantForm()
      setOpen(!isOpen)
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  return (
    <aside
      aria-label={copy['feedback.open']}
      data-print="off"
      className="pointer-events-none fixed right-4 bottom-4 z-20 flex flex-col items-end gap-2"
    >
      <div className="pointer-events-auto">
        {FeedbackForm === null ? null : <FeedbackForm isOpen={isOpen} onClose={close} onSend={onSend} />}
      </div>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        onClick={() => void toggle()}
        className="pointer-events-auto inline-flex size-11 items-center justify-center gap-2 rounded-full border border-line-strong bg-surface text-sm font-semibold shadow-over hover:bg-sunken tablet:w-auto tablet:px-4"
      >
        <SpeechIcon />
        <span className="sr-only tablet:not-sr-only">{copy['feedback.open']}</span>
      </button>
    </aside>
  )
}
