import { useState } from 'react'
import { toDollars, type Cents } from '../../../../lib/money.ts'
import { DialogForm } from '../../../../ui/dialog-form.tsx'
import { Field } from '../../../../ui/field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { descriptionProblem, judgePrice, titleProblem } from '../../../catalogue/catalogue.ts'
import { LevelField } from './level-field.tsx'
import type { CourseFields } from '../../../catalogue/data-calls/course-sync.schema.ts'

const states = { draft: 'Draft: only admins see it', published: 'Published: on sale', withdrawn: 'Withdrawn from sale' }

/** The fields of a course. Saving shows at once; the edit is sent a moment later. */
export function CourseForm({
  heading,
  before,
  onSave,
  onClose,
}: {
  heading: string
  before: CourseFields
  onSave: (fields: CourseFields) => void
  onClose: () => void
}) {
  const { fields, price, problems, set, setPrice, submit } = useCourseForm(before, onSave)
  return (
    <DialogForm title={heading} action="Save course" onSubmit={submit} onClose={onClose}>
      <Field
        label="Title"
        value={fields.title}
        problem={problems.title}
        onChange={(event) => set({ title: event.target.value })}
      />
      <TextArea
        label="Description"
        rows={4}
        value={fields.description}
        problem={problems.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <div className="grid gap-4 tablet:grid-cols-2">
        <Field
          label="Price in dollars"
          inputMode="decimal"
          autoComplete="off"
          value={price}
          problem={problems.price}
          onChange={(event) => setPrice(event.target.value)}
        />
        <LevelField label="Level" level={fields.category} onChange={(category) => set({ category })} />
      </div>
      <SelectField
        label="State"
        value={fields.status}
        onChange={(event) => set({ status: event.target.value as CourseFields['status'] })}
      >
        {Object.entries(states).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
    </DialogForm>
  )
}

/** The fields as typed and their problems; `submit` saves when there are none. */
function useCourseForm(before: CourseFields, onSave: (fields: CourseFields) => void) {
  const [fields, setFields] = useState(before)
  const [price, setPrice] = useState(toDollars(Math.round(before.price * 100) as Cents))
  const [isTried, setTried] = useState(false)
  const judged = judgePrice(price)
  const problems = {
    title: titleProblem(fields.title),
    description: descriptionProblem(fields.description),
    price: judged.kind === 'refused' ? judged.sentence : null,
  }
  const set = (next: Partial<CourseFields>) => setFields((now) => ({ ...now, ...next }))
  const submit = () => {
    setTried(true)
    if (judged.kind === 'refused' || problems.title !== null || problems.description !== null) return
    onSave({ ...fields, title: fields.title.trim(), price: judged.priceCents / 100 })
  }
  const shownProblems = {
    title: isTried ? problems.title : null,
    description: problems.description,
    price: isTried ? problems.price : null,
  }
  return { fields, price, problems: shownProblems, set, setPrice, submit }
}
