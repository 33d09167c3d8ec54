import { useState, type FormEvent } from 'react'
import { toDollars, type Cents } from '../../../../lib/money.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { CATEGORIES, categoryLabel, descriptionProblem, judgePrice, titleProblem, type Category } from '../../rules.ts'
import type { CourseFields } from '../schema.ts'

const states = { draft: 'Draft: only admins see it', published: 'Published: on sale', withdrawn: 'Withdrawn from sale' }

/** A course's fields. Saving is at once; the server hears of it a moment later. */
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
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (judged.kind === 'refused' || problems.title !== null || problems.description !== null) return
    onSave({ ...fields, title: fields.title.trim(), price: judged.priceCents / 100 })
  }
  return (
    <Dialog title={heading} isOpen onClose={onClose}>
      <form onSubmit={handleSubmit} noValidate className="flex min-h-0 flex-col">
        <div className="space-y-4 overflow-y-auto px-5 py-4">
          <Field
            label="Title"
            value={fields.title}
            problem={isTried ? problems.title : null}
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
              problem={isTried ? problems.price : null}
              onChange={(event) => setPrice(event.target.value)}
            />
            <SelectField
              label="Category"
              value={fields.category ?? ''}
              onChange={(event) =>
                set({ category: event.target.value === '' ? null : (event.target.value as Category) })
              }
            >
              <option value="">None</option>
              {CATEGORIES.map((name) => (
                <option key={name} value={name}>
                  {categoryLabel[name]}
                </option>
              ))}
            </SelectField>
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
        </div>
        <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button look="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Save course</Button>
        </div>
      </form>
    </Dialog>
  )
}
