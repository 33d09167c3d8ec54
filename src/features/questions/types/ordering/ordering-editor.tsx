import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { PlainTextField, RowFields } from '../parts/row-fields.tsx'
import type { EditedRow, RowChange } from '../parts/row-editing.ts'
import type { CorrectionFieldsProps, PartFieldsProps, PartsPreviewProps, TypeEditor } from '../type-editor.tsx'
import { copy } from './ordering-edit.copy.ts'
import { LIMITS, orderingEditing, type OrderingAction } from './ordering-edit.ts'
import { OrderingKeyForm } from './ordering-key-form.tsx'

export const orderingEditor: TypeEditor<'ordering'> = {
  PartFields: StepFields,
  CorrectionFields: CorrectionSteps,
  PartsPreview: StepsPreview,
  KeyForm: OrderingKeyForm,
}

function StepFields({ edited, problemOf, onChange, TextField }: PartFieldsProps<'ordering'>) {
  const changes = (list: OrderingAction['list']) => (change: RowChange) => onChange({ type: 'ordering', list, change })
  return (
    <>
      <RowFields
        legend={copy['editor.steps']}
        hint={copy['editor.steps.hint']}
        addLabel={copy['editor.step.add']}
        rows={edited.steps}
        field="steps"
        labelOf={(place) => fill(copy['editor.step'], { n: place + 1 })}
        problemOf={problemOf}
        onChange={changes('steps')}
        TextField={TextField}
        least={LIMITS.steps.least}
        most={LIMITS.steps.most}
        isOrdered
      />
      <RowFields
        legend={copy['editor.distractors']}
        hint={copy['editor.distractors.hint']}
        addLabel={copy['editor.distractor.add']}
        rows={edited.distractors}
        field="distractors"
        labelOf={(place) => fill(copy['editor.distractor'], { n: place + 1 })}
        problemOf={problemOf}
        onChange={changes('distractors')}
        TextField={TextField}
        least={LIMITS.distractors.least}
        most={LIMITS.distractors.most}
      />
    </>
  )
}

/** The steps in the form that corrects an imported question: as in the editor, with plain text fields. */
function CorrectionSteps({ edited, problemOf, onChange }: CorrectionFieldsProps<'ordering'>) {
  return (
    <StepFields
      edited={edited}
      problemOf={problemOf}
      onChange={(action) => {
        const changed = orderingEditing.reduce(edited, action)
        if (changed !== null) onChange(changed.edited)
      }}
      TextField={PlainTextField}
    />
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
