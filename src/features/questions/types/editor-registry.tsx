import { lazy, Suspense } from 'react'
import { changeParts } from './edit-registry.ts'
import { PlainTextField } from './parts/row-fields.tsx'
import type { EditedQuestion } from './question-edit.schema.ts'
import type { QuestionType } from './question-types.schema.ts'
import type { KeyFormProps, PartFieldsProps, PartsPreviewProps, TypeEditor } from './type-editor.tsx'

/* The forms of admins. Each type is a chunk of its own, which is loaded when a question of the type is edited. */

const registry: { readonly [Type in QuestionType]: TypeEditor<Type> } = {
  choice: loadedLater(async () => (await import('./choice/choice-editor.tsx')).choiceEditor),
  'drop-down': loadedLater(async () => (await import('./drop-down/drop-down-editor.tsx')).dropDownEditor),
  ordering: loadedLater(async () => (await import('./ordering/ordering-editor.tsx')).orderingEditor),
  numerical: loadedLater(async () => (await import('./numerical/numerical-editor.tsx')).numericalEditor),
  'short-answer': loadedLater(async () => (await import('./short-answer/short-answer-editor.tsx')).shortAnswerEditor),
  'hot-spot': loadedLater(async () => (await import('./hot-spot/hot-spot-editor.tsx')).hotSpotEditor),
  matching: loadedLater(async () => (await import('./matching/matching-editor.tsx')).matchingEditor),
}

function loadedLater<Type extends QuestionType>(load: () => Promise<TypeEditor<Type>>): TypeEditor<Type> {
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
