import { useState } from 'react'
import { DialogForm } from '../../../../ui/dialog-form.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { readExamForm, type ExamForm as Form } from '../../../catalogue/data-calls/course-sync.ts'
import type { DraftFields } from '../../../catalogue/data-calls/course-sync.schema.ts'
import { ExamFields } from './exam-fields.tsx'

/** The settings of an exam and, as JSON, its questions. A new exam may have none. */
export function ExamForm({
  heading,
  before,
  isNew,
  onSave,
  onClose,
}: {
  heading: string
  before: Form
  isNew: boolean
  onSave: (fields: Partial<DraftFields>, form: Form) => void
  onClose: () => void
}) {
  const [form, setForm] = useState(before)
  const [isTried, setTried] = useState(false)
  const { fields, problems } = readExamForm(form)
  const handleSubmit = () => {
    setTried(true)
    if (fields !== null) onSave(fields, form)
  }
  return (
    <DialogForm title={heading} action="Save exam" onSubmit={handleSubmit} onClose={onClose}>
      <ExamFields form={form} isTried={isTried} onChange={setForm} />
      <TextArea
        label={isNew ? 'Questions as JSON (optional)' : 'Replace all questions with this JSON (optional)'}
        rows={6}
        value={form.questions}
        problem={isTried ? problems.questions : null}
        hint={isNew ? 'Questions can also be added one by one later.' : 'Learners see it once the draft is published.'}
        onChange={(event) => setForm({ ...form, questions: event.target.value })}
      />
    </DialogForm>
  )
}
