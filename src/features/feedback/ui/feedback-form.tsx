import { useEffect, useId, useRef, useState, type FormEvent, type RefObject } from 'react'
import { isBlank } from '../../../lib/text.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CloseIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { copy } from '../feedback.copy.ts'
import { DEFAULT_TYPE, FEEDBACK_DELAY_MS, FEEDBACK_TYPES, messageProblem, type FeedbackType } from '../feedback.ts'
import type { SendFeedback } from '../feedback.schema.ts'

type FeedbackFormProps = {
  isOpen: boolean
  onClose: () => void
  onSend: (feedback: SendFeedback) => Promise<unknown>
}

/**
 * Waits a second, calls `onSend`, and closes. The text stays after a failure and while the panel is closed.
 */
export default function FeedbackForm(props: FeedbackFormProps) {
  const { isOpen, onClose } = props
  const text = useRef<HTMLTextAreaElement>(null)
  const { type, setType, submit, handleSubmit, ...field } = useFeedback(props, text)
  const id = useId()
  useDialogKeys(text, isOpen, onClose)
  return (
    <form
      hidden={!isOpen}
      noValidate
      aria-labelledby={`${id}-title`}
      onSubmit={handleSubmit}
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
        <TypeChoice type={type} onChange={setType} />
        <MessageField text={text} {...field} />
        <Button type="submit" disabled={isBlank(field.message)} {...submit.button} className="w-full">
          {submit.isBusy ? copy['feedback.sending'] : copy['feedback.send']}
        </Button>
      </div>
    </form>
  )
}

/** The fields and the submit. A message that is sent again after a failure keeps its id, so that it is stored once; another text has another. */
function useFeedback({ onClose, onSend }: FeedbackFormProps, text: RefObject<HTMLTextAreaElement | null>) {
  const [type, setType] = useState<FeedbackType>(DEFAULT_TYPE)
  const [message, setMessage] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const sent = useRef<SendFeedback | null>(null)
  const submit = useMutation(
    async (feedback: SendFeedback) => {
      await new Promise((resolve) => setTimeout(resolve, FEEDBACK_DELAY_MS))
      await onSend(feedback)
    },
    {
      onSuccess(_stored, arrived) {
        sent.current = null
        toast('success', copy['feedback.success'])
        // What was written since is another message.
        if (text.current?.value.trim() !== arrived.message) return
        setMessage('')
        setType(DEFAULT_TYPE)
        onClose()
      },
      onFailure(error) {
        console.warn('The feedback could not be sent:', error)
        toast('error', copy['feedback.failure'])
      },
    },
  )
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const found = messageProblem(message)
    setProblem(found)
    if (found !== null) return
    const written = { type, message: message.trim(), context: location.pathname.slice(0, 2000) }
    const isSame = sent.current?.message === written.message && sent.current.type === type
    sent.current = { ...written, id: (isSame ? sent.current?.id : undefined) ?? crypto.randomUUID() }
    submit.run(sent.current)
  }
  return { type, setType, message, setMessage, problem, setProblem, submit, handleSubmit }
}

function MessageField({
  text,
  message,
  setMessage,
  problem,
  setProblem,
}: { text: RefObject<HTMLTextAreaElement | null> } & Pick<
  ReturnType<typeof useFeedback>,
  'message' | 'setMessage' | 'problem' | 'setProblem'
>) {
  const id = useId()
  return (
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
  )
}

function TypeChoice({ type, onChange }: { type: FeedbackType; onChange: (type: FeedbackType) => void }) {
  const name = useId()
  return (
    <fieldset>
      <legend className="sr-only">{copy['feedback.type']}</legend>
      <div className="grid grid-cols-3 gap-2">
        {FEEDBACK_TYPES.map((option) => (
          <label
            key={option}
            className="relative grid min-h-11 place-items-center rounded-md border border-line-strong text-sm font-medium has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={option}
              checked={type === option}
              onChange={() => onChange(option)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            {copy[`feedback.${option}`]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Focuses the message when the panel opens. Escape closes it, and no key in it reaches the page, since exams have shortcuts. */
function useDialogKeys(text: RefObject<HTMLTextAreaElement | null>, isOpen: boolean, onClose: () => void) {
  useEffect(() => {
    if (!isOpen) return
    text.current?.focus()
    const handleKey = (event: KeyboardEvent) => {
      event.stopPropagation()
      if (event.key === 'Escape') onClose()
    }
    const panel = text.current?.form
    panel?.addEventListener('keydown', handleKey)
    return () => panel?.removeEventListener('keydown', handleKey)
  }, [text, isOpen, onClose])
}
