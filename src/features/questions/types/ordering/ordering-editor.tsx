import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { RowFields } from '../parts/row-fields.tsx'
import type { EditedRow, RowChange } from '../parts/row-editing.ts'
import type { PartFieldsProps, PartsPreviewProps, TypeEditor } from '../type-editor.tsx'
import { copy } from './ordering-edit.copy.ts'
import { LIMITS, type OrderingAction } from './ordering-edit.ts'
import { OrderingKeyForm } from './ordering-key-form.tsx'

export const orderingEditor: TypeEditor<'ordering'> = {
  PartFields: StepFields,
  PartsPreview: StepsPreview,
  KeyForm: OrderingKeyForm,
}

function StepFields({ edited, problemOf, onChange, TextField }: PartFieldsProps<'ordering'>) {
  const list = (name: OrderingAction['list'], label: string) => ({
    rows: edited[name],
    field: name,
    limits: LIMITS[name],
    labelOf: (place: number) => fill(label, { n: place + 1 }),
    problemOf,
    onChange: (change: RowChange) => onChange({ type: 'ordering', list: name, change }),
    TextField,
  })
  return (
    <>
      <RowFields
        {...list('steps', copy['editor.step'])}
        legend={copy['editor.steps']}
        hint={copy['editor.steps.hint']}
        addLabel={copy['editor.step.add']}
        isOrdered
      />
      <RowFields
        {...list('distractors', copy['editor.distractor'])}
        legend={copy['editor.distractors']}
        hint={copy['editor.distractors.hint']}
        addLabel={copy['editor.distractor.add']}
      />
    </>
  )
}

function StepsPreview({ edited, hidesEmpty = false }: PartsPreviewProps<'ordering'>) {
  const shown = (rows: readonly EditedRow[]) => (hidesEmpty ? rows.filter(({ text }) => text.trim() !== '') : rows)
  const out = shown(edited.distractors)
  return (
    <>
      <ol className="list-decimal space-y-2 pl-6">
        {shown(edited.steps).map(({ key, text }) => (
          <li key={key} className="pl-1">
            <Markdown text={text} as="phrasing" />
          </li>
        ))}
      </ol>
      {out.length === 0 ? null : (
        <>
          <p className="mt-4 mb-2 text-sm font-semibold">{copy['editor.distractors']}</p>
          <ul className="list-disc space-y-2 pl-6">
            {out.map(({ key, text }) => (
              <li key={key} className="pl-1">
                <Markdown text={text} as="phrasing" />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
