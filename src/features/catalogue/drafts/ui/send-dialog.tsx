import { useEffect, useId, useState } from 'react'
import { messageOf } from '../../../../platform/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { findDestinations } from '../batch/client.ts'
import { copy } from '../batch/copy.ts'
import type { Destination } from '../batch/schema.ts'

/** So long nobody has typed before it is looked for. */
const PAUSE_MS = 200

/** Finds an exam of any course, and sends the chosen questions there. */
export function SendDialog({
  examId,
  said,
  isOpen,
  onClose,
  onSend,
}: {
  examId: string
  /** '3 questions' */
  said: string
  isOpen: boolean
  onClose: () => void
  onSend: (to: Destination, as: 'move' | 'copy') => void
}) {
  const name = useId()
  const [search, setSearch] = useState('')
  const [found, setFound] = useState<readonly Destination[] | string | null>(null)
  const [chosenId, setChosenId] = useState<string | null>(null)
  useEffect(() => {
    // Outside: the server knows the exams of all courses.
    if (!isOpen) return
    let isGone = false
    const timer = setTimeout(
      () => {
        findDestinations(examId, search)
          .then(({ exams }) => exams)
          .catch(messageOf)
          .then((exams) => (isGone ? undefined : setFound(exams)))
      },
      search === '' ? 0 : PAUSE_MS,
    )
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [examId, search, isOpen])
  const exams = typeof found === 'string' || found === null ? [] : found
  const chosen = exams.find(({ id }) => id === chosenId)
  return (
    <Dialog title={copy['send.title'].replace('{said}', said)} isOpen={isOpen} onClose={onClose}>
      <div className="flex min-h-0 flex-col gap-4 p-5">
        <Field
          label={copy['send.search']}
          type="search"
          value={search}
          maxLength={100}
          autoComplete="off"
          hint={copy['send.hint']}
          onChange={(event) => setSearch(event.target.value)}
        />
        <p role="status" className="sr-only">
          {found === null ? '' : copy['send.found'].replace('{n}', String(exams.length))}
        </p>
        {typeof found === 'string' ? <p role="alert">{found}</p> : null}
        {found !== null && exams.length === 0 && typeof found !== 'string' ? <p>{copy['send.none']}</p> : null}
        <fieldset className="min-h-30 overflow-y-auto">
          <legend className="sr-only">{copy['send.exams']}</legend>
          {exams.map(({ id, title, courseTitle, questionCount }) => (
            <label key={id} className="flex min-h-11 cursor-pointer items-center gap-3 py-1">
              <input
                type="radio"
                name={name}
                checked={id === chosenId}
                onChange={() => setChosenId(id)}
                className="size-5 shrink-0 accent-accent"
              />
              <span className="min-w-0 wrap-anywhere">
                {id === examId ? copy['send.this'] : title}
                <span className="nums block text-sm text-soft">
                  {courseTitle}, {questionCount === 1 ? '1 question' : `${questionCount} questions`}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <div className="flex flex-wrap gap-3">
          <Button
            disabled={chosen === undefined || chosen.id === examId}
            onClick={() => (chosen === undefined ? undefined : onSend(chosen, 'move'))}
          >
            {copy['send.move']}
          </Button>
          <Button
            look="secondary"
            disabled={chosen === undefined}
            onClick={() => (chosen === undefined ? undefined : onSend(chosen, 'copy'))}
          >
            {copy['send.copy']}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
