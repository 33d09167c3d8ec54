import { useState } from 'react'
import { toDollars, type Cents } from '../../../../lib/money.ts'
import { DialogForm } from '../../../../ui/dialog-form.tsx'
import { Field } from '../../../../ui/field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { descriptionProblem, judgePrice, titleProblem } from '../../../catalogue/course-rules.ts'
import { LevelField } from './level-field.tsx'
import { z } from 'zod'
import { CourseFields } from '../../../catalogue/data-calls/course-sync.schema.ts'
import { KeptFormNotice } from '../../drafts/ui/kept-form-notice.tsx'
import { useKeptForm, type KeptAs } from '../../drafts/ui/use-kept-form.ts'

const states = { draft: 'Draft: only admins see it', published: 'Published: on sale', withdrawn: 'Withdrawn from sale' }

/** The fields of a course. Saving shows at once; the edit is sent a moment later. */
export function CourseForm({
  heading,
  before,
  keptAs,
  onSave,
  onClose,
}: {
  heading: string
  before: CourseFields
  keptAs: KeptAs
  onSave: (fields: CourseFields) => void
  onClose: () => void
}) {
  const { fields, price, problems, set, setPrice, submit, form } = useCourseForm(before, keptAs, onSave)
  return (
    <DialogForm title={heading} action="Save course" onSubmit={submit} onClose={onClose}>
      <KeptFormNotice {...form} />
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

/** The price as typed is no number yet. */
const TypedCourse = z.object({ fields: CourseFields, price: z.string() })

/** The fields as typed and their problems; `submit` saves when there are none. */
function useCourseForm(before: CourseFields, keptAs: KeptAs, onSave: (fields: CourseFields) => void) {
  const stored = { fields: before, price: toDollars(Math.round(before.price * 100) as Cents) }
  const form = useKeptForm(keptAs, TypedCourse, stored)
  const { fields, price } = form.values
  const [isTried, setTried] = useState(false)
  const judged = judgePrice(price)
  const problems = {
    title: titleProblem(fields.title),
    description: descriptionProblem(fields.description),
    price: judged.kind === 'refused' ? judged.sentence : null,
  }
  const set = (next: Partial<CourseFields>) => form.change({ fields: { ...fields, ...next }, price })
  const setPrice = (next: string) => form.change({ fields, price: next })
  const submit = () => {
    setTried(true)
    if (judged.kind === 'refused' || problems.title !== null || problems.description !== null) return
    form.discard()
    onSave({ ...fields, title: fields.title.trim(), price: judged.priceCents / 100 })
  }
  const shownProblems = {
    title: isTried ? problems.title : null,
    description: problems.description,
    price: isTried ? problems.price : null,
  }
  return { fields, price, problems: shownProblems, set, setPrice, submit, form }
}
