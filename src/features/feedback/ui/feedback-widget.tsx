import { useRef, useState } from 'react'
import { toastOf } from '../../../platform/client.ts'
import { usePart } from '../../../ui/part.ts'
import { toast } from '../../../ui/toasts.tsx'
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
        className="pointer-events-auto min-h-11 rounded-full border border-line-strong bg-surface px-4 text-sm font-semibold shadow-over hover:bg-sunken"
      >
        {copy['feedback.open']}
      </button>
    </aside>
  )
}
