import { fill } from '../../../../lib/failure.ts'
import { Field } from '../../../../ui/field.tsx'
import { MAX_WRITTEN_LENGTH } from '../written/written-answer.ts'
import type {
  CorrectionFieldsProps,
  KeyFormProps,
  PartFieldsProps,
  PartsPreviewProps,
  TypeEditor,
} from '../type-editor.tsx'
import { copy } from './numerical-edit.copy.ts'
import { NUMBER_FIELDS, type NumberField } from './numerical-edit.ts'
import { keyLine } from './numerical-grading.ts'

export const numericalEditor: TypeEditor<'numerical'> = {
  PartFields: ({ onChange, ...props }: PartFieldsProps<'numerical'>) => (
    <NumberFields {...props} onText={(field, text) => onChange({ type: 'numerical', field, text })} />
  ),
  CorrectionFields: ({ edited, problemOf, onChange }: CorrectionFieldsProps<'numerical'>) => (
    <NumberFields
      edited={edited}
      problemOf={problemOf}
      onText={(field, text) => onChange({ ...edited, [field]: text })}
    />
  ),
  PartsPreview,
  KeyForm,
}

function NumberFields({
  edited,
  problemOf,
  onText,
}: Pick<PartFieldsProps<'numerical'>, 'edited' | 'problemOf'> & {
  onText: (field: NumberField, text: string) => void
}) {
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
          onChange={(event) => onText(field, event.target.value)}
        />
      ))}
    </div>
  )
}

function PartsPreview({ edited }: PartsPreviewProps<'numerical'>) {
  return <p className="nums">{keyLine(edited)}</p>
}

/** The right number of a question; its tolerance and its unit stay. */
function KeyForm({ question, answerKey, problem, onChange }: KeyFormProps<'numerical'>) {
  return (
    <Field
      label={copy['key.number']}
      hint={fill(copy['key.number.hint'], { key: keyLine(question) })}
      problem={problem}
      maxLength={MAX_WRITTEN_LENGTH}
      autoComplete="off"
      value={answerKey.text}
      onChange={(event) => onChange({ type: 'numerical', text: event.target.value })}
    />
  )
}
