import { lazy, Suspense, useRef, useState } from 'react'
import { copy } from '../copy.ts'
import type { SendFeedback } from '../schema.ts'

// Loaded when it is opened: most visitors never do.
const FeedbackForm = lazy(() => import('./feedback-form.tsx'))

/** The small button on every page, and what opens above it. */
export function FeedbackWidget({ onSend }: { onSend: (feedback: SendFeedback) => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false)
  const [isMounted, setMounted] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <aside
      aria-label={copy['feedback.open']}
      data-print="off"
      className="pointer-events-none fixed right-4 bottom-4 z-20 flex flex-col items-end gap-2"
    >
      <div className="pointer-events-auto">
        <Suspense fallback={null}>
          {isMounted ? <FeedbackForm isOpen={isOpen} onClose={close} onSend={onSend} /> : null}
        </Suspense>
      </div>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        onClick={() => {
          setMounted(true)
          setOpen(!isOpen)
        }}
        className="pointer-events-auto min-h-11 rounded-full border border-line-strong bg-surface px-4 text-sm font-semibold shadow-over hover:bg-sunken"
      >
        {copy['feedback.open']}
      </button>
    </aside>
  )
}
