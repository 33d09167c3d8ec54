import { useState, type FormEvent } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { readExamForm, type ExamForm as Form } from '../rules.ts'
import type { DraftFields } from '../schema.ts'

/** An exam's settings and, as JSON, its questions. A new exam needs none of the questions yet. */
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
  const set = (next: Partial<Form>) => setForm((now) => ({ ...now, ...next }))
  const problemOf = (name: keyof Form) => (isTried ? problems[name] : null)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (fields !== null) onSave(fields, form)
  }
  return (
    <Dialog title={heading} isOpen onClose={onClose}>
      <form onSubmit={handleSubmit} noValidate className="flex min-h-0 flex-col">
        <div className="space-y-4 overflow-y-auto px-5 py-4">
          <Field
            label="Exam title"
            value={form.title}
            problem={problemOf('title')}
            onChange={(event) => set({ title: event.target.value })}
          />
          <div className="grid gap-4 tablet:grid-cols-2">
            <Field
              label="Minutes"
              inputMode="numeric"
              value={form.minutes}
              problem={problemOf('minutes')}
              onChange={(event) => set({ minutes: event.target.value })}
            />
            <Field
              label="Passing score in percent"
              inputMode="numeric"
              value={form.passing}
              problem={problemOf('passing')}
              onChange={(event) => set({ passing: event.target.value })}
            />
          </div>
          <TextArea
            label={isNew ? 'Questions as JSON (optional)' : 'Replace all questions with this JSON (optional)'}
            rows={6}
            value={form.questions}
            problem={problemOf('questions')}
            hint={
              isNew ? 'Questions can also be added one by one later.' : 'Learners see it once the draft is published.'
            }
            onChange={(event) => set({ questions: event.target.value })}
          />
        </div>
        <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button look="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Save exam</Button>
        </div>
      </form>
    </Dialog>
  )
}
