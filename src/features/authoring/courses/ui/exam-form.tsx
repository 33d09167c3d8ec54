import { useState } from 'react'
import { DialogForm } from '../../../../ui/dialog-form.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { readExamForm, type ExamForm as Form } from '../../../catalogue/data-calls/course-sync.ts'
import type { DraftFields } from '../../../catalogue/data-calls/course-sync.schema.ts'
import { z } from 'zod'
import { ExamFields } from './exam-fields.tsx'
import { KeptFormNotice } from '../../drafts/ui/kept-form-notice.tsx'
import { useKeptForm, type KeptAs } from '../../drafts/ui/use-kept-form.ts'

const TypedExam = z.object({ title: z.string(), minutes: z.string(), passing: z.string(), questions: z.string() })

/** The settings of an exam and, as JSON, its questions. A new exam may have none. */
export function ExamForm({
  heading,
  before,
  isNew,
  keptAs,
  onSave,
  onClose,
}: {
  heading: string
  before: Form
  isNew: boolean
  keptAs: KeptAs
  onSave: (fields: Partial<DraftFields>, form: Form) => void
  onClose: () => void
}) {
  const kept = useKeptForm(keptAs, TypedExam, before)
  const form = kept.values
  const [isTried, setTried] = useState(false)
  const { fields, problems } = readExamForm(form)
  const handleSubmit = () => {
    setTried(true)
    if (fields === null) return
    kept.discard()
    onSave(fields, form)
  }
  return (
    <DialogForm title={heading} action="Save exam" onSubmit={handleSubmit} onClose={onClose}>
      <KeptFormNotice {...kept} />
      <ExamFields form={form} isTried={isTried} onChange={kept.change} />
      <TextArea
        label={isNew ? 'Questions as JSON (optional)' : 'Replace all questions with this JSON (optional)'}
        rows={6}
        value={form.questions}
        problem={isTried ? problems.questions : null}
        hint={isNew ? 'Questions can also be added one by one later.' : 'Learners see it once the draft is published.'}
        onChange={(event) => kept.change({ ...form, questions: event.target.value })}
      />
    </DialogForm>
  )
}
