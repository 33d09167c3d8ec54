import { lazy, Suspense } from 'react'
import { changeParts } from './edit-registry.ts'
import { PlainTextField } from './parts/row-fields.tsx'
import { EDITOR_LOADERS } from './registered/registered-editors.tsx'
import type { EditedQuestion } from './question-edit.schema.ts'
import type { QuestionType } from './question-types.schema.ts'
import type { KeyFormProps, PartFieldsProps, PartsPreviewProps, TypeEditor } from './type-editor.tsx'

/* The forms of admins. Each type is a chunk of its own, which is loaded when a question of the type is edited. */

type Loader<Type extends QuestionType> = () => Promise<TypeEditor<Type>>
const loaders: { readonly [Type in QuestionType]: Loader<Type> } = EDITOR_LOADERS
const loaded = Object.entries(loaders).map(([type, load]) => [type, loadedLater(load as Loader<QuestionType>)])
const registry = Object.fromEntries(loaded) as { readonly [Type in QuestionType]: TypeEditor<Type> }

function loadedLater(load: Loader<QuestionType>): TypeEditor<QuestionType> {
  return {
    PartFields: lazy(async () => ({ default: (await load()).PartFields })),
    PartsPreview: lazy(async () => ({ default: (await load()).PartsPreview })),
    KeyForm: lazy(async () => ({ default: (await load()).KeyForm })),
  }
}

/** The forms of a type. The cast is safe because the callers below pass values of equal type. */
function editorOf({ type }: { readonly type: QuestionType }): TypeEditor<QuestionType> {
  return registry[type] as TypeEditor<QuestionType>
}

/** The parts of a question in the editor of drafts. */
export function PartFields(props: PartFieldsProps) {
  const editor = editorOf(props.edited)
  return (
    <Suspense>
      <editor.PartFields {...props} />
    </Suspense>
  )
}

/** The parts of a question in the form that corrects an imported one: as in the editor, with plain text fields. */
export function CorrectionFields({
  edited,
  problemOf,
  onChange,
}: Pick<PartFieldsProps, 'edited' | 'problemOf'> & { onChange: (edited: EditedQuestion) => void }) {
  return (
    <PartFields
      edited={edited}
      problemOf={problemOf}
      onChange={(action) => {
        const changed = changeParts(edited, action)
        if (changed !== null) onChange(changed.edited)
      }}
      TextField={PlainTextField}
    />
  )
}

/** The parts of a question as learners see them, with the answer key marked. */
export function PartsPreview(props: PartsPreviewProps) {
  const editor = editorOf(props.edited)
  return (
    <Suspense>
      <editor.PartsPreview {...props} />
    </Suspense>
  )
}

/** The choice of another answer key. */
export function KeyForm(props: KeyFormProps) {
  const editor = editorOf(props.question)
  return (
    <Suspense>
      <editor.KeyForm {...props} />
    </Suspense>
  )
}
