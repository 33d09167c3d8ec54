import { memo, useEffect } from 'react'
import type { AttemptView } from '../../attempts.schema.ts'
import { actValue, EXAM_FIELDS, nextSeq, type ExamAct } from '../posted-exam.ts'

export const EXAM_FORM_ID = 'exam-form'

/**
 * The form of a running exam, which works before scripts run and without them. The controls are elsewhere on the page and name it by
 * its id, so that other forms can stand between them. It holds what the server issued and does not follow the scripts.
 */
export const ExamForm = memo(function ExamForm({
  attempt,
  place,
  action,
  writer,
}: {
  attempt: AttemptView
  place: number
  /** The address of the exam. */
  action: string
  /** The name under which the form writes; null where another page is the writer. */
  writer: string | null
}) {
  useEffect(() => {
    // From now on scripts handle the presses.
    const handle = (event: MouseEvent) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null
      if (button?.form?.id === EXAM_FORM_ID) event.preventDefault()
    }
    document.addEventListener('click', handle)
    return () => document.removeEventListener('click', handle)
  }, [])
  return (
    // Browsers must not restore what was chosen in an earlier visit: it would count as chosen now.
    <form id={EXAM_FORM_ID} method="post" action={action} autoComplete="off">
      {/* The first button is the one that Enter presses: it only saves. */}
      <button {...submitsExam({ kind: 'save' })} hidden />
      <input type="hidden" name={EXAM_FIELDS.attempt} value={attempt.id} />
      <input type="hidden" name={EXAM_FIELDS.question} value={attempt.questions[place]?.id ?? ''} />
      <input type="hidden" name={EXAM_FIELDS.writer} value={writer ?? ''} />
      <input type="hidden" name={EXAM_FIELDS.seq} value={nextSeq(attempt.answers)} />
    </form>
  )
})

/** For a button of a running exam: what it asks of the server where no script handles its press. */
export function submitsExam(act: ExamAct) {
  return { type: 'submit', form: EXAM_FORM_ID, name: EXAM_FIELDS.act, value: actValue(act) } as const
}
