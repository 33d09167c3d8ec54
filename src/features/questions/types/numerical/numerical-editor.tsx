import { fill } from '../../../../lib/failure.ts'
import { Field } from '../../../../ui/field.tsx'
import { MAX_WRITTEN_LENGTH } from '../written/written-answer.ts'
import type { KeyFormProps, PartFieldsProps, PartsPreviewProps, TypeEditor } from '../type-editor.tsx'
import { copy } from './numerical-edit.copy.ts'
import { NUMBER_FIELDS } from './numerical-edit.ts'
import { keyLine } from './numerical-grading.ts'

export const numericalEditor: TypeEditor<'numerical'> = {
  PartFields,
  PartsPreview,
  KeyForm,
}

function PartFields({ edited, problemOf, onChange }: PartFieldsProps<'numerical'>) {
  return (
    <div className="grid gap-4 tablet:grid-cols-3">
      {NUMBER_FIELDS.map((field) => (
        <Field
          key={field}
          label={copy[`editor.${field}`]}
          hint={copy[`editor.${field}.hint`]}
          problem={problemOf(field)}
          inputMode={field === 'tolerance' ? 'decimal' : 'text'}
          maxLength={MAX_WRITTEN_LENGTH}
          autoComplete="off"
          value={edited[field]}
          onChange={(event) => onChange({ type: 'numerical', field, text: event.target.value })}
        />
      ))}
    </div>
  )
}

function PartsPreview({ edited }: PartsPreviewProps<'numerical'>) {
  return <p className="nums">{keyLine(edited)}</p>
}

/** The right number of a question and its tolerance; its unit stays. */
function KeyForm({ question, answerKey, problem, onChange }: KeyFormProps<'numerical'>) {
  const { text, tolerance = question.tolerance } = answerKey
  return (
    <div className="grid gap-4 tablet:grid-cols-2">
      <Field
        label={copy['key.number']}
        hint={fill(copy['key.number.hint'], { key: keyLine(question) })}
        problem={problem}
        maxLength={MAX_WRITTEN_LENGTH}
        autoComplete="off"
        value={text}
        onChange={({ target }) => onChange({ type: 'numerical', text: target.value, tolerance })}
      />
      <Field
        label={copy['editor.tolerance']}
        hint={copy['editor.tolerance.hint']}
        inputMode="decimal"
        maxLength={MAX_WRITTEN_LENGTH}
        autoComplete="off"
        value={tolerance}
        onChange={({ target }) => onChange({ type: 'numerical', text, tolerance: target.value })}
      />
    </div>
  )
}
