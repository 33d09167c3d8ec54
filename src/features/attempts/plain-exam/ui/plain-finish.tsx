import { Button } from '../../../../ui/button.tsx'
import { copy } from '../../attempts.copy.ts'
import type { AttemptView } from '../../attempts.schema.ts'
import { FinishSummary } from '../../exam-screen/ui/finish-dialog.tsx'
import { submitsExam } from './posted-exam-form.tsx'

const isHandledByServer = () => undefined

/** The last check before submitting, on a page of its own where no script opens the dialog. */
export function PlainFinish({ attempt }: { attempt: AttemptView }) {
  return (
    <section aria-labelledby="finish-heading" className="mt-4 rounded-lg border border-line bg-surface p-6">
      <h2 id="finish-heading" className="mb-4 text-xl font-semibold">
        {copy['exam.finish']}
      </h2>
      <FinishSummary questions={attempt.questions} answers={attempt.answers} onGo={isHandledByServer} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button {...submitsExam({ kind: 'submit' })}>{copy['exam.submit']}</Button>
        <Button {...submitsExam({ kind: 'back' })} look="secondary">
          Back to the questions
        </Button>
      </div>
    </section>
  )
}
