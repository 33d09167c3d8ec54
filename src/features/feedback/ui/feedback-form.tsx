import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { isBlank } from '../../../lib/text.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CloseIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { copy } from '../feedback.copy.ts'
import { DEFAULT_TYPE, FEEDBACK_DELAY_MS, FEEDBACK_TYPES, messageProblem, type FeedbackType } from '../feedback.ts'
import type { SendFeedback } from '../feedback.schema.ts'

/**
 * Spec 2: waits its second, calls `onSend`, and closes. What was typed stays when it fails, and while the panel is shut.
 */
export default function FeedbackForm({
  isOpen,
  onClose,
  onSend,
}: {
  isOpen: boolean
  onClose: () => void
  onSend: (feedback: SendFeedback) => Promise<unknown>
}) {
  const [type, setType] = useState<FeedbackType>(DEFAULT_TYPE)
  const [message, setMessage] = useState('')
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const sentAs = useRef<string | null>(null)
  const id = useId()
  useEffect(() => {
    // Outside: the focus goes to where one types, and Escape closes, wherever in the panel the focus is. What is pressed here
    // means nothing to the page behind: an exam has keys of its own.
    if (!isOpen) return
    text.current?.focus()
    const keepKeys = (event: KeyboardEvent) => {
      event.stopPropagation()
      if (event.key === 'Escape') onClose()
    }
    const panel = text.current?.form
    panel?.addEventListener('keydown', keepKeys)
    return () => panel?.removeEventListener('keydown', keepKeys)
  }, [isOpen, onClose])

  async function send(event: FormEvent) {
    event.preventDefault()
    const found = messageProblem(message)
    setProblem(found)
    if (found !== null || isSending) return
    setSending(true)
    sentAs.current ??= crypto.randomUUID()
    try {
      await new Promise((resolve) => setTimeout(resolve, FEEDBACK_DELAY_MS))
      await onSend({ id: sentAs.current, type, message: message.trim(), context: location.pathname.slice(0, 2000) })
      sentAs.current = null
      setMessage('')
      setType(DEFAULT_TYPE)
      onClose()
      toast('success', copy['feedback.success'])
    } catch (error) {
      console.warn('The feedback could not be sent:', error)
      toast('error', copy['feedback.failure'])
    } finally {
      setSending(false)
    }
  }

  return (
    <form
      hidden={!isOpen}
      noValidate
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => void send(event)}
      className="w-[min(360px,calc(100vw-32px))] rounded-lg border border-line bg-surface shadow-over"
    >
      <div className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-4">
        <h2 id={`${id}-title`} className="font-semibold">
          {copy['feedback.title']}
        </h2>
        <IconButton label="Close feedback" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      <div className="space-y-4 p-4">
        <fieldset>
          <legend className="sr-only">{copy['feedback.type']}</legend>
          <div className="grid grid-cols-3 gap-2">
            {FEEDBACK_TYPES.map((one) => (
              <label
                key={one}
                className="relative grid min-h-11 place-items-center rounded-md border border-line-strong text-sm font-medium has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
              >
                <input
                  type="radio"
                  name={`${id}-type`}
                  value={one}
                  checked={type === one}
                  onChange={() => setType(one)}
                  className="absolute inset-0 size-full cursor-pointer opacity-0"
                />
                {copy[`feedback.${one}`]}
              </label>
            ))}
          </div>
        </fieldset>
        <div>
          <label htmlFor={`${id}-message`} className="mb-1 block text-sm font-medium">
            {copy['feedback.message']}
          </label>
          <textarea
            ref={text}
            id={`${id}-message`}
            rows={4}
            value={message}
            onChange={(event) => {
              setMessage(event.target.value)
              setProblem(null)
            }}
            onBlur={() => setProblem(message === '' ? null : messageProblem(message))}
            aria-invalid={problem === null ? undefined : true}
            aria-describedby={problem === null ? undefined : `${id}-problem`}
            className="block w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink aria-invalid:border-bad"
          />
          {problem === null ? null : (
            <p id={`${id}-problem`} className="mt-1 text-sm text-bad">
              {problem}
            </p>
          )}
        </div>
        <Button type="submit" disabled={isBlank(message) || isSending} className="w-full">
          {isSending ? copy['feedback.sending'] : copy['feedback.send']}
        </Button>
      </div>
    </form>
  )
}
