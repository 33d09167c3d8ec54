import { fill } from '../../../../lib/failure.ts'
import { Choice } from '../../../../ui/choice.tsx'
import { Field } from '../../../../ui/field.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { PlainTextField, RowFields } from '../parts/row-fields.tsx'
import type { KeyFormProps, PartFieldsProps, PartsPreviewProps, TypeEditor } from '../type-editor.tsx'
import { MAX_WRITTEN_LENGTH } from '../written/written-answer.ts'
import { copy } from './short-answer-edit.copy.ts'
import { FORM_LIMITS } from './short-answer-edit.ts'
import { formsHint } from './short-answer-texts.ts'

export const shortAnswerEditor: TypeEditor<'short-answer'> = {
  PartFields: FormFields,
  PartsPreview: FormsPreview,
  KeyForm,
}

/** The accepted forms, in plain text fields: nothing in them is Markdown. */
function FormFields({ edited, problemOf, onChange }: PartFieldsProps<'short-answer'>) {
  return (
    <>
      <RowFields
        legend={copy['editor.forms']}
        hint={copy['editor.forms.hint']}
        addLabel={copy['editor.form.add']}
        rows={edited.forms}
        field="forms"
        labelOf={(place) => fill(copy['editor.form'], { n: place + 1 })}
        problemOf={problemOf}
        onChange={(change) => onChange({ type: 'short-answer', change })}
        TextField={PlainTextField}
        limits={FORM_LIMITS}
        isOrdered
      />
      <Choice
        type="checkbox"
        className="mt-2"
        checked={edited.isCaseSensitive}
        onChange={({ target }) => onChange({ type: 'short-answer', isCaseSensitive: target.checked })}
      >
        {copy['editor.case']}
      </Choice>
    </>
  )
}

function FormsPreview({ edited, hidesEmpty = false }: PartsPreviewProps<'short-answer'>) {
  const forms = hidesEmpty ? edited.forms.filter(({ text }) => text.trim() !== '') : edited.forms
  const hint = formsHint(edited)
  return (
    <>
      <ul className="list-disc space-y-2 pl-6">
        {forms.map(({ key, text }) => (
          <li key={key} className="pl-1 wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
      {hint === null ? null : <p className="mt-2 text-sm text-soft">{hint}</p>}
    </>
  )
}

/** The first accepted form, and the others. */
function KeyForm({ question, answerKey, problem, onChange }: KeyFormProps<'short-answer'>) {
  const { text, others = [] } = answerKey
  return (
    <div className="space-y-4">
      <Field
        label={copy['key.text']}
        hint={fill(copy['key.text.hint'], { key: question.forms[0]?.text ?? '' })}
        problem={problem}
        maxLength={MAX_WRITTEN_LENGTH}
        autoComplete="off"
        value={text}
        onChange={({ target }) => onChange({ type: 'short-answer', text: target.value, others })}
      />
      <TextArea
        label={copy['key.others']}
        hint={copy['key.others.hint']}
        isShort
        value={others.join('\n')}
        onChange={({ target: { value } }) =>
          onChange({ type: 'short-answer', text, others: value === '' ? [] : value.split('\n') })
        }
      />
    </div>
  )
}
