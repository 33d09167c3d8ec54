import { useId, type KeyboardEvent, type RefObject } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Button } from '../../../../ui/button.tsx'
import { copy } from '../../attempts.copy.ts'
import { submitsExam } from '../../plain-exam/ui/posted-exam-form.tsx'
import { MAX_NOTE_LENGTH, type AnswerState, type Confidence } from '../../attempts.schema.ts'

/** The learner's marks on a question: how sure they are, and a note. */
export function QuestionMarks({
  place,
  answer,
  isClosed,
  isNoteOpen,
  noteRef,
  onConfidence,
  onNote,
  onOpenNote,
  onLeaveNote,
}: {
  /** The place of the question. */
  place: number
  answer: AnswerState
  isClosed: boolean
  isNoteOpen: boolean
  noteRef: RefObject<HTMLTextAreaElement | null>
  onConfidence: (confidence: Confidence) => void
  onNote: (note: string) => void
  onOpenNote: () => void
  /** Escape in the note: the keys of the page work again. */
  onLeaveNote: () => void
}) {
  return (
    <div className="mt-5">
      <div className="flex flex-wrap items-center gap-2">
        <ConfidenceButtons chosen={answer.confidence} isClosed={isClosed} onChoose={onConfidence} />
        {isNoteOpen ? null : (
          <Button look="quiet" onClick={onOpenNote} disabled={isClosed} className="px-3">
            {copy['exam.note.add']}
          </Button>
        )}
      </div>
      {isNoteOpen ? (
        // Each question has a field of its own: undoing must not bring back the note of another.
        <Note
          key={place}
          note={answer.note}
          isClosed={isClosed}
          noteRef={noteRef}
          onChange={onNote}
          onLeave={onLeaveNote}
        />
      ) : null}
    </div>
  )
}

function ConfidenceButtons({
  chosen,
  isClosed,
  onChoose,
}: {
  chosen: Confidence | null
  isClosed: boolean
  onChoose: (confidence: Confidence) => void
}) {
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">{copy['exam.confidence']}</legend>
      {(['sure', 'unsure'] as const).map((one) => (
        <Button
          key={one}
          {...submitsExam({ kind: one })}
          look="secondary"
          aria-pressed={chosen === one}
          disabled={isClosed}
          onClick={() => onChoose(one)}
          className="px-3 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
        >
          {copy[`exam.${one}`]}
        </Button>
      ))}
    </fieldset>
  )
}

/** From this length on, the number of characters left is shown. */
const NEARLY_FULL = MAX_NOTE_LENGTH - 200

function Note({
  note,
  isClosed,
  noteRef,
  onChange,
  onLeave,
}: {
  note: string
  isClosed: boolean
  noteRef: RefObject<HTMLTextAreaElement | null>
  onChange: (note: string) => void
  onLeave: () => void
}) {
  const id = useId()
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onLeave()
  }
  return (
    <div className="mt-3">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {copy['exam.note']}
      </label>
      <textarea
        id={id}
        ref={noteRef}
        value={note}
        rows={3}
        maxLength={MAX_NOTE_LENGTH}
        readOnly={isClosed}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={handleKey}
        className="block w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-base"
      />
      <p id={`${id}-hint`} className="nums mt-1 text-sm text-soft">
        {note.length < NEARLY_FULL
          ? copy['exam.note.hint']
          : fill(copy['exam.note.left'], { n: MAX_NOTE_LENGTH - note.length })}
      </p>
    </div>
  )
}
