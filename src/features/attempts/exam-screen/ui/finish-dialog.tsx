import { isComplete } from '../../../questions/types/grading-registry.ts'
import type { QuestionForTaking } from '../../../questions/types/question-types.schema.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { copy } from '../../attempts.copy.ts'
import { submitsExam } from '../../plain-exam/ui/posted-exam-form.tsx'
import type { AnswerState } from '../../attempts.schema.ts'

/** The last check before submitting, with links to the questions that are unanswered, incomplete or flagged. */
export function FinishDialog({
  questions,
  answers,
  isSubmitting,
  problem,
  onClose,
  onGo,
  onSubmit,
}: {
  questions: readonly QuestionForTaking[]
  answers: Readonly<Record<string, AnswerState>>
  isSubmitting: boolean
  problem: string | null
  onClose: () => void
  onGo: (place: number) => void
  onSubmit: () => void
}) {
  return (
    <Dialog title={copy['exam.finish']} isOpen onClose={onClose}>
      <DialogBody>
        <FinishSummary questions={questions} answers={answers} onGo={onGo} />
      </DialogBody>
      <DialogFooter
        problem={problem === null ? null : `${problem} They are kept on this device.`}
        problemTitle="Your answers could not be submitted"
        cancel="Back to the questions"
        onCancel={onClose}
      >
        <Button onClick={onSubmit} disabled={isSubmitting}>
          {copy['exam.submit']}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

/** What is answered and what is not; `onGo` is called where scripts run. */
export function FinishSummary({
  questions,
  answers,
  onGo,
}: {
  questions: readonly QuestionForTaking[]
  answers: Readonly<Record<string, AnswerState>>
  onGo: (place: number) => void
}) {
  const places = questions.map((question, place) => {
    const { answer = null, isFlagged = false } = answers[question.id] ?? {}
    return { place, question, answer, isFlagged }
  })
  const uneven = places.filter(({ question, answer }) => answer !== null && !isComplete(question, answer))
  const unanswered = places.filter(({ answer }) => answer === null)
  const flagged = places.filter(({ isFlagged }) => isFlagged)
  return (
    <>
      <dl className="nums grid grid-cols-3 gap-3 text-center">
        <Count label={copy['exam.answered']} count={questions.length - unanswered.length} />
        <Count label={copy['exam.unanswered']} count={unanswered.length} />
        <Count label={copy['exam.flagged']} count={flagged.length} />
      </dl>
      <Places title={copy['exam.unanswered']} places={unanswered.map(({ place }) => place)} onGo={onGo} />
      <Places title={copy['exam.uneven']} places={uneven.map(({ place }) => place)} onGo={onGo} />
      <Places title={copy['exam.flagged']} places={flagged.map(({ place }) => place)} onGo={onGo} />
      <p className="mt-4 text-sm text-soft">
        {unanswered.length === 0 ? '' : 'An unanswered question counts as wrong. '}
        After this nothing in the exam changes any more.
      </p>
    </>
  )
}

function Count({ label, count }: { label: string; count: number }) {
  return (
    <div className="flex flex-col-reverse rounded-md bg-sunken px-2 py-3">
      <dt className="text-xs text-soft">{label}</dt>
      <dd className="text-xl font-semibold">{count}</dd>
    </div>
  )
}

/** How many question numbers the dialog lists. The question grid beside the exam shows every number. */
const PLACES_SHOWN = 30

function Places({ title, places, onGo }: { title: string; places: readonly number[]; onGo: (place: number) => void }) {
  if (places.length === 0) return null
  return (
    <div className="mt-4">
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className="nums mt-1.5 flex flex-wrap gap-1">
        {places.slice(0, PLACES_SHOWN).map((place) => (
          <li key={place}>
            <button
              {...submitsExam({ kind: 'go', place })}
              aria-label={`Go to question ${place + 1}`}
              onClick={() => onGo(place)}
              className="min-h-9 min-w-9 rounded-md border border-line px-2 text-sm hover:border-accent"
            >
              {place + 1}
            </button>
          </li>
        ))}
        {places.length > PLACES_SHOWN ? (
          <li className="self-center px-2 text-sm text-soft">and {places.length - PLACES_SHOWN} more</li>
        ) : null}
      </ul>
    </div>
  )
}
